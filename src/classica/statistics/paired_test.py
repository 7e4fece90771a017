"""Corrected resampled t-tests, Holm's correction for multiple tests, and the Bayesian t-test."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from classica.arrays import VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import OneOf, Real
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between, check_resolution, paired_error, read_pair

_SIDES = OneOf("two-sided", "greater", "less")


@dataclass(frozen=True)
class PairedTest(Recorded):
    """The test of two models on the same folds.

    Attributes
    ----------
    difference : float
        The mean of a - b; NaN if a fold failed.
    t : float
        The difference in corrected standard errors.
    p : float
        The p-value; NaN for a single fold or a failed fold.
    folds : int
        Number of folds.
    """

    difference: float
    t: float
    p: float
    folds: int

    def __str__(self) -> str:
        if math.isnan(self.p):
            return f"A difference of {self.difference:+.4f} over {self.folds} fold(s): too few for a test."
        return f"A difference of {self.difference:+.4f} over {self.folds} folds: p = {self.p:.3g}."


def corrected_t_test(
    a: VectorLike,
    b: VectorLike,
    test_fraction: float,
    *,
    alternative: str = "two-sided",
    resolution: float | None = None,
) -> PairedTest:
    r"""Test whether two models differ, from their scores on the same folds.

    .. math:: t = \frac{\bar d}{\sqrt{\left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s_d^2}}

    with n - 1 degrees of freedom.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        The scores of the two models on the same folds; NaN for a failed fold.
    test_fraction : float
        ρ, the share of the rows in each test fold.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        The alternative hypothesis: a differs from b, is greater, or is less.
    resolution : float or None, default=None
        The smallest step of a score, such as one over the number of rows of a fold for accuracy.

    Returns
    -------
    PairedTest

    Notes
    -----
    If all folds have the same difference, its standard error would be 0, which can happen by chance with few
    folds of few rows. The spread is then computed as if one of the folds had differed by one step less: by
    the `resolution`, or by the whole difference if the resolution is unknown.

    Examples
    --------
    >>> print(corrected_t_test([0.90, 0.95, 0.85, 0.92, 0.88], [0.85, 0.86, 0.84, 0.88, 0.82], 0.2))
    A difference of +0.0500 over 5 folds: p = 0.0629.
    """
    differences = read_pair(a, b)
    check_between("test_fraction", test_fraction)
    check_resolution(resolution)
    if not _SIDES.accepts(alternative):
        raise ParameterError(must("alternative", str(_SIDES), alternative))
    mean = float(np.mean(differences))
    error = paired_error(differences, test_fraction, resolution)
    if math.isnan(mean) or math.isnan(error):
        return PairedTest(mean, math.nan, math.nan, len(differences))
    t = mean / error if error else 0.0
    freedom = len(differences) - 1
    tails = {"greater": stats.t.sf(t, freedom), "less": stats.t.cdf(t, freedom)}
    p = tails.get(alternative, 2 * stats.t.sf(abs(t), freedom))
    return PairedTest(mean, t, float(p), len(differences))


def holm(p_values: VectorLike) -> Floats:
    r"""Adjust p-values for multiple tests (Holm 1979).

    The smallest of m p-values is multiplied by m, the next by m - 1, and so on, kept monotone. The
    probability of any false rejection at level α is then at most α.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        The p-values; NaN for a test that was not possible, which stays NaN and is not counted.

    Returns
    -------
    ndarray of shape (n_tests,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005])
    array([0.03, 0.06, 0.06, 0.02])
    """
    try:
        given = np.asarray(p_values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(must("p_values", "a sequence of numbers from 0 to 1", p_values)) from None
    valid = ~np.isnan(given)
    if given.ndim != 1 or not ((given[valid] >= 0) & (given[valid] <= 1)).all():
        raise DataError(must("p_values", "a sequence of numbers from 0 to 1", p_values))
    order = np.flatnonzero(valid)[np.argsort(given[valid], kind="stable")]
    stepped = given[order] * np.arange(len(order), 0, -1)
    adjusted = np.full(len(given), np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stepped))
    return adjusted


@dataclass(frozen=True)
class BayesianTest(Recorded):
    """The probabilities that a is worse than, equivalent to and better than b.

    Attributes
    ----------
    worse, equal, better : float
        The probability that the true mean of a - b is below -rope, within the rope, and above it; NaN where
        the test is not possible: for a single or a failed fold.
    rope : float
        The region of practical equivalence: smaller differences do not matter.
    """

    worse: float
    equal: float
    better: float
    rope: float

    def __str__(self) -> str:
        if math.isnan(self.equal):
            return "Not available: the test needs at least two folds and no failed fold."
        return (
            f"Worse with a probability of {self.worse:.1%}, practically equal (within {self.rope:g}) with "
            f"{self.equal:.1%}, better with {self.better:.1%}."
        )


def bayesian_t_test(
    a: VectorLike, b: VectorLike, test_fraction: float, rope: float = 0.01, *, resolution: float | None = None
) -> BayesianTest:
    r"""Compute the probabilities that a is worse than b, practically equivalent, and better.

    The posterior of the true difference is Student's t distribution with n - 1 degrees of freedom around the
    mean difference, with the scale of the corrected t-test (Corani and Benavoli 2015):

    .. math:: \mu \mid d \sim t_{n-1}\left(\bar d, \left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s_d^2\right)

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        The scores of the two models on the same folds, the higher the better; NaN for a failed fold.
    test_fraction : float
        ρ, the share of the rows in each test fold.
    rope : float, default=0.01
        The region of practical equivalence: smaller differences do not matter. 0 for none.
    resolution : float or None, default=None
        The smallest step of a score, such as one over the number of rows of a fold for accuracy.

    Returns
    -------
    BayesianTest

    Notes
    -----
    If all folds have the same difference, the spread is that of `corrected_t_test`; if all differences are 0,
    the models are equivalent.

    Examples
    --------
    >>> print(bayesian_t_test([0.90, 0.95, 0.85, 0.92, 0.88], [0.85, 0.86, 0.84, 0.88, 0.82], 0.2))
    Worse with a probability of 1.9%, practically equal (within 0.01) with 3.6%, better with 94.5%.
    """
    differences = read_pair(a, b)
    check_between("test_fraction", test_fraction)
    check_resolution(resolution)
    rule = Real(at_least=0)
    if not rule.accepts(rope):
        raise ParameterError(must("rope", str(rule), rope))
    mean, error = float(np.mean(differences)), paired_error(differences, test_fraction, resolution)
    if math.isnan(mean) or math.isnan(error):
        return BayesianTest(math.nan, math.nan, math.nan, float(rope))
    if error == 0:
        worse = better = 0.0
    else:
        posterior = stats.t(len(differences) - 1, loc=mean, scale=error)
        worse, better = float(posterior.cdf(-rope)), float(posterior.sf(rope))
    return BayesianTest(worse, max(0.0, 1 - worse - better), better, float(rope))
