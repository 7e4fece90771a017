"""The findings about tables: every module here is imported, every rule in it is one finding."""
