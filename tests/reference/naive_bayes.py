"""Naive Bayes cell by cell: what the kernels and the estimator must give."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp


def codes(column: Any, keys: Any, categories: bool) -> Any:
    """Return the code of each value: the equal key's place or one past the last, or the keys below it."""
    if not categories:
        return (np.asarray(keys)[None, :] < column[:, None]).sum(axis=1)
    return np.array([list(keys).index(x) if x in list(keys) else len(keys) for x in column])


def count_codes(X: Any, columns: Any, group: Any, classes: int, weights: Any) -> Any:
    """Return the weight of each class's rows with each code, (classes, slots); NaN has none."""
    places, starts, keys, categories = columns
    found = []
    for k, place in enumerate(places):
        own = keys[starts[k] : starts[k + 1]]
        known = ~np.isnan(X[:, place])
        code = codes(np.where(known, X[:, place], 0.0), own, bool(categories[k]))
        table = [
            [weights[known & (group == c) & (code == q)].sum() for q in range(len(own) + 1)]
            for c in range(classes)
        ]
        found.append(np.array(table))
    return np.hstack(found)


def gaussian_scores(X: Any, means: Any, spreads: Any) -> Any:
    """Return the log density of each row in each class; a missing cell adds nothing."""
    z = (X[:, None, :] - means) / spreads
    return np.nansum(-0.5 * z**2 - np.log(spreads * np.sqrt(2 * np.pi)) + 0 * z, axis=2)


def density_scores(X: Any, seen: Any, group: Any, weights: Any, bandwidths: Any) -> Any:
    """Return the log kernel density of each row in each class (all classes have every column)."""
    scores = np.zeros((len(X), len(bandwidths)))
    for c, j in np.ndindex(bandwidths.shape):
        own = (group == c) & ~np.isnan(seen[:, j])
        z = (X[:, j, None] - seen[own, j]) / bandwidths[c, j]
        norm = np.log(bandwidths[c, j] * np.sqrt(2 * np.pi) * weights[own].sum())
        scores[:, c] += np.nan_to_num(logsumexp(-0.5 * z**2, axis=1, b=weights[own]) - norm)
    return scores


def cut_points(x: Any, y: Any, weights: Any) -> list[float]:
    """Return the cuts of Fayyad and Irani: least class entropy, as long as the gain pays for the cut."""

    def counts(rows: Any) -> Any:
        return np.array([weights[rows & (y == c)].sum() for c in np.unique(y)])

    def entropy(rows: Any) -> Any:
        share = counts(rows)[counts(rows) > 0] / weights[rows].sum()
        return -(share * np.log2(share)).sum()

    def cost(cut: float, rows: Any) -> Any:
        return sum(weights[part].sum() * entropy(part) for part in (rows & (x <= cut), rows & (x > cut)))

    def cuts(rows: Any) -> list[float]:
        values = np.unique(x[rows])
        middles = values[:-1] + np.diff(values) / 2
        n, k = weights[rows].sum(), (counts(rows) > 0).sum()
        if k < 2 or len(middles) == 0 or n <= 1:
            return []
        best = min(middles, key=lambda cut: round(cost(cut, rows), 9))
        parts = rows & (x <= best), rows & (x > best)
        sides = sum((counts(part) > 0).sum() * entropy(part) for part in parts)
        delta = np.log2(3.0**k - 2) - k * entropy(rows) + sides
        if entropy(rows) - cost(best, rows) / n <= (np.log2(n - 1) + delta) / n:
            return []
        return sorted([*cuts(parts[0]), float(best), *cuts(parts[1])])

    return cuts(~np.isnan(x))
