r"""Shrinkage of a covariance towards something simpler, by a given or an estimated amount.

.. math:: \Sigma_\gamma = (1 - \gamma)\,\Sigma + \gamma\,T

The target T is :math:`\frac{\mathrm{tr}\,\Sigma}{d} I` for a number and for "oas" (Chen, Wiesel, Eldar and
Hero, "Shrinkage algorithms for MMSE covariance estimation", 2010), and the diagonal of the covariance for
"auto", which is Ledoit and Wolf's amount ("A well-conditioned estimator for large-dimensional covariance
matrices", 2004) for columns scaled to unit variance. These are scikit-learn's conventions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from classica.arrays import Rows
from classica.native import Codes, Floats
from classica.params import Nothing, OneOf, Real
from classica.threads import one_blas_thread

#: What the parameter `shrinkage` may be.
SHRINKAGE = Nothing() | OneOf("oas", "auto") | Real(at_least=0, at_most=1)
Shrinkage: TypeAlias = "float | str | None"


def shrunk(
    covariance: Floats, rows: float, shrinkage: Shrinkage, fourth_moment: float | None
) -> tuple[Floats, float]:
    """Return the shrunken covariance and the amount.

    ``rows`` is how many rows it was estimated from; ``fourth_moment``, needed for "auto", is the mean of
    the fourth powers of the distances from rows to their means, columns scaled to unit variance.
    """
    if shrinkage is None:
        return covariance, 0.0
    amount = amount_of(Sizes.of(covariance), rows, shrinkage, fourth_moment)
    return moved(covariance, amount, is_diagonal=shrinkage == "auto"), amount


def moved(covariance: Floats, amount: float, *, is_diagonal: bool) -> Floats:
    """Return a covariance moved towards its diagonal, or towards equal variance in all directions."""
    if amount == 0:
        return covariance
    target = added_variances(np.diag(covariance), amount, is_diagonal=is_diagonal)
    return (1 - amount) * covariance + np.diag(target)


def added_variances(variances: Floats, amount: float, *, is_diagonal: bool) -> Floats:
    """Return what the target adds to the variance of each column."""
    if is_diagonal:
        return amount * variances
    return np.full_like(variances, amount * variances.mean())


@dataclass(frozen=True)
class Sizes:
    """What the amounts of shrinkage depend on."""

    variances: Floats
    squares: float  # the sum of the squares of the covariance, in units of ``unit``
    correlation_squares: float  # the same, columns scaled to unit variance
    unit: float  # a power of two, so that squares neither overflow nor vanish

    @classmethod
    def of_rows(cls, gaps: Floats, degrees: float) -> Sizes:
        """Return the sizes of the covariance of a few rows: their products are fewer than the columns'."""
        variances = np.einsum("ij,ij->j", gaps, gaps) / degrees
        unit = power_of_two(variances)
        totals = []
        with one_blas_thread():
            for scale in (np.sqrt(unit), column_scale(variances)):
                scaled = gaps / scale
                totals.append(float(np.sum((scaled @ scaled.T / degrees) ** 2)))
        return cls(variances, totals[0], totals[1], unit)

    @classmethod
    def of(cls, covariance: Floats) -> Sizes:
        """Return the sizes of a covariance."""
        variances = np.diag(covariance)
        unit = power_of_two(variances)
        scale = column_scale(variances)
        squares = float(np.sum((covariance / unit) ** 2))
        return cls(variances, squares, float(np.sum((covariance / scale[:, None] / scale) ** 2)), unit)


def amount_of(sizes: Sizes, rows: float, shrinkage: Shrinkage, fourth_moment: float | None) -> float:
    """Return the amount of shrinkage, given or estimated."""
    if shrinkage is None:
        return 0.0
    if shrinkage == "auto":
        assert fourth_moment is not None
        return _ledoit_wolf(sizes, rows, fourth_moment)
    return _oracle_approximating(sizes, rows) if shrinkage == "oas" else float(shrinkage)


def mean_fourth_powers(
    X: Rows, codes: Codes, weights: Floats | None, means: Floats, variances: Floats
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


def _oracle_approximating(sizes: Sizes, rows: float) -> float:
    columns = len(sizes.variances)
    mean_square = sizes.squares / columns**2
    mean_variance = float(sizes.variances.sum() / sizes.unit) / columns
    spread = (rows + 1) * (mean_square - mean_variance**2 / columns)
    return 1.0 if spread <= 0 else float(min((mean_square + mean_variance**2) / spread, 1.0))


def _ledoit_wolf(sizes: Sizes, rows: float, fourth_moment: float) -> float:
    varying = float((sizes.variances > 0).sum())
    distance = sizes.correlation_squares - varying**2 / len(sizes.variances)
    noise = max(fourth_moment - sizes.correlation_squares, 0.0) / rows
    return 1.0 if distance <= 0 else float(min(noise / distance, 1.0))


def column_scale(variances: Floats) -> Floats:
    """Return the standard deviation of each column, or 1 where it has none."""
    return np.where(variances > 0, np.sqrt(variances), 1.0)


def power_of_two(variances: Floats) -> float:
    """Return a power of two of the size of the largest variance."""
    largest = float(np.max(variances, initial=0.0))
    return float(2.0 ** np.floor(np.log2(largest))) if largest > 0 else 1.0
