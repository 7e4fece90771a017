"""The formats tables are read from, one reader each."""
