"""Losses of models on the rows of one table, not all of which every model has predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.errors import DataError, must
from classica.native import Floats
from classica.statistics.row_differences import RowTest, row_test
from classica.statistics.selection_bias import SelectedLoss, selected_by_group

#: Bootstrap samples for the interval and the optimism of a score: the ends then vary by about a thirtieth of
#: the interval's width.
_SAMPLES = 400
#: Losses in single precision differ from those in double precision by up to this.
_ROUNDING = 1e-4


class ModelRows:
    """The losses of all models on the rows of one table.

    Parameters
    ----------
    losses : dict from str to array-like of shape (n_rows,)
        The losses of each model; NaN for rows that it has not predicted.
    halves : dict from str to array-like of shape (n_partitions, 2)
        The mean losses of models that were trained on disjoint halves of the table.
    points : dict from str to array-like of shape (n_rows, n_points)
        The losses of the grid points from which each model was selected.
    clusters : array-like of shape (n_rows,) or None
        The cluster of each row, if rows of a cluster are dependent.
    confidence : float
        The level of the intervals.
    random_state : int
        Random seed of the bootstrap.
    """

    def __init__(
        self,
        losses: Mapping[str, Any],
        halves: Mapping[str, Any],
        points: Mapping[str, Any],
        clusters: VectorLike | None,
        confidence: float,
        random_state: int,
    ) -> None:
        self.losses = {name: np.asarray(each, dtype=np.float64) for name, each in losses.items()}
        self._halves, self._points = halves, points
        self._clusters = None if clusters is None else np.asarray(clusters)
        self._confidence, self._random_state = confidence, random_state
        shapes = {each.shape for each in self.losses.values()}
        if len(shapes) != 1 or len(next(iter(shapes))) != 1:
            rule = "one number for each row, of the same rows for every model"
            raise DataError(must("losses", rule, sorted(shapes)))
        if self._clusters is not None and {self._clusters.shape} != shapes:
            raise DataError(must("clusters", "one name for each row", self._clusters.shape))
        if any(np.isinf(each).any() for each in self.losses.values()):
            raise DataError(must("losses", "finite, or NaN on rows that were not predicted", math.inf))

    @cached_property
    def judged(self) -> list[str]:
        """The models that have predicted at least two rows."""
        return [name for name, each in self.losses.items() if np.isfinite(each).sum() >= 2]

    @cached_property
    def selected(self) -> dict[str, SelectedLoss]:
        """The score of each model on its own rows, corrected for the selection among its grid points."""
        alike: dict[bytes, list[str]] = {}
        for name in self.judged:
            alike.setdefault(np.isfinite(self.losses[name]).tobytes(), []).append(name)
        losses: dict[str, SelectedLoss] = {}
        for names in alike.values():
            losses |= self._scores(names, [self._table(name) for name in names])
            apart = [name for name in names if self._is_apart(name)]
            if apart:
                alone = self._scores(apart, [self._own(name) for name in apart])
                losses |= {name: _with_optimism(alone[name], losses[name].optimism) for name in apart}
        return losses

    def _scores(self, names: list[str], tables: list[Floats]) -> dict[str, SelectedLoss]:
        scores = selected_by_group(
            np.hstack(tables),
            np.repeat(np.arange(len(names)), [each.shape[1] for each in tables]),
            clusters=self._clusters_of(np.isfinite(self.losses[names[0]])),
            confidence=self._confidence,
            samples=_SAMPLES,
            random_state=self._random_state,
        )
        return dict(zip(names, scores, strict=True))

    def _own(self, name: str) -> Floats:
        """Return the losses of a model on the rows it has predicted, as a column."""
        return self.losses[name][np.isfinite(self.losses[name])][:, None]

    def _is_apart(self, name: str) -> bool:
        """Return whether a model was evaluated differently from its grid points, such as calibrated.

        The points then give the selection bias, but no estimate of the model's own score.
        """
        table, own = self._table(name), self._own(name)
        return table.shape != own.shape and not (np.abs(table - own) <= _ROUNDING).all(axis=0).any()

    def _table(self, name: str) -> Floats:
        """Return the losses of a model's grid points on the rows it has predicted."""
        own = self._own(name)
        if name not in self._points:
            return own
        table = np.asarray(self._points[name], dtype=np.float64)[np.isfinite(self.losses[name])]
        return table if np.isfinite(table).all(axis=0).any() else own

    @cached_property
    def expected(self) -> dict[str, float]:
        """The expected loss of each model on the rows of the leader.

        This is the leader's mean loss plus the mean difference on the rows that both have predicted; the
        leader is the best of the models that have predicted the most rows.
        """
        means = {name: float(np.nanmean(self.losses[name])) for name in self.judged}
        rows = {name: int(np.isfinite(self.losses[name]).sum()) for name in self.judged}
        most = [name for name in self.judged if rows[name] == max(rows.values())]
        leader = min(most, key=lambda name: round(means[name], 12))
        by_model = {}
        for name in self.judged:
            differences = self.differences(leader, name)
            mean = means[leader] + float(differences.mean()) if len(differences) > 1 else means[name]
            by_model[name] = (means[name] if name == leader else mean) + self.selected[name].optimism
        return by_model

    @cached_property
    def ranked(self) -> list[str]:
        """The models from the best to the worst; ties are in the given order."""
        return sorted(self.judged, key=lambda name: round(self.expected[name], 12))

    def differences(self, first: str, second: str) -> Floats:
        """Return the losses of the second model minus those of the first, on common rows."""
        paired = self.losses[second] - self.losses[first]
        return paired[np.isfinite(paired)]

    def test(self, first: str, second: str) -> RowTest | None:
        """Test two models on the rows that both have predicted; None for fewer than two rows."""
        differences = self.losses[second] - self.losses[first]
        both = np.isfinite(differences)
        clusters = self._clusters_of(both)
        if len(np.unique(np.flatnonzero(both) if clusters is None else clusters)) < 2:
            return None
        halves = self._paired_halves(first, second)
        return row_test(np.zeros(both.sum()), differences[both], halves, clusters=clusters)

    def _clusters_of(self, rows: NDArray[np.bool_]) -> NDArray[Any] | None:
        return None if self._clusters is None else self._clusters[rows]

    def _paired_halves(self, first: str, second: str) -> Floats | None:
        if first not in self._halves or second not in self._halves:
            return None
        one, other = (np.asarray(self._halves[name], dtype=np.float64) for name in (first, second))
        if one.shape != other.shape or one.ndim != 2:
            raise DataError(
                must("halves", "of the same partitions for every model", (one.shape, other.shape))
            )
        both = np.isfinite(one - other).all(axis=1)
        return other[both] - one[both] if both.any() else None


def _with_optimism(alone: SelectedLoss, optimism: float) -> SelectedLoss:
    """Return a score corrected for the optimism of parameter selection."""
    moved = {end: getattr(alone, end) + optimism for end in ("mean", "low", "high")}
    return replace(alone, optimism=optimism, **moved)
