"""What some rows lose by a tree, at all alphas of its pruning at once.

A node is a leaf from its own alpha up to that of its parent, so the losses at all alphas are running sums
over the nodes that the rows come through.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs, Tree
from classica.trees.growing.visits import Visits, visits
from classica.trees.pruning.held_out_losses import losses, weights_of
from classica.trees.pruning.pruning_path import leaf_spans, sums_over

#: Rows, alphas and classes at once: bounds the memory of predictions.
CELLS_AT_ONCE = 1 << 22


class FoldLosses:
    """A tree and rows to judge it by, at each of some alphas."""

    def __init__(
        self, task: TreeTask, tree: Tree, node_alpha: Floats, alphas: Floats, rows: Longs, smoothing: float
    ) -> None:
        self.task, self.tree, self.rows, self.alphas = task, tree, rows, len(alphas)
        self.weights = weights_of(task.target, rows)
        self.first, self.end = leaf_spans(tree, node_alpha, alphas)
        counts = tree.value if task.target.codes is None else tree.value + smoothing
        self.predictions = counts if task.target.codes is None else counts / counts.sum(axis=1, keepdims=True)

    def sums(self) -> tuple[Floats, Floats]:
        """Return the sums of the losses and of their squares at each alpha."""
        came = visits(
            self.tree, self.task.X[self.rows], self.task.threads, divides_rows=self.task.divides_rows
        )
        divided = np.zeros(len(self.rows), dtype=bool)
        divided[came.row[came.share < 1.0]] = True
        whole, parts = self._of_whole_rows(came.of_rows(~divided)), self._of_divided_rows(came, divided)
        return whole[0] + parts[0], whole[1] + parts[1]

    def _of_whole_rows(self, came: Visits) -> tuple[Floats, Floats]:
        spans = self._spans(came)
        lost = losses(
            self.predictions[came.node], self.task.target, self.rows[came.row], self.task.rules.criterion
        )
        weighted = lost * self.weights[came.row]
        return sums_over(spans, weighted, self.alphas), sums_over(spans, weighted * lost, self.alphas)

    def _of_divided_rows(self, came: Visits, divided: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Return the same where the prediction is a mean over several leaves."""
        sums, squares = np.zeros(self.alphas), np.zeros(self.alphas)
        rows = np.flatnonzero(divided)
        at_once = max(1, CELLS_AT_ONCE // (self.alphas * self.predictions.shape[1]))
        for start in range(0, len(rows), at_once):
            chunk = rows[start : start + at_once]
            wanted = np.zeros(len(self.rows), dtype=bool)
            wanted[chunk] = True
            predicted = self._predicted(came.of_rows(wanted), chunk)
            lost = losses(predicted, self.task.target, self.rows[chunk], self.task.rules.criterion)
            sums += self.weights[chunk] @ lost
            squares += self.weights[chunk] @ lost**2
        return sums, squares

    def _predicted(self, came: Visits, rows: Longs) -> Floats:
        """Return the prediction for each of some rows at each alpha."""
        changes = np.zeros((len(rows), self.alphas + 1, self.predictions.shape[1]))
        index = np.searchsorted(rows, came.row)
        parts = came.share[:, None] * self.predictions[came.node]
        first, end = self._spans(came)
        np.add.at(changes, (index, first), parts)
        np.subtract.at(changes, (index, end), parts)
        # Sums taken apart again leave rounding behind, and equal shares should stay equal.
        predicted: Floats = changes.cumsum(axis=1)[:, :-1].round(12)
        return predicted

    def _spans(self, came: Visits) -> tuple[Longs, Longs]:
        return np.where(came.is_last, 0, self.first[came.node]), self.end[came.node]
