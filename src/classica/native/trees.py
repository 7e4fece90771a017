"""Decision trees: ranks of a table, growing, and rows through a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]
Ranks = NDArray[np.uint32]

#: The rank of a missing cell.
MISSING_RANK = np.uint32(0xFFFFFFFF)

#: Ranks (a row per column of the table), levels, 1 for categories, where each column's values start, values.
RankTable = tuple[Ranks, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64], Floats]

#: (feature, threshold, levels_at, level_child), missing_child, first_child, child_count; and, for surrogates,
#: (feature, threshold, levels_at, level_child), flipped, starts.
TreeArrays = tuple[Any, ...]


def rank_columns(X: Any, threads: int) -> tuple[Ranks, list[Floats]]:
    """Return the rank of each cell, a row per column, and the distinct values of each column."""
    ranks = np.empty((X.shape[1], X.shape[0]), dtype=np.uint32)
    return ranks, _core.rank_columns(X, threads, ranks)


def grow_tree(
    table: RankTable,
    codes: Codes | None,
    classes: int,
    values: Floats | None,
    weights: Floats | None,
    cases: Floats | None,
    rows: Ranks,
    rules: dict[str, Any],
    threads: int,
) -> dict[str, Any]:
    """Return the arrays of a tree grown on some rows, by name; see `tree.hpp`."""
    return dict(_core.grow_tree(table, codes, classes, values, weights, cases, rows, rules, threads))


def apply_tree(X: Any, tree: TreeArrays, threads: int) -> Codes:
    """Return the node in which each row ends."""
    out = np.empty(X.shape[0], dtype=np.int32)
    _core.apply_tree(X, tree, threads, out)
    return out


def spread_over_tree(X: Any, tree: TreeArrays, weight: Floats, values: Floats, threads: int) -> Floats:
    """Return the mean value of the nodes in which parts of each row end; missing cells divide a row."""
    out = np.empty((X.shape[0], values.shape[1]))
    _core.spread_over_tree(X, tree, weight, values, threads, out)
    return out
