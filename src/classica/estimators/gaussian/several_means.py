"""Several means per class: k-means with a start that needs no random numbers.

The start is Var-Part (Su and Dy, "In search of deterministic methods for initializing k-means and
Gaussian mixture clustering", 2007): split the cluster with the largest squared error, at its mean,
along the column where it spreads most, until there are enough. Lloyd's algorithm follows. Weights
then act exactly like repeated rows, and the result does not depend on a seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from classica import native
from classica.arrays import Rows
from classica.estimators.base.moments import Moments
from classica.native import Codes, Floats


def cluster_rows(
    X: Rows, clusters: int, weights: Floats | None, inverse_spread: Floats, max_iter: int, threads: int
) -> tuple[Codes, int]:
    """Return a cluster code per row and the number of iterations until nothing moved.

    Columns are compared after multiplying by ``inverse_spread``. There are fewer clusters when there
    are fewer distinct rows. When ``max_iter`` was not enough, the iterations say ``max_iter + 1``.
    """
    codes = _split_by_variance(X, clusters, weights, inverse_spread, threads)
    count = int(codes.max()) + 1
    for iteration in range(1, max_iter + 1):
        moments = Moments.of(X, codes, count, weights=weights, threads=threads)
        centers, _ = moments.means_and_variances()
        moved = _closest(X, centers, inverse_spread, threads)
        if np.array_equal(moved, codes) or len(np.unique(moved)) < count:
            return codes, iteration
        codes = moved
    return codes, max_iter + 1


def _closest(X: Rows, centers: Floats, inverse_spread: Floats, threads: int) -> Codes:
    clusters = len(centers)
    starts = np.arange(clusters + 1, dtype=np.int32)
    spreads = np.tile(inverse_spread, (clusters, 1))
    codes = native.nearest_mean_predict(X, (centers, spreads, starts, np.zeros(clusters)), threads)
    return codes.astype(np.int32)


def _split_by_variance(
    X: Any, clusters: int, weights: Floats | None, inverse_spread: Floats, threads: int
) -> Codes:
    codes = np.zeros(X.shape[0], dtype=np.int32)
    for new in range(1, clusters):
        moments = Moments.of(X, codes, new, weights=weights, squares=True, threads=threads)
        means, variances = moments.means_and_variances()
        assert variances is not None  # squares were asked for
        error = variances * inverse_spread * inverse_spread * moments.counts[:, None]
        worst = int(error.sum(axis=1).argmax())
        column = int(error[worst].argmax())
        if error[worst, column] == 0:
            break  # every cluster is a single point
        values = X[:, [column]].toarray()[:, 0] if sp.issparse(X) else X[:, column]
        codes[(codes == worst) & (values > means[worst, column])] = new
    return codes
