"""The border to the compiled core: the only importer of ``_core``.

Each function allocates its result with NumPy and hands plain arrays to a kernel. Matrices are
float32 or float64 in any memory order, or SciPy CSR; nothing is converted or copied here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import classica._core as _core

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

#: Means, inverse spreads (or None), where each class's means start, log priors.
MeanModel = tuple[Floats, Floats | None, Codes, Floats]


def configuration() -> dict[str, Any]:
    """Return how the core was built and which instruction level it uses."""
    return dict(_core.configuration())


def first_bad(values: Any, largest: float, allow_nan: bool, threads: int) -> int:
    """Return the row-major index of the first value that is not finite or too large, or -1."""
    return int(_core.first_bad(values, largest, allow_nan, threads))


def row_draws(X: Any, seed: int, threads: int) -> Floats:
    """Return a uniform number per row, keyed by the seed and the row's content."""
    out = np.empty(X.shape[0])
    _core.row_draws(*_rows(X), seed, threads, out)
    return out


def philox(seed: int, stream: int, counter: int, blocks: int) -> NDArray[np.uint64]:
    """Return the random blocks of consecutive counters, four numbers each."""
    out = np.empty((blocks, 4), dtype=np.uint64)
    _core.philox(seed, stream, counter, out)
    return out


def grouped_moments(
    X: Any, group: Codes, groups: int, weights: Floats | None, squares: bool, threads: int
) -> tuple[Floats, Floats, Floats | None]:
    """Return counts, sums and (if asked for) square sums of the rows of each group.

    All are double-double, the high parts and then the low parts: counts of shape (2, groups), the others
    (2, groups, columns).
    """
    counts = np.zeros((2, groups))
    sums = np.zeros((2, groups, X.shape[1]))
    square_sums = np.zeros_like(sums) if squares else None
    _core.grouped_moments(*_rows(X), group, weights, threads, counts, sums, square_sums)
    return counts, sums, square_sums


def add_pairs(a: Floats, b: Floats, sign: float) -> Floats:
    """Return ``a + sign * b`` for double-double arrays."""
    out = np.empty_like(a)
    _core.add_pairs(a, b, sign, out)
    return out


def means_and_variances(counts: Floats, sums: Floats, squares: Floats | None) -> tuple[Floats, Floats | None]:
    """Return the mean and (with squares) the variance of each group and column."""
    means = np.empty(sums.shape[1:])
    variances = None if squares is None else np.empty_like(means)
    _core.means_and_variances(counts, sums, squares, means, variances)
    return means, variances


def nearest_mean_predict(X: Any, model: MeanModel, threads: int) -> NDArray[np.int64]:
    """Return the class code of each row."""
    out = np.empty(X.shape[0], dtype=np.int64)
    _core.nearest_mean_predict(*_rows(X), *model, threads, out)
    return out


def nearest_mean_posteriors(X: Any, model: MeanModel, threads: int) -> Floats:
    """Return the posterior probability of each class for each row."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_posteriors(*_rows(X), *model, threads, out)
    return out


def nearest_mean_distances(X: Any, model: MeanModel, threads: int) -> Floats:
    """Return the distance from each row to the closest mean of each class."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_distances(*_rows(X), *model, threads, out)
    return out


def sleep_loop(chunks: int, milliseconds: int, threads: int, fail_at: int = -1) -> None:
    """Run a parallel loop that only sleeps; the chunk ``fail_at`` raises. For tests of the pool."""
    _core.sleep_loop(chunks, milliseconds, threads, fail_at)


def _rows(X: Any) -> tuple[Any, ...]:
    return (X.data, X.indices, X.indptr, X.shape[1]) if sp.issparse(X) else (X,)
