"""Every metric of one model on its held-out predictions, side by side, and the rates of each class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.summary import ClassMetrics
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.scoring import Scoring
from classica.metrics import METRICS
from classica.metrics.measure import Metric
from classica.native import Floats
from classica.statistics.interval import Interval
from classica.statistics.row_interval import row_interval


def model_metrics(
    workspace: Workspace, answers: FoldPredictions, folds: Sequence[int]
) -> dict[str, Interval]:
    """Return every metric of a model by its name, each with its interval.

    The value is the mean over folds, as in a comparison by that metric, but not corrected for the selection
    of hyper-parameters. A metric that is not defined here is left out: one of costs without costs, one of
    probabilities for a model that has none.

    Parameters
    ----------
    workspace : Workspace
        What was compared.
    answers : FoldPredictions
        The predictions for the test sets, one fold below the other.
    folds : sequence of int
        How many rows each fold has.
    """
    settings = workspace.settings
    known = (each for each in METRICS.values() if each.row_losses is not None)
    found = {
        each.name: _interval(workspace, each, answers, folds)
        for each in known
        if not each.needs_costs or settings.costs is not None or settings.reject_cost is not None
        if each.needs != "probabilities" or answers.probabilities is not None
    }
    return {name: each for name, each in found.items() if not np.isnan(each.mean)}


def class_metrics(workspace: Workspace, answers: FoldPredictions) -> tuple[ClassMetrics, ...]:
    """Return precision and recall of every class, with their intervals; rejected rows do not count."""
    kept = answers.not_rejected()
    truth = np.searchsorted(workspace.classes, workspace.y[kept.rows])
    clusters = _clusters(workspace, kept.rows)
    return tuple(
        _of_class(label, truth == code, kept.codes == code, clusters, workspace.settings.confidence)
        for code, label in enumerate(workspace.classes.tolist())
    )


def _interval(
    workspace: Workspace, measure: Metric, answers: FoldPredictions, folds: Sequence[int]
) -> Interval:
    settings = workspace.settings
    by_cost = measure.needs_costs
    scoring = Scoring(
        measure.name, workspace.classes, settings.costs if by_cost else None,
        settings.reject_cost if by_cost else None,
    )  # fmt: skip
    losses: list[Floats] = [np.empty(0)]
    rows: list[NDArray[np.intp]] = [np.empty(0, dtype=np.intp)]
    start = 0
    for size in folds:
        part = answers.part(start, start := start + size)
        # A rejected row has a cost, but no predicted class.
        if measure.needs == "labels" and not by_cost:
            part = part.not_rejected()
        found = scoring.losses_of_answers(workspace.y[part.rows], part) if len(part.rows) else np.empty(0)
        # A fold on which a metric is not defined, such as the area under the curve of one class, is left out.
        if not np.isnan(found).any():
            losses.append(found)
            rows.append(part.rows)
    return row_interval(
        np.concatenate(losses),
        higher_is_better=measure.higher_is_better,
        limits=measure.limits,
        clusters=_clusters(workspace, np.concatenate(rows)),
        confidence=settings.confidence,
    )


def _clusters(workspace: Workspace, rows: NDArray[np.intp]) -> NDArray[np.intp] | None:
    """Return what each prediction belongs to: its group, or its row where rows are predicted repeatedly."""
    settings = workspace.settings
    if settings.groups is None and settings.repeats == 1:
        return None
    names = rows if settings.groups is None or workspace.order is None else workspace.order[rows]
    codes: NDArray[np.intp] = np.unique(names, return_inverse=True)[1].reshape(-1).astype(np.intp)
    return codes


def _of_class(
    label: Any,
    true: NDArray[np.bool_],
    predicted: NDArray[np.bool_],
    clusters: NDArray[np.intp] | None,
    confidence: float,
) -> ClassMetrics:
    hit = true & predicted
    precision, recall = (
        row_interval(
            (~hit[rows]).astype(np.float64),
            higher_is_better=True,
            limits=(0.0, 1.0),
            clusters=None if clusters is None else np.unique(clusters[rows], return_inverse=True)[1],
            confidence=confidence,
        )
        for rows in (predicted, true)
    )
    either = int(true.sum()) + int(predicted.sum())
    f1 = 2 * int(hit.sum()) / either if either else float("nan")
    return ClassMetrics(label, int(true.sum()), precision, recall, f1)
