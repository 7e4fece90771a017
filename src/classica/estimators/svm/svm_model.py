"""What support vector machines have learned: kernel, support vectors, a weight for each, offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import Rows
from classica.estimators.base.kernel_functions import Kernel
from classica.native import Floats, LinearModel


@dataclass(frozen=True)
class SupportVectors:
    """Binary classifiers that score a row by the weighted sum of its kernel values, plus an offset."""

    kernel: Kernel
    places: NDArray[np.intp]  # of the support vectors among the training rows
    rows: Any  # the support vectors
    weights: Floats  # one row per binary classifier
    offsets: Floats
    linear: LinearModel | None  # the same as weights of columns, for the linear kernel

    @classmethod
    def of(
        cls, kernel: Kernel, X: Rows, places: NDArray[np.intp], coefficients: Floats, offsets: Floats
    ) -> SupportVectors:
        """Keep the rows with a non-zero coefficient in any binary classifier; they come from ``places``."""
        used = np.flatnonzero((coefficients != 0).any(axis=0))
        weights = np.ascontiguousarray(coefficients[:, used])
        rows = X[used][:, :0] if kernel.name == "precomputed" else X[used]
        linear = None
        if kernel.name == "linear" and kernel.center is not None:
            seen = rows - kernel.center
            linear = kernel.center, np.einsum("ms,sj->mj", weights, seen), offsets
        return cls(kernel, places[used], rows, weights, offsets, linear)

    def scores(self, X: Rows, threads: int) -> Floats:
        """Return the score of each row by each binary classifier."""
        if self.linear is not None:
            return native.linear_scores(X, self.linear, threads)
        if self.kernel.name == "precomputed":
            X = np.ascontiguousarray(X[:, self.places], dtype=np.float64)
        return self.kernel.scores(X, self.rows, self.weights, self.offsets, threads)

    @property
    def intercepts(self) -> Floats:
        """The offsets, as seen from the origin."""
        if self.linear is None:
            return self.offsets
        center, weights, offsets = self.linear
        moved: Floats = offsets - np.einsum("mj,j->m", weights, center)
        return moved

    @property
    def column_weights(self) -> Floats:
        """The weights of the columns; an error for other kernels than the linear one."""
        if self.linear is None:
            raise AttributeError(
                f"Cannot return coef_: it exists for the linear kernel only, not for {self.kernel.name!r}."
            )
        return self.linear[1]

    @property
    def n_parameters(self) -> int:
        """The weights that are not zero, and the offsets."""
        return max(int((self.weights != 0).sum()) + len(self.offsets), 1)
