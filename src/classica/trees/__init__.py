"""Decision trees as plain data: growing, pruning, rules, views and traces, for every family built on them."""
