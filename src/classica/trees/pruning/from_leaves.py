"""What is decided from the leaves up, a level of the tree at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.trees.growing.tree import Tree


def _levels(tree: Tree) -> Iterator[tuple[slice, slice]]:
    """Yield each level and the one below it, the lowest first."""
    starts = tree.level_starts
    for k in range(len(starts) - 3, -1, -1):
        yield slice(starts[k], starts[k + 1]), slice(starts[k + 1], starts[k + 2])


def leaf_sums(tree: Tree, values: Floats) -> Floats:
    """Return the sum of the values of the leaves below each node; of a leaf its own."""
    sums, parent = np.where(tree.is_leaf, values, 0.0), tree.parent
    for level, below in _levels(tree):
        sums[level] += np.bincount(parent[below] - level.start, sums[below], level.stop - level.start)
    return sums


def worth_no_split(tree: Tree, as_leaf: Floats, stopped: Floats) -> NDArray[np.bool_]:
    """Return the nodes whose losses as leaves do not exceed those of the best tree below them.

    Parameters
    ----------
    as_leaf : array of nodes
        The loss of the rows that come to a node, if it is a leaf.
    stopped : array of nodes
        The loss of those among them that go to none of its children.
    """
    least, parent = as_leaf.copy(), tree.parent
    collapsed = np.ones(len(tree), dtype=bool)
    for level, below in _levels(tree):
        children = np.bincount(parent[below] - level.start, least[below], level.stop - level.start)
        divided = children + stopped[level]
        slack = 1e-12 * np.abs(as_leaf[level])
        collapsed[level] = tree.is_leaf[level] | (as_leaf[level] <= divided + slack)
        least[level] = np.where(collapsed[level], as_leaf[level], divided)
    return collapsed
