"""Are two models different? The corrected resampled t-test of Nadeau and Bengio (2003)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from classica.errors import ParameterError, must
from classica.params import OneOf
from classica.recorded import Recorded
from classica.statistics.fold_scores import check_between, check_resolution, paired_error, read_pair

_SIDES = OneOf("two-sided", "greater", "less")


@dataclass(frozen=True)
class PairedTest(Recorded):
    """The test of two models on the same folds.

    Attributes
    ----------
    difference : float
        The mean of a - b; NaN if a fold has failed.
    t : float
        The difference in corrected standard errors.
    p : float
        How often folds would differ that much if the models were equally good; NaN where it cannot be told:
        for a single fold, or one that has failed.
    folds : int
        How many folds there are.
    """

    difference: float
    t: float
    p: float
    folds: int

    def __str__(self) -> str:
        if math.isnan(self.p):
            return f"A difference of {self.difference:+.4f} over {self.folds} fold(s): cannot tell."
        return f"A difference of {self.difference:+.4f} over {self.folds} folds: p = {self.p:.3g}."


def corrected_t_test(
    a: Any,
    b: Any,
    test_fraction: float,
    *,
    alternative: str = "two-sided",
    resolution: float | None = None,
) -> PairedTest:
    r"""Test whether two models differ, by their scores on the same folds.

    .. math:: t = \frac{\bar d}{\sqrt{\left(\frac{1}{n} + \frac{\rho}{1-\rho}\right) s_d^2}}

    with n - 1 degrees of freedom.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        The scores of the two models on the same folds; NaN where one failed.
    test_fraction : float
        ρ, the share of the rows each fold tests on.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What is claimed of a: different from b, greater, or less.
    resolution : float or None, default=None
        The least step of a score, such as one over the rows of a fold for accuracy.

    Returns
    -------
    PairedTest

    Notes
    -----
    Where all folds differ by the same, there is no spread to compare this with, and few folds of few rows get
    there by chance. The spread is then taken as if one of the folds had differed by a step less: by the
    `resolution`, or by all of the difference if that is not known.

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
