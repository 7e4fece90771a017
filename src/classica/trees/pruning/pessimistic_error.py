"""How many errors to expect on new rows, from those on rows learned from (Quinlan 1993, section 4.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from classica.native import Floats


def pessimistic_errors(n: ArrayLike, e: ArrayLike, confidence: float = 0.25) -> Floats:
    """Return the upper confidence limit of the number of errors, where e errors were seen in n cases.

    Parameters
    ----------
    n, e : array-like
        Cases and errors; weights are counts.
    confidence : float, default=0.25
        The probability of more errors than the limit: the smaller, the more pessimistic.

    Notes
    -----
    Without errors the limit is exact, n (1 - confidence^(1/n)); from one error on it is the normal
    approximation of the binomial distribution with its continuity correction; in between, linear.
    """
    n, e = np.asarray(n, dtype=np.float64), np.asarray(e, dtype=np.float64)
    some = np.where(n > 0, n, 1.0)
    none_seen = some * -np.expm1(np.log(confidence) / some)
    limit = _normal_limit(some, np.maximum(e, 1.0), confidence)
    below_one = none_seen + e * (limit - none_seen)
    # Of less than one case the limit may fall below what was seen.
    errors: Floats = np.maximum(np.where(n > 0, np.where(e < 1, below_one, limit), 0.0), e)
    return errors


def _normal_limit(n: Floats, e: Floats, confidence: float) -> Floats:
    """Return n times Wilson's upper limit of the share (e + 1/2) / n; at most n."""
    z = -ndtri(confidence)
    share = np.minimum((e + 0.5) / n, 1.0)
    root = np.sqrt(share / n - share**2 / n + (z / n / 2) ** 2)
    limit = n * (share + z**2 / (2 * n) + z * root) / (1 + z**2 / n)
    limited: Floats = np.where(e + 0.5 >= n, n, limit)
    return limited
