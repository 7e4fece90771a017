"""How well each tree of a pruning path does on rows it was not grown on.

For each fold one tree is grown. Of the alphas between which the tree of all rows stays the same, their
geometric mean stands for all (Breiman et al. 1984): at it the trees of the folds are pruned and judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from classica.native import Floats
from classica.trees.growing.growth_task import TreeTask
from classica.trees.pruning.fold_losses import FoldLosses
from classica.trees.pruning.pruning_path import PruningPath, pruning_path
from classica.trees.pruning.row_folds import Fold


@dataclass(frozen=True)
class CrossValidation:
    """The mean loss of each tree of a path, and its standard error."""

    errors: Floats
    stds: Floats

    def chosen(self, rule: str) -> int:
        """Return the tree of least loss; by "1se" the smallest within one standard error of it."""
        slack = 1e-12 * self.errors.max()
        least = int(np.flatnonzero(self.errors <= self.errors.min() + slack)[-1])
        limit = self.errors[least] + (self.stds[least] if rule == "1se" else 0.0)
        return int(np.flatnonzero(self.errors <= limit + slack)[-1])


def cross_validated(
    task: TreeTask, path: PruningPath, by: str | None, folds: Iterable[Fold], smoothing: float
) -> CrossValidation:
    """Return how the trees of the path of all rows do."""
    alphas = np.sqrt(path.alphas * np.append(path.alphas[1:], np.inf))
    alphas[-1] = np.inf
    weight, sums, squares = 0.0, np.zeros(len(alphas)), np.zeros(len(alphas))
    for grown_on, judged_by in folds:
        tree = task.grow(grown_on)
        fold = FoldLosses(task, tree, pruning_path(tree, by).node_alpha, alphas, judged_by, smoothing)
        lost, lost_squares = fold.sums()
        sums += lost
        squares += lost_squares
        weight += fold.weights.sum()
    errors = sums / weight
    return CrossValidation(errors, np.sqrt(np.maximum(squares / weight - errors**2, 0.0) / weight))
