"""The mean score of a cross-validation with an interval that allows for shared training rows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from classica.arrays import VectorLike
from classica.recorded import Recorded
from classica.statistics.fold_scores import (
    check_between,
    check_resolution,
    corrected_error,
    deviation,
    read_scores,
)


@dataclass(frozen=True)
class Interval(Recorded):
    """A mean over folds or rows, and where the true mean lies.

    Attributes
    ----------
    mean : float
        The mean; NaN if a fold has failed.
    low, high : float
        The ends; NaN for a single fold, which says nothing about its own spread.
    deviation : float
        The standard deviation of the folds, or of the rows.
    folds : int
        How many there are; rows, where the mean is one over rows.
    confidence : float
        How often such an interval holds the true mean.
    """

    mean: float
    low: float
    high: float
    deviation: float
    folds: int
    confidence: float

    def __str__(self) -> str:
        if math.isnan(self.mean):
            return "not available: a fold failed"
        if math.isnan(self.low):
            return f"{self.mean:.4f} (no interval from a single fold)"
        same = "; all folds score the same, so the spread is unknown" if self.low == self.high else ""
        level = f"{100 * self.confidence:g}%"
        return f"{self.mean:.4f} ({level} CI {self.low:.4f}–{self.high:.4f}{same})"


def corrected_interval(
    scores: VectorLike,
    test_fraction: float,
    confidence: float = 0.95,
    *,
    limits: tuple[float, float] = (-math.inf, math.inf),
    resolution: float | None = None,
) -> Interval:
    r"""Return the mean of fold scores with the corrected interval of Nadeau and Bengio.

    .. math:: \bar s \pm t_{n-1} \sqrt{\left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s^2}

    Parameters
    ----------
    scores : array-like of shape (n_folds,)
        The score of each fold; NaN where it failed.
    test_fraction : float
        ρ, the share of the rows each fold tests on: 0.1 for ten folds, however often they are repeated.
    confidence : float, default=0.95
        How often such an interval is to hold the true mean.
    limits : tuple of float, optional
        The least and the greatest score there is, such as (0, 1), at which the ends stop.
    resolution : float or None, default=None
        The least step of a score, such as one over the rows of a fold for accuracy. Where all folds are
        the same, the interval is as wide as if one had been a step off; without it, it is the mean alone.

    Returns
    -------
    Interval

    Examples
    --------
    >>> print(corrected_interval([0.90, 0.95, 0.85, 0.92, 0.88], test_fraction=0.2))
    0.9000 (95% CI 0.8291–0.9709)
    """
    values = read_scores(scores)
    check_between("test_fraction", test_fraction)
    check_between("confidence", confidence)
    check_resolution(resolution)
    mean = float(np.mean(values))
    reach = float(stats.t.ppf((1 + confidence) / 2, max(1, len(values) - 1)))
    reach *= corrected_error(values, test_fraction, resolution or 0.0)
    low, high = (float(np.clip(end, *limits)) for end in (mean - reach, mean + reach))
    return Interval(mean, low, high, deviation(values), len(values), float(confidence))
