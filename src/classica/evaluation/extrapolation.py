"""What more rows would give, from a learning curve."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from classica.evaluation.fold_scores import deviation
from classica.evaluation.power_law import PowerLaw, fit_power_law, gain_interval
from classica.evaluation.recorded import Recorded
from classica.native import Floats

_FEWEST_SIZES = 4
_FEWEST_FOLDS = 3
#: A curve that ends before all rows over this, as in the order of time, says nothing about twice as many.
_FARTHEST = 2.5
#: A law whose points lie more than three of their spreads off on average is not one.
_MISFIT = 9.0
#: A gain known to no better than this, in shares of the rows, is no help.
_WIDEST = 0.05


@dataclass(frozen=True)
class Extrapolation(Recorded):
    """How much lower the error would be with more rows.

    Attributes
    ----------
    rows, more_rows : int
        How many rows there are, and how many there might be.
    error : float
        The error with all rows there are, by the law.
    gain, low, high : float
        By how much the error would fall, and its interval; NaN if it cannot be told.
    limit : float
        The error the law ends at, if there were rows without end; a guess.
    exponent : float
        How fast it falls.
    confidence : float
        The level of the interval.
    reason : str
        Why it cannot be told; empty if it can.
    """

    rows: int
    more_rows: int
    error: float
    gain: float
    low: float
    high: float
    limit: float
    exponent: float
    confidence: float
    reason: str

    @property
    def known(self) -> bool:
        """Whether anything can be told."""
        return not self.reason

    def __str__(self) -> str:
        if not self.known:
            return f"Cannot tell what more rows would give: {self.reason}."
        times = self.more_rows / self.rows
        deed = "Doubling the rows" if times == 2 else f"{times:.3g} times the rows"
        gain, low, high = (100 * each for each in (self.gain, self.low, self.high))
        if self.high < 0.0005:
            return f"{deed} would not lower the error."
        return f"{deed} would lower the error by about {gain:.1f} points ({low:.1f}–{high:.1f})."


def extrapolate_errors(
    sizes: NDArray[np.int64], errors: Floats, rows: int, times: float, confidence: float
) -> Extrapolation:
    """Return what more rows would give.

    The law is fitted to the means over folds, each weighted by how far the folds agree. The interval holds
    every gain for which there is a law nearly as close to these means.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        The numbers of training rows.
    errors : ndarray of shape (n_sizes, n_folds)
        The test errors.
    rows : int
        All rows there are.
    times : float
        How many times as many there might be.
    confidence : float
        The level of the interval.
    """
    whole = ~np.isnan(errors).any(axis=1)
    places, errors = sizes[whole].astype(np.float64), errors[whole]
    more = round(rows * times)
    reason = _too_little(places, errors, rows)
    if reason:
        return _unknown(rows, more, confidence, reason)
    means, spreads = errors.mean(axis=1), _spreads(errors, rows)
    law = fit_power_law(places, means, spreads)
    reach = float(stats.t.ppf((1 + confidence) / 2, errors.shape[1] - 1))
    low, high = gain_interval((places, means, spreads), law, rows, more, reach)
    reason = _doubt(law, means, spreads, high - low)
    if reason:
        return _unknown(rows, more, confidence, reason)
    gain = law(rows) - law(more)
    return Extrapolation(rows, more, law(rows), gain, low, high, law.a, law.c, confidence, "")


def _too_little(places: Floats, errors: Floats, rows: int) -> str:
    if len(errors) < _FEWEST_SIZES:
        return f"the curve has {len(errors)} usable sizes, and a law takes {_FEWEST_SIZES}"
    if errors.shape[1] < _FEWEST_FOLDS:
        return f"there are {errors.shape[1]} folds, and an interval takes {_FEWEST_FOLDS}"
    if _FARTHEST * places[-1] < rows:
        return f"the curve ends at {places[-1]:,.0f} of {rows:,} rows"
    return ""


def _spreads(errors: Floats, rows: int) -> Floats:
    """Return the spread of the mean at each size: at least half of what is usual, so that no point rules.

    Where folds never differ it is taken as one row of all: less could not have been seen.
    """
    spreads = np.array([deviation(each) for each in errors]) / math.sqrt(errors.shape[1])
    usual = float(np.sqrt(np.mean(spreads**2)))
    floored: Floats = np.maximum(spreads, 0.5 * usual if usual else 1 / rows)
    return floored


def _doubt(law: PowerLaw, means: Floats, spreads: Floats, width: float) -> str:
    if means[-1] - means.min() > 3 * spreads.max():
        return "the error rises with the rows"
    if law.misfit > _MISFIT:
        return "the curve does not fall as a power of the rows"
    if width > _WIDEST:
        return f"the folds differ too much (the gain is known to {100 * width:.0f} points only)"
    return ""


def _unknown(rows: int, more: int, confidence: float, reason: str) -> Extrapolation:
    nan = math.nan
    return Extrapolation(rows, more, nan, nan, nan, nan, nan, nan, confidence, reason)
