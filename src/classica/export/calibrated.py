"""Machines whose scores are calibrated: what decides goes along a line for each class.

A sigmoid rises with its line, and sharing out probabilities keeps their order, so that the class with the
highest line has the highest probability. Of two classes the line of the second is its log odds.
"""

from __future__ import annotations

import numpy as np

from classica.decision.sigmoid_curve import SigmoidCurve
from classica.explain.additive_models import additive_of
from classica.explain.opened import Opened
from classica.export.decided import is_plain, log_factors, worth_of
from classica.export.programs import CalibratedSums


def calibrated_program(opened: Opened) -> CalibratedSums | None:
    """Return a calibrated machine as a program; None where its probabilities are no lines of its scores."""
    curves = [] if opened.calibration is None else opened.calibration.curves_
    lines = [(curve.slope, curve) for curve in curves if isinstance(curve, SigmoidCurve)]
    sums = additive_of(opened)
    # Scores of a classifier with probabilities are these, and no sums.
    if sums is None or not lines or hasattr(opened.estimator, "predict_proba"):
        return None
    slopes = np.array([slope / curve.scale for slope, curve in lines])
    offsets = np.array([curve.offset - slope * curve.center for slope, curve in lines])
    if len(slopes) == 1:  # the first of two classes has a score of zero
        slopes, offsets = np.append(0.0, slopes), np.append(0.0, offsets)
    program = CalibratedSums(sums, slopes, offsets)
    if opened.decision is None or is_plain(opened.decision):
        return program
    added = log_factors(worth_of(opened.decision))
    return CalibratedSums(sums, slopes, offsets + added) if added is not None and len(added) == 2 else None
