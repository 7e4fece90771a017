"""The results of a nested cross-validation, overall and for each outer fold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


@dataclass(frozen=True, eq=False)
class NestedResult:
    """The result of a nested cross-validation.

    Attributes
    ----------
    folds : list of NestedFold
        The outer folds, in order.
    """

    folds: list[NestedFold]

    @property
    def test_scores(self) -> Floats:
        """The test score of each outer fold."""
        return np.array([fold.test_score for fold in self.folds])

    @property
    def train_scores(self) -> Floats:
        """The score of each model on its training set."""
        return np.array([fold.train_score for fold in self.folds])

    @property
    def mean(self) -> float:
        """The mean test score over the outer folds."""
        return float(self.test_scores.mean())

    @property
    def predict_seconds_per_row(self) -> float:
        """The mean time to predict one row, in seconds."""
        rows = sum(len(fold.test) for fold in self.folds)
        return sum(fold.predict_seconds for fold in self.folds) / rows

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {"mean": self.mean, "folds": [fold.record() for fold in self.folds]}

    def __str__(self) -> str:
        lines = [" fold   inner   train    test  parameters"]
        for number, fold in enumerate(self.folds):
            scores = f"{fold.inner_score:7.4f} {fold.train_score:7.4f} {fold.test_score:7.4f}"
            chosen = ", ".join(f"{name}={value}" for name, value in fold.parameters.items())
            lines.append(f"{number:>5} {scores}  {chosen}")
        deviation = self.test_scores.std(ddof=1) if len(self.folds) > 1 else np.nan
        return "\n".join([*lines, f"mean test score {self.mean:.4f}, standard deviation {deviation:.4f}"])


@dataclass(frozen=True, eq=False)
class NestedFold:
    """One outer fold: the parameters selected without it, and the predictions on it.

    Attributes
    ----------
    parameters : dict
        The parameters selected on the training set.
    inner_score : float
        Their mean score in the inner cross-validation; optimistic, because it is the highest of many. NaN if
        nothing was tuned.
    train_score, test_score : float
        The score of the refitted model on its training set and on the test rows.
    train, test : ndarray
        The indices of the rows.
    classes : ndarray
        The class labels, in the order of the columns of `probabilities`.
    predictions : ndarray of shape (n_test,)
        The predicted labels of the test rows.
    probabilities : ndarray of shape (n_test, n_classes) or None
        The predicted probabilities, if the model has any.
    decision_values : ndarray or None
        The values of ``decision_function``, if the model has it.
    select_seconds, fit_seconds, predict_seconds : float
        The times for tuning, for fitting with the selected parameters, and for predicting the test rows.
    """

    parameters: dict[str, Any]
    inner_score: float
    train_score: float
    test_score: float
    train: NDArray[np.intp] = field(repr=False)
    test: NDArray[np.intp] = field(repr=False)
    classes: NDArray[Any]
    predictions: NDArray[Any] = field(repr=False)
    probabilities: Floats | None = field(repr=False)
    decision_values: Floats | None = field(repr=False)
    select_seconds: float
    fit_seconds: float
    predict_seconds: float

    def record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "params": self.parameters,
            "inner_score": None if math.isnan(self.inner_score) else self.inner_score,
            "train_score": self.train_score,
            "test_score": self.test_score,
            "test": self.test.tolist(),
            "classes": self.classes.tolist(),
            "predictions": self.predictions.tolist(),
            "probabilities": None if self.probabilities is None else self.probabilities.tolist(),
            "decision_values": None if self.decision_values is None else self.decision_values.tolist(),
            "select_seconds": self.select_seconds,
            "fit_seconds": self.fit_seconds,
            "predict_seconds": self.predict_seconds,
        }
