"""What every model has to beat on each fold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classica.comparison.model_result import FLOOR, ModelResult
from classica.comparison.workspace import Workspace
from classica.evaluation.metrics import metric
from classica.native import Floats


def floor_scores(workspace: Workspace, results: Sequence[ModelResult]) -> Floats | None:
    """Return the scores of the floor on the folds that count, on average those of chance at least.

    Where folds differ in their classes, as folds of groups do, the floor learns the commonest class from the
    other folds, which is the rarer one here for that very reason. It is then right less often than any
    constant answer, noise would look better than it, and its scores are lifted to what chance gets on all
    rows. In the order of time nobody knows the shares of what is to come, and probabilities of classes that
    were not there to learn cost without bound: both stay as they are. None if the floor has failed.
    """
    floor = next((result for result in results if result.name == FLOOR and result.folds), None)
    if floor is None:
        return None
    scores = floor.values("test_score")
    measure = metric(workspace.settings.metric)
    if workspace.settings.time is not None or measure.needs == "probabilities":
        return scores
    chance = measure.chance(workspace.y, workspace.classes, workspace.settings.costs)
    if workspace.settings.reject_cost is not None:
        chance = min(chance, workspace.settings.reject_cost)
    sign = 1.0 if measure.higher_is_better else -1.0
    return scores + sign * max(0.0, sign * (chance - float(np.mean(scores))))
