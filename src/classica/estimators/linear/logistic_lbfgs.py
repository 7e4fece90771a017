"""Limited-memory BFGS for softmax regression with many coefficients or rows: one pass over the rows per step.

The first model of the curvature is the bound of Böhning (1992) on that of the softmax, half the products of
the columns for each class, which one factorization inverts for all classes; where columns are too many for a
matrix of them, its diagonal. Where rows are many for the number of coefficients, some of them are solved
first: their solution is a start, and their curvature there a better model.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

from classica.estimators.linear.logistic_curvature import Inverse, inverse_curvature
from classica.estimators.linear.logistic_newton import ENOUGH, ROUNDING, Optimum
from classica.estimators.linear.logistic_problem import SoftmaxProblem
from classica.native import Floats
from classica.threads import one_blas_thread

_REMEMBERED = 10
_MOST_COLUMNS = 1500
_TRIALS = 40
#: So many rows per column tell the curvature well enough.
_ROWS_PER_COLUMN = 50
#: For that at a solution: rows per coefficient, rows per column of each class, and the most coefficients.
_ROWS_PER_COEFFICIENT, _CLASS_ROWS_PER_COLUMN, _MOST_COEFFICIENTS = 25, 2, 1500
#: All rows must be so many times those solved first, and these are solved up to this largest slope per row.
_WORTH_WHILE, _ROUGH = 4, 1e-3


def lbfgs(problem: SoftmaxProblem, at: Floats, tolerance: float, max_iter: int) -> Optimum:
    """Go on until no slope is above the tolerance."""
    part = _part_to_solve_first(problem, at.size)
    if part is None:
        return _descend(problem, at, first_inverse(problem), tolerance, max_iter)
    share = part.rows_weight / problem.rows_weight
    rough = _descend(part, at, first_inverse(part), _ROUGH * part.rows_weight, max_iter)
    model = inverse_curvature(replace(part, ridge=problem.ridge), rough.at, times=1 / share)
    return _descend(problem, rough.at, model, tolerance, max_iter)


def _part_to_solve_first(problem: SoftmaxProblem, coefficients: int) -> SoftmaxProblem | None:
    """Return some of the rows, if they can tell where the solution is and how curved."""
    wanted = _ROWS_PER_COEFFICIENT * coefficients
    rows = len(problem.codes)
    if sp.issparse(problem.X) or coefficients > _MOST_COEFFICIENTS or rows < _WORTH_WHILE * wanted:
        return None
    part = problem.every(rows // wanted)
    fewest = np.bincount(part.codes, minlength=problem.classes).min()
    return part if fewest >= _CLASS_ROWS_PER_COLUMN * len(problem.used) else None


def _descend(problem: SoftmaxProblem, at: Floats, first: Inverse, tolerance: float, max_iter: int) -> Optimum:
    memory = _Memory(first)
    value, gradient = problem.smooth(at)
    for iteration in range(max_iter):
        if np.max(np.abs(gradient), initial=0.0) <= tolerance:
            return Optimum(at, max(iteration, 1), True)
        step = memory.step(gradient)
        point = _search(problem, at, value, gradient, step)
        if point is None and len(memory):
            memory.forget()
            point = _search(problem, at, value, gradient, memory.step(gradient))
        if point is None:
            # All that could still be gained may be rounding.
            return Optimum(at, iteration + 1, -float(np.sum(step * gradient)) <= 1e3 * ROUNDING * value)
        tried, value, tried_gradient = point
        memory.learn(tried - at, tried_gradient - gradient)
        at, gradient = tried, tried_gradient
    return Optimum(at, max_iter, bool(np.max(np.abs(gradient), initial=0.0) <= tolerance))


def first_inverse(problem: SoftmaxProblem) -> Inverse:
    """Return the inverse of a bound on the curvature."""
    factor = 1.0 if problem.classes == 2 else 2.0
    columns = len(problem.used)
    if sp.issparse(problem.X) or columns > _MOST_COLUMNS:
        diagonal = factor * 0.25 * problem.rows_weight + problem.ridge
        return lambda gradient: gradient / diagonal
    step = max(len(problem.codes) // (_ROWS_PER_COLUMN * columns), 1)
    part = problem.every(step)
    [products] = part.pair_curvatures(np.zeros((1, columns)), classes=2)
    bound = factor * products * (problem.rows_weight / part.rows_weight) + np.diag(problem.ridge)
    # Columns that depend on each other leave directions that no row tells anything about.
    bound += np.diag(1e-10 * np.diag(bound) + np.finfo(float).tiny)
    with one_blas_thread():
        factored = cho_factor(bound, lower=True)

    def inverse(gradient: Floats) -> Floats:
        with one_blas_thread():
            solved: Floats = cho_solve(factored, gradient.T).T
        return solved

    return inverse


class _Memory:
    """The last steps and changes of the gradient, and the model of the curvature they make."""

    def __init__(self, first: Inverse) -> None:
        self.first = first
        self._pairs: deque[tuple[Floats, Floats, float]] = deque(maxlen=_REMEMBERED)
        self._scale = 1.0

    def __len__(self) -> int:
        return len(self._pairs)

    def learn(self, step: Floats, change: Floats) -> None:
        """Remember a step, if the gradient has grown along it."""
        product = float(np.sum(step * change))
        if product > 1e-14 * float(np.sqrt(np.sum(step**2) * np.sum(change**2))):
            self._pairs.append((step, change, product))
            self._scale = product / float(np.sum(change * self.first(change)))

    def forget(self) -> None:
        """Start again from the first model."""
        self._pairs.clear()
        self._scale = 1.0

    def step(self, slope: Floats) -> Floats:
        """Return the step to where the model has no slope (the two loops of Nocedal, 1980)."""
        rest, shares = slope.copy(), []
        for step, change, product in reversed(self._pairs):
            shares.append(float(np.sum(step * rest)) / product)
            rest -= shares[-1] * change
        rest = self._scale * self.first(rest)
        for (step, change, product), share in zip(self._pairs, reversed(shares), strict=True):
            rest += (share - float(np.sum(change * rest)) / product) * step
        return -rest


def _search(
    problem: SoftmaxProblem, at: Floats, value: float, gradient: Floats, step: Floats
) -> tuple[Floats, float, Floats] | None:
    """Return the first point along the step that lowers the objective enough, its value and gradient."""
    promised = float(np.sum(gradient * step))
    if not promised < 0:
        return None
    t = 1.0
    for _ in range(_TRIALS):
        tried = at + t * step
        new_value, new_gradient = problem.smooth(tried)
        if new_value <= value + ENOUGH * t * promised + ROUNDING * value:
            return tried, new_value, new_gradient
        # The lowest point of the parabola through what is known, within bounds.
        excess = new_value - value - t * promised
        t *= float(np.clip(-0.5 * t * promised / excess, 0.1, 0.5)) if np.isfinite(excess) else 0.1
    return None
