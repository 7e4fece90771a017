"""Many tests at once: Holm's correction."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.errors import DataError, must
from classica.native import Floats


def holm(p_values: Any) -> Floats:
    r"""Return p-values that hold for all tests together (Holm 1979).

    The smallest of m is multiplied by m, the next by m - 1, and so on; none becomes smaller than one before
    it. The chance of any false claim among those at or below α is then at most α.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        The p-values; NaN for a test that could not be made, which stays NaN and does not count.

    Returns
    -------
    ndarray of shape (n_tests,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005])
    array([0.03, 0.06, 0.06, 0.02])
    """
    try:
        given = np.asarray(p_values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must("p_values", "a sequence of numbers from 0 to 1", p_values)) from None
    known = ~np.isnan(given)
    if given.ndim != 1 or not ((given[known] >= 0) & (given[known] <= 1)).all():
        raise DataError(must("p_values", "a sequence of numbers from 0 to 1", p_values))
    places = np.flatnonzero(known)[np.argsort(given[known], kind="stable")]
    stepped = given[places] * np.arange(len(places), 0, -1)
    adjusted = np.full(len(given), np.nan)
    adjusted[places] = np.minimum(1.0, np.maximum.accumulate(stepped))
    return adjusted
