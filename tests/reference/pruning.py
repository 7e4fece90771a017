"""Pruning in plain NumPy, one step after the other."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np


def weakest_links(first_child: Any, child_count: Any, risk: Any) -> Any:
    """Return the alpha at which each node collapses, by collapsing the weakest until the root is left."""
    alphas, inner, alpha = np.zeros(len(risk)), child_count > 0, 0.0
    while inner[0]:
        leaves, below = np.ones(len(risk)), np.array(risk, dtype=float)
        for k in range(len(risk) - 1, -1, -1):
            if inner[k]:
                children = slice(first_child[k], first_child[k] + child_count[k])
                leaves[k], below[k] = leaves[children].sum(), below[children].sum()
        strength = np.full(len(risk), np.inf)
        strength[inner] = (risk - below)[inner] / (leaves - 1)[inner]
        alpha = max(alpha, strength.min())
        collapsed = strength <= alpha * (1 + 1e-9) + 1e-12 * risk
        for k in range(len(risk)):  # parents come first
            if collapsed[k]:
                collapsed[first_child[k] : first_child[k] + child_count[k]] |= child_count[k] > 0
        alphas[collapsed & inner] = alpha
        inner &= ~collapsed
    return alphas


def upper_limit(n: float, errors: float, confidence: float) -> float:
    """Return the errors that n cases have at most, with so much chance of fewer (Quinlan 1993)."""
    if n == 0:
        return 0.0
    if errors < 1:
        none = n * (1 - confidence ** (1 / n))
        return none + errors * (upper_limit(n, 1, confidence) - none) if errors else none
    if errors + 0.5 >= n:
        return n
    z, f = NormalDist().inv_cdf(1 - confidence), (errors + 0.5) / n
    root = np.sqrt(f / n - f**2 / n + z**2 / (4 * n**2))
    return float(n * (f + z**2 / (2 * n) + z * root) / (1 + z**2 / n))


def replaced(first_child: Any, child_count: Any, counts: Any, confidence: float) -> Any:
    """Return which nodes error-based pruning without raising makes leaves, from the leaves up."""
    totals, most = counts.sum(axis=1), counts.max(axis=1)
    errors = np.array([upper_limit(n, n - m, confidence) for n, m in zip(totals, most, strict=True)])
    collapsed = child_count == 0
    for k in np.flatnonzero(child_count)[::-1]:
        below = errors[first_child[k] : first_child[k] + child_count[k]].sum()
        collapsed[k] = errors[k] <= below + 0.1
        errors[k] = errors[k] if collapsed[k] else below
    return collapsed
