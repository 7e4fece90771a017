"""Nearest neighbours: the classifier, the regressor, and the search both share."""
