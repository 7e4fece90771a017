"""What a nested cross-validation has found, as a whole and in each outer fold."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats


@dataclass(frozen=True, eq=False)
class NestedResult:
    """The outer parts, in their order.

    Attributes
    ----------
    folds : list of NestedFold
        What was chosen and learned without each part, and how it did there.
    """

    folds: list[NestedFold]

    @property
    def test_scores(self) -> Floats:
        """The score on each outer part."""
        return np.array([fold.test_score for fold in self.folds])

    @property
    def train_scores(self) -> Floats:
        """The score on the rows each model was fitted on."""
        return np.array([fold.train_score for fold in self.folds])

    @property
    def mean(self) -> float:
        """The mean score over the outer parts."""
        return float(self.test_scores.mean())

    @property
    def predict_seconds_per_row(self) -> float:
        """How long predicting a row took."""
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
    """What was learned from all other parts, and its answers to this one.

    Attributes
    ----------
    parameters : dict
        The parameters chosen on the training rows.
    inner_score : float
        Their mean score over the inner parts: the highest of many, so it flatters. NaN where nothing was
        chosen.
    train_score, test_score : float
        The score of the model with these parameters, fitted on the training rows, there and on the test rows.
    train, test : ndarray
        The places of the rows.
    classes : ndarray
        The labels that were learned: the columns of `probabilities`.
    predictions : ndarray of shape (n_test,)
        The labels the model gives the test rows.
    probabilities : ndarray of shape (n_test, n_classes) or None
        Their probabilities, if the model knows any.
    decision_values : ndarray or None
        What ``decision_function`` gives, if the model has one.
    select_seconds, fit_seconds, predict_seconds : float
        How long choosing, fitting the chosen and predicting the labels of the test rows took.
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
