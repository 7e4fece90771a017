"""What is compared, and how: models, settings, folds, and the workspace all workers read."""
