"""Kernel functions, their matrices and weighted sums of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Floats, Rows

#: The kernels that the core knows.
KERNELS: tuple[str, ...] = _core.KERNELS

#: One of `KERNELS`, gamma, coef0, degree, and the point rows are seen from (None: the origin).
KernelRules = tuple[str, float, float, int, Floats | None]


def kernel_matrix(A: Rows, B: Floats, kernel: KernelRules, threads: int) -> Floats:
    """Return K(a, b) for every row of A and every row of B."""
    out = np.empty((A.shape[0], B.shape[0]))
    _core.kernel_matrix(A, B, kernel, threads, out)
    return out


def kernel_scores(
    A: Rows, B: Floats, kernel: KernelRules, weights: Floats, offsets: Floats, threads: int
) -> Floats:
    """Return ``kernel_matrix(A, B) @ weights.T + offsets`` without ever holding the matrix."""
    out = np.empty((A.shape[0], weights.shape[0]))
    _core.kernel_scores(A, B, kernel, weights, offsets, threads, out)
    return out


def known_kernel_scores(
    K: Rows, weights: Floats, offsets: Floats, threads: int, rows: NDArray[np.int64] | None = None
) -> Floats:
    """Return ``K @ weights.T + offsets``, each row added up by itself; of some rows, if they are named."""
    out = np.empty((K.shape[0] if rows is None else len(rows), weights.shape[0]))
    _core.known_kernel_scores(K, rows, weights, offsets, threads, out)
    return out


def kernel_of(values: Floats, kernel: KernelRules, threads: int, out: Floats | None = None) -> Floats:
    """Return the kernel as a function of dot products (of squared distances: rbf)."""
    scores = np.empty_like(values) if out is None else out
    _core.kernel_of(values, kernel, threads, scores)
    return scores


def squared_distances(A: Floats, threads: int) -> Floats:
    """Return the squared distances between all rows."""
    out = np.empty((A.shape[0], A.shape[0]))
    _core.squared_distances(A, threads, out)
    return out


def exponentials(values: Floats) -> Floats:
    """Return e to the power of each value, as the rbf kernel takes it."""
    out = np.empty_like(values)
    _core.exponentials(values, out)
    return out
