"""Classica against its peers: the same arrays, one process, answers checked, ratios reported."""
