"""How good a fitted model is on rows: by a metric of the package, or by a scorer as scikit-learn has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from classica.arrays import CostsLike, MatrixLike, Scoring
from classica.errors import ParameterError, must
from classica.metrics.measures import answer_scores, metric
from classica.native import Floats

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

#: From a fitted model, rows and their labels to a number, high for good.
Scorer: TypeAlias = "Callable[[BaseEstimator, Any, Any], float]"


@dataclass(frozen=True)
class MetricScorer:
    """A metric as a scorer: high is good, whatever the metric.

    Attributes
    ----------
    name : str
        One of `classica.metrics.METRICS`.
    costs : cost matrix, optional
        For the mean cost.
    """

    name: str
    costs: CostsLike | None = None

    def __call__(self, model: BaseEstimator, X: MatrixLike, y: NDArray[Any]) -> float:
        """Return the score of a fitted model."""
        measure = metric(self.name)
        value = measure(y, *self._asked(model, X), np.asarray(model.classes_), self.costs)
        return value if measure.higher_is_better else -value

    def row_losses(self, model: BaseEstimator, X: MatrixLike, y: NDArray[Any]) -> Floats | None:
        """Return the loss of each row; None for a metric that is no mean over single rows."""
        measure = metric(self.name)
        if measure.row_losses is None or measure.every_class:
            return None
        return measure.row_losses(y, *self._asked(model, X), np.asarray(model.classes_), self.costs)

    def _asked(self, model: BaseEstimator, X: MatrixLike) -> tuple[NDArray[Any] | None, Floats | None]:
        if metric(self.name).needs == "labels":
            return np.asarray(model.predict(X)), None
        return None, answer_scores(model, X)


def scorer_of(scoring: Scoring) -> Scorer:
    """Return a scorer: the metric of a name, or what was given."""
    if isinstance(scoring, str):
        metric(scoring)
        return MetricScorer(scoring)
    if not callable(scoring):
        raise ParameterError(must("scoring", "the name of a metric or a scorer", scoring))
    return scoring
