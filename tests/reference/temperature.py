"""Temperature scaling, row by row and by scipy's search."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax


def smoothed_targets(codes, weights, classes):
    """Return for each class the targets of its rows: Platt's for itself, the others by their shares."""
    counts = [sum(weights[codes == k]) for k in range(classes)]
    table = np.zeros((classes, classes))
    for k in range(classes):
        others = sum(counts[j] + 1 for j in range(classes) if j != k)
        for j in range(classes):
            table[k, j] = (counts[j] + 1) / others / (counts[k] + 2)
        table[k, k] = (counts[k] + 1) / (counts[k] + 2)
    return table


def mean_loss(slope, scores, codes, weights):
    """Return the weighted cross-entropy of the softmax of slope · scores; classes with NaN are left out."""
    table = smoothed_targets(codes, weights, scores.shape[1])
    total = 0.0
    for row, code, weight in zip(scores, codes, weights, strict=True):
        given = ~np.isnan(row)
        target = table[code][given] / table[code][given].sum()
        total -= weight * (target * log_softmax(slope * row[given])).sum()
    return total / weights.sum()


def best_slope(scores, codes, weights):
    """Return the slope of the least loss."""
    found = minimize_scalar(
        lambda log: mean_loss(np.exp(log), scores, codes, weights), (-1.0, 1.0), options={"xtol": 1e-10}
    )
    return float(np.exp(found.x))
