"""How certain the weights of a logistic regression are: the inverse of the Fisher information."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import ndtr

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
