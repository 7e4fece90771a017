r"""Temperature scaling: the probabilities of all classes as the softmax of their scores times one slope.

.. math:: p_k(s) = \frac{e^{a s_k}}{\sum_j e^{a s_j}}, \quad a > 0

C. Guo, G. Pleiss, Y. Sun and K. Q. Weinberger, On calibration of modern neural networks (2017). A slope above
zero keeps the order of the classes in every row, so that calibration changes no prediction.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats

#: The bounds of the logarithm of the slope. The lower one gives classes nearly equal probabilities, where
#: scores say nothing or the contrary; the upper one is the last whole hundred that does not overflow.
_LOWEST, _HIGHEST = -20.0, 700.0
#: Halving the range between the bounds takes 60 steps to the last bit; Newton's steps take about eight.
_MOST_STEPS = 200
_ENOUGH = 1e-14


@dataclass(frozen=True)
class SoftmaxCurve:
    """A fitted map from the scores of three or more classes to their probabilities.

    The probabilities are the softmax of slope · score / scale. The scale is the largest difference between
    two scores of a row that the map is learned from.
    """

    scale: float
    slope: float

    @classmethod
    def fitted(cls, scores: Floats, codes: NDArray[np.intp], weights: Floats) -> SoftmaxCurve:
        """Return the map of the highest likelihood.

        The targets are not 0 and 1 but smoothed as Platt's are, so that the slope stays finite where the
        highest score is always that of the true class.

        Parameters
        ----------
        scores : float64 array of shape (n_rows, n_classes)
            Finite scores, or NaN for a class that was not learned; that of the true class is never NaN.
        codes : int array of shape (n_rows,)
            The true class of each row.
        weights : float64 array of shape (n_rows,)
            How often each row counts.
        """
        learned = ~np.isnan(scores)
        gaps = np.where(learned, np.maximum(_gaps(scores), -np.finfo(np.float64).max), 0.0)
        scale = float(-gaps.min(initial=0.0)) or 1.0
        targets = _targets(codes, learned, weights)
        total = float(weights.sum()) or 1.0
        return cls(scale, _best_slope(_Rows(gaps / scale, learned, targets, weights / total)))

    def __call__(self, scores: Floats) -> Floats:
        """Return the probability of each class for each row of scores; infinite ones count as such.

        A class with NaN for its score gets 0. Where rounding makes probabilities equal whose scores are not,
        the lower one is one bit less: the highest probability is always that of the highest score.
        """
        gaps = _gaps(scores)
        with np.errstate(over="ignore"):
            odds = np.exp(self.slope * (gaps / self.scale))
        shares: Floats = odds / odds.sum(axis=1, keepdims=True)
        most = shares.max(axis=1, keepdims=True)
        return np.where(gaps < 0.0, np.minimum(shares, np.nextafter(most, 0.0)), shares)


@dataclass(frozen=True)
class _Rows:
    """What the slope is learned from: differences to the highest score, scaled; targets; shares of weight."""

    gaps: Floats
    learned: NDArray[np.bool_]
    targets: Floats
    weights: Floats

    def derivatives(self, slope: float) -> tuple[float, float]:
        """Return the first and the second derivative of the cross-entropy by the slope."""
        odds = np.where(self.learned, np.exp(slope * self.gaps), 0.0)
        shares = odds / odds.sum(axis=1, keepdims=True)
        mean = (shares * self.gaps).sum(axis=1)
        wanted = (self.targets * self.gaps).sum(axis=1)
        variance = (shares * (self.gaps - mean[:, None]) ** 2).sum(axis=1)
        return float(self.weights @ (mean - wanted)), float(self.weights @ variance)


def _gaps(scores: Floats) -> Floats:
    """Return each score less the highest of its row; minus infinity for NaN."""
    ranked = np.where(np.isnan(scores), -np.inf, scores)
    highest = ranked.max(axis=1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(ranked == highest, 0.0, ranked - highest)


def _targets(codes: NDArray[np.intp], learned: NDArray[np.bool_], weights: Floats) -> Floats:
    """Return the target of each class in each row.

    The true class gets what Platt gives it, one row more of it and one that is not; the other classes share
    the rest as their rows, and one more of each, do.
    """
    classes = learned.shape[1]
    counts = np.bincount(codes, weights, minlength=classes)
    of_others = np.tile(counts + 1.0, (classes, 1))
    np.fill_diagonal(of_others, 0.0)
    table = of_others / of_others.sum(axis=1, keepdims=True) / (counts[:, None] + 2.0)
    np.fill_diagonal(table, (counts + 1.0) / (counts + 2.0))
    targets = np.where(learned, table[codes], 0.0)
    shares: Floats = targets / targets.sum(axis=1, keepdims=True)
    return shares


def _best_slope(rows: _Rows) -> float:
    """Return the slope of the least cross-entropy.

    The cross-entropy is convex in the slope, so its derivative has one root at most. Newton's steps find it
    in the logarithm of the slope; where a step leaves the interval that holds the root, or is more than half
    of the step before, the interval is halved instead.
    """
    low, high, log_slope, last = _LOWEST, _HIGHEST, 0.0, np.inf
    if rows.derivatives(float(np.exp(low)))[0] >= 0.0:
        return float(np.exp(low))
    for _ in range(_MOST_STEPS):
        slope = float(np.exp(log_slope))
        first, second = rows.derivatives(slope)
        low, high = (low, log_slope) if first > 0.0 else (log_slope, high)
        bend = slope * second
        step = -first / bend if bend > 0.0 else np.inf
        if not low <= log_slope + step <= high or abs(step) > last / 2.0:
            step = (low + high) / 2.0 - log_slope
        log_slope, last = log_slope + step, abs(step)
        if last <= _ENOUGH * max(1.0, abs(log_slope)):
            break
    return float(np.exp(log_slope))
