"""Ensembles whose first members are the same whatever their number: all sizes are known from one fit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Self

from classica.arrays import Rows, VectorLike
from classica.estimators.base.grid_scores import GridScores


class EnsembleSizes(GridScores):
    """An ensemble that is a part of a larger one with the same seed."""

    free_parameters: ClassVar[frozenset[str]] = frozenset({"n_estimators"})

    n_estimators: int

    @abstractmethod
    def _of_size(self, n_estimators: int) -> Self:
        """Return a fitted copy with the first members only."""

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        whole = max(models, key=lambda model: int(model.n_estimators))
        if "oob_score" in whole.parameter_rules:  # rows set aside will judge
            whole.oob_score = False
        whole.fit(X, y)
        for index, model in enumerate(models):
            yield index, whole._of_size(model.n_estimators)
