"""The coefficients of a linear model of probabilities with intervals, by column and level of the table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from classica.arrays import MatrixLike, VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, must
from classica.explain.opened import Opened
from classica.native import Floats
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class Coefficient(Recorded):
    """The effect of a column, or of one of its levels, on the log odds of a class.

    Attributes
    ----------
    column, level : str, str or None
        The column, and the level; None for a number.
    label : object
        The class.
    step : float
        One standard deviation of a number, in its unit; NaN for a level.
    estimate, low, high : float
        The change of the log odds, with its Wald interval: per standard deviation of a number; of a level,
        against the mean of all rows.
    """

    column: str
    level: str | None
    label: Any
    step: float
    estimate: float
    low: float
    high: float

    @property
    def odds_ratio(self) -> float:
        """The factor of the odds."""
        return math.exp(min(self.estimate, 700.0))

    @property
    def name(self) -> str:
        """The column, with its level."""
        return self.column if self.level is None else f"{self.column} = {self.level}"


@dataclass(frozen=True)
class Coefficients(Recorded):
    """All coefficients of a model.

    Attributes
    ----------
    terms : tuple of Coefficient
        The coefficients, class by class, in the order of the columns. Of two classes, those for the second.
    confidence : float
        The confidence level of the intervals.
    is_penalised : bool
        Whether a penalty has shrunk the estimates; the intervals are then those of the posterior with the
        penalty as prior.
    rows, sampled : int
        Training rows, and those that the intervals were computed from.
    left_out : int
        Smaller coefficients that are not among the terms.
    """

    terms: tuple[Coefficient, ...]
    confidence: float
    is_penalised: bool
    rows: int
    sampled: int
    left_out: int = 0

    def largest(self, most: int) -> list[Coefficient]:
        """Return the coefficients that are farthest from 0 in all classes."""
        return sorted(self.terms, key=lambda term: -abs(term.estimate))[:most]


def coefficient_intervals(
    model: BaseEstimator,
    X: MatrixLike | pl.DataFrame,
    y: VectorLike,
    *,
    confidence: float = 0.95,
    counts_as: int | None = None,
) -> Coefficients:
    """Return the coefficients of a model with Wald intervals, by column and level of the table.

    Parameters
    ----------
    model : classifier
        Fitted, alone or as a `TableClassifier`, with ``coef_`` and ``coefficient_covariance(X, y)``, as
        `LogisticClassifier` has them.
    X : array or frame
        The features of the rows that it was fitted on, before any encoding, or a sample of them.
    y : array-like of shape (n_samples,)
        Their labels.
    confidence : float, default=0.95
        Confidence level.
    counts_as : int, optional
        How many rows the model was fitted on, if these are a sample of them.

    Returns
    -------
    Coefficients

    Examples
    --------
    >>> from classica import LogisticClassifier, TableClassifier
    >>> from classica.tables import load_table
    >>> golf = load_table("golf")
    >>> model = TableClassifier(LogisticClassifier(), golf.schema).fit(golf, golf.y)
    >>> term = coefficient_intervals(model, golf.X, golf.y).terms[0]
    >>> print(f"{term.name}: {term.estimate:+.2f} ({term.low:+.2f} to {term.high:+.2f})")
    outlook = cloudy: +0.90 (-0.41 to +2.22)
    """
    check_between("confidence", confidence)
    opened, labels = Opened.of(model), one_per_row(y, "y")
    estimator = opened.estimator
    if not hasattr(estimator, "coefficient_covariance"):
        raise DataError(
            must("model", "one with coefficient_covariance, such as LogisticClassifier", estimator)
        )
    seen = opened.seen(X if isinstance(X, pl.DataFrame) else opened.features(X))
    rows = len(labels) if counts_as is None else counts_as
    covariance = estimator.coefficient_covariance(seen, labels, np.full(len(labels), rows / len(labels)))
    contrasts = list(_contrasts(opened, np.asarray(seen, dtype=np.float64)))
    reach = float(stats.norm.ppf(0.5 + confidence / 2))
    terms = []
    for label, weights, block in _vectors(estimator, covariance):
        for column, level, step, contrast in contrasts:
            mean, variance = float(contrast @ weights), float(contrast @ block @ contrast)
            half = reach * math.sqrt(max(variance, 0.0))
            terms.append(Coefficient(column, level, label, step, mean, mean - half, mean + half))
    penalised = bool(np.isfinite(getattr(estimator, "C", np.inf)))
    return Coefficients(tuple(terms), confidence, penalised, rows, len(labels))


def _vectors(estimator: BaseEstimator, covariance: Floats) -> Iterator[tuple[Any, Floats, Floats]]:
    """Yield the label, the weights and their covariance of each vector."""
    coef, labels = estimator.coef_, np.asarray(estimator.classes_).tolist()
    size = coef.shape[1]
    for line, label in enumerate(labels if len(coef) > 1 else labels[1:]):
        own = slice(line * size, (line + 1) * size)
        yield label, coef[line], covariance[own, own]


def _contrasts(opened: Opened, seen: NDArray[np.float64]) -> Iterator[tuple[str, str | None, float, Floats]]:
    """Yield the column, the level, the step and the combination of weights of each term."""
    means, spreads = seen.mean(axis=0), seen.std(axis=0)
    encoder = opened.encoder
    if encoder is None:
        for place, name in enumerate(opened.seen_names):
            yield name, None, float(spreads[place]), _at(place, len(means)) * spreads[place]
        return
    begin = 0
    for column in encoder.columns_:
        own = range(begin, begin + len(column.names_out))
        begin = own.stop
        if column.form != "one-hot":
            step = float(spreads[own[0]])
            yield column.name, None, step * column.scale, _at(own[0], len(means)) * step
            continue
        average = np.zeros(len(means))
        average[own.start : own.stop] = means[own.start : own.stop]
        for place, level in zip(own, column.levels, strict=True):
            if means[place] > 0:  # a level without rows has no effect to estimate
                yield column.name, level, math.nan, _at(place, len(means)) - average


def _at(place: int, size: int) -> Floats:
    found = np.zeros(size)
    found[place] = 1.0
    return found
