"""Table formats, one reader each."""
