"""Tables as numbers: categories, missing values and scales, learned from training rows."""
