"""Forests: growing them, rows through them, and what they say of rows they have not learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.row_samples import SampleRules
from classica.native.trees import RankTable

#: Nodes, where trees start, children of levels, weights, surrogates with their levels and starts, and whether
#: leaves hold numbers; see `forest.hpp`.
ForestArrays = tuple[Any, ...]


def grow_forest(
    table: RankTable,
    codes: Codes | None,
    classes: int,
    values: Floats | None,
    weights: Floats | None,
    cases: Floats | None,
    rules: dict[str, Any],
    trees: int,
    samples: SampleRules | None,
    balances_samples: bool,
    smoothing: float,
    threads: int,
) -> dict[str, Any]:
    """Return the arrays of a forest by name; without samples every tree learns from all rows."""
    learned = codes, classes, values, weights, cases
    arrays = _core.grow_forest(table, *learned, rules, trees, samples, balances_samples, smoothing, threads)
    return dict(arrays)


def forest_means(X: Rows, forest: ForestArrays, values: Floats, threads: int) -> Floats:
    """Return the mean over the trees of the value where each row ends."""
    out = np.empty((X.shape[0], values.shape[1]))
    _core.forest_means(X, forest, values, threads, out)
    return out


def apply_forest(X: Rows, forest: ForestArrays, trees: int, threads: int) -> Codes:
    """Return the node of each tree in which each row ends, a column per tree."""
    out = np.empty((X.shape[0], trees), dtype=np.int32)
    _core.apply_forest(X, forest, threads, out)
    return out


def out_of_bag(
    X: Rows,
    forest: ForestArrays,
    values: Floats,
    samples: SampleRules,
    codes: Codes | None,
    classes: int,
    numbers: Floats | None,
    weights: Floats | None,
    threads: int,
) -> tuple[Floats, NDArray[np.uint32], Floats, Floats]:
    """Return what trees say of rows they have not seen.

    The sum of their values and their number, per row; per size of the forest the weight of wrong rows (or the
    sum of squared errors) and that of all rows that some tree has not seen.
    """
    right = codes, classes, numbers, weights
    sums, trees, errors, judged = _core.out_of_bag(X, forest, values, samples, *right, threads)
    return sums.reshape(X.shape[0], -1), trees, errors, judged


def out_of_bag_importances(
    X: Rows,
    forest: ForestArrays,
    values: Floats,
    samples: SampleRules,
    codes: Codes | None,
    classes: int,
    numbers: Floats | None,
    weights: Floats | None,
    seed: int,
    threads: int,
) -> Floats:
    """Return by how much trees err more on rows they have not seen once a column is shuffled."""
    out = np.empty(X.shape[1])
    right = codes, classes, numbers, weights
    _core.out_of_bag_importances(X, forest, values, samples, *right, seed, threads, out)
    return out
