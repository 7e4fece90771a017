"""Which of two calibrations of the same held-out scores to keep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats

#: Standard errors by which the numbers of misclassified rows must differ before they decide.
_CHANCE = 2.0


def is_better(
    first: Floats, second: Floats, codes: NDArray[np.intp], rows: NDArray[np.intp], weights: Floats
) -> bool:
    """Return whether the first of two calibrations is to be kept.

    The one that misclassifies fewer rows by weight, if the difference is more than two standard errors of a
    sign test on the rows that only one of them classifies correctly; otherwise the one with the lower log
    loss, and the first if these are equal, too.

    Parameters
    ----------
    first, second : float64 arrays of shape (n_held_out, n_classes)
        The probabilities of each.
    codes : int array of shape (n_held_out,)
        The true class.
    rows : int array of shape (n_held_out,)
        The row that was held out; one that was held out several times counts as one.
    weights : float64 array of shape (n_held_out,)
        How often it counts, divided among the times it is held out.
    """
    more_correct = _is_correct(first, codes) - _is_correct(second, codes)
    difference = np.bincount(rows, weights * more_correct)
    total = np.bincount(rows, weights)
    # A row of weight w counts as w rows, so the variance of what it adds is its square divided by w.
    variance = np.divide(difference**2, total, out=np.zeros(len(total)), where=total > 0).sum()
    if abs(difference.sum()) > _CHANCE * np.sqrt(variance):
        return bool(difference.sum() > 0)
    return _log_loss(first, codes, weights) <= _log_loss(second, codes, weights)


def _is_correct(probabilities: Floats, codes: NDArray[np.intp]) -> Floats:
    correct: Floats = (probabilities.argmax(axis=1) == codes).astype(np.float64)
    return correct


def _log_loss(probabilities: Floats, codes: NDArray[np.intp], weights: Floats) -> float:
    """Return the sum over rows; a probability of 0 counts as scikit-learn's log loss counts it."""
    of_class = np.take_along_axis(probabilities, codes[:, None], axis=1)[:, 0]
    return float(-(weights * np.log(np.maximum(of_class, np.finfo(np.float64).eps))).sum())
