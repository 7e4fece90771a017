"""The findings of a diagnosis: every module here is imported, every rule in it is one finding."""
