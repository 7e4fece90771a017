"""What the classifiers with one covariance share: where rows are fewer than columns, they are kept."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.estimator import TrainingData
from classica.estimators.gaussian.gaussian_classes import GaussianClasses
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.scatter import ClassSums
from classica.native import Codes, Floats


class SharedGaussians(GaussianClasses):
    """A classifier that is a function of sums of products, or of rows that are fewer than columns."""

    rows_: Floats
    row_codes_: Codes
    row_weights_: Floats

    def _statistics(self, data: TrainingData) -> ClassSums:
        rows = len(data.codes) if data.weights is None else np.count_nonzero(data.weights)
        if rows < data.X.shape[1]:
            return RowScatter.of(data, pooled=self._is_pooled, threads=self._threads)
        return super()._statistics(data)

    def _known(self) -> ClassSums:
        if "rows_" not in self.__dict__:
            return super()._known()
        return RowScatter(
            self.rows_,
            self.row_codes_,
            self.row_weights_,
            len(self.classes_),
            self._is_pooled,
            self._threads,
        )

    def _keep(self, classes: NDArray[np.generic], statistics: ClassSums) -> None:
        for name in ("rows_", "row_codes_", "row_weights_", "class_sums_", "products_"):
            self.__dict__.pop(name, None)
        if not isinstance(statistics, RowScatter):
            super()._keep(classes, statistics)
            return
        self.classes_ = classes
        self.class_counts_ = statistics.moments.count_pairs
        self.rows_, self.row_codes_ = statistics.rows, statistics.codes
        self.row_weights_ = statistics.weights
