"""The one ranking of a comparison: who is best, who is tied with it, who beats the baseline, whom to use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from classica.comparison.answers import Answers
from classica.comparison.gathering import BASELINE, by_simplicity
from classica.comparison.summary import ModelResult
from classica.comparison.workspace import Workspace
from classica.evaluation import compare_tests, metric
from classica.evaluation.comparison import Comparison, better_than
from classica.evaluation.tied_set import with_tied_set
from classica.native import Floats


def rank(
    workspace: Workspace,
    models: Sequence[ModelResult],
    predictions: Mapping[str, Answers],
    better: Mapping[str, float],
) -> Comparison:
    """Return the ranking of the judged models, with its tests and the set tied for best."""
    settings, measure = workspace.settings, metric(workspace.settings.metric)
    judged = [model for model in by_simplicity(models) if model.state == "judged"]
    others = [model.name for model in models if model.state != "judged"]
    if not judged:
        return Comparison([], others, [], 1 - settings.confidence)
    ranking = compare_tests(
        {model.name: model.values("test_score") for model in judged},
        workspace.test_fraction,
        settings.rope,
        alpha=1 - settings.confidence,
        higher_is_better=measure.higher_is_better,
        limits=measure.limits,
        resolution=workspace.resolution,
    )
    has_baseline = any(model.name == BASELINE for model in judged)
    return with_tied_set(
        replace(ranking, failed=others),
        _row_losses(workspace, predictions),
        baseline=BASELINE if has_baseline else None,
        better_than_baseline=better,
    )


def better_than_baseline(workspace: Workspace, models: Sequence[ModelResult]) -> dict[str, float]:
    """Return the models that are significantly better than the baseline, with adjusted p-values."""
    scores = {
        model.name: model.values("test_score")
        for model in models
        if model.state == "judged" and model.name != BASELINE
    }
    baseline = baseline_scores(workspace, models)
    if baseline is None or not scores or len(baseline) < 2:
        return {}
    return better_than(
        scores,
        baseline,
        workspace.test_fraction,
        alpha=1 - workspace.settings.confidence,
        higher_is_better=metric(workspace.settings.metric).higher_is_better,
        resolution=workspace.resolution,
    )


def baseline_scores(workspace: Workspace, models: Sequence[ModelResult]) -> Floats | None:
    """Return the scores of the baseline on the folds that count, on average at least those on all rows.

    Where folds differ in their classes, as folds of groups do, the most frequent class of the other folds is
    the rarer one here for that very reason. The baseline is then right less often than any constant
    prediction, noise would look better than it, and its scores are lifted to what it gets on all rows. In the
    order of time nobody knows the shares of what is to come, and probabilities of classes that were not there
    to learn cost without bound: both stay as they are. None if the baseline was not judged.
    """
    baseline = next((model for model in models if model.name == BASELINE and model.state == "judged"), None)
    if baseline is None:
        return None
    scores = baseline.values("test_score")
    measure = metric(workspace.settings.metric)
    if workspace.settings.time is not None or measure.needs == "probabilities":
        return scores
    constant = workspace.constant_score
    sign = 1.0 if measure.higher_is_better else -1.0
    return scores + sign * max(0.0, sign * (constant - float(np.mean(scores))))


def recommended(ranking: Comparison, simplest_first: Sequence[ModelResult]) -> str | None:
    """Return the model to use: the simplest of those tied for best that are practically as good as the best.

    Where nothing is tied because nothing beats the baseline, it is the best.
    """
    close = {each.name for each in ranking.standings if each.tied and each.gap.mean <= each.against_best.rope}
    return next((model.name for model in simplest_first if model.name in close), ranking.best)


def _row_losses(workspace: Workspace, predictions: Mapping[str, Answers]) -> dict[str, Floats]:
    """Return the loss of each model on every row, each row once; none for a metric without row losses."""
    losses = metric(workspace.settings.metric).row_losses
    if losses is None:
        return {}
    once = {name: answers.first_of_each_row() for name, answers in predictions.items()}
    classes, settings = workspace.classes, workspace.settings
    found = {
        name: losses(workspace.y[each.rows], classes[each.codes], each.probabilities, classes, settings.costs)
        for name, each in once.items()
    }
    for name, each in once.items():
        if each.rejected is not None and settings.reject_cost is not None:
            found[name] = np.where(each.rejected, settings.reject_cost, found[name])
    return found
