"""Softmax regression: loss, gradient and curvature of linear models of log odds."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Dense, Floats, Rows
from classica.native.row_arguments import row_arguments


def softmax_gradient(
    X: Dense,
    classes: int,
    center: Floats,
    codes: Codes,
    weights: Floats | None,
    coefficients: Floats,
    threads: int,
) -> tuple[float, Floats]:
    """Return the loss of all rows and its derivatives by the coefficients.

    Rows are seen from ``center`` and get a one behind them: coefficients are (classes, columns + 1), or
    (1, columns + 1) for the second of two classes.
    """
    gradient = np.empty_like(coefficients)
    loss = _core.softmax_gradient(X, classes, center, codes, weights, coefficients, threads, gradient)
    return float(loss), gradient


def softmax_curvature(
    X: Dense, classes: int, center: Floats, weights: Floats | None, coefficients: Floats, threads: int
) -> Floats:
    """Return the sums of weight · p_a p_b · z zᵀ over the rows z = (x - center, 1), for a < b.

    One lower triangle for each pair (0, 1), (0, 2), (1, 2), (0, 3), ...; what is above the diagonal has no
    meaning.
    """
    wide = coefficients.shape[1]
    out = np.empty((classes * (classes - 1) // 2, wide, wide))
    _core.softmax_curvature(X, classes, center, weights, coefficients, threads, out)
    return out


def softmax_residuals(scores: Floats, codes: Codes, weights: Floats | None, threads: int) -> float:
    """Turn scores (rows, classes) into weight · (p_c - [c is the row's class]); return the loss."""
    return float(_core.softmax_residuals(scores, codes, weights, threads))


def sparse_product(X: sp.csr_array, M: Floats, threads: int) -> Floats:
    """Return ``X @ M`` for a CSR matrix."""
    out = np.empty((X.shape[0], M.shape[1]))
    _core.sparse_product(X.data, X.indices, X.indptr, X.shape[1], M, threads, out)
    return out


def descend_coordinates(
    curvature: Floats, gradient: Floats, at: Floats, bounds: Floats, tolerance: float, sweeps: int
) -> Floats:
    """Return the step s that makes gradient·s + s·curvature·s / 2 + Σ bounds |at + s| smallest.

    Found one coordinate after the other, within `tolerance` of the slopes or after so many sweeps; what
    ends at zero is exactly zero in ``at + s``.
    """
    step = np.zeros_like(gradient)
    _core.descend_coordinates(curvature, gradient, at, bounds, tolerance, sweeps, step)
    return step


def descend_columns(
    columns: Rows,
    indices: NDArray[np.int64],
    center: Floats,
    scale: Floats,
    curvature: tuple[Floats, Floats],
    gradient: Floats,
    at: Floats,
    ridge: Floats,
    bounds: Floats,
    tolerance: float,
    sweeps: int,
) -> Floats:
    """Do the same for the quadratic model of a table, without a matrix of all its products.

    ``columns`` is the table or, if sparse, its transpose in compressed rows; ``places`` are the columns with
    coefficients, beyond the last one a column of ones; ``curvature`` are bends and shares (vectors, rows):
    see `native/include/classica/logistic.hpp`.
    """
    step = np.zeros_like(gradient)
    _core.descend_columns(
        *row_arguments(columns),
        indices,
        center,
        scale,
        *curvature,
        gradient,
        at,
        ridge,
        bounds,
        tolerance,
        sweeps,
        step,
    )
    return step
