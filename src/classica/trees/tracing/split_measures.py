"""What a division of rows into branches is worth, by every measure of the lectures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classica.native import Floats


@dataclass(frozen=True)
class SplitMeasures:
    """A division of classified rows.

    Attributes
    ----------
    counts : float64 array of shape (branches, classes)
        The weight of each class in each branch.
    shares : float64 array of shape (branches,)
        The share of the rows that each branch has.
    entropies : float64 array of shape (branches,)
        The entropy of each branch, in bits.
    entropy : float
        Of all rows that take a branch.
    gain : float
        How much of the entropy the division takes away (information gain).
    split_information : float
        The entropy of the division itself.
    gain_ratio : float
        Their ratio; 0 where nothing is divided.
    gini_gain : float
        The same as the gain for Gini's impurity, the sum of p (1 - p).
    error_gain : float
        The same for the share of rows that are not of the most frequent class.
    chi2 : float
        The statistic of the table of counts.
    """

    counts: Floats
    shares: Floats
    entropies: Floats
    entropy: float
    gain: float
    split_information: float
    gain_ratio: float
    gini_gain: float
    error_gain: float
    chi2: float


def split_measures(
    branch_of_row: ArrayLike, codes: ArrayLike, weights: ArrayLike | None = None, classes: int = 0
) -> SplitMeasures:
    """Return what a division is worth.

    Parameters
    ----------
    branch_of_row : array-like of int
        The branch each row takes. A row with -1 takes none: it lowers the gains by its share and counts as a
        branch of its own in the split information (C4.5's rule for missing values).
    codes : array-like of int
        The class of each row.
    weights : array-like, optional
        How much each row counts.
    classes : int, optional
        The number of classes, if some may be absent.
    """
    branch, codes = np.asarray(branch_of_row, dtype=np.intp), np.asarray(codes, dtype=np.intp)
    weights = np.ones(len(codes)) if weights is None else np.asarray(weights, dtype=np.float64)
    taken = branch >= 0
    shape = int(branch.max(initial=-1)) + 1, max(classes, int(codes.max(initial=-1)) + 1)
    counts = np.zeros(shape)
    np.add.at(counts, (branch[taken], codes[taken]), weights[taken])
    return _measures(counts, float(weights[~taken].sum()))


def _measures(counts: Floats, unknown: float) -> SplitMeasures:
    sizes, whole = counts.sum(axis=1), counts.sum(axis=0, keepdims=True)
    total = float(sizes.sum())
    all_rows = total + unknown
    part, shares = total / all_rows if all_rows else 0.0, sizes / total if total else sizes
    falls = [  # never negative but by rounding
        max(float(part * (impurity(whole)[0] - shares @ impurity(counts))), 0.0)
        for impurity in (entropy, gini, error)
    ]
    information = float(entropy(np.append(sizes, unknown)[None])[0])
    return SplitMeasures(
        counts=counts,
        shares=shares,
        entropies=entropy(counts),
        entropy=float(entropy(whole)[0]),
        gain=falls[0],
        split_information=information,
        gain_ratio=falls[0] / information if information > 0 else 0.0,
        gini_gain=falls[1],
        error_gain=falls[2],
        chi2=_chi2(counts),
    )


def entropy(counts: Floats) -> Floats:
    """Return the entropy of each row of counts, in bits."""
    p = _shares(counts)
    logs = np.log2(np.where(p > 0, p, 1.0))
    bits: Floats = np.abs(-(p * logs).sum(axis=1))  # not -0
    return bits


def gini(counts: Floats) -> Floats:
    """Return Gini's impurity of each row of counts: the sum of p (1 - p)."""
    p = _shares(counts)
    impurity: Floats = (p * (1 - p)).sum(axis=1)
    return impurity


def error(counts: Floats) -> Floats:
    """Return the share of each row of counts that is not of the most frequent class."""
    p = _shares(counts)
    impurity: Floats = np.where(p.any(axis=1), 1 - p.max(axis=1, initial=0.0), 0.0)
    return impurity


def _shares(counts: Floats) -> Floats:
    sizes = counts.sum(axis=1, keepdims=True)
    shares: Floats = counts / np.where(sizes > 0, sizes, 1.0)
    return shares


def _chi2(counts: Floats) -> float:
    total = counts.sum()
    if not total:
        return 0.0
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    return float(((counts - expected) ** 2 / np.where(expected > 0, expected, 1.0)).sum())
