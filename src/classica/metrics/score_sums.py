"""Scores of predictions from sums over rows, which may come in batches and are not kept."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from classica.arrays import VectorLike
from classica.metrics.confusion_matrix import Confusion, rates_of
from classica.metrics.prediction_scores import ClassificationScores, ClassScore
from classica.metrics.row_losses import brier_losses, log_losses
from classica.native import Floats


class ScoreSums:
    """Accumulate a confusion matrix and the losses of probabilities.

    Parameters
    ----------
    classes : array-like
        The classes of the model, in the order of the columns of probabilities.
    costs : ndarray of shape (n_classes, n_classes), optional
        The cost matrix (rows: predicted, columns: true).
    reject_cost : float, optional
        The cost of rejecting a row.

    Attributes
    ----------
    rows : int
        The number of rows so far.
    """

    def __init__(
        self, classes: VectorLike, costs: Floats | None = None, reject_cost: float | None = None
    ) -> None:
        self.rows = 0
        self._classes: list[Any] = np.asarray(classes).tolist()
        self._costs, self._reject_cost = costs, reject_cost
        self._predictions: Counter[tuple[Any, Any, bool]] = Counter()
        self._log, self._brier = ExactSum(), ExactSum()
        self._with_probabilities = 0

    def add(
        self,
        truth: VectorLike,
        predicted: VectorLike,
        probabilities: Floats | None = None,
        rejected: VectorLike | None = None,
    ) -> None:
        """Add some rows.

        Parameters
        ----------
        truth, predicted : array-like of shape (n_samples,)
            The true and the predicted labels.
        probabilities : ndarray of shape (n_samples, n_classes), optional
            The probability of each class.
        rejected : array-like of bool, optional
            Rejected rows.
        """
        labels = np.asarray(truth)
        left = np.zeros(len(labels), dtype=bool) if rejected is None else np.asarray(rejected, dtype=bool)
        rows = zip(labels.tolist(), np.asarray(predicted).tolist(), left.tolist(), strict=True)
        self._predictions.update(rows)
        self.rows += len(labels)
        if probabilities is not None:
            self._lose(labels.tolist(), probabilities)

    def _lose(self, labels: list[Any], probabilities: Floats) -> None:
        code_of = {label: code for code, label in enumerate(self._classes)}
        codes = np.array([code_of.get(label, -1) for label in labels], dtype=np.intp)
        hits = codes[:, None] == np.arange(len(self._classes))
        has_class = codes >= 0
        for total, losses in ((self._log, log_losses), (self._brier, brier_losses)):
            total.add(losses(hits[has_class], probabilities[has_class]).tolist())
        self._with_probabilities += int(has_class.sum())

    def scores(self) -> ClassificationScores:
        """Return the scores of the rows so far."""
        strange = sorted({true for true, _, _ in self._predictions} - {*self._classes}, key=str)
        labels = [*self._classes, *strange]
        counts = self._counts(labels)
        answered, left = counts[0], counts[1].sum(axis=1)
        confusion = rates_of(np.arange(len(labels)), answered, left) if self.rows else None
        right, total = int(np.trace(answered)), int(answered.sum())
        many = self._with_probabilities
        return ClassificationScores(
            labels=labels,
            confusion=answered,
            classes=_by_class(labels, confusion),
            rows=self.rows,
            answered=total,
            accuracy=right / total if total else None,
            interval=_wilson(right, total) if total else None,
            log_loss=self._log.value / many if many else None,
            brier=self._brier.value / many if many else None,
            mean_cost=self._mean_cost(*counts[:, : len(self._classes)]),
            unknown=int(counts[:, len(self._classes) :].sum()),
        )

    def _counts(self, labels: list[Any]) -> NDArray[np.int64]:
        """Return the rows by true label and prediction: those that are not rejected, and those that are."""
        code_of = {label: code for code, label in enumerate(labels)}
        counts = np.zeros((2, len(labels), len(labels)), dtype=np.int64)
        for (true, predicted, is_left), count in self._predictions.items():
            counts[int(is_left), code_of[true], code_of[predicted]] += count
        return counts

    def _mean_cost(self, answered: NDArray[np.int64], left: NDArray[np.int64]) -> float | None:
        """Return the mean cost of rows with a known label, from counts by true label and prediction."""
        size, rows = len(self._classes), int(answered.sum() + left.sum())
        if not rows or (self._costs is None and self._reject_cost is None):
            return None
        costs = 1.0 - np.eye(size) if self._costs is None else np.asarray(self._costs, dtype=np.float64)
        paid = (costs.T * answered[:, :size]).ravel().tolist()  # a cost matrix has predictions in rows
        if self._reject_cost is None:  # what is rejected has no price
            return math.fsum(paid) / int(answered.sum()) if answered.any() else None
        return math.fsum([*paid, self._reject_cost * int(left.sum())]) / rows


def classification_scores(
    truth: VectorLike,
    predicted: VectorLike,
    classes: VectorLike,
    *,
    probabilities: Floats | None = None,
    costs: Floats | None = None,
    rejected: VectorLike | None = None,
    reject_cost: float | None = None,
) -> ClassificationScores:
    """Compare predictions with the true labels.

    Parameters
    ----------
    truth, predicted : array-like of shape (n_samples,)
        The true and the predicted labels.
    classes : array-like
        The classes of the model, in the order of the columns of `probabilities`.
    probabilities : ndarray of shape (n_samples, n_classes), optional
        The probability of each class.
    costs : ndarray of shape (n_classes, n_classes), optional
        The cost matrix (rows: predicted, columns: true).
    rejected : array-like of bool, optional
        Rejected rows.
    reject_cost : float, optional
        The cost of rejecting a row.

    Examples
    --------
    >>> found = classification_scores(["a", "a", "b"], ["a", "b", "b"], ["a", "b"])
    >>> found.confusion.tolist(), round(found.accuracy, 3), [round(part, 3) for part in found.interval]
    ([[1, 1], [0, 1]], 0.667, [0.208, 0.939])
    """
    sums = ScoreSums(classes, costs, reject_cost)
    sums.add(truth, predicted, probabilities, rejected)
    return sums.scores()


def _wilson(right: int, total: int) -> tuple[float, float]:
    interval = binomtest(right, total).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def _by_class(labels: list[Any], confusion: Confusion | None) -> list[ClassScore]:
    if confusion is None:
        return [ClassScore(label, 0, None, None, None, None) for label in labels]
    rates = zip(confusion.class_errors, confusion.precision, confusion.recall, confusion.f1, strict=True)
    return [
        ClassScore(label, int(rows), *map(_number, each))
        for label, rows, each in zip(labels, confusion.support, rates, strict=True)
    ]


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


class ExactSum:
    """A sum of finite numbers that is rounded once, at its end: it does not matter in which parts they come.

    Examples
    --------
    >>> total = ExactSum()
    >>> total.add([1e16, 1.0])
    >>> total.add([1.0, -1e16])
    >>> total.value
    2.0
    """

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, numbers: Iterable[float]) -> None:
        """Add some numbers."""
        rest, parts = [*self._parts, *numbers], list[float]()
        # The sum as one number, what that lacks as another, and so on until nothing is lacking.
        while (part := math.fsum(rest)) != 0.0:
            parts.append(part)
            rest.append(-part)
        self._parts = parts

    @property
    def value(self) -> float:
        """The sum so far, as the nearest number there is."""
        return math.fsum(self._parts)
