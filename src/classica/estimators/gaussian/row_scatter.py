"""Sufficient statistics of Gaussian classes where rows are fewer than columns: the rows themselves.

They are smaller than the sums of products of columns, and adding rows or taking them away leaves no trace at
all. Everything that is wanted of them lies in the span of the rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.moments import Moments
from classica.estimators.gaussian.scatter import ClassSums, Scatter
from classica.native import Codes, Floats


@dataclass(frozen=True)
class RowScatter(ClassSums):
    """Rows with the codes of their classes and their weights, which are above zero."""

    rows: Floats
    codes: Codes
    weights: Floats
    classes: int
    pooled: bool
    threads: int

    @classmethod
    def of(cls, data: TrainingData, *, pooled: bool, threads: int) -> RowScatter:
        """Return the statistics of some rows."""
        weights = np.ones(len(data.codes)) if data.weights is None else data.weights
        counted = weights > 0
        rows = np.asarray(data.X, dtype=np.float64)[counted] + 0.0  # zeros have one sign
        codes = np.ascontiguousarray(data.codes[counted], dtype=np.int32)
        return cls(np.ascontiguousarray(rows), codes, weights[counted], len(data.classes), pooled, threads)

    @cached_property
    def moments(self) -> Moments:
        """Counts and sums of the classes."""
        return Moments.of(self.rows, self.codes, self.classes, weights=self.weights, threads=self.threads)

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""
        return self.moments.counts

    def summed(self) -> Scatter:
        """Return the sums of products."""
        data = TrainingData(self.rows, np.arange(self.classes), self.codes, self.weights)
        return Scatter.of(data, pooled=self.pooled, threads=self.threads)

    def plus(self, other: ClassSums, sign: float = 1.0) -> ClassSums:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""
        if isinstance(other, RowScatter):
            both = self._with(other) if sign > 0 else self._without(other)
            if both is not None and len(both.rows) < both.rows.shape[1]:
                return both
        return self.summed().plus(other.summed(), sign)

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> RowScatter:
        """Return the same with class g at ``places[g]`` of ``groups``."""
        return replace(self, codes=indices.astype(np.int32)[self.codes], classes=groups)

    def only(self, kept: NDArray[np.bool_]) -> RowScatter:
        """Return the statistics of the chosen classes."""
        return self.joined([each for each in np.diag(kept) if each.any()])

    def joined(self, groups: Sequence[NDArray[np.bool_]]) -> RowScatter:
        """Return the statistics of classes taken together."""
        group_of = np.full(self.classes, -1, dtype=np.int32)
        for index, group in enumerate(groups):
            group_of[group] = index
        codes = group_of[self.codes]
        return replace(self._take(codes >= 0), codes=codes[codes >= 0], classes=len(groups))

    def center_and_means(self) -> tuple[Floats, Floats]:
        """Return the mean of all rows, and the class means as seen from there."""
        return self.moments.center_and_means()

    def within_squares(self) -> Floats:
        """Return the sum of squares about the class means of each column."""
        squares: Floats = np.einsum("ij,ij->j", self.gaps, self.gaps)
        return squares

    def matrices(self) -> Floats:
        """Return the scatter about the class means: of each class or, pooled, one for all."""
        return self.summed().matrices()

    @cached_property
    def gaps(self) -> Floats:
        """How far each row is from the mean of its class, times the root of its weight.

        Columns in which that is no more than rounding are constant, by the measure of `Scatter`.
        """
        center, means = self.center_and_means()
        gaps: Floats = ((self.rows - center) - means[self.codes]) * np.sqrt(self.weights)[:, None]
        about_zero = np.einsum("i,ij,ij->j", self.weights, self.rows, self.rows)
        gaps[:, np.einsum("ij,ij->j", gaps, gaps) <= 1e-26 * about_zero] = 0.0
        return gaps

    def _take(self, rows: NDArray[np.bool_]) -> RowScatter:
        kept = np.ascontiguousarray(self.rows[rows])
        return replace(self, rows=kept, codes=self.codes[rows], weights=self.weights[rows])

    def _with(self, other: RowScatter) -> RowScatter:
        rows = np.concatenate([self.rows, other.rows])
        codes, weights = np.append(self.codes, other.codes), np.append(self.weights, other.weights)
        return replace(self, rows=rows, codes=codes, weights=weights)

    def _without(self, gone: RowScatter) -> RowScatter | None:
        """Return what is left; None if some rows are not here, or not as often."""
        indices = defaultdict(list)
        for index, key in enumerate(self._keys()):
            indices[key].append(index)
        left = self.weights.copy()
        for key, weight in zip(gone._keys(), gone.weights.tolist(), strict=True):
            rest = weight
            for index in indices[key]:
                taken = min(rest, left[index])
                left[index] -= taken
                rest -= taken
            if rest > 1e-12 * weight:
                return None
        counted = left > 1e-12 * self.weights
        return replace(self._take(counted), weights=left[counted])

    def _keys(self) -> list[tuple[int, bytes]]:
        return [(code, row.tobytes()) for code, row in zip(self.codes.tolist(), self.rows, strict=True)]
