"""Linear binary classifiers for any number of classes: weights and an intercept for each of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from classica import native
from classica.arrays import Rows
from classica.native import Floats, LinearModel
from classica.shown_arrays import read_only


class LinearBinaryClassifiers:
    """Mixed into a margin classifier whose binary classifiers score a row by w·x + b."""

    _model: LinearModel
    _one_vs_all: bool  # as learned, whatever the parameter says by now
    _threads_of: Callable[[Rows], int]

    @property
    def coef_(self) -> Floats:
        """The weights of each binary classifier, pointing to its first side (of two classes: the second)."""
        return read_only(self._model[1])

    @property
    def intercept_(self) -> Floats:
        """The intercept of each binary classifier."""
        return read_only(self._model[2])

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: weights and intercept of each binary classifier."""
        return max(int(self.coef_.size + len(self.coef_)), 1)

    def _binary_scores(self, X: Rows) -> Floats:
        return native.linear_scores(X, self._model, self._threads_of(X))

    def _become(self, weights: Floats, intercepts: Floats, *, one_vs_all: bool) -> None:
        """Keep the binary classifiers, given in the order of `binary_contests`."""
        self._model = np.zeros(weights.shape[1]), np.ascontiguousarray(weights), intercepts
        self._one_vs_all = one_vs_all
