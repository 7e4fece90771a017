"""Newton's method for softmax regression with few coefficients: from any start to the last digit.

Each step goes to the minimum of the quadratic model of the objective: by Cholesky where the penalty is
quadratic, by descent along coordinates where it is absolute (which leaves weights at exactly zero). Then it
is halved until the objective falls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from classica.estimators.linear.logistic_curvature import curvature_blocks, inverse_curvature, solver
from classica.estimators.linear.logistic_problem import MOST_PRODUCTS, SoftmaxProblem
from classica.native import Floats
from classica.native.softmax import descend_columns, descend_coordinates

#: A decrease below this share of the objective is rounding.
ROUNDING = 4e-16
#: The part of the decrease that the slope promises which a step must bring.
ENOUGH = 1e-4
_HALVINGS = 40
_SWEEPS = 500


@dataclass(frozen=True)
class Optimum:
    """Where a solver stopped."""

    at: Floats
    iterations: int
    converged: bool


def newton(problem: SoftmaxProblem, at: Floats, tolerance: float, max_iter: int) -> Optimum:
    """Go on until no slope is above the tolerance."""
    here = _Point.of(problem, at)
    for iteration in range(max_iter):
        if here.slope <= tolerance:
            return Optimum(here.at, max(iteration, 1), True)
        step = newton_step(problem, here.at, here.gradient, tolerance)
        promised = _promised(problem, here.at, here.gradient, step)
        if promised >= -ROUNDING * here.value:
            # Values cannot tell any more whether a step is good, but slopes can.
            tried = _Point.of(problem, here.at + step)
            if tried.slope >= here.slope:
                return Optimum(here.at, iteration + 1, True)
            here = tried
            continue
        for t in _shares():
            tried = _Point.of(problem, here.at + t * step)
            if tried.value <= here.value + ENOUGH * t * promised:
                break
        else:
            return Optimum(here.at, iteration + 1, False)
        here = tried
    return Optimum(here.at, max_iter, here.slope <= tolerance)


@dataclass(frozen=True)
class _Point:
    """Coefficients, the objective there, the gradient of its smooth part, and the largest slope."""

    at: Floats
    value: float
    gradient: Floats
    slope: float

    @classmethod
    def of(cls, problem: SoftmaxProblem, at: Floats) -> _Point:
        value, gradient = problem.smooth(at)
        slope = float(np.max(np.abs(slopes(problem, at, gradient)), initial=0.0))
        return cls(at, value + problem.absolute(at), gradient, slope)


def slopes(problem: SoftmaxProblem, at: Floats, gradient: Floats) -> Floats:
    """Return the slopes of the objective; at a kink, the one of least size among those on both sides."""
    bounds = problem.bounds
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - bounds, 0.0)
    subgradient: Floats = np.where(at == 0.0, at_zero, gradient + np.sign(at) * bounds)
    return subgradient


def newton_step(problem: SoftmaxProblem, at: Floats, gradient: Floats, tolerance: float) -> Floats:
    """Return the step to the minimum of the quadratic model at a point."""
    if problem.bounds.any():
        return _step_with_kinks(problem, at, gradient, tolerance)
    return -inverse_curvature(problem, at)(gradient)


def _step_with_kinks(problem: SoftmaxProblem, at: Floats, gradient: Floats, tolerance: float) -> Floats:
    # Early steps need not be exact.
    violation = float(np.max(np.abs(slopes(problem, at, gradient))))
    share = min(0.1, violation / problem.rows_weight)
    inner = max(0.01 * tolerance, share * violation)
    if at.size > MOST_PRODUCTS or sp.issparse(problem.X):
        curvature = problem.row_curvature(at)
        scaled = problem.columns, problem.used, problem.center, problem.scale
        penalty = problem.ridge, problem.bounds
        return descend_columns(*scaled, curvature, gradient, at, *penalty, inner, _SWEEPS)
    blocks = curvature_blocks(problem.pair_curvatures(at))
    matrix = blocks.reshape(at.size, at.size) + np.diag(np.tile(problem.ridge, len(at)))
    bounds = np.tile(problem.bounds, len(at))
    rough = descend_coordinates(matrix, gradient.ravel(), at.ravel(), bounds, inner, _SWEEPS)
    return _on_the_face(matrix, gradient.ravel(), at.ravel(), bounds, rough).reshape(at.shape)


def _on_the_face(matrix: Floats, gradient: Floats, at: Floats, bounds: Floats, rough: Floats) -> Floats:
    """Return the exact minimum among coefficients with the signs of a rough one, if there is one.

    Descent along coordinates is slow where columns nearly depend on each other; it finds the signs soon.
    """
    signs = np.sign(at + rough)
    free = np.flatnonzero((signs != 0) | (bounds == 0))
    slope = gradient[free] + bounds[free] * signs[free]
    held = -np.where(signs == 0, at, 0.0)
    held[free] = 0.0
    slope += np.einsum("ij,j->i", matrix[free], held)
    step = held
    step[free] = -solver(matrix[np.ix_(free, free)])(slope)
    kept = (np.sign(at + step) == signs) | (bounds == 0)
    return step if kept.all() else rough


def _shares() -> Iterator[float]:
    return (0.5**k for k in range(_HALVINGS))


def _promised(problem: SoftmaxProblem, at: Floats, gradient: Floats, step: Floats) -> float:
    """Return the change that the slopes promise for a whole step."""
    change = problem.absolute(at + step) - problem.absolute(at)
    return float(np.sum(gradient * step)) + change
