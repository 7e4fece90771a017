"""The Bayes error: known for Gaussian classes, bracketed by nearest neighbours elsewhere."""
