"""Error against the number of training rows: whether more data would help."""

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
    """Training and test errors for several numbers of rows.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        The numbers of training rows.
    train_errors, test_errors : ndarray of shape (n_sizes, n_folds)
        The errors on the rows learned from, and on those left out; NaN where fitting failed.
    rows : int
        All rows of the table.
    measure : {"error", "RMSE"}
        What the errors are: error rates of a classifier, or root mean squared errors of a regressor, in the
        unit of the target.
    """

    sizes: NDArray[np.int64]
    train_errors: Floats
    test_errors: Floats
    rows: int
    measure: str = "error"

    def extrapolate(self, times: float = 2.0, confidence: float = 0.95) -> Extrapolation:
        r"""Return by how much the error would fall with more rows, by a law :math:`a + b n^{-c}`.

        Parameters
        ----------
        times : float, default=2
            How many times as many rows, above 1.
        confidence : float, default=0.95
            The level of the interval of the gain.

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
        """Draw both errors against the rows, with the law that test errors follow.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.curves.curve_plot import draw_learning_curve  # only for those who draw

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
    """Cross-validate on more and more training rows.

    Parameters
    ----------
    estimator : classifier or regressor
        What is judged; not changed.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The labels, or numbers.
    cv : int, splitter or sequence of (train, test), default=5
        The folds, as scikit-learn takes them. Smaller training sets are parts of the larger ones, each with
        the shares of the classes.
    sizes : sequence of float or int, default=(0.1, 0.18, 0.32, 0.56, 1.0)
        The training rows: shares of those of a fold, or numbers.
    groups : array-like of shape (n_samples,), optional
        The groups of the rows, for splitters that keep these together.
    random_state : int, default=0
        Which rows come first.
    n_jobs : int or None, default=None
        How many fits run side by side, as in scikit-learn.

    Returns
    -------
    LearningCurve

    Notes
    -----
    The error of a classifier is one minus its score, that of a regressor the root mean squared error (RMSE),
    in the unit of the target. A size of few rows may lack a rare class; where fitting then fails the
    errors are NaN.
    """
    labels = one_per_row(y, "y")
    splitter = check_cv(cv, labels, classifier=is_classifier(estimator))
    by_class = labels if is_classifier(estimator) else None
    splits = ordered_splits(splitter.split(X, labels, groups), by_class, random_state)
    counts = _counts(sizes, min(len(train) for train, _ in splits))
    measure = measure_of(estimator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        found, train, test, *_ = cut_and_score(
            estimator, X, labels, cv=splits, train_sizes=counts, scoring=measure.scoring, n_jobs=n_jobs
        )
    errors = measure.errors(train), measure.errors(test)
    return LearningCurve(np.asarray(found, dtype=np.int64), *errors, len(labels), measure.name)


def _counts(sizes: VectorLike, most: int) -> NDArray[np.int64]:
    """Return numbers of rows, ascending, for shares or numbers."""
    given = np.asarray(sizes)
    rule = f"shares up to 1 or whole numbers from 1 to {most}, the training rows of a fold"
    if given.ndim != 1 or not len(given) or given.dtype.kind not in "iuf":
        raise DataError(must("sizes", rule, sizes))
    counts = np.maximum(1, np.rint(given * most)) if given.dtype.kind == "f" else given
    if not ((counts >= 1) & (counts <= most)).all() or (given <= 0).any():
        raise DataError(must("sizes", rule, sizes))
    return np.unique(counts.astype(np.int64))
