"""The forms a model can become: every module here is imported, every `Form` in it is one of them."""
