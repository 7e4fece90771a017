"""Gaussian classes: nearest mean, linear and quadratic discriminants, Fisher's direction."""
