"""Perceptrons that differ in what they make of one run over the rows, and in where they stop.

Plain, averaged and voted perceptrons see the same presentations and make the same mistakes, and one with
fewer epochs is a stage of one with more. (Rows of the pocket are drawn otherwise: it has a run of its own.)
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import taught_by
from classica.estimators.base.grid_task import indices_by
from classica.estimators.linear.online_changes import ChangeLog, blocks_of, grown_rows
from classica.native import Floats
from classica.native.online_learners import Changes

#: What a run keeps that is to become any variant but the pocket.
EVERYTHING = "everything"


class PerceptronRun:
    """One run over the rows, and the models that come out of it."""

    def __init__(self, models: list[Any], X: Rows, y: VectorLike) -> None:
        self._models = models
        self._run = run = copy(models[0])
        self._data: TrainingData = run._training_data(X, y)
        run._forget_all(self._data.classes, self._data.X.shape[1])
        run._variant = "pocket" if run.variant == "pocket" else EVERYTHING
        machines = len(run._logs)
        self._resting = np.zeros(machines, dtype=bool)
        none = np.empty(0, dtype=np.int64)
        self._changes: Changes = [(none, none)] * machines

    def fitted(self) -> Iterator[tuple[int, Any]]:
        """Yield the index of each model, and it fitted."""
        voted = []
        for index in indices_by(self._models, "max_iter"):
            model = self._models[index]
            self._go_on(int(model.max_iter))
            taught_by(model, self._run)._become_stage(self._state())
            if model.variant == "voted":
                voted.append((index, model, [len(rows) for rows, _ in self._changes]))
            else:
                yield index, model
        if voted:
            yield from self._voters(voted)

    def _go_on(self, epochs: int) -> None:
        """Learn up to so many epochs; binary classifiers that have converged sit out the rest."""
        run, done = self._run, self._run.n_iter_
        if epochs <= done or (done and self._resting.all()):
            return
        sides = np.where(self._resting[:, None], np.int8(0), run._sides())
        (mistakes, converged), changes = run._train(self._data, epochs - done, sides)
        if run._variant == "pocket" and done:
            run._into_pocket(converged & ~self._resting & (mistakes[:, 0] == 0))
        if changes:  # the pocket has no record of them
            self._changes = [
                (np.concatenate([rows, new_rows]), np.concatenate([times, new_times]))
                for (rows, times), (new_rows, new_times) in zip(self._changes, changes, strict=True)
            ]
        self._resting |= converged
        run._note((mistakes, self._resting))

    def _state(self) -> Any:
        return tuple(array.copy() for array in self._run._state)

    def _voters(self, voted: list[tuple[int, Any, list[int]]]) -> Iterator[tuple[int, Any]]:
        """Yield the models that vote: all rows are those of the longest run, whose changes begin alike."""
        run, data = self._run, self._data
        rows, indices = grown_rows(None, run._rows_of(data), [rows for rows, _ in self._changes])
        logs = [
            ChangeLog.empty().joined(where, side[data.codes[changed]].astype(np.float64), times)
            for where, side, (changed, times) in zip(indices, run._sides(), self._changes, strict=True)
        ]
        shared = SharedVotes([model for _, model, _ in voted])
        for _, model, counts in voted:
            model._rows = rows
            model._logs = [log.first(count) for log, count in zip(logs, counts, strict=True)]
            model._shared_votes = shared
        yield from ((index, model) for index, model, _ in voted)


class SharedVotes:
    """The votes of models whose changes are of the same rows: products with these are worked out once."""

    def __init__(self, models: list[Any]) -> None:
        self._models = models
        self._asked: Any = None
        self._scores: list[Floats] = []

    def of(self, model: Any, X: MatrixLike) -> Floats:
        """Return the votes of one of the models; the same rows are looked at once."""
        if self._asked is not X:
            parts = [self._of_all(part) for part in blocks_of(X, self._models[0]._rows.shape[0])]
            self._scores = [
                np.ascontiguousarray(np.concatenate(of_one)) for of_one in zip(*parts, strict=True)
            ]
            self._asked = X
        return next(
            votes for one, votes in zip(self._models, self._scores, strict=True) if one is model
        ).copy()

    def _of_all(self, X: Rows) -> list[Floats]:
        products = self._models[0]._products(X)
        return [model._votes(products) for model in self._models]
