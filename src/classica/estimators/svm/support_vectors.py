"""What every support vector machine tells about its support vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.columns import Accepts
from classica.estimators.base.estimator import Estimator
from classica.estimators.base.kernel_functions import LARGEST_VALUE
from classica.estimators.svm.svm_model import SupportVectors
from classica.native import Floats
from classica.shown_arrays import read_only


class SupportVectorMachine(Estimator):
    """An estimator that has learned support vectors, for one binary classifier or several."""

    accepts = Accepts(largest=LARGEST_VALUE)
    kernel: Any

    _model: SupportVectors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    @property
    def support_(self) -> NDArray[np.intp]:
        """The places of the support vectors among the training rows."""
        return read_only(self._model.places)

    @property
    def support_vectors_(self) -> Any:
        """The support vectors."""
        return read_only(self._model.rows)

    @property
    def dual_coef_(self) -> Floats:
        """The signed multipliers of each binary classifier."""
        return read_only(self._model.weights)

    @property
    def intercept_(self) -> Floats:
        """The offset of each binary classifier."""
        return read_only(self._model.intercepts)

    @property
    def coef_(self) -> Floats:
        """The weights of the columns, for the linear kernel."""
        return read_only(self._model.column_weights)

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: multipliers that are not zero, and offsets."""
        return self._model.n_parameters
