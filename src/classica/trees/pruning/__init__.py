"""Pruning trees: cost-complexity paths, estimated errors, held-out rows."""
