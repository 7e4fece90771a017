"""Grids of a pipeline: the steps before the classifier are fitted once per split, not once per point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from classica.estimators.base.grid_task import SplitRows, are_equal, as_places, is_pairwise, score_of
from classica.native import Floats
from classica.row_taking import as_table, is_frame

Parameters = dict[str, Any]


@dataclass(frozen=True)
class PipelineScores:
    """A pipeline whose last step may score grids, and splits of some rows."""

    pipeline: Any
    X: Any
    y: Any
    splits: list[Any]
    scoring: Any

    def scores(self, points: Sequence[Parameters]) -> Floats:
        """Return one row per point and one column per split."""
        found = np.empty((len(points), len(self.splits)))
        for before, places in self._by_steps_before(points):
            pipeline = clone(self.pipeline).set_params(**before)
            found[places] = self._together(pipeline, [self._of_last(points[place]) for place in places])
        return found

    def _by_steps_before(self, points: Sequence[Parameters]) -> list[tuple[Parameters, list[int]]]:
        """Return what points set outside the last step, and the points that set just that."""
        groups: list[tuple[Parameters, list[int]]] = []
        for place, point in enumerate(points):
            before = {name: value for name, value in point.items() if not name.startswith(self._prefix)}
            known = (places for other, places in groups if are_equal(other, before))
            places = next(known, None)
            groups.append((before, [place])) if places is None else places.append(place)
        return groups

    @property
    def _prefix(self) -> str:
        return f"{self.pipeline.steps[-1][0]}__"

    def _of_last(self, point: Parameters) -> Parameters:
        start = len(self._prefix)
        return {name[start:]: value for name, value in point.items() if name.startswith(self._prefix)}

    def _together(self, pipeline: Any, points: list[Parameters]) -> Floats:
        found = np.full((len(points), len(self.splits)), -np.inf)
        X, y = as_table(self.X), np.asarray(self.y)
        for number, (train, test) in enumerate(self.splits):
            part = SplitRows(X, y, as_places(train), as_places(test))
            found[:, number] = self._on_split(pipeline, points, part)
        return found

    def _on_split(self, pipeline: Any, points: list[Parameters], part: SplitRows) -> Floats:
        """Return the scores on one split: its rows as the steps before see them, one below the other."""
        steps, last = clone(pipeline[:-1]), pipeline.steps[-1][1]
        pairwise = is_pairwise(pipeline)
        (X, y), (tested, truth) = part.learned(pairwise), part.tested(pairwise)
        learned = steps.fit_transform(X, y) if len(steps) else X
        asked = steps.transform(tested) if len(steps) else tested
        if not hasattr(last, "grid_scores"):
            return np.array([self._fresh(last, point, (learned, y), (asked, truth)) for point in points])
        rows = stacked(learned, asked)
        ends = len(y), len(y) + len(truth)
        split = np.arange(ends[0]), np.arange(*ends)
        labels = np.concatenate([y, truth])
        scores = last.grid_scores(rows, labels, points=points, splits=[split], scoring=self.scoring)
        return np.asarray(scores)[:, 0]

    def _fresh(self, last: Any, point: Parameters, learned: tuple[Any, Any], asked: tuple[Any, Any]) -> float:
        """Return the score of a fit of its own; minus infinity if the parameters are refused."""
        try:
            return score_of(clone(last).set_params(**point).fit(*learned), asked[0], asked[1], self.scoring)
        except ValueError:
            return -np.inf


def stacked(one: Any, other: Any) -> Any:
    """Return the rows of two tables as one."""
    if is_frame(one):
        return nw.concat([nw.from_native(part, eager_only=True) for part in (one, other)]).to_native()
    if sp.issparse(one):
        return sp.vstack([one, other], format="csr")
    return np.concatenate([one, other])
