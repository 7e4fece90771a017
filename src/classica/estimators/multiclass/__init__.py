"""Several classes by binary classifiers: one against all, all against all."""
