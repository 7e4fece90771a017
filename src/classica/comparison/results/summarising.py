"""From the outcomes of a run to its summary: whatever is known, computed once."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any

import numpy as np

from classica.comparison.plan.workspace import Workspace
from classica.comparison.reproducing import python_source
from classica.comparison.results.gathering import BASELINE, Gathered, by_simplicity
from classica.comparison.results.model_evidence import findings, insight_of, overlap
from classica.comparison.results.model_metrics import class_metrics, model_metrics
from classica.comparison.results.ranking import (
    better_than_baseline,
    headline,
    rank,
    recommended,
    reference_standing,
)
from classica.comparison.results.recommending import recommendation
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
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.metrics import calibration, confusion, metric
from classica.runs import Outcome
from classica.statistics.fold_ranking import Comparison
from classica.statistics.interval import Interval
from classica.statistics.standing import Standing


def summarise(
    workspace: Workspace,
    gathered: Gathered,
    looks: Mapping[str, Outcome],
    deliveries: Mapping[str, Delivered] | None = None,
    *,
    is_interrupted: bool = False,
) -> Summary:
    """Return the summary of a run, complete or not."""
    ranked = rank_results(workspace, gathered)
    return ranked.with_models(deliveries or {}).summary(looks, is_interrupted=is_interrupted)


def rank_results(workspace: Workspace, gathered: Gathered) -> RankedResults:
    """Rank what is known of every model, once: the models to fit and the closer look follow from it."""
    better = better_than_baseline(workspace, gathered)
    # Where the baseline was not judged, nobody knows who is better than it.
    ranking = rank(workspace, gathered, better if BASELINE in gathered.losses else None)
    models = _in_order(workspace, gathered, ranking, better)
    simplest = by_simplicity([model for model in models if model.role != "reference"])
    used = recommended(ranking, simplest, better)
    interval = headline(workspace, gathered, ranking, used)
    return RankedResults(workspace, gathered, ranking, tuple(models), used, interval)


@dataclass(frozen=True)
class RankedResults:
    """The ranked models of a run, before the diagnosis.

    Attributes
    ----------
    workspace : Workspace
        What was compared, and how.
    gathered : Gathered
        What is known of every model.
    ranking : Comparison
        The one ranking.
    models : tuple of ModelResult
        The models in its order, then those that are not ranked.
    recommended : str or None
        The model to use.
    headline : Interval or None
        Its score, corrected for having been selected.
    """

    workspace: Workspace
    gathered: Gathered
    ranking: Comparison
    models: tuple[ModelResult, ...]
    recommended: str | None
    headline: Interval | None

    @property
    def best(self) -> str | None:
        """The model with the best score."""
        return self.ranking.best

    @property
    def judged(self) -> list[ModelResult]:
        """The ranked models, the best first."""
        return [model for model in self.models if model.is_judged]

    def model(self, name: str | None) -> ModelResult | None:
        """Return the result of a model; None if there is none of that name."""
        return next((model for model in self.models if model.name == name), None)

    def with_models(self, deliveries: Mapping[str, Delivered]) -> RankedResults:
        """Return the same with the models that were fitted on all rows."""
        models = [
            replace(model, delivered=deliveries[model.name]) if model.name in deliveries else model
            for model in self.models
        ]
        return replace(self, models=tuple(models))

    def summary(self, looks: Mapping[str, Outcome], *, is_interrupted: bool) -> Summary:
        """Return the summary, including the diagnosis of the best model."""
        workspace, gathered = self.workspace, self.gathered
        table, insight = _table(workspace), insight_of(looks)
        ranked = [standing.name for standing in self.ranking.standings]
        found = findings(workspace, self.models, gathered.predictions, self.ranking, insight, table.profile)
        summary = Summary(
            answer="",
            recommended=self.recommended,
            best=self.best,
            table=table,
            settings=workspace.settings,
            metric=_metric(workspace),
            folds=FoldCount(len(workspace.splits), tuple(gathered.counted)),
            models=self.models,
            findings=tuple(found),
            insight=insight,
            diversity=overlap(workspace, ranked, gathered.predictions),
            best_file=None,
            python=python_source(workspace, has_model=self.recommended is not None),
            seconds=gathered.seconds,
            versions=_versions(),
            headline=self.headline,
            is_provisional=gathered.is_provisional,
            is_interrupted=is_interrupted,
        )
        summary = replace(summary, recommendation=recommendation(summary))
        return replace(summary, answer=answer(summary))


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
            **_details(workspace, gathered.predictions.get(standing.name), by_name[standing.name], standing),
        )
        for standing in standings
    ]
    names = {standing.name for standing in standings}
    others = [model for model in gathered.models if model.name not in names]
    others.sort(key=lambda model: sign * model.provisional.mean if model.provisional else np.inf)
    return [*ranked, *others]


def _details(
    workspace: Workspace, answers: FoldPredictions | None, model: ModelResult, standing: Standing
) -> dict[str, Any]:
    """Return what the held-out predictions of a model tell about it."""
    if answers is None:
        return {}
    metrics = model_metrics(workspace, answers, [fold.test_rows for fold in model.folds])
    classes = workspace.classes
    truth, predicted = workspace.y[answers.rows], classes[answers.codes]
    known = answers.probabilities
    return {
        "confusion": confusion(truth, predicted, classes, answers.rejected, workspace.settings.costs),
        "calibration": None if known is None else calibration(truth, known, classes),
        "metrics": metrics | {workspace.settings.metric: standing.score},
        "classes": class_metrics(workspace, answers),
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
