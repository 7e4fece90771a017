"""How good answers are: the confusion matrix and what follows from it, probabilities and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ClassScore:
    """How good the answers about one class are; None where there is nothing to divide by.

    Attributes
    ----------
    label : object
        The class.
    rows : int
        How many answered rows are of this class.
    error : float or None
        The share of its rows that got another label.
    precision, recall, f1 : float or None
        Of rows with this answer, how many are right; of rows of this class, how many were found; the harmonic
        mean of both.
    """

    label: Any
    rows: int
    error: float | None
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True)
class ClassificationScores:
    """How good answers are.

    Attributes
    ----------
    labels : list
        The classes of the model, then labels that it does not know.
    confusion : ndarray
        Answered rows by true label (row) and answer (column).
    classes : list of ClassScore
        One for each label.
    rows, answered : int
        Rows in all, and those that were answered.
    accuracy : float or None
        The share of answered rows that are right.
    interval : (float, float) or None
        Where the accuracy lies with 95 % confidence (Wilson).
    log_loss, brier : float or None
        Of the probabilities of all rows whose label the model knows, as `metric` gives them.
    mean_cost : float or None
        What an answer, or giving none, costs on average, of all rows whose label the model knows.
    unknown : int
        Rows whose label the model does not know.
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
        """How many rows got no answer."""
        return self.rows - self.answered

    @property
    def coverage(self) -> float | None:
        """The share of rows that got a prediction."""
        return self.answered / self.rows if self.rows else None

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON knows it."""
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
