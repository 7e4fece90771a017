"""Class priors: equal, as often as in the table, or given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from classica.errors import ParameterError, must
from classica.native import Codes, Floats
from classica.params import Numbers, OneOf

#: What the parameter `priors` may be.
PRIORS = OneOf("uniform", "empirical") | Numbers()
Priors: TypeAlias = "str | Sequence[float] | Floats"


def class_priors(wanted: Priors, counts: Floats) -> Floats:
    """Return the prior of each class; a class without rows has none."""
    shares = np.asarray(counts > 0, dtype=np.float64)
    if not isinstance(wanted, str):
        shares = shares * _given(wanted, len(counts))
    elif wanted == "empirical":
        shares = counts
    priors: Floats = shares / shares.sum()
    return priors


def log_priors(priors: Floats) -> Floats:
    """Return the logarithms; minus infinity for a class without rows."""
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(priors)
    return logs


def _given(wanted: Priors, classes: int) -> Floats:
    given = np.asarray(wanted, dtype=np.float64)
    if len(given) != classes:
        raise ParameterError(must("priors", f"one number for each of {classes} classes", wanted))
    if (given <= 0).any() or abs(given.sum() - 1) > 1e-6:
        raise ParameterError(must("priors", "positive with sum 1", wanted))
    return given


def left_out_log_priors(wanted: Priors, counts: Floats, codes: Codes, weights: Floats | None) -> Floats:
    """Return the log priors that each row would see had it not been learned, one row of them each."""
    if not isinstance(wanted, str) or wanted == "uniform":
        return np.tile(log_priors(class_priors(wanted, counts)), (len(codes), 1))
    weight = np.ones(len(codes)) if weights is None else weights
    left = np.tile(counts, (len(codes), 1))
    left[np.arange(len(codes)), codes] -= weight
    return log_priors(np.maximum(left, 0.0) / left.sum(axis=1, keepdims=True))
