"""Checks that two answers agree: None if they do, else what differs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Agreement, Data


def same_labels(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Every label is the same."""
    if ours.shape != theirs.shape:
        return f"shapes {ours.shape} and {theirs.shape}"
    different = int(np.count_nonzero(ours != theirs))
    return f"{different:,} different labels of {ours.size:,}" if different else None


def accuracy_not_lower(slack: float = 0.0) -> Agreement:
    """Make a check that our accuracy on the new rows is that of the peer, less `slack` at most."""

    def check(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
        own, other = (float(np.mean(answer == data.new_labels)) for answer in (ours, theirs))
        return None if own >= other - slack else f"accuracy {own:.4f} against {other:.4f}"

    return check


def same_shares(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Each class is drawn as often, within five standard errors of the difference."""
    for label in np.unique(data.labels):
        own, other = float(np.mean(ours == label)), float(np.mean(theirs == label))
        share = (own * ours.size + other * theirs.size) / (ours.size + theirs.size)
        error = np.sqrt(share * (1 - share) * (1 / ours.size + 1 / theirs.size))
        if abs(own - other) > 5 * error:
            return f"share of class {label} {own:.4f} against {other:.4f}"
    return None
