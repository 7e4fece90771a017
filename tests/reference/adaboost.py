"""AdaBoost over stumps in plain NumPy: two or more classes, numbers only, the Gini index."""

from __future__ import annotations

from typing import Any

import numpy as np


def best_stump(X: Any, codes: Any, classes: int, weights: Any) -> Any:
    """Return (column, threshold, class up to it, class above) of the least impurity; of equals the first."""
    found, least = None, np.inf
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for cut in (values[:-1] + values[1:]) / 2:
            sides = X[:, j] <= cut, X[:, j] > cut
            counts = [np.bincount(codes[side], weights[side], classes) for side in sides]
            impurity = sum(n.sum() - (n**2).sum() / n.sum() for n in counts)
            if impurity < least - 1e-12:
                found, least = (j, cut, counts[0].argmax(), counts[1].argmax()), impurity
    return found


def adaboost(X: Any, codes: Any, rounds: int, rate: float = 1.0, m1: bool = False) -> Any:
    """Return the stumps, their errors and votes, and the sum of votes of each row for each class."""
    classes, weights = codes.max() + 1, np.full(len(codes), 1 / len(codes))
    votes, stumps, errors, alphas = np.zeros((len(codes), classes)), [], [], []
    for _ in range(rounds):
        stump = best_stump(X, codes, classes, weights)
        said = np.where(X[:, stump[0]] <= stump[1], stump[2], stump[3])
        error = weights[said != codes].sum()
        if not 0 < error < (0.5 if m1 else 1 - 1 / classes):
            break
        alpha = rate / 2 * (np.log((1 - error) / error) + (0 if m1 else np.log(classes - 1)))
        weights = weights * np.exp(np.where(said == codes, -alpha, alpha))
        weights /= weights.sum()
        votes[np.arange(len(codes)), said] += alpha
        stumps, errors, alphas = [*stumps, stump], [*errors, error], [*alphas, alpha]
    return stumps, np.array(errors), np.array(alphas), votes
