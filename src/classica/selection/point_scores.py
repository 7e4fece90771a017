"""The scores of many parameters of one estimator on the same splits, by the shortest exact way there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.grid_task import asks_for_answers_only
from classica.native import Floats
from classica.selection.pipeline_scores import PipelineScores

Parameters = dict[str, Any]


def point_scores(
    estimator: Any,
    X: MatrixLike,
    y: VectorLike,
    points: Sequence[Parameters],
    splits: list[Any],
    scoring: Any,
) -> Floats:
    """Return one row per point and one column per split; minus infinity where a point is refused.

    A split on which the scores of all points that work are NaN, such as the area under the ROC curve of rows
    of one class, tells no point from another and is left out, unless that is so on all of them.

    An estimator that has ``grid_scores`` is asked for all points together; for a pipeline whose last step has
    it, the steps before are fitted once per split. Anything else is fitted point by point.
    """
    if not points:
        return np.empty((0, len(splits)))
    scores = _all_scores(estimator, X, y, points, splits, scoring)
    defined = np.isfinite(scores).any(axis=0) | ~np.isnan(scores).any(axis=0)
    return scores[:, defined] if defined.any() else scores


def _all_scores(
    estimator: Any, X: Rows, y: Any, points: Sequence[Parameters], splits: list[Any], scoring: Any
) -> Floats:
    try:
        if hasattr(estimator, "grid_scores"):
            together: Floats = estimator.grid_scores(X, y, points=points, splits=splits, scoring=scoring)
            return together
        if isinstance(estimator, Pipeline) and asks_for_answers_only(scoring):
            return PipelineScores(estimator, X, y, splits, scoring).scores(points)
    except ValueError:  # some point is refused: which one, a look at each will tell
        pass
    return np.array([fresh_scores(estimator, X, y, point, splits, scoring) for point in points])


def fresh_scores(
    estimator: Any, X: MatrixLike, y: VectorLike, parameters: Parameters, splits: list[Any], scoring: Any
) -> Floats:
    """Return the scores of a fit on each split; minus infinity if the parameters are refused."""
    try:
        return cross_validated(estimator, X, y, parameters, splits, scoring)
    except ValueError:
        return np.full(len(splits), -np.inf)


def cross_validated(
    estimator: Any, X: MatrixLike, y: VectorLike, parameters: Parameters, splits: list[Any], scoring: Any
) -> Floats:
    """Return the scores of a fit on each split, or raise what keeps the parameters from having them."""
    model = clone(estimator).set_params(**parameters)
    scores: Floats = cross_val_score(model, X, y, cv=splits, scoring=scoring, error_score="raise")
    return scores
