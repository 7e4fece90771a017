"""Newton's method for softmax regression with few coefficients: from any start to the last digit.

Each step goes to the minimum of the quadratic model of the objective: by Cholesky where the penalty is
quadratic, by descent along coordinates where it is absolute (which leaves weights at exactly zero). Then it
is halved until the objective falls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from classica.estimators._logistic_problem import SoftmaxProblem
from classica.native import Floats
from classica.native.logistic import descend_columns, descend_coordinates
from classica.threads import one_blas_thread

#: A decrease below this share of the objective is rounding.
ROUNDING = 4e-16
#: The part of the decrease that the slope promises which a step must bring.
ENOUGH = 1e-4
_HALVINGS = 40
_SWEEPS = 500
#: Up to so many coefficients their products with each other are worked out.
_MOST_PRODUCTS = 1000


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
    found: Floats = np.where(at == 0.0, at_zero, gradient + np.sign(at) * bounds)
    return found


def newton_step(problem: SoftmaxProblem, at: Floats, gradient: Floats, tolerance: float) -> Floats:
    """Return the step to the minimum of the quadratic model at a point."""
    if problem.bounds.any():
        return _step_with_kinks(problem, at, gradient, tolerance)
    blocks = _blocks(problem.pair_curvatures(at))
    if len(at) == 1:
        return -_solve(blocks[0, :, 0] + np.diag(problem.ridge), gradient.ravel()).reshape(at.shape)
    # Adding one vector to those of all classes changes no probability, and a penalty only makes it shorter:
    # the step needs no such part.
    basis = sum_zero_basis(len(at))
    size = len(problem.used) * basis.shape[1]
    half = np.einsum("ca,cjdk->ajdk", basis, blocks)
    reduced = np.einsum("ajdk,db->ajbk", half, basis).reshape(size, size)
    reduced += np.diag(np.tile(problem.ridge, basis.shape[1]))
    found = -_solve(reduced, np.einsum("ca,cj->aj", basis, gradient).ravel())
    step: Floats = np.einsum("ca,aj->cj", basis, found.reshape(-1, len(problem.used)))
    return step


def _step_with_kinks(problem: SoftmaxProblem, at: Floats, gradient: Floats, tolerance: float) -> Floats:
    # Early steps need not be exact.
    violation = float(np.max(np.abs(slopes(problem, at, gradient))))
    share = min(0.1, violation / problem.rows_weight)
    inner = max(0.01 * tolerance, share * violation)
    if at.size > _MOST_PRODUCTS or sp.issparse(problem.X):
        curvature = problem.row_curvature(at)
        scaled = problem.columns, problem.used, problem.center, problem.scale
        penalty = problem.ridge, problem.bounds
        return descend_columns(*scaled, curvature, gradient, at, *penalty, inner, _SWEEPS)
    blocks = _blocks(problem.pair_curvatures(at))
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
    step[free] = -_solve(matrix[np.ix_(free, free)], slope)
    kept = (np.sign(at + step) == signs) | (bounds == 0)
    return step if kept.all() else rough


def sum_zero_basis(classes: int) -> Floats:
    """Return orthonormal columns that each sum to zero (Helmert's)."""
    basis = np.zeros((classes, classes - 1))
    for k in range(1, classes):
        basis[:k, k - 1] = 1 / np.sqrt(k * (k + 1))
        basis[k, k - 1] = -k / np.sqrt(k * (k + 1))
    return basis


def _shares() -> Iterator[float]:
    return (0.5**k for k in range(_HALVINGS))


def _promised(problem: SoftmaxProblem, at: Floats, gradient: Floats, step: Floats) -> float:
    """Return the change that the slopes promise for a whole step."""
    change = problem.absolute(at + step) - problem.absolute(at)
    return float(np.sum(gradient * step)) + change


def _blocks(pairs: Floats) -> Floats:
    """Return the curvature by class, column, class, column."""
    if len(pairs) == 1:
        return pairs[:, :, None]
    classes, columns = _classes_of(len(pairs)), pairs.shape[1]
    blocks = np.zeros((classes, columns, classes, columns))
    both = [(a, b) for b in range(classes) for a in range(b)]
    for (a, b), pair in zip(both, pairs, strict=True):
        blocks[a, :, b] -= pair
        blocks[b, :, a] -= pair
        blocks[a, :, a] += pair
        blocks[b, :, b] += pair
    return blocks


def _classes_of(pairs: int) -> int:
    return (1 + math.isqrt(1 + 8 * pairs)) // 2


def _solve(matrix: Floats, right: Floats) -> Floats:
    """Solve a positive semidefinite system; where it is singular, with the shortest solution."""
    size = np.sqrt(np.diag(matrix))
    size[size == 0.0] = 1.0
    scaled = matrix / np.multiply.outer(size, size)
    with one_blas_thread():
        try:
            factor = cho_factor(scaled, lower=True)
        except LinAlgError:
            factor = None
        if factor is not None and np.diag(factor[0]).min() > 1e-6:
            found: Floats = cho_solve(factor, right / size) / size
            return found
        values, vectors = eigh(scaled)
    known = values > 1e-13 * len(values) * values[-1]
    along = np.einsum("ik,i->k", vectors[:, known], right / size) / values[known]
    shortest: Floats = np.einsum("ik,k->i", vectors[:, known], along) / size
    return shortest
