"""Sums over rows that add up without loss: moments and products of columns, per group of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.row_arguments import row_arguments


def grouped_moments(
    X: Rows, group: Codes, groups: int, weights: Floats | None, squares: bool, threads: int
) -> tuple[Floats, Floats, Floats | None]:
    """Return counts, sums and (if asked for) square sums of the rows of each group.

    All are double-double, the high parts and then the low parts: counts of shape (2, groups), the others
    (2, groups, columns).
    """
    counts = np.zeros((2, groups))
    sums = np.zeros((2, groups, X.shape[1]))
    square_sums = np.zeros_like(sums) if squares else None
    _core.grouped_moments(*row_arguments(X), group, weights, threads, counts, sums, square_sums, None)
    return counts, sums, square_sums


def grouped_known_moments(
    X: Rows, group: Codes, groups: int, weights: Floats | None, threads: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the same of a dense matrix with missing values: counts, absent weights, sums, square sums."""
    counts = np.zeros((2, groups))
    sums, squares, absent = (np.zeros((2, groups, X.shape[1])) for _ in range(3))
    _core.grouped_moments(X, group, weights, threads, counts, sums, squares, absent)
    return counts, absent, sums, squares


def add_pairs(a: Floats, b: Floats, sign: float) -> Floats:
    """Return ``a + sign * b`` for double-double arrays."""
    out = np.empty_like(a)
    _core.add_pairs(a, b, sign, out)
    return out


def settle(counts: Floats, sums: Floats, squares: Floats | None, constant: NDArray[np.bool_]) -> None:
    """Let sums (and squares) be those of equal rows where ``constant`` says so, per group and column."""
    _core.settle(counts, sums, squares, np.ascontiguousarray(constant).view(np.uint8))


def mean_pairs(counts: Floats, sums: Floats) -> Floats:
    """Return the mean of each group and column as double-double, in the shape of the sums."""
    out = np.empty_like(sums)
    _core.mean_pairs(counts, sums, out)
    return out


def means_and_variances(counts: Floats, sums: Floats, squares: Floats | None) -> tuple[Floats, Floats | None]:
    """Return the mean and (with squares) the variance of each group and column."""
    means = np.empty(sums.shape[1:])
    variances = None if squares is None else np.empty_like(means)
    _core.means_and_variances(counts, sums, squares, means, variances)
    return means, variances


def grouped_products(
    X: Rows, group: Codes | None, groups: int, weights: Floats | None, threads: int, *, ones: bool = False
) -> Floats:
    """Return the sums of the products of every two columns, one lower triangle per group of rows.

    Double-double, of shape (2, groups, columns * (columns + 1) / 2). Without ``group`` all rows are one.
    With ``ones`` there is one more column, of ones: the last row of a triangle then holds sums and count.
    """
    columns = X.shape[1] + ones
    products = np.zeros((2, groups, columns * (columns + 1) // 2))
    _core.grouped_products(X, group, weights, threads, products)
    return products


def scatter_matrices(counts: Floats, sums: Floats, products: Floats) -> Floats:
    """Return the scatter about the group means: of each group, or summed where products are of all rows."""
    columns = sums.shape[2]
    out = np.empty((products.shape[1], columns, columns))
    _core.scatter_matrices(counts, sums, products, out)
    return out
