"""The mean score of a cross-validation with an interval corrected for overlapping training sets."""

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
    """A mean over folds or rows with its confidence interval.

    Attributes
    ----------
    mean : float
        The mean; NaN if a fold failed.
    low, high : float
        The ends of the interval; NaN for a single fold.
    deviation : float
        The standard deviation of the folds, or of the rows.
    folds : int
        Number of folds, or of rows for a mean over rows.
    confidence : float
        The confidence level.
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
    r"""Compute the mean of fold scores with the corrected interval of Nadeau and Bengio.

    .. math:: \bar s \pm t_{n-1} \sqrt{\left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s^2}

    Parameters
    ----------
    scores : array-like of shape (n_folds,)
        The score of each fold; NaN for a failed fold.
    test_fraction : float
        ρ, the share of the rows in each test fold: 0.1 for ten folds, with or without repeats.
    confidence : float, default=0.95
        The confidence level.
    limits : tuple of float, optional
        The lowest and the highest possible score, such as (0, 1), to which the interval is clipped.
    resolution : float or None, default=None
        The smallest step of a score, such as one over the number of rows of a fold for accuracy. If all
        scores are equal, the interval is computed as if one had differed by this step; without it, it has
        width 0.

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
