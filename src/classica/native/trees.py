"""Decision trees: ranks of a table, growing, and rows through a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows

Ranks = NDArray[np.uint32]

#: The words of the rules of growth: what the core dispatches on.
CRITERIA: tuple[str, ...] = _core.CRITERIA
CLASS_CRITERIA: tuple[str, ...] = _core.CLASS_CRITERIA
CATEGORY_SPLITS: tuple[str, ...] = _core.CATEGORY_SPLITS
MISSING_POLICIES: tuple[str, ...] = _core.MISSING_POLICIES
SELECTIONS: tuple[str, ...] = _core.SELECTIONS

#: The rank of a missing value.
MISSING_RANK = np.uint32(0xFFFFFFFF)

#: Ranks (a row per column of the table), levels, 1 for categories, where each column's values start, values,
#: and what lies between each and the next where values were put together (else nothing).
RankTable = tuple[Ranks, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64], Floats, Floats]

#: Packed questions and the children of category levels; for surrogates the same, and where they start.
TreeArrays = tuple[Any, ...]

#: The kernel's record of a question; see `tree_apply.hpp`.
_QUESTION = np.dtype(
    [
        ("limit", np.float64),
        ("levels_at", np.int64),
        ("feature", np.int32),
        ("first_child", np.int32),
        ("missing_child", np.int32),
        ("child_count", np.int32),
    ]
)


def rank_columns(X: Rows, threads: int) -> tuple[Ranks, list[Floats]]:
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
    *,
    counts: Ranks | None = None,
) -> dict[str, Any]:
    """Return the arrays of a tree grown on some rows, by name; see `tree.hpp`."""
    learned = codes, classes, values, weights, cases
    return dict(_core.grow_tree(table, *learned, rows, counts, rules, threads))


def relieff_weights(
    table: RankTable,
    codes: Codes,
    classes: int,
    weights: Floats | None,
    rows: Ranks,
    rules: dict[str, Any],
) -> Floats:
    """Return the ReliefF weight of each column on some rows; see `relieff.hpp`."""
    weights_by_column: Floats = _core.relieff_weights(table, codes, classes, weights, rows, rules)
    return weights_by_column


def pack_questions(
    feature: Codes,
    threshold: Floats,
    levels_at: NDArray[np.int64],
    first_child: Codes | NDArray[np.uint8] | int,
    missing_child: Codes | int,
    child_count: Codes | int,
) -> NDArray[np.uint8]:
    """Return what a row meets at each node side by side, a row of bytes per question."""
    packed = np.empty(len(feature), dtype=_QUESTION)
    levels = np.diff(levels_at)
    packed["limit"] = np.where(levels > 0, levels, threshold)
    packed["levels_at"] = np.where(levels > 0, levels_at[:-1], -1)
    packed["feature"] = feature
    packed["first_child"] = first_child
    packed["missing_child"] = missing_child
    packed["child_count"] = child_count
    return packed.view(np.uint8).reshape(len(feature), _QUESTION.itemsize)


def apply_tree(X: Rows, tree: TreeArrays, threads: int) -> Codes:
    """Return the node in which each row ends."""
    out = np.empty(X.shape[0], dtype=np.int32)
    _core.apply_tree(X, tree, threads, out)
    return out


def spread_over_tree(X: Rows, tree: TreeArrays, weight: Floats, values: Floats, threads: int) -> Floats:
    """Return the mean value of the nodes in which parts of each row end; missing values divide a row."""
    out = np.empty((X.shape[0], values.shape[1]))
    _core.spread_over_tree(X, tree, weight, values, threads, out)
    return out
