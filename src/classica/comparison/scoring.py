"""The metric of a comparison as scikit-learn's searches take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from classica.decision import rejected_rows
from classica.evaluation.metrics import answer_scores, metric
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
            return -self._mean_cost(model, X, y)
        if measure.needs == "labels":
            said, scores = model.predict(X), None
        else:
            said, scores = None, spread_out(answer_scores(model, X), model.classes_, self.classes)
        value = measure(y, said, scores, self.classes, self.costs)
        return value if measure.higher_is_better else -value

    def _mean_cost(self, model: Any, X: Any, y: Any) -> float:
        """Return what a row costs on average: its prediction, or to be rejected."""
        said, truth = (np.searchsorted(self.classes, labels) for labels in (model.predict(X), y))
        paid = np.asarray(self.costs, dtype=np.float64)[said, truth]
        seen = (model[-1], model[:-1].transform(X)) if isinstance(model, Pipeline) else (model, X)
        rejected = rejected_rows(*seen)
        if rejected is not None:
            paid[rejected] = self.reject_cost
        return float(paid.mean())


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
