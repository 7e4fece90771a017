"""Bias and variance: what the expected loss of a learner is made of."""
