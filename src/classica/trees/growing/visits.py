"""The nodes of a tree that rows come through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows
from classica.native import Floats
from classica.native.trees import apply_tree
from classica.trees.growing.tree import Longs, Tree


@dataclass(frozen=True)
class Visits:
    """The nodes that rows come through, an entry for each row and node.

    ``share`` is the part of the row that does so; ``is_last`` says that it goes no further.
    """

    row: Longs
    node: Longs
    share: Floats
    is_last: NDArray[np.bool_]

    def of_rows(self, wanted: NDArray[np.bool_]) -> Visits:
        """Return the visits of some rows."""
        kept = wanted[self.row]
        return Visits(self.row[kept], self.node[kept], self.share[kept], self.is_last[kept])


def visits(tree: Tree, X: MatrixLike, threads: int, *, divides_rows: bool) -> Visits:
    """Return the nodes that rows come through."""
    if divides_rows:
        return _spread(tree, X)
    parent, last = tree.parent.astype(np.int64), apply_tree(X, tree.arrays(), threads).astype(np.int64)
    steps = [(np.arange(len(last)), last)]
    while len(steps[-1][0]):
        row, node = steps[-1]
        kept = parent[node] >= 0
        steps.append((row[kept], parent[node[kept]]))
    rows, nodes = (np.concatenate(column) for column in zip(*steps, strict=True))
    return Visits(rows, nodes, np.ones(len(rows)), np.arange(len(rows)) < len(last))


def _spread(tree: Tree, X: Rows) -> Visits:
    """Return the visits where a missing value sends a row into all branches, by their weights."""
    row, share = np.arange(X.shape[0]), np.ones(X.shape[0])
    node = np.zeros(len(row), dtype=np.int64)
    steps = [Visits(row[:0], node[:0], share[:0], np.zeros(0, dtype=bool))]
    while len(row):
        feature = tree.feature[node]
        cell = np.where(feature < 0, 0.0, X[row, feature])
        missing = np.isnan(cell)
        child = branches_of(tree, node, cell)
        goes_on = (feature >= 0) & ~missing & (child >= 0)
        steps.append(Visits(row, node, share, ~goes_on & ~missing))
        parts = _parts(tree, row[missing], node[missing], share[missing])
        below = row[goes_on], tree.first_child[node[goes_on]] + child[goes_on], share[goes_on]
        row, node, share = (np.concatenate(both) for both in zip(below, parts, strict=True))
    fields = ([getattr(step, name) for step in steps] for name in Visits.__dataclass_fields__)
    return Visits(*(np.concatenate(field) for field in fields))


def branches_of(tree: Tree, node: NDArray[np.integer[Any]], cell: Floats) -> Longs:
    """Return the child, counted from 0, to which a known cell goes; -1 for none."""
    start, levels = tree.levels_at[node], tree.levels_at[node + 1] - tree.levels_at[node]
    has_branch = (cell >= 0) & (cell < levels)
    of_level = np.append(tree.level_child, -1)[
        np.where(has_branch, start + np.where(has_branch, cell, 0), -1).astype(int)
    ]
    chosen: Longs = np.where(levels > 0, of_level, cell > tree.threshold[node])
    return chosen


def _parts(tree: Tree, row: Longs, node: Longs, share: Floats) -> tuple[Longs, Longs, Floats]:
    """Return the parts of rows that take every branch: row, child and share of each."""
    count = tree.child_count[node]
    owner = np.repeat(np.arange(len(node)), count)
    nth = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
    child = tree.first_child[node][owner] + nth
    weights = np.bincount(owner, tree.weight[child], len(node))
    return row[owner], child, share[owner] * tree.weight[child] / weights[owner]
