"""What the classifiers with Gaussian classes share: one pass of sums, kept to be added to and taken from."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.columns import Accepts
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.moments import Moments
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.scatter import ClassSums, Scatter
from classica.estimators.gaussian.shrinkage import Shrinkage
from classica.native import Codes, Floats

#: What a model keeps of its rows: their sums, or the rows themselves.
_KEPT = ("rows_", "row_codes_", "row_weights_", "class_sums_", "products_")


class GaussianClasses:
    """Mixed into a `Mergeable` that is a function of counts, sums and sums of products of columns."""

    # Products of larger values would overflow.
    accepts = Accepts(largest=1e150)

    shrinkage: Shrinkage
    classes_: NDArray[Any]
    class_counts_: Floats
    class_sums_: Floats
    products_: Floats
    _threads: int

    @abstractmethod
    def _become(self, statistics: ClassSums, rows: TrainingData | None) -> None:
        """Set everything from the statistics; the rows are given where `_needs_rows`."""

    @property
    @abstractmethod
    def _is_pooled(self) -> bool:
        """Whether the products of all rows together are enough."""

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        counts: Floats = self.class_counts_[0]
        return counts

    @property
    def _needs_rows(self) -> bool:
        """Whether the sums do not tell everything the parameters ask for."""
        return bool(self.shrinkage == "auto")

    def _is_mergeable(self) -> bool:
        return not self._needs_rows

    def _statistics(self, data: TrainingData) -> ClassSums:
        return Scatter.of(data, pooled=self._is_pooled, threads=self._threads)

    def _fit_from(self, data: TrainingData, statistics: ClassSums) -> None:
        self._become(statistics, data if self._needs_rows else None)
        self._keep(data.classes, statistics)

    def _learn_from(self, classes: NDArray[Any], statistics: ClassSums) -> None:
        self._become(statistics, None)
        self._keep(classes, statistics)

    def _own_statistics(self) -> ClassSums:
        # The arrays of a loaded model may be read-only, which the kernels of pairs do not take.
        counts, sums, products = (
            np.require(pairs, requirements="W")
            for pairs in (self.class_counts_, self.class_sums_, self.products_)
        )
        return Scatter(Moments(counts, sums, None), products, self._is_pooled)

    def _keep(self, classes: NDArray[Any], statistics: ClassSums) -> None:
        sums = statistics.summed()
        self.classes_ = classes
        self.class_counts_ = sums.moments.count_pairs
        self.class_sums_ = sums.moments.sums
        self.products_ = sums.products


class SharedGaussians(GaussianClasses):
    """The same for one covariance of all classes: rows that are fewer than columns are kept themselves."""

    rows_: Floats
    row_codes_: Codes
    row_weights_: Floats

    def _statistics(self, data: TrainingData) -> ClassSums:
        rows = len(data.codes) if data.weights is None else np.count_nonzero(data.weights)
        if rows < data.X.shape[1]:
            return RowScatter.of(data, pooled=self._is_pooled, threads=self._threads)
        return super()._statistics(data)

    def _own_statistics(self) -> ClassSums:
        if "rows_" not in self.__dict__:
            return super()._own_statistics()
        rows = self.rows_, self.row_codes_, self.row_weights_
        return RowScatter(*rows, len(self.classes_), self._is_pooled, self._threads)

    def _keep(self, classes: NDArray[Any], statistics: ClassSums) -> None:
        for name in _KEPT:
            self.__dict__.pop(name, None)
        if not isinstance(statistics, RowScatter):
            super()._keep(classes, statistics)
            return
        self.classes_ = classes
        self.class_counts_ = statistics.moments.count_pairs
        self.rows_, self.row_codes_ = statistics.rows, statistics.codes
        self.row_weights_ = statistics.weights
