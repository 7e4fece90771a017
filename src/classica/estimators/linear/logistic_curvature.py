"""The curvature of softmax regression at a point, factored once for any number of steps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from classica.estimators.linear.logistic_problem import SoftmaxProblem
from classica.native import Floats
from classica.threads import one_blas_thread

#: From a gradient to the step that undoes it (but for its sign), by a fixed model of the curvature.
Inverse = Callable[[Floats], Floats]


def inverse_curvature(problem: SoftmaxProblem, at: Floats, times: float = 1.0) -> Inverse:
    """Return the inverse of the curvature at a point; the loss counts so many times."""
    blocks = times * curvature_blocks(problem.pair_curvatures(at))
    if len(at) == 1:
        solve = solver(blocks[0, :, 0] + np.diag(problem.ridge))
        return lambda gradient: solve(gradient.ravel()).reshape(gradient.shape)
    # Adding one vector to those of all classes changes no probability, and a penalty only makes it shorter:
    # a step needs no such part.
    basis = sum_zero_basis(len(at))
    size = len(problem.used) * basis.shape[1]
    half = np.einsum("ca,cjdk->ajdk", basis, blocks)
    reduced = np.einsum("ajdk,db->ajbk", half, basis).reshape(size, size)
    solve_reduced = solver(reduced + np.diag(np.tile(problem.ridge, basis.shape[1])))

    def inverse(gradient: Floats) -> Floats:
        solution = solve_reduced(np.einsum("ca,cj->aj", basis, gradient).ravel())
        step: Floats = np.einsum("ca,aj->cj", basis, solution.reshape(basis.shape[1], -1))
        return step

    return inverse


def curvature_blocks(pairs: Floats) -> Floats:
    """Return the curvature by class, column, class, column."""
    if len(pairs) == 1:
        return pairs[:, :, None]
    classes, columns = (1 + math.isqrt(1 + 8 * len(pairs))) // 2, pairs.shape[1]
    blocks = np.zeros((classes, columns, classes, columns))
    both = [(a, b) for b in range(classes) for a in range(b)]
    for (a, b), pair in zip(both, pairs, strict=True):
        blocks[a, :, b] -= pair
        blocks[b, :, a] -= pair
        blocks[a, :, a] += pair
        blocks[b, :, b] += pair
    return blocks


def sum_zero_basis(classes: int) -> Floats:
    """Return orthonormal columns that each sum to zero (Helmert's)."""
    basis = np.zeros((classes, classes - 1))
    for k in range(1, classes):
        basis[:k, k - 1] = 1 / np.sqrt(k * (k + 1))
        basis[k, k - 1] = -k / np.sqrt(k * (k + 1))
    return basis


def solver(matrix: Floats) -> Inverse:
    """Factor a positive semidefinite matrix; where it is singular, solutions are the shortest."""
    size = np.sqrt(np.diag(matrix))
    size[size == 0.0] = 1.0
    scaled = matrix / np.multiply.outer(size, size)
    with one_blas_thread():
        try:
            factor = cho_factor(scaled, lower=True)
        except LinAlgError:
            factor = None
        if factor is not None and np.diag(factor[0]).min() > 1e-6:
            return lambda right: _by_factor(factor, right / size) / size
        values, vectors = eigh(scaled)
    positive = values > 1e-13 * len(values) * values[-1]
    values, vectors = values[positive], vectors[:, positive]

    def shortest(right: Floats) -> Floats:
        along = np.einsum("ik,i->k", vectors, right / size) / values
        solution: Floats = np.einsum("ik,k->i", vectors, along) / size
        return solution

    return shortest


def _by_factor(factor: tuple[Floats, bool], right: Floats) -> Floats:
    with one_blas_thread():
        solution: Floats = cho_solve(factor, right)
    return solution
