"""How certain the weights of a logistic regression are: the inverse of the Fisher information."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import ndtr

from classica.estimators.linear.logistic_curvature import curvature_blocks, sum_zero_basis
from classica.estimators.linear.logistic_problem import SoftmaxProblem
from classica.native import Floats
from classica.threads import one_blas_thread


def standard_errors(problem: SoftmaxProblem, at: Floats) -> Floats:
    """Return the standard errors of the intercept at the origin and of the raw weights of two classes."""
    [information] = problem.pair_curvatures(at)
    with one_blas_thread():
        values, vectors = eigh(information)
    positive = values > 1e-13 * len(values) * values.max(initial=0.0)
    roots = vectors[:, positive] / np.sqrt(values[positive])  # roots @ roots.T is the covariance
    raw = np.zeros((len(problem.scale), roots.shape[1]))
    raw[problem.used] = roots / problem.scale[problem.used, None]
    # From the intercept at the center to that at the origin.
    raw[-1] -= np.einsum("j,jk->k", problem.center, raw[:-1])
    errors: Floats = np.roll(np.sqrt(np.sum(raw**2, axis=1)), 1)
    return errors


def covariance(problem: SoftmaxProblem, raw: Floats, active: NDArray[np.bool_]) -> Floats:
    """Return the covariance of raw weights and intercepts at the center, by vector and column.

    It is the inverse of the observed information, the penalty included: that of the posterior around its mode
    (Laplace) with the penalty as the prior. Of more than two classes the vectors are those that sum to zero,
    because adding one vector to all classes changes no probability. Weights that an absolute penalty keeps at
    zero are not estimated.

    Parameters
    ----------
    problem : SoftmaxProblem
        The rows; dense.
    raw : ndarray of shape (vectors, columns + 1)
        The weights, and last the intercepts at the center of the problem.
    active : ndarray of shape (columns + 1,)
        Which columns are estimated.
    """
    used = problem.used[active[problem.used]]
    kept = np.isin(problem.used, used)
    blocks = curvature_blocks(problem.pair_curvatures(raw[:, problem.used] * problem.scale[problem.used]))
    blocks = blocks[:, kept][:, :, :, kept]
    basis = np.ones((1, 1)) if len(raw) == 1 else sum_zero_basis(len(raw))
    reduced = np.einsum("ca,cjdk,db->ajbk", basis, blocks, basis, optimize=True)
    size = reduced.shape[0] * reduced.shape[1]
    penalty = np.tile(problem.ridge[kept], basis.shape[1])
    with one_blas_thread():
        values, vectors = eigh(reduced.reshape(size, size) + np.diag(penalty))
        known = values > 1e-13 * size * values.max(initial=0.0)
        roots = vectors[:, known] / np.sqrt(values[known])
        spread = np.einsum("ca,ajr->cjr", basis, roots.reshape(basis.shape[1], -1, roots.shape[1]))
        wide = np.zeros((len(raw), raw.shape[1], roots.shape[1]))
        wide[:, used] = spread / problem.scale[used, None]
        flat = wide.reshape(-1, roots.shape[1])
        found: Floats = flat @ flat.T
    return found


def table_of_coefficients(names: NDArray[Any] | None, coefficients: Floats, errors: Floats) -> str:
    """Return a table: one line for the intercept and for each column."""
    labels = [f"x{j}" for j in range(len(coefficients) - 1)] if names is None else [str(n) for n in names]
    labels = ["intercept", *labels]
    width = max(len(label) for label in labels)
    titles = ("coefficient", "std. error", "z", "p", "odds ratio")
    lines = [" " * width + "".join(f"{title:>13}" for title in titles)]
    for label, coefficient, error in zip(labels, coefficients, errors, strict=True):
        z = coefficient / error if error > 0 else 0.0
        p = 2 * ndtr(-abs(z))
        odds = np.exp(min(coefficient, 700.0))
        cells = "".join(f"{value:>13.5g}" for value in (coefficient, error, z, p, odds))
        lines.append(f"{label:<{width}}{cells}")
    return "\n".join(lines)
