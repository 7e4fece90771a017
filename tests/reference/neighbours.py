"""Nearest neighbours the plain way: every difference, a stable sort, a count of votes."""

import numpy as np


def ranks(A, B, metric, *, VI=None, ranges=1.0, categorical=()):
    """Return what orders the rows of B for each row of A: the distance, its square, or (p = 3) its cube."""
    A, B = np.asarray(A, dtype=np.float64), np.asarray(B, dtype=np.float64)
    if metric == "cosine":
        A, B = (X / np.maximum(np.linalg.norm(X, axis=1, keepdims=True), 1e-300) for X in (A, B))
        both_zero = ~A.any(axis=1)[:, None] & ~B.any(axis=1)
        return np.where(both_zero, 0.0, 1 - sum(A[:, None, j] * B[:, j] for j in range(A.shape[1])))
    gaps = np.moveaxis((A[:, None, :] - B) / ranges, 2, 0)
    for j in categorical:
        gaps[j] = np.where(np.isnan(gaps[j]), np.nan, gaps[j] != 0)
    if metric == "mahalanobis":
        return np.einsum("kij,kl,lij->ij", gaps, VI, gaps)
    if metric == "gower":
        known = 1.0 * ~np.isnan(gaps)
        return np.where(known.any(axis=0), sum(np.nan_to_num(abs(gaps))) / np.maximum(sum(known), 1), 1.0)
    if metric == "heom":
        return sum(np.where(np.isnan(gaps), 1.0, gaps * gaps))
    if metric == "chebyshev":
        return abs(gaps).max(axis=0)
    term = {"manhattan": abs, "minkowski": lambda g: abs(g * g * g), "hamming": lambda g: 1.0 * (g != 0)}
    return sum(term.get(metric, np.square)(gap) for gap in gaps)


def vote(rank, codes, classes, k, ties, weights=None):
    """Return the share of each class for one query, and the rows that voted, nearest first."""
    order, k = np.argsort(rank, kind="stable"), min(k, len(rank))
    weights = np.ones(len(rank)) if weights is None else weights
    ends = [*(np.flatnonzero(np.diff(rank[order])) + 1).tolist(), len(rank)]  # of groups of equal rank
    enough = next(n for n in ends if n >= k)
    votes = lambda n: np.bincount(codes[order[:n]], weights[order[:n]], classes)  # noqa: E731
    clear = lambda n: (votes(n) == votes(n).max()).sum() == 1  # noqa: E731
    shrunk = next((n for n in reversed(ends) if n <= enough and clear(n)), ends[0])
    grown = next((n for n in ends if n >= enough and clear(n)), len(rank))
    n = {"decrease": shrunk, "increase": grown, "lowest": k}[ties]
    return votes(n) / votes(n).sum(), order[:n]
