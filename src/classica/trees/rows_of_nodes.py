"""Which rows come through each node of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.native import trees as native
from classica.trees.named_tree import NamedTree
from classica.trees.tree import Tree

#: Rows, and how much of each comes through.
NodeRows = tuple[NDArray[np.intp], Floats]

#: What `branch_of_cells` says of a missing cell, where -1 is a level that is not in the node.
MISSING = -2


def rows_of_nodes(named: NamedTree, X: Any, weights: Floats, threads: int) -> list[NodeRows]:
    """Return the rows of each node, with the part of their weight that comes through it."""
    if named.divides_rows:
        return _divided_rows(named.tree, X, weights)
    tree = named.tree
    last = native.apply_tree(X, tree.arrays(), threads)
    order = np.argsort(last, kind="stable")
    ends = np.searchsorted(last[order], np.arange(len(tree) + 1))
    rows = [order[ends[node] : ends[node + 1]] for node in range(len(tree))]
    for node in (tree.feature >= 0).nonzero()[0][::-1].tolist():
        rows[node] = np.sort(np.concatenate([rows[node], *(rows[child] for child in tree.children(node))]))
    return [(some, weights[some]) for some in rows]


def _divided_rows(tree: Tree, X: Any, weights: Floats) -> list[NodeRows]:
    found: list[NodeRows] = [(np.arange(len(weights)), weights)] * len(tree)
    for node in (tree.feature >= 0).nonzero()[0].tolist():
        rows, parts = found[node]
        branch = branch_of_cells(tree, node, X[rows, tree.feature[node]])
        children = tree.children(node)
        share = (
            tree.weight[children.start : children.stop] / tree.weight[children.start : children.stop].sum()
        )
        for place, child in enumerate(children):
            goes = (branch == place) | (branch == MISSING)
            part = np.where(branch[goes] == MISSING, share[place], 1.0)
            found[child] = rows[goes], parts[goes] * part
    return found


def branch_of_cells(tree: Tree, node: int, cells: Any) -> NDArray[np.intp]:
    """Return the branch of each cell; -1 for a level that is not in the node, `MISSING` for a gap."""
    cells = np.asarray(cells, dtype=np.float64)
    levels = tree.levels_of(node)
    if len(levels):
        known = (cells >= 0) & (cells < len(levels))
        branch = np.where(known, levels[np.where(known, cells, 0).astype(np.intp)], -1)
    else:
        branch = cells > tree.threshold[node]
    return np.where(np.isnan(cells), MISSING, branch).astype(np.intp)
