r"""Bound the Bayes error by nearest-neighbour errors, asymptotically in the number of rows.

.. math:: e_B \leq e_{1NN} \leq 2 e_B - \frac{M}{M-1} e_B^2

Solved for the Bayes error, the bounds bracket it by a measured error. With finitely many rows, especially in
many dimensions, the measured error may be far above its limit, and so is the bracket.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from scipy.optimize import brentq, minimize_scalar
from scipy.special import betainc, betaincinv

from classica.errors import ParameterError, must
from classica.params import Integer, Nothing, Real, Rule

_NOTE = "An asymptotic estimate (n → ∞), not a guaranteed lower bound: with few rows it may be far too high."


@dataclass(frozen=True)
class BayesErrorBracket:
    """An interval for the Bayes error, estimated from the leave-one-out error of K nearest neighbours.

    Attributes
    ----------
    lower, upper : float
        The interval.
    measured : float
        The leave-one-out error.
    measured_interval : tuple of float
        Its confidence interval.
    k, classes, rows : int
        K, and the size of the table.
    confidence : float
        The level of `measured_interval`.
    note : str
        How to interpret the interval.
    """

    lower: float
    upper: float
    measured: float
    measured_interval: tuple[float, float]
    k: int
    classes: int
    rows: int
    confidence: float
    note: str

    def __str__(self) -> str:
        return (
            f"The Bayes error is estimated between {self.lower:.2%} and {self.upper:.2%}, from {self.k}-NN's "
            f"leave-one-out error of {self.measured:.2%} on {self.rows:,} rows of {self.classes} classes "
            f"({100 * self.confidence:g}% confidence). {self.note}"
        )


def cover_hart_upper(bayes_error: float, classes: int) -> float:
    r"""Return the upper bound of the asymptotic error of 1-NN.

    .. math:: e_{1NN} \leq e_B \left(2 - \frac{M}{M-1} e_B\right)

    The bound of Cover and Hart is tight: it is reached where all classes have the same density.

    Parameters
    ----------
    bayes_error : float
        :math:`e_B`, at most (M - 1)/M.
    classes : int
        M, at least 2.

    Returns
    -------
    float

    Examples
    --------
    >>> round(cover_hart_upper(0.1, classes=2), 12)
    0.18
    """
    _check("classes", classes, Integer(at_least=2))
    _check("bayes_error", bayes_error, Real(at_least=0, at_most=_chance(classes)))
    return bayes_error * (2 - bayes_error / _chance(classes))


def cover_hart_lower(error: float, classes: int) -> float:
    r"""Return the lower bound of the Bayes error, given the asymptotic error of 1-NN.

    The inverse of `cover_hart_upper`:

    .. math:: e_B \geq \frac{M-1}{M} \left(1 - \sqrt{1 - \frac{M}{M-1} e_{1NN}}\right)

    An error above that of random guessing, (M - 1)/M, is treated as (M - 1)/M.

    Parameters
    ----------
    error : float
        :math:`e_{1NN}`.
    classes : int
        M, at least 2.

    Returns
    -------
    float

    Examples
    --------
    >>> round(cover_hart_lower(0.18, classes=2), 12)
    0.1
    """
    _check("classes", classes, Integer(at_least=2))
    _check("error", error, Real(at_least=0, at_most=1))
    share = min(error / _chance(classes), 1.0)
    return _chance(classes) * share / (1 + math.sqrt(1 - share))  # 1 - √(1 - s) loses the digits of a small s


def two_class_odd_k_upper(bayes_error: float, k: int) -> float:
    r"""Return the upper bound of the asymptotic error of K-NN for two classes and odd K.

    The smallest concave function that is nowhere below

    .. math:: \sum_{i=0}^{(K-1)/2} \binom{K}{i} \left[e_B^{i+1}(1-e_B)^{K-i} + e_B^{K-i}(1-e_B)^{i+1}\right]

    The lecture prints the sum alone: the error where every point has the same :math:`e_B`. For K ≥ 3 the
    sum is convex for small :math:`e_B`, so a mixture of points with small and large errors can exceed it.

    Parameters
    ----------
    bayes_error : float
        :math:`e_B`, at most 1/2.
    k : int
        K, odd.

    Returns
    -------
    float

    Examples
    --------
    >>> round(two_class_odd_k_upper(0.1, k=1), 12), round(two_class_odd_k_upper(0.1, k=3), 4)
    (0.18, 0.1316)
    """
    _check("bayes_error", bayes_error, Real(at_least=0, at_most=0.5))
    _check_odd(k)
    touch = _touching_point(k)
    if bayes_error >= touch:
        return _equal_points_error(bayes_error, k)
    return bayes_error * _equal_points_error(touch, k) / touch


def excess_factor(k: int) -> float:
    r"""Return the upper bound of the ratio of the asymptotic K-NN error to the Bayes error, for two classes.

    .. math:: e_{KNN} \leq \left(1 + \sqrt{8/K}\right) e_B

    Parameters
    ----------
    k : int
        K, at least 1.

    Returns
    -------
    float

    Examples
    --------
    >>> excess_factor(8)
    2.0
    """
    _check("k", k, Integer(at_least=1))
    return 1 + math.sqrt(8 / k)


def bayes_error_bracket(
    errors: int,
    rows: int,
    classes: int,
    *,
    k: int = 1,
    confidence: float = 0.95,
    best_upper: float | None = None,
) -> BayesErrorBracket:
    r"""Estimate an interval for the Bayes error from the leave-one-out error of K nearest neighbours.

    The measured error has the exact (Clopper–Pearson) interval :math:`[a, b]`, as if the held-out rows were
    independent. The bracket is :math:`[L(a), b]`: asymptotically, the Bayes error is at most that of K-NN,
    and at least L, the inverse of an upper bound: `cover_hart_upper` for K = 1, `two_class_odd_k_upper` for
    two classes and odd K, `excess_factor` for two classes and even K.

    Parameters
    ----------
    errors : int
        Number of rows that K-NN misclassifies in leave-one-out.
    rows : int
        Number of rows.
    classes : int
        M, at least 2.
    k : int, default=1
        K; must be 1 for more than two classes, for which the lectures state no other bound.
    confidence : float, default=0.95
        The level of the interval of the measured error.
    best_upper : float or None, default=None
        The upper confidence limit of the best model's error. It caps the bracket; a lower end above it is
        contradicted and set to 0, which the note reports.

    Returns
    -------
    BayesErrorBracket

    Examples
    --------
    >>> print(bayes_error_bracket(180, 1000, classes=2))  # doctest: +ELLIPSIS
    The Bayes error is estimated between 8.57% and 20.52%, from 1-NN's leave-one-out error of 18.00% ...
    """
    _check_counts(errors, rows, classes, k)
    _check_share(confidence)
    _check("best_upper", best_upper, Real(at_least=0, at_most=1) | Nothing())
    errors, rows, classes, k = int(errors), int(rows), int(classes), int(k)
    interval = _interval(errors, rows, confidence)
    ends = _lower(interval[0], classes, k), min(interval[1], _chance(classes))
    lower, upper, note = _capped(*ends, 1.0 if best_upper is None else float(best_upper))
    return BayesErrorBracket(lower, upper, errors / rows, interval, k, classes, rows, float(confidence), note)


def _chance(classes: int) -> float:
    return (classes - 1) / classes


def _check(what: str, value: object, rule: Rule) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(what, str(rule), value))


def _check_share(confidence: float) -> None:
    if not Real(above=0, at_most=1).accepts(confidence) or confidence == 1:
        raise ParameterError(must("confidence", "a number above 0 and below 1", confidence))


def _check_odd(k: int) -> None:
    if not Integer(at_least=1).accepts(k) or k % 2 == 0:
        raise ParameterError(must("k", "an odd integer of at least 1", k))


def _check_counts(errors: int, rows: int, classes: int, k: int) -> None:
    _check("rows", rows, Integer(at_least=1))
    _check("errors", errors, Integer(at_least=0, at_most=rows))
    _check("classes", classes, Integer(at_least=2))
    _check("k", k, Integer(at_least=1))
    if classes > 2 and k > 1:
        raise ParameterError(must("k", "1 for more than two classes", k))


def _equal_points_error(e: float, k: int) -> float:
    """Return the sum of `two_class_odd_k_upper`: the vote is wrong, or right about an unlikely label."""
    half = (k + 1) / 2
    return e + (1 - 2 * e) * float(betainc(half, half, e))  # P(Binomial(k, e) ≥ half) is this beta integral


@cache
def _touching_point(k: int) -> float:
    """Return where the line from the origin touches the sum: left of it the line is the concave bound."""
    if k == 1:
        return 0.0
    optimum = minimize_scalar(
        lambda e: -_equal_points_error(e, k) / e,
        bounds=(1e-9, 0.5),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return float(optimum.x)


def _lower(error: float, classes: int, k: int) -> float:
    """Return the lower bound of the Bayes error for this error of K-NN."""
    if k == 1:
        return cover_hart_lower(error, classes)
    if k % 2 == 0:
        return min(error / excess_factor(k), 0.5)
    if error >= 0.5:
        return 0.5
    return float(brentq(lambda e: two_class_odd_k_upper(e, k) - error, 0.0, 0.5, xtol=1e-12))


def _capped(lower: float, upper: float, best_upper: float) -> tuple[float, float, str]:
    """Return the ends, capped at the best model's upper limit, and the note."""
    if best_upper >= upper:
        return lower, upper, _NOTE
    if best_upper >= lower:
        return lower, best_upper, f"{_NOTE} The upper end is the best model's upper confidence limit."
    refuted = f"The lower end was {lower:.2%}, but the best model is better: too few rows for that bound."
    return 0.0, best_upper, f"{_NOTE} {refuted}"


def _interval(errors: int, rows: int, confidence: float) -> tuple[float, float]:
    """Return the Clopper–Pearson interval of an error rate."""
    tail = (1 - confidence) / 2
    low = float(betaincinv(errors, rows - errors + 1, tail)) if errors else 0.0
    high = float(betaincinv(errors + 1, rows - errors, 1 - tail)) if errors < rows else 1.0
    return low, high
