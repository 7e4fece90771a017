"""What the probabilities of each row lose, whose means are the log loss and Brier's score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats

#: A probability counts as no closer to 0 or 1 than this, as in scikit-learn, so that no loss is infinite.
_CLOSEST = float(np.finfo(np.float64).eps)


def log_losses(hits: NDArray[np.bool_], probabilities: Floats) -> Floats:
    """Return minus the logarithm of the probability of each row's class.

    Parameters
    ----------
    hits : ndarray of bool of shape (n_samples, n_classes)
        Which class is true.
    probabilities : ndarray of shape (n_samples, n_classes)
        How probable each is.
    """
    if probabilities.shape[1] == 1:  # a single class is sure
        return np.zeros(len(probabilities))
    said = np.where(hits, probabilities, 0.0).sum(axis=1)
    losses: Floats = -np.log(np.clip(said, _CLOSEST, 1 - _CLOSEST))
    return losses


def brier_losses(hits: NDArray[np.bool_], probabilities: Floats) -> Floats:
    """Return the squared distance of each row's probabilities from its class; half of it for two classes.

    Parameters
    ----------
    hits, probabilities
        As in `log_losses`.
    """
    squares: Floats = np.sum((probabilities - hits) ** 2, axis=1)
    return squares / 2 if probabilities.shape[1] == 2 else squares
