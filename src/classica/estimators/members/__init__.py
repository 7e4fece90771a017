"""Classifiers inside a classifier: their rows, columns, parameters and fits."""
