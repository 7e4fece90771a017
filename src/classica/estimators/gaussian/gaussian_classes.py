"""What the classifiers with Gaussian classes share: one pass of sums, kept to be added to and taken from."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, VectorLike
from classica.columns import Accepts
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.base.moments import Moments
from classica.estimators.gaussian.scatter import ClassSums, Scatter
from classica.native import Floats


class GaussianClasses(LogJoint, Mergeable[ClassSums]):
    """A classifier that is a function of counts, sums and sums of products of columns."""

    # Products of larger values would overflow.
    accepts = Accepts(largest=1e150)

    shrinkage: Any
    class_counts_: Floats
    class_sums_: Floats
    products_: Floats

    @abstractmethod
    def _become(self, statistics: ClassSums, rows: TrainingData | None) -> None:
        """Set everything from the statistics; the rows are given where `_needs_rows`."""

    @property
    @abstractmethod
    def _is_pooled(self) -> bool:
        """Whether the products of all rows together are enough."""

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Self:
        """Learn the means and covariances of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : estimator
        """
        data = self._rows_to_learn(X, y, sample_weight)
        self._fit_from(data, self._statistics(data))
        return self

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

    def _known(self) -> ClassSums:
        # The arrays of a loaded model may be read-only, which the kernels of pairs do not take.
        counts, sums, products = (
            np.require(pairs, requirements="W")
            for pairs in (self.class_counts_, self.class_sums_, self.products_)
        )
        return Scatter(Moments(counts, sums, None), products, self._is_pooled)

    def _learn_from(self, classes: NDArray[Any], statistics: ClassSums) -> None:
        self._become(statistics, None)
        self._keep(classes, statistics)

    def _keep(self, classes: NDArray[Any], statistics: ClassSums) -> None:
        sums = statistics.summed()
        self.classes_ = classes
        self.class_counts_ = sums.moments.count_pairs
        self.class_sums_ = sums.moments.sums
        self.products_ = sums.products
