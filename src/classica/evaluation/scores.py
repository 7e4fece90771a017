"""How good answers are: the confusion matrix and what follows from it, probabilities and costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from classica.evaluation.confusion import Confusion, confusion
from classica.evaluation.metrics import metric
from classica.native import Floats


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

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON knows it."""
        return {
            **vars(self),
            "confusion": self.confusion.tolist(),
            "classes": [vars(score) for score in self.classes],
            "interval": None if self.interval is None else list(self.interval),
            "error": None if self.accuracy is None else 1.0 - self.accuracy,
            "rejected": self.rejected,
            "rejected_share": self.rejected / self.rows if self.rows else None,
        }


def classification_scores(
    truth: Any,
    said: Any,
    classes: Any,
    *,
    probabilities: Floats | None = None,
    costs: Floats | None = None,
    rejected: Any = None,
    reject_cost: float | None = None,
) -> ClassificationScores:
    """Compare answers with the truth.

    Parameters
    ----------
    truth, said : array-like of shape (n_samples,)
        The labels, and the answers.
    classes : array-like
        The classes of the model, in the order of the columns of `probabilities`.
    probabilities : ndarray of shape (n_samples, n_classes), optional
        How probable each class is.
    costs : ndarray of shape (n_classes, n_classes), optional
        The cost of saying a class (row) when another is true (column).
    rejected : array-like of bool, optional
        Rows without an answer.
    reject_cost : float, optional
        What giving no answer costs.

    Examples
    --------
    >>> found = classification_scores(["a", "a", "b"], ["a", "b", "b"], ["a", "b"])
    >>> found.confusion.tolist(), round(found.accuracy, 3), [round(part, 3) for part in found.interval]
    ([[1, 1], [0, 1]], 0.667, [0.208, 0.939])
    """
    known = np.asarray(classes).tolist()
    truth = np.asarray(truth).tolist()
    labels = [*known, *sorted(set(truth) - set(known), key=str)]
    place = {label: code for code, label in enumerate(labels)}
    true = np.array([place[label] for label in truth], dtype=np.int64)
    guess = np.array([place[label] for label in np.asarray(said).tolist()], dtype=np.int64)
    answered = np.ones(len(true), bool) if rejected is None else ~np.asarray(rejected, dtype=bool)
    codes = np.arange(len(labels))
    found = confusion(true, guess, codes, rejected=~answered) if len(true) else None
    matrix = np.zeros((len(labels),) * 2, dtype=np.int64) if found is None else found.matrix
    right, total = int(np.trace(matrix)), int(matrix.sum())
    judged = true < len(known)
    log, brier = _probability_losses(true[judged], _of(probabilities, judged))
    return ClassificationScores(
        labels=labels,
        confusion=matrix,
        classes=_by_class(labels, found),
        rows=len(true),
        answered=total,
        accuracy=right / total if total else None,
        interval=_wilson(right, total) if total else None,
        log_loss=log,
        brier=brier,
        mean_cost=_mean_cost(true[judged], guess[judged], answered[judged], costs, reject_cost),
        unknown=int((~judged).sum()),
    )


def _of(values: Floats | None, rows: NDArray[np.bool_]) -> Floats | None:
    return None if values is None else values[rows]


def _wilson(right: int, total: int) -> tuple[float, float]:
    found = binomtest(right, total).proportion_ci(method="wilson")
    return float(found.low), float(found.high)


def _by_class(labels: list[Any], found: Confusion | None) -> list[ClassScore]:
    if found is None:
        return [ClassScore(label, 0, None, None, None, None) for label in labels]
    rates = zip(found.class_errors, found.precision, found.recall, found.f1, strict=True)
    return [
        ClassScore(label, int(rows), *map(_number, each))
        for label, rows, each in zip(labels, found.support, rates, strict=True)
    ]


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _probability_losses(
    true: NDArray[np.int64], probabilities: Floats | None
) -> tuple[float | None, float | None]:
    if probabilities is None or not len(true):
        return None, None
    classes = np.arange(probabilities.shape[1])
    log, brier = (metric(name)(true, None, probabilities, classes) for name in ("log_loss", "brier"))
    return log, brier


def _mean_cost(
    true: NDArray[np.int64],
    guess: NDArray[np.int64],
    answered: NDArray[np.bool_],
    costs: Floats | None,
    reject_cost: float | None,
) -> float | None:
    if not len(true) or (costs is None and reject_cost is None):
        return None
    paid = (true != guess).astype(np.float64) if costs is None else costs[guess, true]
    return float(np.where(answered, paid, 0.0 if reject_cost is None else reject_cost).mean())
