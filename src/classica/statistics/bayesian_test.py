"""How probably is one model better, worse, or practically the same? The correlated Bayesian t-test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from classica.errors import ParameterError, must
from classica.params import Real
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between, check_resolution, paired_error, read_pair


@dataclass(frozen=True)
class BayesianTest(Recorded):
    """How a compares with b.

    Attributes
    ----------
    worse, equal, better : float
        The probability that the true mean of a - b is below -rope, within the rope, and above it; NaN where
        it cannot be told: for a single fold, or one that has failed.
    rope : float
        Up to what difference two models are practically the same.
    """

    worse: float
    equal: float
    better: float
    rope: float

    def __str__(self) -> str:
        if math.isnan(self.equal):
            return "Cannot tell: that takes two folds, and none that failed."
        return (
            f"Worse with a probability of {self.worse:.1%}, practically equal (within {self.rope:g}) with "
            f"{self.equal:.1%}, better with {self.better:.1%}."
        )


def bayesian_t_test(
    a: Any, b: Any, test_fraction: float, rope: float = 0.01, *, resolution: float | None = None
) -> BayesianTest:
    r"""Return how probably a is worse than b, practically equal, and better.

    After the folds were seen, the true difference has Student's t distribution with n - 1 degrees of freedom
    around the mean difference, with the scale of the corrected t-test (Corani and Benavoli 2015):

    .. math:: \mu \mid d \sim t_{n-1}\left(\bar d, \left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s_d^2\right)

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        The scores of the two models on the same folds, the higher the better; NaN where one failed.
    test_fraction : float
        ρ, the share of the rows each fold tests on.
    rope : float, default=0.01
        The region of practical equivalence: differences up to here do not matter. 0: there is none.
    resolution : float or None, default=None
        The least step of a score, such as one over the rows of a fold for accuracy.

    Returns
    -------
    BayesianTest

    Notes
    -----
    Where all folds differ by the same, the spread is that of `corrected_t_test`; where they do not differ at
    all, the models are equal.

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
