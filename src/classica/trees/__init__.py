"""Decision trees as plain arrays: grow, prune, look at, write down. Estimators are built on them."""
