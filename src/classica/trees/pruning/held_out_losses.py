"""What rows lose by a tree that was not grown on them, and reduced-error pruning by it (Quinlan 1987)."""

from __future__ import annotations

import numpy as np

from classica.native import Floats
from classica.trees.growing.growth import Target
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs, Tree
from classica.trees.growing.visits import visits
from classica.trees.pruning.from_leaves import worth_no_split


def losses(prediction: Floats, target: Target, rows: Longs, criterion: str) -> Floats:
    """Return what rows lose by a prediction: 1 for a wrong class, else the squared or absolute deviation.

    Predictions are shares of classes or numbers, along the last axis; the first axis is that of the rows.
    """
    learned = target.values if target.codes is None else target.codes
    assert learned is not None
    truth = learned[rows].reshape(-1, *[1] * (prediction.ndim - 2))
    if target.codes is not None:
        wrong: Floats = (prediction.argmax(axis=-1) != truth).astype(np.float64)
        return wrong
    deviation: Floats = np.abs(prediction[..., 0] - truth)
    return deviation if criterion == "absolute_error" else np.square(deviation)


def weights_of(target: Target, rows: Longs) -> Floats:
    """Return how much some rows weigh."""
    return np.ones(len(rows)) if target.weights is None else target.weights[rows]


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
