"""Sufficient statistics of Gaussian classes: counts, sums and sums of products of columns.

All are double-double numbers about zero, summed with nothing lost (ADR 0020). Covariances are differences
of large numbers when the data lie far from zero; with 106 bits that costs no digit a double could show,
and parts can be added and taken away again without a trace.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.errors import DataError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.moments import ROUNDING, Moments, joined_pairs, require_learned
from classica.native import Floats

#: The memory that the sums of products may take.
MOST_BYTES = 4 * 2**30


class ClassSums(ABC):
    """What Gaussian classes are a function of, in whatever form it is kept."""

    @property
    @abstractmethod
    def counts(self) -> Floats:
        """The weight of the rows of each class."""

    @abstractmethod
    def plus(self, other: ClassSums, sign: float = 1.0) -> ClassSums:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""

    @abstractmethod
    def spread_over(self, indices: NDArray[np.intp], groups: int) -> ClassSums:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""

    @abstractmethod
    def only(self, kept: NDArray[np.bool_]) -> ClassSums:
        """Return the statistics of the chosen classes; if pooled, the others must have no rows."""

    @abstractmethod
    def joined(self, groups: Sequence[NDArray[np.bool_]]) -> ClassSums:
        """Return the statistics of classes taken together; if pooled, each class must be in a group."""

    @abstractmethod
    def center_and_means(self) -> tuple[Floats, Floats]:
        """Return the mean of all rows, and the class means as seen from there."""

    @abstractmethod
    def within_squares(self) -> Floats:
        """Return the sum of squares about the class means of each column."""

    @abstractmethod
    def matrices(self) -> Floats:
        """Return the scatter about the class means: of each class or, pooled, one for all."""

    @abstractmethod
    def summed(self) -> Scatter:
        """Return the sums of products."""


@dataclass(frozen=True)
class Scatter(ClassSums):
    """Counts and sums of each class; products of each class or, pooled, of all rows together."""

    moments: Moments
    products: Floats  # (2, classes or 1, pairs of columns), high and low parts
    pooled: bool

    @property
    def counts(self) -> Floats:
        """The weight of the rows of each class."""
        return self.moments.counts

    @classmethod
    def of(cls, data: TrainingData, *, pooled: bool, threads: int) -> Scatter:
        """Return the statistics of some rows."""
        classes = len(data.classes)
        _require_room(data.X.shape[1], 1 if pooled else classes)
        if pooled:
            moments = Moments.of(data.X, data.codes, classes, weights=data.weights, threads=threads)
            products = native.grouped_products(data.X, None, 1, data.weights, threads)
        else:
            found = native.grouped_products(data.X, data.codes, classes, data.weights, threads, ones=True)
            products, sums, counts = np.split(found, [found.shape[2] - data.X.shape[1] - 1, -1], axis=2)
            moments = Moments(np.ascontiguousarray(counts[:, :, 0]), np.ascontiguousarray(sums), None)
        _require_finite(products)
        return cls(moments, np.ascontiguousarray(products), pooled)

    def plus(self, other: ClassSums, sign: float = 1.0) -> Scatter:
        """Return the statistics of both together, or of these without those (``sign=-1``)."""
        more = other.summed()
        products = native.add_pairs(self.products, more.products, sign)
        both = Scatter(self.moments.plus(more.moments, sign), products, self.pooled)
        return both if sign > 0 else both._settled(self._squares())

    def _squares(self) -> Floats:
        """Return the sums of squares: the products of each column with itself."""
        return self.products[:, :, self._diagonal()]

    def _diagonal(self) -> NDArray[np.intp]:
        columns = np.arange(1, self.moments.sums.shape[2] + 1)
        indices: NDArray[np.intp] = columns * (columns + 1) // 2 - 1
        return indices

    def _settled(self, before: Floats) -> Scatter:
        """Make columns constant again where taking rows away has left no more than rounding.

        A variance that is only the rounding of what was there before would otherwise be taken for small but
        real: a fresh fit has none.
        """
        scatter = np.array([np.diag(matrix) for matrix in self.matrices()])
        require_learned(scatter, before[0])
        constant = scatter <= ROUNDING * before[0]
        if constant.any():
            sums = self.moments.sums
            squares = np.zeros_like(sums)
            in_each_class = np.broadcast_to(constant, sums.shape[1:])
            native.settle(self.moments.count_pairs, sums, squares, in_each_class)
            if self.pooled:
                squares = joined_pairs(squares, [np.ones(len(self.counts), dtype=bool)])
            groups, columns = np.nonzero(constant)
            self.products[:, groups, self._diagonal()[columns]] = squares[:, groups, columns]
        return self

    def spread_over(self, indices: NDArray[np.intp], groups: int) -> Scatter:
        """Return the same with class g at ``places[g]`` of ``groups``, zero elsewhere."""
        moments = self.moments.spread_over(indices, groups)
        if self.pooled:
            return Scatter(moments, self.products, pooled=True)
        wide = np.zeros((2, groups, self.products.shape[2]))
        wide[:, indices] = self.products
        return Scatter(moments, wide, pooled=False)

    def only(self, kept: NDArray[np.bool_]) -> Scatter:
        """Return the statistics of the chosen classes; if pooled, the others must have no rows."""
        products = self.products if self.pooled else np.ascontiguousarray(self.products[:, kept])
        return Scatter(self.moments.only(kept), products, self.pooled)

    def joined(self, groups: Sequence[NDArray[np.bool_]]) -> Scatter:
        """Return the statistics of classes taken together; if pooled, each class must be in a group."""
        moments = self.moments.joined(groups)
        products = self.products if self.pooled else joined_pairs(self.products, groups)
        return Scatter(moments, products, self.pooled)

    def center_and_means(self) -> tuple[Floats, Floats]:
        """Return the mean of all rows, and the class means as seen from there."""
        return self.moments.center_and_means()

    def within_squares(self) -> Floats:
        """Return the sum of squares about the class means of each column."""
        squares: Floats = np.diag(self.matrices().sum(axis=0))
        return squares

    def summed(self) -> Scatter:
        """Return the sums of products."""
        return self

    def matrices(self) -> Floats:
        """Return the scatter about the class means: of each class or, pooled, one for all."""
        return native.scatter_matrices(self.moments.count_pairs, self.moments.sums, self.products)


def _require_finite(products: Floats) -> None:
    if not np.isfinite(products).all():
        raise DataError("sample_weight must keep weighted squares of X finite, got a sum that overflows.")


def _require_room(columns: int, matrices: int) -> None:
    needed = 8 * columns * columns * matrices
    if needed > MOST_BYTES:
        rule = f"few enough for {matrices} covariances to fit into {MOST_BYTES / 2**30:g} GiB"
        raise DataError(must("The columns of X", rule, columns))
