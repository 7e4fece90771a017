"""From the outcomes of a run to its summary: whatever is known, computed once."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from classica.comparison.answers import Answers
from classica.comparison.diagnosing import findings, insight_of, overlap
from classica.comparison.gathering import by_simplicity, gather
from classica.comparison.ranking import better_than_baseline, rank, recommended
from classica.comparison.reproducing import python_source
from classica.comparison.sentences import answer
from classica.comparison.summary import (
    ClassCount,
    FoldCount,
    MetricFacts,
    ModelResult,
    Summary,
    TableFacts,
)
from classica.comparison.units import answers_path
from classica.comparison.workspace import Workspace
from classica.data import profile
from classica.evaluation import calibration, confusion, metric
from classica.evaluation.comparison import Comparison
from classica.evaluation.runs import Outcome


def summarise(
    folder: Path, workspace: Workspace, outcomes: Sequence[Outcome], looks: Mapping[str, Outcome]
) -> Summary:
    """Return everything there is to say about a run, however far it has come."""
    gathered, counted = gather(workspace, outcomes)
    predictions = {
        model.name: all_answers(folder, workspace, model.name, counted)
        for model in gathered
        if model.state == "judged"
    }
    better = better_than_baseline(workspace, gathered)
    ranking = rank(workspace, gathered, predictions, better)
    models = _in_order(workspace, gathered, ranking, better, predictions)
    table, insight = _table(workspace), insight_of(looks)
    ranked = [standing.name for standing in ranking.standings]
    found = Summary(
        answer="",
        recommended=recommended(ranking, by_simplicity(models)),
        best=ranking.best,
        table=table,
        settings=workspace.settings,
        metric=_metric(workspace),
        folds=FoldCount(len(workspace.splits), tuple(counted)),
        models=tuple(models),
        findings=tuple(findings(workspace, models, predictions, ranking, insight, table.profile)),
        insight=insight,
        diversity=overlap(workspace, ranked, predictions),
        best_file=None,
        python=python_source(workspace),
        seconds=float(sum(outcome.seconds for outcome in outcomes)),
        versions=_versions(),
    )
    return replace(found, answer=answer(found))


def all_answers(folder: Path, workspace: Workspace, name: str, counted: Sequence[int]) -> Answers:
    """Return the predictions of a model for all folds that count, one below the other."""
    sizes = len(workspace.y), len(workspace.classes)
    paths = [answers_path(folder, name, fold) for fold in counted]
    parts = [Answers.load(path).within(*sizes, path) for path in paths]
    behind = [
        None if any(getattr(part, name) is None for part in parts)
        else np.concatenate([getattr(part, name) for part in parts])
        for name in ("probabilities", "scores", "rejected")
    ]  # fmt: skip
    rows, codes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "codes"))
    return Answers(rows, codes, *behind)


def _in_order(
    workspace: Workspace,
    gathered: Sequence[ModelResult],
    ranking: Comparison,
    better: Mapping[str, float],
    predictions: Mapping[str, Answers],
) -> list[ModelResult]:
    """Return the ranked models with all that is known of them, the best first, then the others."""
    by_name = {model.name: model for model in gathered}
    ranked = [
        replace(
            by_name[standing.name],
            standing=standing,
            p_baseline=better.get(standing.name),
            **_details(workspace, predictions[standing.name]),
        )
        for standing in ranking.standings
    ]
    return [*ranked, *(model for model in gathered if model.state != "judged")]


def _details(workspace: Workspace, answers: Answers) -> dict[str, Any]:
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
    profiled = profile(table)
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
