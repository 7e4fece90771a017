"""Linear two-class machines for any number of classes: weights and an intercept for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import MarginClassifier, machines
from classica.native import Floats, LinearModel
from classica.shown_arrays import read_only

#: From rows, signs (1 for the first side, -1 for the second) and row weights to weights and intercept.
Learner = Callable[[Any, Floats, Floats | None], tuple[Floats, float]]


class LinearMachines(MarginClassifier):
    """A margin classifier whose machines score a row by w·x + b."""

    _model: LinearModel
    _one_vs_all: bool  # as learned, whatever the parameter says by now

    @property
    def coef_(self) -> Floats:
        """The weights of each machine, pointing to its first side (of two classes: to the second class)."""
        return read_only(self._model[1])

    @property
    def intercept_(self) -> Floats:
        """The intercept of each machine."""
        return read_only(self._model[2])

    @property
    def n_parameters_(self) -> int:
        """Free parameters: weights and intercept of each machine."""
        return max(int(self.coef_.size + len(self.coef_)), 1)

    def _binary_scores(self, X: Rows) -> Floats:
        return native.linear_scores(X, self._model, self._threads_of(X))

    def _become(self, weights: Floats, intercepts: Floats, *, one_vs_all: bool) -> None:
        """Keep the machines, given in the order of `machines`."""
        self._model = np.zeros(weights.shape[1]), np.ascontiguousarray(weights), intercepts
        self._one_vs_all = one_vs_all

    def _learn_machines(self, data: TrainingData, learn: Learner, *, one_vs_all: bool) -> None:
        """Learn each machine in turn from the rows that take part in it."""
        found = [
            learn(part.X, np.where(part.codes == 0, 1.0, -1.0), part.weights)
            for contest in machines(len(data.classes), one_vs_all)
            for part in [contest.rows(data)[1]]
        ]
        weights = np.array([machine[0] for machine in found]).reshape(-1, data.X.shape[1])
        intercepts = np.array([machine[1] for machine in found], dtype=np.float64)
        self._become(weights, intercepts, one_vs_all=one_vs_all)
