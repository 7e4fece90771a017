r"""Shrinkage of a covariance towards something simpler, by a given or an estimated amount.

.. math:: \Sigma_\gamma = (1 - \gamma)\,\Sigma + \gamma\,T

The target T is :math:`\frac{\mathrm{tr}\,\Sigma}{d} I` for a number and for "oas" (Chen, Wiesel, Eldar and
Hero, "Shrinkage algorithms for MMSE covariance estimation", 2010), and the diagonal of the covariance for
"auto", which is Ledoit and Wolf's amount ("A well-conditioned estimator for large-dimensional covariance
matrices", 2004) for columns scaled to unit variance. These are scikit-learn's conventions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.native import Codes, Floats
from classica.params import Nothing, OneOf, Real

#: What the parameter `shrinkage` may be.
SHRINKAGE = Nothing() | OneOf("oas", "auto") | Real(at_least=0, at_most=1)


def shrunk(
    covariance: Floats, rows: float, shrinkage: Any, fourth_moment: float | None
) -> tuple[Floats, float]:
    """Return the shrunken covariance and the amount.

    ``rows`` is how many rows it was estimated from; ``fourth_moment``, needed for "auto", is the mean of
    the fourth powers of the distances from rows to their means, columns scaled to unit variance.
    """
    if shrinkage is None:
        return covariance, 0.0
    variances = np.diag(covariance)
    if shrinkage == "auto":
        assert fourth_moment is not None
        amount = _ledoit_wolf(covariance, rows, fourth_moment)
        return (1 - amount) * covariance + amount * np.diag(variances), amount
    amount = _oracle_approximating(covariance, rows) if shrinkage == "oas" else float(shrinkage)
    return (1 - amount) * covariance + amount * variances.mean() * np.eye(len(covariance)), amount


def mean_fourth_powers(
    X: Any, codes: Codes, weights: Floats | None, means: Floats, variances: Floats
) -> Floats:
    """Return, for each class, the mean fourth power of the distances `shrunk` wants for "auto"."""
    deviations = np.sqrt(variances)
    inverse = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=deviations > 0)
    totals, counts = np.zeros(len(means)), np.zeros(len(means))
    step = max(2**20 // X.shape[1], 1)
    for start in range(0, len(codes), step):
        part = slice(start, start + step)
        own = codes[part]
        scaled = (np.asarray(X[part], dtype=np.float64) - means[own]) * inverse[own]
        squared = (scaled**2).sum(axis=1)
        weight = np.ones(len(own)) if weights is None else weights[part]
        totals += np.bincount(own, weight * squared**2, minlength=len(means))
        counts += np.bincount(own, weight, minlength=len(means))
    moments: Floats = totals / np.maximum(counts, np.finfo(float).tiny)
    return moments


def _oracle_approximating(covariance: Floats, rows: float) -> float:
    columns = len(covariance)
    # Powers of two cancel, so that squares neither overflow nor vanish.
    scaled = covariance / _power_of_two(covariance)
    mean_square, mean_variance = np.mean(scaled**2), np.trace(scaled) / columns
    spread = (rows + 1) * (mean_square - mean_variance**2 / columns)
    return 1.0 if spread <= 0 else float(min((mean_square + mean_variance**2) / spread, 1.0))


def _ledoit_wolf(covariance: Floats, rows: float, fourth_moment: float) -> float:
    deviations = np.sqrt(np.diag(covariance))
    scale = np.where(deviations > 0, deviations, 1.0)
    correlation = covariance / scale[:, None] / scale
    columns = len(covariance)
    total = np.sum(correlation**2)
    distance = total - np.trace(correlation) ** 2 / columns
    noise = max(fourth_moment - total, 0.0) / rows
    return 1.0 if distance <= 0 else float(min(noise / distance, 1.0))


def _power_of_two(covariance: Floats) -> float:
    largest = float(np.max(np.diag(covariance), initial=0.0))
    return float(2.0 ** np.floor(np.log2(largest))) if largest > 0 else 1.0
