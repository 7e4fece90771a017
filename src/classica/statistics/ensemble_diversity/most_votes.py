"""The vote of several classifiers."""

from __future__ import annotations

import numpy as np

from classica.native import Codes


def most_votes(codes: Codes, labels: int) -> Codes:
    """Return the label with most votes in each row, the first of them in a tie.

    Parameters
    ----------
    codes : ndarray of shape (n_members, n_rows)
        What each member answers.
    labels : int
        How many codes there are.
    """
    rows = codes.shape[1]
    votes = np.bincount((np.arange(rows) * labels + codes).ravel(), minlength=rows * labels)
    winner: Codes = votes.reshape(rows, labels).argmax(axis=1).astype(np.int32)
    return winner
