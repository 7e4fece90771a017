"""Order training rows so that every prefix is stratified."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def ordered_splits(splits: Iterable[tuple[Any, Any]], y: NDArray[Any] | None, seed: int) -> Splits:
    """Return splits whose training rows can be truncated anywhere without changing the class shares.

    Parameters
    ----------
    splits : iterable of (train, test)
        Row numbers.
    y : ndarray or None
        The labels; None for a random order.
    seed : int
        Random seed of the order within a class.
    """
    rng = np.random.default_rng(seed)
    ordered = []
    for train, test in splits:
        shuffled = rng.permutation(np.asarray(train, dtype=np.intp))
        order = shuffled if y is None else shuffled[stratified_order(y[shuffled], rng)]
        ordered.append((order, np.asarray(test, dtype=np.intp)))
    return ordered


def stratified_order(labels: NDArray[Any], rng: np.random.Generator) -> NDArray[np.intp]:
    """Return positions that spread each class evenly: the k-th of its n rows is at about (k - ½)/n.

    Parameters
    ----------
    labels : ndarray
        The labels of rows in random order.
    rng : Generator
        Breaks ties between classes.
    """
    _, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    within = np.empty(len(labels))
    for code in range(len(counts)):
        within[codes == code] = np.arange(counts[code])
    return np.lexsort((rng.random(len(labels)), (within + 0.5) / counts[codes]))
