"""Bias and variance: decompositions of the expected loss of an estimator."""
