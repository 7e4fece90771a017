"""Validation curves: error against a parameter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import validation_curve as fit_and_score

from classica.arrays import MatrixLike, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.selection.extrapolation import MEASURES, measure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from sklearn.base import BaseEstimator

from classica.arrays import Splitter


@dataclass(frozen=True, eq=False)
class ValidationCurve(Recorded):
    """Training and test errors for several values of a parameter.

    Attributes
    ----------
    name : str
        The parameter.
    values : list
        Its values.
    train_errors, test_errors : ndarray of shape (n_values, n_folds)
        The errors on the training set and on held-out rows; NaN where fitting failed.
    measure : {"error", "RMSE"}
        The error measure: the error rate of a classifier, or the root mean squared error of a regressor, in
        the unit of the target.
    """

    name: str
    values: list[Any]
    train_errors: Floats
    test_errors: Floats
    measure: str = "error"

    @property
    def best(self) -> Any:
        """The value with the lowest mean test error, the first in a tie; None if all failed."""
        means = self.test_errors.mean(axis=1)
        return None if np.isnan(means).all() else self.values[int(np.nanargmin(means))]

    def __str__(self) -> str:
        width = max(len(self.name), *(len(str(value)) for value in self.values))
        shown = MEASURES[self.measure].shown
        lines = [f"{self.name:>{width}}  {f'training {self.measure}':>14}  {f'test {self.measure}':>10}"]
        pairs = zip(self.values, self.train_errors.mean(axis=1), self.test_errors.mean(axis=1), strict=True)
        lines += [
            f"{value!s:>{width}}  {shown(train):>14}  {shown(test):>10}" for value, train, test in pairs
        ]
        return "\n".join([*lines, f"The test {self.measure} is lowest for {self.name}={self.best}."])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot both errors against the parameter, with the best value marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            The axes to draw on; by default a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from classica.displays.curves.curve_plot import draw_validation_curve  # needed for plots only

        return draw_validation_curve(self, ax)


def validation_curve(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    name: str,
    values: Sequence[Any],
    cv: Splitter = 5,
    *,
    groups: VectorLike | None = None,
    n_jobs: int | None = None,
) -> ValidationCurve:
    """Cross-validate several values of a parameter.

    Parameters
    ----------
    estimator : classifier or regressor
        The estimator; it is cloned, not modified.
    X : table
        The rows.
    y : array-like of shape (n_samples,)
        The labels, or numbers for a regressor.
    name : str
        The parameter to vary, ``step__parameter`` in a pipeline.
    values : sequence
        Its values.
    cv : int, splitter or sequence of (train, test), default=5
        The folds, as in scikit-learn.
    groups : array-like of shape (n_samples,), optional
        The group of each row, for splitters that keep groups together.
    n_jobs : int or None, default=None
        Number of parallel fits, as in scikit-learn.

    Returns
    -------
    ValidationCurve

    Notes
    -----
    The error of a classifier is one minus its score, that of a regressor the root mean squared error (RMSE),
    in the unit of the target. The lowest test error of many is optimistic: evaluate the selected model on
    rows that were not used for the selection.
    """
    parameters = estimator.get_params()
    if name not in parameters:
        raise ParameterError(must("name", f"a parameter of {type(estimator).__name__}", name))
    listed = list(values)
    if not listed:
        raise DataError(must("values", "at least one value", listed))
    measure = measure_of(estimator)
    options = {"cv": cv, "groups": groups, "scoring": measure.scoring, "n_jobs": n_jobs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitFailedWarning)
        train, test = fit_and_score(estimator, X, y, param_name=name, param_range=listed, **options)
    plain = [value.item() if isinstance(value, np.generic) else value for value in listed]
    return ValidationCurve(name, plain, measure.errors(train), measure.errors(test), measure.name)
