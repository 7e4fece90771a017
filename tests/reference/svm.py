"""Dual problems of support vector machines by a general solver, and the conditions of their solutions."""

import numpy as np
from scipy.optimize import LinearConstraint, minimize


def solve(K, signs, upper, linear):
    """Return multipliers of a small problem, by SciPy's general solver."""
    Q = K * np.outer(signs, signs)
    found = minimize(
        lambda a: 0.5 * a @ Q @ a + linear @ a,
        np.zeros(len(K)),
        jac=lambda a: Q @ a + linear,
        bounds=[(0, u) for u in upper],
        constraints=LinearConstraint(signs[None], 0, 0),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    return found.x


def objective(K, signs, linear, alpha):
    beta = signs * alpha
    return 0.5 * beta @ K @ beta + linear @ alpha


def violation(K, signs, upper, linear, alpha):
    """Return by how much the best pair violates the conditions of Karush, Kuhn and Tucker."""
    scores = -(K @ (signs * alpha)) - signs * linear
    can_rise = np.where(signs > 0, alpha < upper, alpha > 0)
    can_fall = np.where(signs > 0, alpha > 0, alpha < upper)
    if not can_rise.any() or not can_fall.any():
        return 0.0
    return max(scores[can_rise].max() - scores[can_fall].min(), 0.0)
