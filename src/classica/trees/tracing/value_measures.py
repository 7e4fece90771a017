"""What a division of rows into branches is worth where numbers are predicted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classica.native import Floats
from classica.trees.growing.group_sums import group_sums


@dataclass(frozen=True)
class ValueMeasures:
    """A division of rows with a number each.

    Attributes
    ----------
    cases, means, variances : float64 arrays of shape (branches,)
        The weight, mean and variance (divisor n) of each branch.
    shares : float64 array of shape (branches,)
        The share of the rows that each branch has.
    variance : float
        Of all rows that take a branch.
    gain : float
        How much of the variance the division takes away.
    """

    cases: Floats
    means: Floats
    variances: Floats
    shares: Floats
    variance: float
    gain: float


def value_measures(
    branch_of_row: ArrayLike, values: ArrayLike, weights: ArrayLike | None = None
) -> ValueMeasures:
    """Return what a division is worth; rows of branch -1 take none and lower the gain by their share."""
    branch, values = np.asarray(branch_of_row, dtype=np.intp), np.asarray(values, dtype=np.float64)
    weights = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    taken = branch >= 0
    means, variances, cases = moments(branch[taken], values[taken], weights[taken])
    [_], [variance], [total] = moments(np.zeros(taken.sum(), dtype=np.intp), values[taken], weights[taken])
    shares = cases / total if total else cases
    part = total / weights.sum() if total else 0.0
    gain = max(float(part * (variance - shares @ variances)), 0.0)
    return ValueMeasures(cases, means, variances, shares, float(variance), gain)


def moments(groups: NDArray[np.intp], values: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Return mean, variance and weight of each group, of one at least."""
    cases = group_sums(groups, weights, 1)
    some = np.where(cases > 0, cases, 1.0)
    means = group_sums(groups, weights * values, 1) / some
    variances = group_sums(groups, weights * (values - means[groups]) ** 2, 1) / some
    return means, variances, cases
