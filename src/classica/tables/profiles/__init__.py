"""What to look at in a table before learning from it."""
