"""Scores of predictions: the confusion matrix and its rates, probabilities and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClassScore:
    """The scores of one class; None where a rate is undefined.

    Attributes
    ----------
    label : object
        The class.
    rows : int
        The number of rows of this class that are not rejected.
    error : float or None
        The share of its rows that are misclassified.
    precision, recall, f1 : float or None
        The share of the rows predicted as this class that belong to it, the share of its rows that are
        predicted as it, and the harmonic mean of both.
    """

    label: Any
    rows: int
    error: float | None
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True)
class ClassificationScores:
    """Scores of predictions.

    Attributes
    ----------
    labels : list
        The classes of the model, then unknown labels.
    confusion : ndarray
        Rows that are not rejected, by true label (row) and prediction (column).
    classes : list of ClassScore
        One for each label.
    rows, answered : int
        The number of rows, and of those that are not rejected.
    accuracy : float or None
        The share of these rows that are predicted correctly.
    interval : (float, float) or None
        The 95% confidence interval of the accuracy (Wilson).
    log_loss, brier : float or None
        The log loss and Brier score over all rows with a label of the model, as `metric` computes them.
    mean_cost : float or None
        The mean cost of a prediction or rejection, over all rows with a label of the model.
    unknown : int
        The number of rows whose label is not a class of the model.
    """

    labels: list[Any]
    confusion: NDArray[np.int64]
    classes: list[ClassScore]
    rows: int
    answered: int
    accuracy: float | None
    interval: tuple[float, float] | None
    log_loss: float | None
    brier: float | None
    mean_cost: float | None
    unknown: int

    @property
    def rejected(self) -> int:
        """The number of rejected rows."""
        return self.rows - self.answered

    @property
    def coverage(self) -> float | None:
        """The share of the rows that are not rejected."""
        return self.answered / self.rows if self.rows else None

    def record(self) -> dict[str, Any]:
        """Return all scores as plain values for JSON."""
        return {
            **vars(self),
            "confusion": self.confusion.tolist(),
            "classes": [vars(score) for score in self.classes],
            "interval": None if self.interval is None else list(self.interval),
            "error": None if self.accuracy is None else 1.0 - self.accuracy,
            "rejected": self.rejected,
            "coverage": self.coverage,
            "rejected_share": self.rejected / self.rows if self.rows else None,
        }
