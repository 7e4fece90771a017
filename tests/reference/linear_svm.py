"""The linear support vector machine as a small quadratic program, solved by a general method."""

import numpy as np
from scipy.optimize import minimize


def objective(X, signs, shares, alpha, weights, intercept):
    hinges = np.maximum(1 - signs * (X @ weights + intercept), 0)
    return shares @ hinges + alpha / 2 * weights @ weights


def dual(X, signs, shares, alpha, intercept=True):
    """Return weights and the largest dual objective: that is the least objective."""
    pulls = (shares * signs)[:, None] * X

    def negative(duals):
        weights = pulls.T @ duals / alpha
        return alpha / 2 * weights @ weights - shares @ duals, pulls @ weights - shares

    balance = {"type": "eq", "fun": lambda u: (shares * signs) @ u, "jac": lambda u: shares * signs}
    found = minimize(
        negative,
        np.full(len(X), 0.5),
        jac=True,
        bounds=[(0, 1)] * len(X),
        constraints=[balance] if intercept else [],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    return pulls.T @ found.x / alpha, -found.fun


def gradient_descent(X, signs, rows, alpha, eta, season):
    """Return weights and intercept after the lecture's steps on these rows, `season` of one length."""
    weights, intercept = np.zeros(X.shape[1]), 0.0
    for step, k in enumerate(rows):
        length = min(eta / (1 + step // season), 1 / alpha)
        inside = signs[k] * (X[k] @ weights + intercept) < 1
        weights = weights - length * (alpha * weights - inside * signs[k] * X[k])
        intercept = intercept + length * inside * signs[k]
    return weights, intercept
