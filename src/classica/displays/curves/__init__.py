"""Curves: ROC, precision and recall, calibration, learning and validation."""
