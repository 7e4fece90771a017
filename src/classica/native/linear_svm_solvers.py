"""Solvers of the linear support vector machine, and the Gram matrices behind them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Floats, Rows
from classica.native.row_arguments import row_arguments

#: How columns are seen: value j as (x_j - center_j) * factor_j.
Frame = tuple[Floats, Floats]

#: How far from the best objective nothing at all may be: the objective of zero weights is one. (To begin with
#: the classifier of another penalty takes more steps, not fewer: its rows lie far from the central path.)
_FAR = 1.0


@dataclass(frozen=True)
class Found:
    """What a solver has found: model holds weights and then the intercept, duals lie between 0 and 1."""

    model: Floats
    duals: Floats
    objective: float
    gap: float
    iterations: int
    converged: bool


def weighted_gram(X: Rows, frame: Frame, ones: bool, weights: Floats | None, threads: int) -> Floats:
    """Return the weighted sums of the products of every two columns; ``ones`` adds a column of ones."""
    width = X.shape[1] + ones
    out = np.empty((width, width))
    _core.weighted_gram(X, *frame, ones, weights, threads, out)
    return out


def weighted_sums(X: Rows, frame: Frame, ones: bool, weights: Floats, threads: int) -> Floats:
    """Return the weighted sum of the rows; ``ones`` adds a column of ones."""
    out = np.empty(X.shape[1] + ones)
    _core.weighted_sums(X, *frame, ones, weights, threads, out)
    return out


def interior_point(
    X: Rows,
    frame: Frame,
    intercept: bool,
    task: tuple[Floats, Floats, Floats],
    limits: tuple[float, int, int],
    settled: tuple[float, Floats] = (0.0, np.empty(0)),
) -> Found:
    """Return the binary classifier of dense rows, in the frame of the columns.

    ``task``: signs, shares of rows, ridge of each column; ``limits``: tolerance, most iterations, threads;
    ``settled``: the share of further rows that count in full, and their sum by sign and share.
    """
    model, duals, report = np.zeros(X.shape[1] + 1), np.zeros(X.shape[0]), np.empty(4)
    _core.svm_interior_point(X, *frame, intercept, *task, *limits, *settled, _FAR, model, duals, report)
    return _found(model, duals, report)


def coordinate_descent(
    X: Rows,
    intercept: bool,
    task: tuple[Floats, Floats, Floats],
    limits: tuple[float, int],
    seed: int,
    duals: Floats | None = None,
) -> Found:
    """Return the binary classifier of dense or sparse rows, seen as they are; ``task`` has a single ridge."""
    model, report = np.zeros(X.shape[1] + 1), np.empty(4)
    duals = np.zeros(X.shape[0]) if duals is None else duals.copy()
    _core.svm_coordinate_descent(*row_arguments(X), intercept, *task, *limits, seed, model, duals, report)
    return _found(model, duals, report)


def gradient_descent(
    X: Rows,
    signs: Floats,
    drawn_from: tuple[NDArray[np.uint32], Floats],
    steps: tuple[float, float, int],
    intercept: bool,
    key: tuple[int, int],
) -> Floats:
    """Return weights and intercept after some seasons of single steps.

    ``drawn_from``: rows and the weight of all of these up to each (or empty); ``steps``: alpha, first step
    length, seasons; ``key``: seed and stream of the random numbers.
    """
    model = np.zeros(X.shape[1] + 1)
    _core.svm_gradient_descent(*row_arguments(X), signs, *drawn_from, *steps, intercept, *key, model)
    return model


def _found(model: Floats, duals: Floats, report: Floats) -> Found:
    return Found(model, duals, float(report[0]), float(report[1]), int(report[2]), bool(report[3]))
