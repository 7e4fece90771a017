r"""Are two models different? A test on the rows both have predicted, allowing for their training sets.

Every row is predicted once by a model that was not trained on it. The mean of the paired differences varies
over draws of the table for two reasons: the rows it is tested on, and the rows it was trained on. The first
is seen in the rows themselves; the second is not, because the training sets of a cross-validation are nearly
the same. It shows where models are trained on *disjoint* halves of the table:

.. math:: 1.7 \, \frac{s_d^2}{n} + \tfrac12 \max\left(0, s_h^2 - 2 \frac{s_d^2}{n}\right)

is the variance of the mean, where :math:`s_d^2` is the variance of the differences of the rows and
:math:`s_h^2` half the mean squared difference between the two halves of a partition, over several partitions
(as in Dietterich's 5×2 cross-validation, 1998). The factor 1.7 keeps the level for learners that are stable
enough to show nothing there; both constants were chosen by simulation, see
`tests/statistics/test_row_differences.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from classica.arrays import VectorLike
from classica.errors import DataError, must
from classica.native import Floats
from classica.recorded import Recorded

#: Measured on exchangeable pairs of learners (the same learner on two sets of columns with the same
#: distribution): the variance of the mean difference over draws of the table is 1.1 to 1.9 times that of the
#: rows for stable and moderately unstable learners; beyond that the halves show it.
ROW_FACTOR = 1.7
#: Training sets of half the rows vary about twice as much as those of all rows.
HALF_SHARE = 0.5
#: Without halves the allowance must do alone; it is that of the corrected t-test for ten folds.
ALONE_FACTOR = 2.1
#: Below so many rows or clusters the spread of the differences is itself uncertain.
_FEW_UNITS = 30
_ROUNDING = 1e-20


@dataclass(frozen=True)
class RowTest(Recorded):
    """The difference of two models on the same rows.

    Attributes
    ----------
    difference : float
        The mean loss of the second minus that of the first: above 0 the first is better.
    error : float
        Its standard error over draws of the table.
    p : float
        The two-sided p-value; 1 where the models never differ.
    rows : int
        How many rows there are.
    units : int
        How many of them are independent: the rows, or the clusters they belong to.
    """

    difference: float
    error: float
    p: float
    rows: int
    units: int


def row_test(
    first: VectorLike, second: VectorLike, halves: object = None, *, clusters: VectorLike | None = None
) -> RowTest:
    """Test whether two models differ in expected loss, over draws of the table they are trained on.

    Parameters
    ----------
    first, second : array-like of shape (n_rows,)
        The losses of the two models on the same held-out rows, each row once.
    halves : array-like of shape (n_partitions, 2), optional
        The mean difference (second minus first) where both models were trained on one half of the table and
        tested on the other, and the reverse, for several random partitions.
    clusters : array-like of shape (n_rows,), optional
        What rows belong to (a patient, a day) where rows of the same one are alike: the variance is then
        that of the sums over clusters.

    Returns
    -------
    RowTest

    Examples
    --------
    >>> import numpy as np
    >>> worse = np.array([1, 1, 0, 1] * 50)
    >>> found = row_test(np.array([0, 1, 0, 0] * 50), worse)
    >>> round(found.difference, 2), round(found.p, 4)
    (0.5, 0.0)
    """
    differences = _differences(first, second)
    codes = None if clusters is None else _codes(clusters, len(differences))
    error = math.sqrt(mean_variance(differences, halves, codes))
    mean = float(differences.mean())
    units = len(differences) if codes is None else int(codes.max()) + 1
    p = float(2 * error_law(units).sf(abs(mean) / error)) if error else 1.0
    return RowTest(mean, error, p, len(differences), units)


def error_law(units: int) -> Any:
    """Return the distribution of a mean difference over its standard error, as SciPy has it.

    Student's t for fewer than 30 rows or clusters, whose spread is not well known; the normal one beyond.
    """
    return stats.t(units - 1) if units < _FEW_UNITS else stats.norm


def mean_variance(differences: Floats, halves: object = None, codes: NDArray[np.intp] | None = None) -> float:
    """Return the variance of the mean of paired differences over draws of the table.

    Where all rows differ by the same, their spread is taken as if one of them had not differed. `codes` are
    the numbers of the rows' clusters, from 0.
    """
    mean = float(differences.mean())
    of_rows = row_variance(differences, codes)
    if of_rows <= _ROUNDING * mean**2:
        of_rows = (mean / _units(differences, codes)) ** 2
    if halves is None:
        return ALONE_FACTOR * of_rows
    pairs = np.asarray(halves, dtype=np.float64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not np.isfinite(pairs).all():
        raise DataError(must("halves", "a finite array of shape (n_partitions, 2)", pairs.shape))
    between = float(np.mean((pairs[:, 0] - pairs[:, 1]) ** 2) / 2)
    return ROW_FACTOR * of_rows + HALF_SHARE * max(0.0, between - 2 * of_rows)


def row_variance(values: Floats, codes: NDArray[np.intp] | None = None) -> float:
    """Return the variance of the mean of rows, or of rows in clusters, over draws of the rows alone."""
    mean, units = float(values.mean()), _units(values, codes)
    sums = values - mean if codes is None else np.bincount(codes, values - mean)
    return float(np.sum(sums**2)) * units / (units - 1) / len(values) ** 2


def _units(values: Floats, codes: NDArray[np.intp] | None) -> int:
    return len(values) if codes is None else int(codes.max()) + 1


def _differences(first: VectorLike, second: VectorLike) -> Floats:
    one, other = (np.asarray(losses, dtype=np.float64) for losses in (first, second))
    if one.ndim != 1 or one.shape != other.shape or len(one) < 2:
        rule = "one number for each of at least two rows, as many as there are losses of the first"
        raise DataError(must("losses", rule, f"{one.shape} and {other.shape}"))
    differences: Floats = other - one
    if not np.isfinite(differences).all():
        raise DataError(must("losses", "finite", float(differences[~np.isfinite(differences)][0])))
    return differences


def _codes(clusters: VectorLike, rows: int) -> NDArray[np.intp]:
    """Return the number of each row's cluster."""
    names = np.asarray(clusters)
    codes: NDArray[np.intp] = np.unique(names, return_inverse=True)[1].reshape(-1).astype(np.intp)
    if names.shape != (rows,) or not codes.any():
        rule = "one name for each row, and at least two different ones"
        raise DataError(must("clusters", rule, names.shape))
    return codes
