"""Multilayer perceptrons."""
