"""Extrapolate learning curves to larger training sets."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import BaseEstimator, is_classifier

from classica.native import Floats
from classica.recorded import Recorded
from classica.selection.power_law import PowerLaw, fit_power_law, gain_interval
from classica.statistics.fold_scores import deviation
from classica.wording import points


@dataclass(frozen=True)
class CurveMeasure:
    """An error measure, and how it is formatted.

    Attributes
    ----------
    name : str
        Its name.
    scoring : str or None
        The scikit-learn scorer behind it; None for the estimator's own score.
    is_share : bool
        Whether it is a share of the rows; otherwise it has the unit of the target.
    """

    name: str
    scoring: str | None
    is_share: bool

    def errors(self, scores: Floats) -> Floats:
        """Convert scores (higher is better) to errors."""
        return 1 - scores if self.is_share else -scores

    def shown(self, value: float) -> str:
        """Return an error as text."""
        return f"{value:.2%}" if self.is_share else f"{value:.4g}"

    def difference(self, value: float) -> str:
        """Return a difference of errors as text."""
        return points(value) if self.is_share else f"{value:.3g}"


#: The measures by name.
MEASURES = {
    each.name: each
    for each in (
        CurveMeasure("error", None, is_share=True),
        CurveMeasure("RMSE", "neg_root_mean_squared_error", is_share=False),
    )
}


def measure_of(estimator: BaseEstimator) -> CurveMeasure:
    """Return the error measure of an estimator's curves."""
    return MEASURES["error" if is_classifier(estimator) else "RMSE"]


_FEWEST_SIZES = 4
_FEWEST_FOLDS = 3
#: A curve that covers less than the rows divided by this, as with time series splits, is not extrapolated.
_FARTHEST = 2.5
#: A power law is rejected if its points are more than three standard errors off on average.
_MISFIT = 9.0
#: A gain whose interval is wider than this, in shares of the rows, is not reported.
_WIDEST = 0.05
#: ... nor is one of an RMSE whose interval is wider than this share of it.
_WIDEST_SHARE = 0.2
#: A gain below this, in shares of the rows or of the RMSE, counts as none.
_NOTHING = 0.0005


@dataclass(frozen=True)
class Extrapolation(Recorded):
    """The expected decrease of the error with more rows.

    Attributes
    ----------
    rows, more_rows : int
        The present number of rows, and the larger one.
    error : float
        The error with all present rows, by the fitted law.
    gain, low, high : float
        The expected decrease of the error, and its interval; NaN if it cannot be estimated.
    limit : float
        The error that the law approaches for infinitely many rows; a rough guess.
    exponent : float
        The exponent of the power law.
    confidence : float
        The level of the interval.
    reason : str
        Why it cannot be estimated; empty if it can.
    measure : {"error", "RMSE"}
        The error measure.
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
    measure: str = "error"

    @property
    def known(self) -> bool:
        """Whether the curve could be extrapolated."""
        return not self.reason

    def __str__(self) -> str:
        if not self.known:
            return f"Cannot extrapolate the learning curve: {self.reason}."
        times, measure = self.more_rows / self.rows, MEASURES[self.measure]
        deed = "Doubling the rows" if times == 2 else f"{times:.3g} times the rows"
        if self.high < _NOTHING * (1 if measure.is_share else self.error):
            return f"{deed} would not lower the {self.measure}."
        gain = measure.difference(self.gain)
        low, high = (
            measure.difference(end).removesuffix(" percentage points") for end in (self.low, self.high)
        )
        return f"{deed} would lower the {self.measure} by about {gain} ({low}–{high})."


def extrapolate_errors(
    sizes: NDArray[np.int64],
    errors: Floats,
    rows: int,
    times: float,
    confidence: float,
    measure: CurveMeasure = MEASURES["error"],
) -> Extrapolation:
    """Estimate the decrease of the error with more rows.

    The law is fitted to the means over folds, weighted by their precision. The interval contains every gain
    for which some law fits these means nearly as well.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        The numbers of training rows.
    errors : ndarray of shape (n_sizes, n_folds)
        The test errors.
    rows : int
        The present number of rows.
    times : float
        The factor by which the number of rows grows.
    confidence : float
        The level of the interval.
    measure : CurveMeasure
        The error measure.
    """
    whole = ~np.isnan(errors).any(axis=1)
    fitted_sizes, errors = sizes[whole].astype(np.float64), errors[whole]
    more = round(rows * times)
    reason = _too_little(fitted_sizes, errors, rows)
    if reason:
        return _unknown(rows, more, confidence, reason, measure)
    means, spreads = errors.mean(axis=1), _spreads(errors, rows, measure)
    law = fit_power_law(fitted_sizes, means, spreads)
    reach = float(stats.t.ppf((1 + confidence) / 2, errors.shape[1] - 1))
    low, high = gain_interval((fitted_sizes, means, spreads), law, rows, more, reach)
    reason = _doubt(law, means, spreads, high - low, measure)
    if reason:
        return _unknown(rows, more, confidence, reason, measure)
    gain = law(rows) - law(more)
    return Extrapolation(rows, more, law(rows), gain, low, high, law.a, law.c, confidence, "", measure.name)


def _too_little(sizes: Floats, errors: Floats, rows: int) -> str:
    if len(errors) < _FEWEST_SIZES:
        return f"the curve has {len(errors)} usable sizes; at least {_FEWEST_SIZES} are needed"
    if errors.shape[1] < _FEWEST_FOLDS:
        return f"there are {errors.shape[1]} folds; at least {_FEWEST_FOLDS} are needed"
    if _FARTHEST * sizes[-1] < rows:
        return f"the curve ends at {sizes[-1]:,.0f} of {rows:,} rows"
    return ""


def _spreads(errors: Floats, rows: int, measure: CurveMeasure) -> Floats:
    """Return the standard error at each size, at least half of the typical one, so that no point dominates.

    If all folds agree, it is set to one error in all rows, the smallest observable step. An RMSE has no such
    step; there it is the same share of the error.
    """
    spreads = np.array([deviation(each) for each in errors]) / math.sqrt(errors.shape[1])
    usual = float(np.sqrt(np.mean(spreads**2)))
    step = 1.0 if measure.is_share else float(errors.max()) or 1.0
    floored: Floats = np.maximum(spreads, 0.5 * usual if usual else step / rows)
    return floored


def _doubt(law: PowerLaw, means: Floats, spreads: Floats, width: float, measure: CurveMeasure) -> str:
    if means[-1] - means.min() > 3 * spreads.max():
        return f"the {measure.name} increases with the number of rows"
    if law.misfit > _MISFIT:
        return "the curve does not follow a power law"
    if width > (_WIDEST if measure.is_share else _WIDEST_SHARE * means[-1]):
        precision = f"{100 * width:.0f} percentage points" if measure.is_share else f"{width:.2g}"
        return f"the folds differ too much (the interval of the gain is {precision} wide)"
    return ""


def _unknown(rows: int, more: int, confidence: float, reason: str, measure: CurveMeasure) -> Extrapolation:
    nan = math.nan
    return Extrapolation(rows, more, nan, nan, nan, nan, nan, nan, confidence, reason, measure.name)
