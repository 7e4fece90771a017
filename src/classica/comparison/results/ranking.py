"""The ranking of a comparison: the best model, the models tied with it, and the recommended one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import BASELINE, Gathered, by_simplicity
from classica.comparison.results.summary import ModelResult
from classica.metrics import metric
from classica.native import Floats
from classica.statistics.fold_ranking import Comparison
from classica.statistics.interval import Interval
from classica.statistics.row_ranking import better_than_baseline_rows, rank_rows
from classica.statistics.selection_bias import selected_loss
from classica.statistics.standing import Standing


def rank(workspace: Workspace, gathered: Gathered, better: Collection[str] | None = None) -> Comparison:
    """Return the ranking of the models, with its tests and the set tied for best; the reference is not in.

    ``better`` are the models that are significantly better than the baseline: no other is tied for best. None
    where the baseline was not judged.
    """
    settings, measure = workspace.settings, workspace.metric
    ranked = ranked_models(gathered)
    if not ranked:
        return Comparison([], [model.name for model in gathered.models], [], 1 - settings.confidence)
    found = rank_rows(
        {name: gathered.losses[name] for name in ranked},
        to_score=score_of_loss(workspace),
        rope=settings.rope,
        confidence=settings.confidence,
        halves=gathered.halves,
        better=better,
        points={name: points for name, points in gathered.points.items() if name in ranked},
        clusters=gathered.clusters,
        limits=measure.limits,
        random_state=settings.seed,
    )
    others = [model.name for model in gathered.models if model.name not in ranked]
    return replace(found, failed=[*found.failed, *others])


def reference_standing(workspace: Workspace, gathered: Gathered, best: str) -> Standing | None:
    """Return how the reference stands against the best model; None if there is none."""
    name = next((model.name for model in gathered.models if model.role == "reference"), None)
    if name is None or name not in gathered.losses:
        return None
    pair = rank_rows(
        {each: gathered.losses[each] for each in (best, name)},
        to_score=score_of_loss(workspace),
        clusters=gathered.clusters,
        rope=workspace.settings.rope,
        confidence=workspace.settings.confidence,
        limits=workspace.metric.limits,
        random_state=workspace.settings.seed,
    )
    found = next((standing for standing in pair.standings if standing.name == name), None)
    return None if found is None else replace(found, tied=False)


def ranked_models(gathered: Gathered) -> list[str]:
    """Return the models to rank, those that are easier to understand first, without the reference."""
    ordered = [model for model in by_simplicity(gathered.models) if model.role != "reference"]
    return [model.name for model in ordered if model.name in gathered.losses]


def score_of_loss(workspace: Workspace) -> Callable[[float], float]:
    """Return what makes a score of a mean loss."""
    higher_is_better = workspace.metric.higher_is_better
    return lambda loss: 1 - loss if higher_is_better else loss


def constant_loss(workspace: Workspace) -> float | None:
    """Return the mean loss of the best constant prediction; None where the baseline stays as it is."""
    if workspace.settings.time is not None or workspace.metric.needs == "probabilities":
        return None
    return score_of_loss(workspace)(workspace.constant_score)


def better_than_baseline(workspace: Workspace, gathered: Gathered) -> dict[str, float]:
    """Return the models that are significantly better than the baseline, with adjusted p-values."""
    if BASELINE not in gathered.losses:
        return {}
    names = [name for name in ranked_models(gathered) if name != BASELINE]
    if not names:
        return {}
    return better_than_baseline_rows(
        {name: gathered.losses[name] for name in names},
        gathered.losses[BASELINE],
        halves={name: each for name, each in gathered.halves.items() if name in names},
        constant=constant_loss(workspace),
        points={name: points for name, points in gathered.points.items() if name in names},
        clusters=gathered.clusters,
        alpha=1 - workspace.settings.confidence,
        random_state=workspace.settings.seed,
    )


def headline(
    workspace: Workspace, gathered: Gathered, ranking: Comparison, used: str | None
) -> Interval | None:
    """Return the score of the recommended model, corrected for having been selected among all models.

    The selection is repeated on bootstrap samples of the rows, by the rule of `recommended` among all models
    but the baseline, since any of them might have been selected, and judged on the rows outside. Nested
    cross-validation needs no such correction for parameters, but its best model has been selected as well.
    """
    names = [name for name in ranked_models(gathered) if name != BASELINE]
    standing = next((each for each in ranking.standings if each.name == used), None)
    table = np.column_stack([gathered.losses[name] for name in names]) if names else np.empty((0, 0))
    if standing is None or len(names) < 2 or np.isfinite(table).all(axis=1).sum() < 2:
        return None if standing is None else standing.score
    selected = selected_loss(
        table,
        rule="simplest",
        groups=np.arange(len(names)),
        margin=workspace.settings.rope,
        impute=True,  # models that were settled early have not predicted all rows
        clusters=gathered.clusters,
        confidence=workspace.settings.confidence,
        random_state=workspace.settings.seed,
    )
    own = standing.score
    lost = max(0.0, selected.optimism)
    sign = -1.0 if workspace.metric.higher_is_better else 1.0
    mean = own.mean + sign * lost
    ends = mean + (selected.low - selected.mean), mean + (selected.high - selected.mean)
    if sign < 0:
        ends = mean - (selected.high - selected.mean), mean - (selected.low - selected.mean)
    # Never narrower than the interval of the model alone, moved by the same amount.
    low, high = min(ends[0], own.low + sign * lost), max(ends[1], own.high + sign * lost)
    limits = workspace.metric.limits
    mean, low, high = (float(np.clip(value, *limits)) for value in (mean, low, high))
    return replace(own, mean=mean, low=low, high=high)


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


def recommended(
    ranking: Comparison, simplest_first: Sequence[ModelResult], better: Collection[str]
) -> str | None:
    """Return the model to use; None if none is significantly better than the baseline.

    Of the models that are significantly better than the baseline and practically as good as the best (at most
    the margin worse, with a probability of at least `AS_GOOD`), it is the simplest: by what can be read of
    it, then by its size, then by its speed (`by_simplicity`). Where the best itself is not significantly
    better than the baseline and no other is as good as it, it is the first of those that are better.
    """
    candidates = [each for each in ranking.standings if each.name in better]
    close = {each.name for each in candidates if each.is_as_good}
    simplest = next((model.name for model in simplest_first if model.name in close), None)
    return simplest or next((each.name for each in candidates), None)
