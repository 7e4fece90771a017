"""The Bayes error: computed for Gaussian classes, bracketed by nearest neighbours otherwise."""
