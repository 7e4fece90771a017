"""What curves over thresholds are made of: hits and false alarms, from the highest score down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


def ranked_counts(truth: NDArray[np.intp], scores: Floats) -> tuple[Floats, Floats]:
    """Return how many hits and false alarms there are among all rows of at least each different score.

    A report draws hundreds of curves of few rows; checks of every array would take longer than the counting.

    Parameters
    ----------
    truth : ndarray of shape (n_rows,)
        1 for rows of the class, 0 for others.
    scores : ndarray of shape (n_rows,)
        Their finite scores.

    Returns
    -------
    hits, alarms : ndarray
        Both from no row accepted to all accepted.

    Examples
    --------
    >>> hits, alarms = ranked_counts(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.4, 0.8]))
    >>> hits.tolist(), alarms.tolist()
    ([0.0, 1.0, 2.0, 2.0], [0.0, 0.0, 1.0, 2.0])
    """
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    hits = np.cumsum(truth[order])[last]
    return np.append(0.0, hits), np.append(0.0, last + 1 - hits)
