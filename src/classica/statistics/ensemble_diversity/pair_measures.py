r"""How alike two classifiers are, from the rows they get right and wrong together.

Of N rows, :math:`N^{11}` are those both get right, :math:`N^{00}` those both get wrong, :math:`N^{10}` and
:math:`N^{01}` those only the first or only the second gets right (Kuncheva and Whitaker 2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats

#: The measures in the order they are shown, with what people call them.
MEASURES = {
    "overlap": "overlap",
    "disagreement": "disagreement",
    "q": "Q",
    "double_fault": "double fault",
    "kappa": "kappa",
    "correlation": "correlation",
}


def pair_measures(codes: Codes, truth: Codes, classes: int) -> dict[str, Floats]:
    """Return a matrix of every measure, for all pairs of members.

    Parameters
    ----------
    codes : ndarray of shape (n_members, n_rows)
        What each member answers.
    truth : ndarray of shape (n_rows,)
        What is right.
    classes : int
        How many codes there are.
    """
    right = codes == truth
    rows = len(truth)
    # Whole numbers up to here: a measure that is not defined divides by exactly 0.
    both_right = np.array([np.count_nonzero(right & each, axis=1) for each in right])
    alone = both_right.diagonal()[:, None] - both_right
    one_right = alone + alone.T
    both_wrong = rows - both_right - one_right
    together, apart = _products(both_right, both_wrong), _products(alone, alone.T)
    return {
        "overlap": _ratio(both_wrong, both_wrong + one_right),
        "disagreement": one_right / rows,
        "q": _ratio(together - apart, together + apart),
        "double_fault": both_wrong / rows,
        "kappa": _kappa(codes, classes),
        "correlation": _ratio(together - apart, _spreads(both_right.diagonal(), rows)),
    }


def _kappa(codes: Codes, classes: int) -> Floats:
    """Return how much more often two members agree than their shares of classes would make them."""
    rows = codes.shape[1]
    same = np.array([np.count_nonzero(codes == each, axis=1) for each in codes])
    counts = np.array([np.bincount(each, minlength=classes) for each in codes], dtype=np.float64)
    by_chance = counts @ counts.T
    return _ratio(rows * same - by_chance, float(rows) ** 2 - by_chance)


def _spreads(right: NDArray[Any], rows: int) -> Floats:
    """Return the product of the deviations of being right, for all pairs, times the square of the rows."""
    variances = _products(right, rows - right)
    spreads: Floats = np.sqrt(np.outer(variances, variances))  # exact for equal ones
    return spreads


def _products(first: NDArray[Any], second: NDArray[Any]) -> Floats:
    products: Floats = first.astype(np.float64) * second
    return products


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide, with NaN where the whole is 0."""
    ratio = np.full(part.shape, np.nan)
    np.divide(part, whole, out=ratio, where=whole != 0)
    return ratio
