"""Reduced-error pruning: by the losses on rows the tree was not grown on (Quinlan 1987)."""

from __future__ import annotations

import numpy as np

from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs, Tree
from classica.trees.growing.visits import visits
from classica.trees.pruning.from_leaves import worth_no_split
from classica.trees.pruning.held_out_losses import losses, weights_of


def reduced_error_pruned(tree: Tree, task: TreeTask, rows: Longs) -> Tree:
    """Return the smallest tree, cut from the leaves up, that loses least on some rows.

    A row that takes several branches loses in each by its share.
    """
    came = visits(tree, task.X[rows], task.threads, divides_rows=task.divides_rows)
    lost = losses(tree.value[came.node], task.target, rows[came.row], task.rules.criterion)
    lost *= came.share * weights_of(task.target, rows)[came.row]
    as_leaf, stopped = (
        np.bincount(came.node, parts, len(tree)).astype(np.float64) for parts in (lost, lost * came.is_last)
    )
    return tree.cut_at(worth_no_split(tree, as_leaf, stopped))
