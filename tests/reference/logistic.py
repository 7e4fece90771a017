"""Softmax regression in plain NumPy."""

import numpy as np
from scipy.special import log_softmax, softmax


def with_ones(X, center):
    return np.column_stack([X.astype(np.float64) - center, np.ones(len(X))])


def scores(X, center, coefficients):
    found = with_ones(X, center) @ coefficients.T
    return np.column_stack([np.zeros(len(X)), found]) if len(coefficients) == 1 else found


def loss_and_gradient(X, center, codes, weights, coefficients):
    """Return the loss of all rows and its derivatives by the coefficients."""
    found = scores(X, center, coefficients)
    rows = np.arange(len(X))
    loss = -(weights * log_softmax(found, axis=1)[rows, codes]).sum()
    residuals = softmax(found, axis=1)
    residuals[rows, codes] -= 1
    residuals *= weights[:, None]
    return loss, residuals[:, -len(coefficients) :].T @ with_ones(X, center)


def pair_curvatures(X, center, weights, coefficients):
    """Return the sum of weight p_a p_b z zᵀ for each pair of classes a < b, by b and then a."""
    p, z = softmax(scores(X, center, coefficients), axis=1), with_ones(X, center)
    pairs = [(a, b) for b in range(p.shape[1]) for a in range(b)]
    return np.array([np.einsum("i,ij,ik->jk", weights * p[:, a] * p[:, b], z, z) for a, b in pairs])


def objective(X, codes, weights, C, l1_ratio, coef, intercept):
    """Return what logistic regression minimises, and its gradient without the absolute penalty."""
    coefficients = np.column_stack([coef, intercept])
    loss, gradient = loss_and_gradient(X, np.zeros(X.shape[1]), codes, weights, coefficients)
    penalty = (1 - l1_ratio) / 2 * (coef**2).sum() + l1_ratio * abs(coef).sum()
    slopes = C * gradient
    slopes[:, :-1] += (1 - l1_ratio) * coef
    return C * loss + penalty, slopes


def kkt_violation(slopes, coef, l1_ratio):
    """Return by how much the slopes of the weights are off a minimum, at most."""
    of_weights = slopes[:, :-1]
    at_zero = np.maximum(abs(of_weights) - l1_ratio, 0)
    elsewhere = abs(of_weights + l1_ratio * np.sign(coef))
    return max(np.where(coef == 0, at_zero, elsewhere).max(), abs(slopes[:, -1]).max())
