"""From the outcomes of a run to its summary: whatever is known, computed once."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import numpy as np

from classica.comparison.plan.workspace import Workspace
from classica.comparison.reproducing import python_source
from classica.comparison.results.gathering import Gathered, by_simplicity
from classica.comparison.results.model_evidence import findings, insight_of, overlap
from classica.comparison.results.ranking import (
    better_than_baseline,
    headline,
    rank,
    recommended,
    reference_standing,
)
from classica.comparison.results.sentences import answer
from classica.comparison.results.summary import (
    ClassCount,
    Delivered,
    FoldCount,
    MetricFacts,
    ModelResult,
    Summary,
    TableFacts,
)
from classica.comparison.work.fold_predictions import Answers
from classica.metrics import calibration, confusion, metric
from classica.runs import Outcome
from classica.statistics.fold_ranking import Comparison


def summarise(
    workspace: Workspace,
    gathered: Gathered,
    looks: Mapping[str, Outcome],
    deliveries: Mapping[str, Delivered] | None = None,
    *,
    is_interrupted: bool = False,
) -> Summary:
    """Return everything there is to say about a run, however far it has come."""
    gathered = _with_deliveries(gathered, deliveries or {})
    better = better_than_baseline(workspace, gathered)
    ranking = rank(workspace, gathered)
    models = _in_order(workspace, gathered, ranking, better)
    table, insight = _table(workspace), insight_of(looks)
    ranked = [standing.name for standing in ranking.standings]
    used = recommended(ranking, by_simplicity([model for model in models if model.role != "reference"]))
    found = Summary(
        answer="",
        recommended=used,
        best=ranking.best,
        table=table,
        settings=workspace.settings,
        metric=_metric(workspace),
        folds=FoldCount(len(workspace.splits), tuple(gathered.counted)),
        models=tuple(models),
        findings=tuple(findings(workspace, models, gathered.predictions, ranking, insight, table.profile)),
        insight=insight,
        diversity=overlap(workspace, ranked, gathered.predictions),
        best_file=None,
        python=python_source(workspace),
        seconds=gathered.seconds,
        versions=_versions(),
        headline=headline(workspace, gathered, ranking, used),
        is_provisional=gathered.is_provisional,
        is_interrupted=is_interrupted,
    )
    return replace(found, answer=answer(found))


def _with_deliveries(gathered: Gathered, deliveries: Mapping[str, Delivered]) -> Gathered:
    models = [
        replace(model, delivered=deliveries[model.name]) if model.name in deliveries else model
        for model in gathered.models
    ]
    return replace(gathered, models=models)


def _in_order(
    workspace: Workspace, gathered: Gathered, ranking: Comparison, better: Mapping[str, float]
) -> list[ModelResult]:
    """Return the ranked models with all that is known of them, the best first, then the others."""
    by_name = {model.name: model for model in gathered.models}
    standings = list(ranking.standings)
    if ranking.best is not None:
        reference = reference_standing(workspace, gathered, ranking.best)
        standings += [] if reference is None else [reference]
    sign = -1.0 if workspace.metric.higher_is_better else 1.0
    standings.sort(key=lambda standing: (standing.name != ranking.best, sign * standing.score.mean))
    ranked = [
        replace(
            by_name[standing.name],
            standing=standing,
            p_baseline=better.get(standing.name),
            **_details(workspace, gathered.predictions.get(standing.name)),
        )
        for standing in standings
    ]
    names = {standing.name for standing in standings}
    others = [model for model in gathered.models if model.name not in names]
    others.sort(key=lambda model: sign * model.provisional.mean if model.provisional else np.inf)
    return [*ranked, *others]


def _details(workspace: Workspace, answers: Answers | None) -> dict[str, Any]:
    if answers is None:
        return {}
    classes = workspace.classes
    truth, predicted = workspace.y[answers.rows], classes[answers.codes]
    known = answers.probabilities
    return {
        "confusion": confusion(truth, predicted, classes, answers.rejected, workspace.settings.costs),
        "calibration": None if known is None else calibration(truth, known, classes),
    }


def _table(workspace: Workspace) -> TableFacts:
    table = workspace.table
    labels, counts = np.unique(workspace.y, return_counts=True)
    profiled = workspace.profile
    return TableFacts(
        source=table.source,
        rows=len(table),
        features=len(table.schema.names("feature")),
        target=str(table.schema.target),
        classes=tuple(
            ClassCount(label, int(count)) for label, count in zip(labels.tolist(), counts, strict=True)
        ),
        fingerprint=profiled.fingerprint,
        notes=tuple(workspace.notes),
        profile=profiled,
    )


def _metric(workspace: Workspace) -> MetricFacts:
    measure = metric(workspace.settings.metric)
    # Of more than two classes there are several such areas.
    mean = " (one vs. rest)" if measure.name == "auc" and len(workspace.classes) > 2 else ""
    return MetricFacts(
        name=measure.name,
        title=f"{measure.title}{mean}",
        higher_is_better=measure.higher_is_better,
        is_share=measure.limits == (0.0, 1.0),
        baseline=workspace.constant_score,
    )


def _versions() -> dict[str, str]:
    names = ("classica", "numpy", "scikit-learn", "polars")
    return {name: version(name) for name in names} | {"python": platform.python_version()}
