"""Gaussian classifiers straight from the formulas: exact sums of products, inverses, determinants."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from tests.reference.moments import exact


def grouped_products(X: Any, group: Any, groups: int, weights: Any = None) -> tuple[Any, Any]:
    """Return sum w x_i x_j and sum |w x_i x_j| for j <= i as fractions of shape (groups, pairs)."""
    values, rows, columns = exact(X), *np.tril_indices(X.shape[1])
    weight = exact(np.ones(len(X)) if weights is None else weights)[:, None]
    terms = weight * values[:, rows] * values[:, columns]
    zeros = exact(np.zeros((1, len(rows))))  # an empty sum is a fraction too
    parts = [np.vstack([zeros, terms[group == g]]) for g in range(groups)]
    return np.array([p.sum(axis=0) for p in parts]), np.array([abs(p).sum(axis=0) for p in parts])


def scatter(X: Any, weights: Any = None) -> Any:
    """Return sum w (x - mean)(x - mean)^T as fractions."""
    values, weight = exact(X), exact(np.ones(len(X)) if weights is None else weights)[:, None]
    gaps = values - (weight * values).sum(axis=0) / weight.sum()
    return (weight * gaps).T @ gaps


def class_covariances(X: Any, y: Any) -> tuple[Any, Any]:
    """Return the covariance within all classes (divisor n - C) and those of the classes (n_c - 1)."""
    labels = np.unique(y)
    gaps = [X[y == c] - X[y == c].mean(axis=0) for c in labels]
    pooled = sum(g.T @ g for g in gaps) / (len(X) - len(labels))
    return pooled, np.array([g.T @ g / (len(g) - 1) for g in gaps])


def log_joint(queries: Any, means: Any, covariances: Any, priors: Any) -> Any:
    """Return log prior + log density, without the constant, for every query and class."""
    found = np.empty((len(queries), len(means)))
    for c, (mean, covariance, prior) in enumerate(zip(means, covariances, priors, strict=True)):
        gaps = queries - mean
        squared = np.einsum("ij,jk,ik->i", gaps, np.linalg.inv(covariance), gaps)
        found[:, c] = np.log(prior) - 0.5 * squared - 0.5 * np.linalg.slogdet(covariance)[1]
    return found


def softmax(scores: Any) -> Any:
    """Return the posteriors of log joint densities."""
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def posteriors(X: Any, y: Any, queries: Any, *, shared: bool, priors: Any = None) -> Any:
    """Return the posteriors of linear (shared covariance) or quadratic discriminant analysis."""
    labels, counts = np.unique(y, return_counts=True)
    pooled, own = class_covariances(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in labels])
    covariances = np.repeat(pooled[None], len(labels), axis=0) if shared else own
    return softmax(log_joint(queries, means, covariances, counts / len(y) if priors is None else priors))


def left_out_scores(X: Any, y: Any) -> Any:
    """Return log prior - distance / 2 to classes 0, 1, ... had the row not been learned, as MASS does."""
    counts, (pooled, _) = np.bincount(y), class_covariances(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in range(len(counts))])
    white = np.linalg.cholesky(np.linalg.inv(pooled))
    Z, M = X @ white, means @ white
    gap, degrees, n = Z - M[y], len(X) - len(counts), counts[y]
    own = (gap**2).sum(axis=1)
    factor = n / ((n - 1) * degrees)
    left = 1 - factor * own
    cross = np.array([((Z - m) * gap).sum(axis=1) for m in M]).T
    distances = np.array([((Z - m) ** 2).sum(axis=1) for m in M]).T + cross**2 * (factor / left)[:, None]
    distances[np.arange(len(y)), y] = own * (n / (n - 1)) ** 2 / left
    return np.log(counts / len(y)) - 0.5 * distances * (degrees - 1) / degrees


def fisher(X: Any, first: Any, log_odds: float = 0.0) -> tuple[Any, float]:
    """Return w and t of the machine that tells the rows marked as first from the others."""
    pooled, _ = class_covariances(X, ~first)
    means = X[first].mean(axis=0), X[~first].mean(axis=0)
    w = np.linalg.inv(pooled) @ (means[0] - means[1])
    return w, w @ (means[0] + means[1]) / 2 - log_odds


def fisher_scores(X: Any, y: Any, queries: Any, *, one_vs_all: bool, log_prior: bool) -> Any:
    """Return w.x - t of every machine: each class against the rest, or every two classes."""
    labels, found = np.unique(y), []
    pairs = [(c, None) for c in labels] if one_vs_all else combinations(labels, 2)
    for a, b in pairs:
        rows = np.ones(len(y), bool) if b is None else (y == a) | (y == b)
        first = y[rows] == a
        odds = np.log(first.sum() / (~first).sum()) if log_prior else 0.0
        w, t = fisher(X[rows], first, odds)
        found.append(queries @ w - t)
    return np.array(found).T


def votes(scores: Any, classes: int) -> tuple[Any, Any]:
    """Return wins and summed scores of the classes from the scores of every two of them."""
    wins, sums = np.zeros((2, len(scores), classes))
    for machine, (a, b) in enumerate(combinations(range(classes), 2)):
        for row, score in enumerate(scores[:, machine]):
            wins[row, a if score >= 0 else b] += 1
            sums[row, a] += score
            sums[row, b] -= score
    return wins, sums
