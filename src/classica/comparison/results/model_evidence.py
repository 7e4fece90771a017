"""What is wrong with the models or the table, and what would help: the evidence of a run, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from classica.comparison.plan.contender import Contender, titles
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import BASELINE, by_simplicity
from classica.comparison.results.ranking import baseline_scores
from classica.comparison.results.summary import Insight, ModelResult
from classica.comparison.work.driver_looks import drivers_of, is_importance
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.diagnosis import diagnose
from classica.diagnosis.finding import Finding
from classica.metrics import metric
from classica.recorded import from_record
from classica.runs import Outcome
from classica.statistics import diversity
from classica.statistics.ensemble_diversity.member_diversity import Diversity
from classica.statistics.fold_ranking import Comparison
from classica.tables.findings.profile_findings import ProfileLeak
from classica.tables.profiles.profiling import Profile

#: Number of the best models whose shared errors are computed.
_MOST_VOTERS = 5


def findings(
    workspace: Workspace,
    models: Sequence[ModelResult],
    predictions: Mapping[str, FoldPredictions],
    ranking: Comparison,
    insight: Insight,
    profiled: Profile,
) -> list[Finding]:
    """Return what was found, in the order in which it matters."""
    ordered = [model for model in by_simplicity(models) if model.role == "model"]
    predictions = {model.name: predictions[model.name] for model in ordered if model.name in predictions}
    folds = max((len(model.folds) for model in models), default=0)
    if not ordered or not folds:
        return []
    settings, measure = workspace.settings, metric(workspace.settings.metric)
    rows, predicted = _each_row_once(workspace, predictions)
    known = {name: each.probabilities for name, each in predicted.items() if each.probabilities is not None}
    found = diagnose(
        {model.name: _scores(model, "test_score", folds) for model in ordered},
        workspace.test_fraction,
        train_scores={model.name: _scores(model, "train_score", folds) for model in ordered},
        baseline=baseline_scores(workspace, models),
        y=workspace.y[rows] if predicted else None,  # None: nobody but the baseline has finished
        predictions={name: workspace.classes[each.codes] for name, each in predicted.items()},
        probabilities=known,
        classes=workspace.classes,
        learning=insight.extrapolation,
        bracket=insight.bayes_error,
        bias_variance=insight.bias_variance,
        leaks=leaks(workspace, profiled),
        # Only what beats the baseline can be recommended.
        simplicity=[model.name for model in ordered if model.p_baseline is not None],
        titles=titles(workspace.models),
        # A model that the run had no time for has not failed.
        ranking=replace(ranking.without(BASELINE), failed=[m.name for m in ordered if m.state == "failed"]),
        higher_is_better=measure.higher_is_better,
        is_share=measure.limits == (0.0, 1.0),
        resolution=workspace.resolution,
        rope=settings.rope,
        alpha=1 - settings.confidence,
    )
    # Under costs a model makes cheap errors on purpose, and rejects rows: counting errors says nothing.
    by_cost = settings.metric == "cost"
    return [each for each in found.findings if not (by_cost and each.explanation.counts_errors)]


def overlap(
    workspace: Workspace, ranked: Sequence[str], predictions: Mapping[str, FoldPredictions]
) -> Diversity | None:
    """Return how far the best misclassify the same rows, and what their vote gives; None for fewer than 2."""
    known = {name: each for name, each in predictions.items() if not Contender(name).is_reference}
    rows, predicted = _each_row_once(workspace, known)
    voters = [name for name in ranked if name in predicted][:_MOST_VOTERS]
    if len(voters) < 2:
        return None
    labels = {name: workspace.classes[predicted[name].codes] for name in voters}
    return diversity(labels, None, workspace.y[rows])


def leaks(workspace: Workspace, profiled: Profile) -> dict[str, float]:
    """Return features suspected of leaking the target, with the share of the rows each predicts alone."""
    suspected = {finding.column for finding in profiled.findings if finding.code == ProfileLeak.code}
    features = {*workspace.table.schema.names("feature")} & suspected
    return {
        column.name: column.alone
        for column in profiled.columns
        if column.name in features and column.alone is not None
    }


def insight_of(looks: Mapping[str, Outcome]) -> Insight:
    """Return the closer look at the best and the recommended model, as its units have given it."""
    found: dict[str, Any] = {}
    for outcome in looks.values():
        found |= outcome.result or {} if outcome.status == "done" else {}
    drivers = drivers_of(looks)
    known = drivers is not None and drivers.importances is not None
    # One line for all folds.
    failures = {
        "importance" if is_importance(key) else key: outcome.reason
        for key, outcome in looks.items()
        if outcome.status != "done" and not (known and is_importance(key))
    }
    insight = from_record(Insight, {**found, "failures": failures}, "The closer look")
    return replace(insight, drivers=drivers)


def _each_row_once(
    workspace: Workspace, predictions: Mapping[str, FoldPredictions]
) -> tuple[Any, dict[str, FoldPredictions]]:
    """Return the rows that were held out, and the predictions of all models but the baseline, each row once.

    Repeated folds predict the same rows again: they would count as evidence of their own.
    """
    once = {name: each.first_of_each_row() for name, each in predictions.items() if name != BASELINE}
    rows = max((each.rows for each in once.values()), key=len, default=np.empty(0, dtype=np.intp))
    # A model that was settled early has predicted fewer rows than the others.
    return rows, {name: each for name, each in once.items() if len(each.rows) == len(rows)}


def _scores(model: ModelResult, name: str, folds: int) -> Any:
    """Return the scores of a model; of one that was not judged on all folds, a NaN for every fold."""
    is_whole = model.state == "judged" and len(model.folds) == folds
    return model.values(name) if is_whole else np.full(folds, np.nan)
