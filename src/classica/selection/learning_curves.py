"""Learning curves: error against the number of training rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.model_selection import learning_curve as cut_and_score

from classica.arrays import MatrixLike, VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, must
from classica.native import Floats
from classica.params import Real
from classica.recorded import Recorded
from classica.selection.extrapolation import MEASURES, Extrapolation, extrapolate_errors, measure_of
from classica.statistics.fold_scores import check_between
from classica.statistics.stratified_order import ordered_splits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from sklearn.base import BaseEstimator

from classica.arrays import Splitter


@dataclass(frozen=True, eq=False)
class LearningCurve(Recorded):
    """Training and test errors for several sizes of the training set.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        The numbers of training rows.
    train_errors, test_errors : ndarray of shape (n_sizes, n_folds)
        The errors on the training set and on held-out rows; NaN where fitting failed.
    rows : int
        Number of rows of the table.
    measure : {"error", "RMSE"}
        The error measure: the error rate of a classifier, or the root mean squared error of a regressor, in
        the unit of the target.
    """

    sizes: NDArray[np.int64]
    train_errors: Floats
    test_errors: Floats
    rows: int
    measure: str = "error"

    def extrapolate(self, times: float = 2.0, confidence: float = 0.95) -> Extrapolation:
        r"""Estimate the decrease of the error with more rows, by a power law :math:`a + b n^{-c}`.

        Parameters
        ----------
        times : float, default=2
            The factor by which the number of rows grows, above 1.
        confidence : float, default=0.95
            The confidence level of the interval of the gain.

        Returns
        -------
        Extrapolation
        """
        check_between("confidence", confidence)
        rule = Real(above=1)
        if not rule.accepts(times):
            raise DataError(must("times", str(rule), times))
        return extrapolate_errors(
            self.sizes, self.test_errors, self.rows, times, confidence, MEASURES[self.measure]
        )

    def __str__(self) -> str:
        shown = MEASURES[self.measure].shown
        lines = [f"   rows  {f'training {self.measure}':>14}  {f'test {self.measure}':>10}"]
        pairs = zip(self.sizes, self.train_errors.mean(axis=1), self.test_errors.mean(axis=1), strict=True)
        lines += [f"{size:7,}  {shown(train):>14}  {shown(test):>10}" for size, train, test in pairs]
        return "\n".join([*lines, str(self.extrapolate())])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot both errors against the number of rows, with the fitted power law.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.curves.curve_plot import draw_learning_curve  # needed for plots only

        return draw_learning_curve(self, ax)


def learning_curve(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    cv: Splitter = 5,
    sizes: VectorLike = (0.1, 0.18, 0.32, 0.56, 1.0),
    *,
    groups: VectorLike | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> LearningCurve:
    """Cross-validate an estimator on training sets of increasing size.

    Parameters
    ----------
    estimator : classifier or regressor
        The estimator; it is cloned, not modified.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The labels, or numbers for a regressor.
    cv : int, splitter or sequence of (train, test), default=5
        The folds, as in scikit-learn. Smaller training sets are stratified subsets of the larger ones.
    sizes : sequence of float or int, default=(0.1, 0.18, 0.32, 0.56, 1.0)
        The sizes of the training sets: shares of the training rows of a fold, or numbers of rows.
    groups : array-like of shape (n_samples,), optional
        The group of each row, for splitters that keep groups together.
    random_state : int, default=0
        Random seed of the subsets.
    n_jobs : int or None, default=None
        Number of parallel fits, as in scikit-learn.

    Returns
    -------
    LearningCurve

    Notes
    -----
    The error of a classifier is one minus its score, that of a regressor the root mean squared error (RMSE),
    in the unit of the target. A small training set may lack a rare class; if fitting then fails, the errors
    are NaN.
    """
    labels = one_per_row(y, "y")
    splitter = check_cv(cv, labels, classifier=is_classifier(estimator))
    by_class = labels if is_classifier(estimator) else None
    splits = ordered_splits(splitter.split(X, labels, groups), by_class, random_state)
    counts = _counts(sizes, min(len(train) for train, _ in splits))
    measure = measure_of(estimator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        sizes_used, train, test, *_ = cut_and_score(
            estimator, X, labels, cv=splits, train_sizes=counts, scoring=measure.scoring, n_jobs=n_jobs
        )
    errors = measure.errors(train), measure.errors(test)
    return LearningCurve(np.asarray(sizes_used, dtype=np.int64), *errors, len(labels), measure.name)


def _counts(sizes: VectorLike, most: int) -> NDArray[np.int64]:
    """Return ascending numbers of rows for shares or numbers."""
    given = np.asarray(sizes)
    rule = f"shares up to 1 or whole numbers from 1 to {most}, the training rows of a fold"
    if given.ndim != 1 or not len(given) or given.dtype.kind not in "iuf":
        raise DataError(must("sizes", rule, sizes))
    counts = np.maximum(1, np.rint(given * most)) if given.dtype.kind == "f" else given
    if not ((counts >= 1) & (counts <= most)).all() or (given <= 0).any():
        raise DataError(must("sizes", rule, sizes))
    return np.unique(counts.astype(np.int64))
