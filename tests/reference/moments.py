"""Counts, sums and square sums of groups of rows, without rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

#: A float, or an array of floats, as exact fractions.
exact = np.frompyfunc(lambda value: Fraction(float(value)), 1, 1)


def pairs_as_fractions(pairs: Any) -> Any:
    """Return the exact value of double-double numbers."""
    return exact(pairs[0]) + exact(pairs[1])


def grouped_moments(X: Any, group: Any, groups: int, weights: Any = None) -> tuple[Any, Any, Any]:
    """Return counts (groups,), sums and square sums (groups, columns) as fractions."""
    values = exact(X)
    weight = exact(np.ones(len(X)) if weights is None else weights)[:, None]
    terms = np.hstack([weight, weight * values, weight * values**2])
    totals = np.array([terms[group == g].sum(axis=0) for g in range(groups)], dtype=object)
    columns = X.shape[1]
    return totals[:, 0], totals[:, 1 : columns + 1], totals[:, columns + 1 :]


def means_and_variances(counts: Any, sums: Any, squares: Any) -> tuple[Any, Any]:
    """Return sum / count and square sum / count - mean², or zeros for an empty group."""
    divisor = np.array([count or 1 for count in counts], dtype=object)[:, None]
    means = sums / divisor
    return means, squares / divisor - means**2
