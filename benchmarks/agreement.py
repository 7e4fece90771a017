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


def nearly_same_labels(most: float) -> Agreement:
    """Make a check that at most this share of the labels differs: for peers with another divisor."""

    def check(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
        difference = same_labels(data, ours, theirs)
        return difference if ours.shape != theirs.shape or np.mean(ours != theirs) > most else None

    return check


def same_neighbours(tie: float) -> Agreement:
    """Make a check of neighbours, nearest first: others only where distances differ by `tie` relatively."""

    def check(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
        if ours.shape != theirs.shape:
            return f"shapes {ours.shape} and {theirs.shape}"
        queries, ranks = np.nonzero(ours != theirs)
        own, other = (_distances(data, queries, answer[queries, ranks]) for answer in (ours, theirs))
        wrong = int(np.count_nonzero(np.abs(own - other) > tie * np.minimum(own, other)))
        return f"{wrong:,} neighbours of {ours.size:,} that rounding does not explain" if wrong else None

    return check


def _distances(data: Data, queries: NDArray[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    differences = data.new_rows[queries].astype(np.float64) - data.rows[rows]
    distances: NDArray[np.float64] = np.sqrt(np.sum(differences**2, axis=1))
    return distances


def accuracy_not_lower(slack: float = 0.0) -> Agreement:
    """Make a check that our accuracy on the new rows is that of the peer, less `slack` at most."""

    def check(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
        own, other = (float(np.mean(answer == data.new_labels)) for answer in (ours, theirs))
        return None if own >= other - slack else f"accuracy {own:.4f} against {other:.4f}"

    return check


def accuracy_within_chance(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Our accuracy on the new rows is the peer's, less three standard errors of the difference at most.

    For learners that draw at random: only rows that one of the two gets right tell them apart (McNemar).
    """
    own, other = ours == data.new_labels, theirs == data.new_labels
    behind, apart = int(np.sum(other)) - int(np.sum(own)), int(np.sum(own != other))
    if behind <= 3 * np.sqrt(apart):
        return None
    return f"accuracy {float(np.mean(own)):.4f} against {float(np.mean(other)):.4f}"


def error_not_higher(slack: float = 0.0) -> Agreement:
    """Make a check that our mean squared error on new rows is at most 1 + `slack` times the peer's."""

    def check(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
        own, other = (float(np.mean((answer - data.new_labels) ** 2)) for answer in (ours, theirs))
        return None if own <= other * (1 + slack) else f"mean squared error {own:.4g} against {other:.4g}"

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
