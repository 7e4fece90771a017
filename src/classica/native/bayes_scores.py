"""The parts of naive Bayes: counts of codes, Gaussian columns, kernel densities, and cut points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats, Rows
from classica.native.row_arguments import row_arguments

#: Columns of X, where each column's keys start, the keys, and 1 for categories (0 for intervals).
CodedColumns = tuple[Codes, Codes, Floats, NDArray[np.uint8]]

#: Columns of X; means, inverse spreads and log norms per class and column.
GaussianModel = tuple[Codes, Floats, Floats, Floats]


def distinct_values(X: Rows, columns: Codes, threads: int) -> list[Floats]:
    """Return the distinct known values of each chosen column, ascending."""
    starts, values = _core.distinct_values(X, columns, threads)
    return np.split(values, starts[1:-1]) if len(columns) else []


def cut_points(
    X: Rows, columns: Codes, group: Codes, weights: Floats | None, classes: int, threads: int
) -> list[Floats]:
    """Return where the entropy and description-length rule cuts each chosen column."""
    starts, values = _core.cut_points(X, columns, group, weights, classes, threads)
    return np.split(values, starts[1:-1]) if len(columns) else []


def count_codes(
    X: Rows, columns: CodedColumns, group: Codes, classes: int, weights: Floats | None, threads: int
) -> Floats:
    """Return the weight of the rows of each class with each code, double-double: (2, classes, slots)."""
    counts = np.zeros((2, classes, len(columns[2]) + len(columns[0])))
    _core.count_codes(*row_arguments(X), *columns, group, weights, threads, counts)
    return counts


def add_code_scores(
    X: Rows,
    columns: CodedColumns,
    logs: Floats,
    zeros: NDArray[np.uint8] | None,
    threads: int,
    scores: Floats,
    zero_counts: Codes | None,
) -> None:
    """Add the table entries (slots, classes) of each row's cells to its scores."""
    _core.add_code_scores(*row_arguments(X), *columns, logs, zeros, threads, scores, zero_counts)


def add_left_out_code_scores(
    X: Rows,
    columns: CodedColumns,
    logs: Floats,
    zeros: NDArray[np.uint8] | None,
    counts: tuple[Floats, Floats, NDArray[np.uint8], float],
    group: Codes,
    weights: Floats | None,
    threads: int,
    scores: Floats,
    zero_counts: Codes,
) -> None:
    """Do the same as if each row had not been counted; ``counts``: pairs, cases, declared codes, alpha."""
    _core.left_out_codes(X, *columns, logs, zeros, *counts, group, weights, threads, scores, zero_counts)


def add_gaussian_scores(X: Rows, model: GaussianModel, threads: int, scores: Floats) -> None:
    """Add the log density of each row in each class to its scores."""
    _core.add_gaussian_scores(X, *model, threads, scores)


def left_out_gaussian_scores(
    X: Rows,
    model: GaussianModel,
    sums: tuple[Floats, Floats, Floats, Floats, float],
    group: Codes,
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Return the log density of each row in its class without that row, NaN where it has to be refitted.

    ``sums``: known weights, sums and square sums as pairs, the smallest variances allowed, ddof.
    """
    out = np.empty(X.shape[0])
    _core.left_out_gaussian(X, *model, *sums, group, weights, threads, out)
    return out


def sort_columns(
    X: Rows, columns: Codes, group: Codes, classes: int, weights: Floats | None, threads: int
) -> tuple[Floats, Floats, NDArray[np.int64], Floats, Floats]:
    """Return the values of each column by class, ascending: values, masses, starts, quartiles, gaps.

    Values and masses are (columns, rows), equal values of a class joined; starts (columns, classes + 1)
    tell where those of each class begin; quartiles are (columns, classes, 2); gaps (columns,) are the mean
    gaps between the distinct values of all classes.
    """
    values, masses = np.zeros((2, len(columns), X.shape[0]))
    starts = np.zeros((len(columns), classes + 1), dtype=np.int64)
    quartiles, gaps = np.zeros((len(columns), classes, 2)), np.zeros(len(columns))
    _core.sort_columns(X, columns, group, weights, threads, values, masses, starts, quartiles, gaps)
    return values, masses, starts, quartiles, gaps


def add_density_scores(
    X: Rows,
    columns: Codes,
    values: Floats,
    masses: Floats,
    starts: NDArray[np.int64],
    bandwidths: Floats,
    threads: int,
    scores: Floats,
) -> None:
    """Add the log kernel density of each row in each class to its scores."""
    _core.add_density_scores(X, columns, values, masses, starts, bandwidths, threads, scores)
