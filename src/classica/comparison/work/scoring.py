"""The metric of a comparison as scikit-learn's searches take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from classica.comparison.work.fold_predictions import FoldPredictions
from classica.decision import rejected_rows
from classica.errors import DataError, must
from classica.metrics.measures import answer_scores, metric
from classica.native import Floats


@dataclass(frozen=True)
class Scoring:
    """Judge a fitted classifier on rows; high is good, whatever the metric.

    Attributes
    ----------
    name : str
        The metric.
    classes : ndarray
        The labels of the whole table: a part may lack some.
    costs : list of list of float or None
        For the mean cost.
    reject_cost : float or None
        What a row costs in it that the classifier rejects.
    """

    name: str
    classes: NDArray[Any]
    costs: list[list[float]] | None = None
    reject_cost: float | None = None

    #: What points of a grid share may then be learned once.
    asks_for_answers_only: ClassVar[bool] = True

    def __call__(self, model: Any, X: Any, y: Any) -> float:
        """Return the score."""
        measure = metric(self.name)
        if self.reject_cost is not None:
            return -float(np.mean(self.row_losses(model, X, y)))
        predictions, scores = self._asked(model, X)
        return self.signed(measure(y, predictions, scores, self.classes, self.costs))

    def signed(self, value: float) -> float:
        """Return a value of the metric with the sign that makes high good, and the reverse."""
        return value if metric(self.name).higher_is_better else -value

    def row_losses(self, model: Any, X: Any, y: Any) -> Floats:
        """Return the loss of each row by a fitted classifier."""
        predictions, scores = self._asked(model, X)
        losses = self._losses(y, predictions, scores)
        if self.reject_cost is not None:
            seen = (model[-1], model[:-1].transform(X)) if isinstance(model, Pipeline) else (model, X)
            rejected = rejected_rows(*seen)
            losses = losses if rejected is None else np.where(rejected, self.reject_cost, losses)
        return losses

    def of_answers(self, y: NDArray[Any], answers: FoldPredictions) -> float:
        """Return the metric, as people read it, of predictions that are known."""
        if self.reject_cost is not None:
            return float(np.mean(self.losses_of_answers(y, answers)))
        return metric(self.name)(y, *self._given(answers), self.classes, self.costs)

    def losses_of_answers(self, y: NDArray[Any], answers: FoldPredictions) -> Floats:
        """Return the loss of each row of predictions that are known."""
        losses = self._losses(y, *self._given(answers))
        if answers.rejected is not None and self.reject_cost is not None:
            return np.where(answers.rejected, self.reject_cost, losses)
        return losses

    def _losses(self, y: NDArray[Any], predictions: Any, scores: Floats | None) -> Floats:
        losses = metric(self.name).row_losses
        if losses is None:
            raise DataError(must("metric", "one with a loss for each row", self.name))
        return losses(y, predictions, scores, self.classes, self.costs)

    def _asked(self, model: Any, X: Any) -> tuple[Any, Floats | None]:
        """Return the predictions of a model, or the scores behind them, whichever the metric needs."""
        if metric(self.name).needs == "labels":
            return np.asarray(model.predict(X)), None
        return None, spread_out(answer_scores(model, X), model.classes_, self.classes)

    def _given(self, answers: FoldPredictions) -> tuple[Any, Floats | None]:
        if metric(self.name).needs == "labels":
            return self.classes[answers.codes], None
        return None, answers.scores if answers.probabilities is None else answers.probabilities


def spread_out(found: Floats, known: NDArray[Any], classes: NDArray[Any]) -> Floats:
    """Return a column for each class of the table; one that the model has not seen is out of the question."""
    if found.ndim == 1:  # two classes have one score, that of the second one
        found = np.column_stack([-found, found])
    if len(known) == len(classes):
        return found
    lowest = 0.0 if (found >= 0).all() else min(float(found.min()), 0.0) - 1.0
    wide = np.full((len(found), len(classes)), lowest)
    wide[:, np.searchsorted(classes, known)] = found
    return wide
