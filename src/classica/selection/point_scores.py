"""Score many parameter settings of one estimator on the same splits, sharing work where possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline

from classica.arrays import MatrixLike, Rows, Scoring, VectorLike
from classica.estimators.base.grid_task import (
    RowPair,
    Split,
    SplitRows,
    are_equal,
    as_indices,
    asks_for_answers_only,
    is_pairwise,
    score_of,
)
from classica.native import Floats
from classica.row_taking import as_table, is_frame


@dataclass(frozen=True)
class PipelineScores:
    """A pipeline whose last step may have ``grid_scores``, with rows and splits."""

    pipeline: Any
    X: Any
    y: Any
    splits: list[Any]
    scoring: Any

    def scores(self, points: Sequence[Parameters]) -> Floats:
        """Return one row per point and one column per split."""
        table = np.empty((len(points), len(self.splits)))
        for before, indices in self._by_steps_before(points):
            pipeline = clone(self.pipeline).set_params(**before)
            table[indices] = self._together(pipeline, [self._of_last(points[index]) for index in indices])
        return table

    def _by_steps_before(self, points: Sequence[Parameters]) -> list[tuple[Parameters, list[int]]]:
        """Group the points by the parameters that they set outside the last step."""
        groups: list[tuple[Parameters, list[int]]] = []
        for index, point in enumerate(points):
            before = {name: value for name, value in point.items() if not name.startswith(self._prefix)}
            matches = (indices for other, indices in groups if are_equal(other, before))
            indices = next(matches, None)
            groups.append((before, [index])) if indices is None else indices.append(index)
        return groups

    @property
    def _prefix(self) -> str:
        return f"{self.pipeline.steps[-1][0]}__"

    def _of_last(self, point: Parameters) -> Parameters:
        start = len(self._prefix)
        return {name[start:]: value for name, value in point.items() if name.startswith(self._prefix)}

    def _together(self, pipeline: BaseEstimator, points: list[Parameters]) -> Floats:
        scores = np.full((len(points), len(self.splits)), -np.inf)
        X, y = as_table(self.X), np.asarray(self.y)
        for number, (train, test) in enumerate(self.splits):
            part = SplitRows(X, y, as_indices(train), as_indices(test))
            scores[:, number] = self._on_split(pipeline, points, part)
        return scores

    def on_pair(self, points: Sequence[Parameters], pair: RowPair) -> Floats:
        """Return the score of each point on given training and test tables."""
        scores = np.empty(len(points))
        for before, indices in self._by_steps_before(points):
            pipeline = clone(self.pipeline).set_params(**before)
            scores[indices] = self._on_split(
                pipeline, [self._of_last(points[index]) for index in indices], pair
            )
        return scores

    def alone(self, point: Parameters, pair: RowPair) -> float:
        """Return the score of one point; minus infinity if the estimator rejects it."""
        return self._fresh(self.pipeline, point, (pair.X, pair.y), (pair.X_test, pair.y_test))

    def _on_split(self, pipeline: Any, points: list[Parameters], part: Split) -> Floats:
        """Return the scores on one split, after the preceding steps have transformed its rows."""
        steps, last = clone(pipeline[:-1]), pipeline.steps[-1][1]
        pairwise = is_pairwise(pipeline)
        (X, y), (tested, truth) = part.learned(pairwise), part.tested(pairwise)
        learned = steps.fit_transform(X, y) if len(steps) else X
        asked = steps.transform(tested) if len(steps) else tested
        if hasattr(last, "pair_scores"):
            pair = RowPair(learned, y, asked, truth)
            scores: Floats = last.pair_scores(pair, points=points, scoring=self.scoring)
            return scores
        if not hasattr(last, "grid_scores"):
            return np.array([self._fresh(last, point, (learned, y), (asked, truth)) for point in points])
        rows = stacked(learned, asked)  # grid_scores shares work between all rows
        ends = len(y), len(y) + len(truth)
        split = np.arange(ends[0]), np.arange(*ends)
        labels = np.concatenate([y, truth])
        row_scores = last.grid_scores(rows, labels, points=points, splits=[split], scoring=self.scoring)
        return np.asarray(row_scores)[:, 0]

    def _fresh(
        self, last: object, point: Parameters, learned: tuple[Any, Any], asked: tuple[Any, Any]
    ) -> float:
        """Return the score of a separate fit; minus infinity if the estimator rejects the parameters."""
        try:
            return score_of(clone(last).set_params(**point).fit(*learned), asked[0], asked[1], self.scoring)
        except ValueError:
            return -np.inf


def stacked(one: object, other: object) -> Any:
    """Concatenate the rows of two tables."""
    if is_frame(one):
        return nw.concat([nw.from_native(part, eager_only=True) for part in (one, other)]).to_native()
    if sp.issparse(one):
        return sp.vstack([one, other], format="csr")
    return np.concatenate([one, other])


Parameters = dict[str, Any]


def point_scores(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    points: Sequence[Parameters],
    splits: list[Any],
    scoring: Scoring,
) -> Floats:
    """Return one row per point and one column per split; minus infinity where a point is rejected.

    A split on which all valid points score NaN, such as the area under the ROC curve of rows of one class, is
    uninformative and left out, unless all splits are.

    An estimator with ``grid_scores`` scores all points together; for a pipeline whose last step has it, the
    preceding steps are fitted once per split. Other estimators are fitted point by point.
    """
    if not points:
        return np.empty((0, len(splits)))
    scores = _all_scores(estimator, X, y, points, splits, scoring)
    defined = np.isfinite(scores).any(axis=0) | ~np.isnan(scores).any(axis=0)
    return scores[:, defined] if defined.any() else scores


def pair_scores(pipeline: Pipeline, pair: RowPair, points: Sequence[Parameters], scoring: Scoring) -> Floats:
    """Return the score of each point of a pipeline on given training and test tables.

    Like `point_scores` on one split, without concatenating the tables first; the scorer must use predictions
    only.
    """
    task = PipelineScores(pipeline, None, None, [], scoring)
    try:
        return task.on_pair(points, pair)
    except ValueError:  # some point is rejected; score them one by one to find out which
        return np.array([task.alone(point, pair) for point in points])


def _all_scores(
    estimator: BaseEstimator,
    X: Rows,
    y: VectorLike,
    points: Sequence[Parameters],
    splits: list[Any],
    scoring: Scoring,
) -> Floats:
    try:
        if hasattr(estimator, "grid_scores"):
            together: Floats = estimator.grid_scores(X, y, points=points, splits=splits, scoring=scoring)
            return together
        if isinstance(estimator, Pipeline) and asks_for_answers_only(scoring):
            return PipelineScores(estimator, X, y, splits, scoring).scores(points)
    except ValueError:  # some point is rejected; score them one by one to find out which
        pass
    return np.array([fresh_scores(estimator, X, y, point, splits, scoring) for point in points])


def fresh_scores(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    parameters: Parameters,
    splits: list[Any],
    scoring: Scoring,
) -> Floats:
    """Return the scores of a fit on each split; minus infinity if the estimator rejects the parameters."""
    try:
        return cross_validated(estimator, X, y, parameters, splits, scoring)
    except ValueError:
        return np.full(len(splits), -np.inf)


def cross_validated(
    estimator: BaseEstimator,
    X: MatrixLike,
    y: VectorLike,
    parameters: Parameters,
    splits: list[Any],
    scoring: Scoring,
) -> Floats:
    """Return the scores of a fit on each split, or raise the error of the estimator."""
    model = clone(estimator).set_params(**parameters)
    scores: Floats = cross_val_score(model, X, y, cv=splits, scoring=scoring, error_score="raise")
    return scores
