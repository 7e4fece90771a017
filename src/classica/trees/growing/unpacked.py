"""A tree of a forest, out of the sixteen bytes per node in which forests hold theirs."""

from __future__ import annotations

import numpy as np

from classica.errors import ParameterError
from classica.native import Codes
from classica.trees.growing.forest import Forest
from classica.trees.growing.tree import Tree

# As in `forest.hpp`.
_CATEGORY, _COLUMN, _MISSING_SHIFT = 1 << 29, (1 << 29) - 1, 30
_NODE = np.dtype([("limit", "<f8"), ("first_child", "<i4"), ("question", "<u4")])


def unpacked_tree(forest: Forest, number: int) -> tuple[Tree, Codes]:
    """Return a tree of a forest of classes, and the row of the forest's values that each node has.

    What a packed tree has no room for (cases, weights, gains) is zero. A question about numbers has no value
    of its own, since no row ends there: its row is 0.
    """
    if len(forest.surrogates_at) or len(forest.weight) or forest.holds_numbers:
        got = "one of numbers, or one that follows surrogates or divides rows"
        raise ParameterError(
            f"The forest must be one of classes whose missing values take a single branch, got {got}."
        )
    one = forest.trees(number, number + 1)
    nodes = np.ascontiguousarray(one.nodes).view(_NODE)[:, 0]
    is_leaf = nodes["first_child"] < 0
    asks_levels = ~is_leaf & ((nodes["question"] & _CATEGORY) > 0)
    halves = np.ascontiguousarray(nodes["limit"]).view(np.int32).reshape(-1, 2)
    lists = [
        one.level_child[start : start + count + 2] if asks else one.level_child[:0]
        for (start, count), asks in zip(halves.tolist(), asks_levels.tolist(), strict=True)
    ]
    missing = (nodes["question"] >> _MISSING_SHIFT).astype(np.int32)
    missing[asks_levels] = [int(entries[-2]) for entries in lists if len(entries)]
    values = np.where(is_leaf, ~nodes["first_child"], 0).astype(np.int32)
    values[asks_levels] = [int(entries[-1]) for entries in lists if len(entries)]
    # Missing numbers may have a third branch of their own.
    counts = np.where(is_leaf, 0, np.maximum(2, missing + 1)).astype(np.int32)
    counts[asks_levels] = [int(entries[:-1].max()) + 1 for entries in lists if len(entries)]
    children = [entries[:-2] for entries in lists]
    nothing = np.zeros(len(nodes))
    tree = Tree(
        feature=np.where(is_leaf, -1, nodes["question"] & _COLUMN).astype(np.int32),
        threshold=np.where(is_leaf | asks_levels, np.nan, nodes["limit"]),
        levels_at=np.cumsum([0, *(len(entries) for entries in children)]).astype(np.int64),
        level_child=np.concatenate([*children, one.level_child[:0]]).astype(np.int32),
        missing_child=np.where(is_leaf, -1, missing).astype(np.int32),
        first_child=np.where(is_leaf, -1, nodes["first_child"]).astype(np.int32),
        child_count=counts,
        cases=nothing,
        weight=nothing,
        gain=nothing,
        value=one.values[values],
        risk=nothing,
    )
    return tree, values
