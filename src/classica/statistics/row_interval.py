"""The interval of one metric of one model, from what each held-out row loses."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.statistics.interval import Interval
from classica.statistics.row_differences import error_law, row_variance


def row_interval(
    losses: Floats,
    *,
    higher_is_better: bool = False,
    limits: tuple[float, float] = (-math.inf, math.inf),
    clusters: NDArray[np.intp] | None = None,
    confidence: float = 0.95,
) -> Interval:
    """Return the mean of a metric over rows with its confidence interval.

    A share of rows has the interval of Wilson. Any other metric between 0 and 1 has that of a share of as
    many rows as would vary as much, so that no interval leaves the limits or is a point: no error among 100
    rows does not prove that there is none. A metric without these limits has the normal interval.

    Parameters
    ----------
    losses : ndarray of shape (n_rows,)
        The loss of each row; their mean is the metric, or one minus it where higher is better.
    higher_is_better : bool, default=False
        Whether the metric is one minus the mean loss.
    limits : tuple of float, optional
        The least and the greatest value of the metric.
    clusters : ndarray of int of shape (n_rows,), optional
        The number of what each row belongs to, from 0, where rows of one cluster are alike.
    confidence : float, default=0.95
        The level of the interval.

    Returns
    -------
    Interval
        `folds` is the number of rows. All is NaN without rows.

    Examples
    --------
    >>> import numpy as np
    >>> print(row_interval(np.zeros(100), higher_is_better=True, limits=(0, 1)))
    1.0000 (95% CI 0.9630–1.0000)
    """
    rows = len(losses)
    if rows == 0 or np.isnan(losses).any():
        return Interval(math.nan, math.nan, math.nan, math.nan, rows, confidence)
    mean = float(losses.mean())
    units = rows if clusters is None else len(np.unique(clusters))
    reach = float(error_law(max(units, 2)).isf((1 - confidence) / 2))
    variance = row_variance(losses, clusters) if units > 1 else 0.0
    is_share = limits == (0.0, 1.0)
    ends = _wilson(mean, variance, units, reach) if is_share else _normal(mean, variance, units, reach)
    mean, *ends = (1 - value if higher_is_better else value for value in (mean, *ends))
    low, high = (float(np.clip(end, *limits)) for end in sorted(ends))
    return Interval(mean, low, high, float(losses.std(ddof=1)) if rows > 1 else math.nan, rows, confidence)


def _wilson(mean: float, variance: float, units: int, reach: float) -> list[float]:
    """Return the interval of a share of so many independent rows that it varies as much."""
    held = min(max(mean, 0.0), 1.0)
    spread = held * (1 - held)
    # The variance of a share is that of rows without the correction for their own mean.
    biased = variance * (units - 1) / units
    rows = min(units, spread / biased) if spread > 0 and biased > 0 else units
    rows = max(rows, 1.0)
    centre = (held + reach**2 / (2 * rows)) / (1 + reach**2 / rows)
    width = reach * math.sqrt(spread / rows + (reach / (2 * rows)) ** 2) / (1 + reach**2 / rows)
    return [min(centre - width, held), max(centre + width, held)]


def _normal(mean: float, variance: float, units: int, reach: float) -> list[float]:
    if units < 2:
        return [math.nan, math.nan]
    width = reach * math.sqrt(variance)
    return [mean - width, mean + width]
