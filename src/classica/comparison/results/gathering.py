"""From what became of the units of a run to what is known of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.contender import Contender, titles
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.summary import About, Delivered, FoldScore, ModelResult, Role, State
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.judging import scoring_of
from classica.comparison.work.units import answers_path
from classica.native import Floats
from classica.recorded import from_record
from classica.runs import Outcome
from classica.wording import counted as counted_words

#: The majority-class baseline, which every model has to beat.
BASELINE = "chance"

#: What people can read of a model of a family, the families in levels: nothing to read, the whole model, its
#: reasons for one row. Of all others nothing can be read directly.
_INTERPRETABILITY = (
    {"baseline": "nothing learned"},
    {
        "trees": "rules",
        "bayes": "probability tables",
        "gaussian": "means and covariances",
        "linear": "one weight per column",
    },
    {"neighbours": "similar rows"},
)
_NOT_READABLE = "not directly"
_UNREADABLE = len(_INTERPRETABILITY)


def readability(family: str) -> int:
    """Return the level of a family, the lower the more can be read: 0 the baseline, 1 whole models."""
    levels = (level for level, families in enumerate(_INTERPRETABILITY) if family in families)
    return next(levels, _UNREADABLE)


def by_simplicity(models: Sequence[ModelResult]) -> list[ModelResult]:
    """Return the models, the simplest first: by what can be read of them, then by size, then by speed.

    The size is the number of learned parameters in the folds, the speed that of the card: neither depends on
    how busy the computer is.
    """
    return sorted(models, key=_complexity)


def _complexity(model: ModelResult) -> tuple[float, float, float]:
    size = model.mean_parameters
    seconds = Contender(model.name).fit_time.seconds
    return readability(model.family), np.inf if size is None else size, seconds


@dataclass(frozen=True)
class Gathered:
    """What is known of every model, however it was found out.

    Attributes
    ----------
    models : list of ModelResult
        Every model; none has a standing yet.
    counted : list of int
        The folds that the ranking rests on.
    losses : dict from str to ndarray
        The losses of the models to rank, one for each row that was tested on, NaN where it was not predicted.
    predictions : dict from str to FoldPredictions
        The predictions behind them.
    points : dict from str to ndarray of shape (n_rows, n_points)
        The losses of the grid points that a model's parameters were chosen from, on the same rows.
    halves : dict from str to ndarray of shape (n_partitions, 2)
        The mean losses of models trained on one half of the table and tested on the other.
    clusters : ndarray or None
        The group of each of these rows, where rows of one group stay together.
    is_provisional : bool
        Whether no model has been judged as it would be delivered.
    seconds : float
        The time of all units together.
    """

    models: list[ModelResult]
    counted: list[int]
    losses: Mapping[str, Floats]
    predictions: Mapping[str, FoldPredictions]
    points: Mapping[str, Floats] = field(default_factory=dict)
    halves: Mapping[str, Floats] = field(default_factory=dict)
    clusters: NDArray[Any] | None = None
    is_provisional: bool = False
    seconds: float = 0.0


def gather(folder: Path, workspace: Workspace, outcomes: Sequence[Outcome]) -> Gathered:
    """Return what the units of a thorough comparison have come to.

    All models are ranked on the same folds. Where a run was stopped early, the folds that at least half of
    the models have been through count; a model that lacks one of them is unfinished. Nor does a fold count on
    which the metric is not defined, such as the area under the ROC curve where time has left one class only.
    """
    found = {outcome.key: outcome for outcome in outcomes}
    by_model = {
        name: [found[f"{name} fold {fold + 1}"] for fold in range(len(workspace.splits))]
        for name in workspace.models
    }
    failed = {
        name: next((each for each in folds if each.status not in ("done", "skipped")), None)
        for name, folds in by_model.items()
    }
    running = [folds for name, folds in by_model.items() if failed[name] is None]
    counted = _counted_folds(running, len(workspace.splits))
    called = titles(workspace.models)
    models = [
        _result(
            workspace,
            name,
            called[name],
            folds,
            failed[name],
            counted,
            delivered_by(found[f"{name} all rows"]),
        )
        for name, folds in by_model.items()
    ]
    judged = [model.name for model in models if model.state == "judged"]
    predictions = {name: all_answers(folder, workspace, name, counted) for name in judged}
    return Gathered(
        models,
        counted,
        {name: _losses(workspace, each, counted) for name, each in predictions.items()},
        predictions,
        clusters=None if workspace.settings.groups is None else workspace.order,
        seconds=float(sum(outcome.seconds for outcome in outcomes)),
    )


def all_answers(folder: Path, workspace: Workspace, name: str, counted: Sequence[int]) -> FoldPredictions:
    """Return the predictions of a model for all folds that count, one below the other."""
    sizes = len(workspace.y), len(workspace.classes)
    paths = [answers_path(folder, name, fold) for fold in counted]
    parts = [FoldPredictions.load(path).within(*sizes, path) for path in paths]
    behind = [
        None if any(getattr(part, name) is None for part in parts)
        else np.concatenate([getattr(part, name) for part in parts])
        for name in ("probabilities", "scores", "rejected")
    ]  # fmt: skip
    rows, codes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "codes"))
    return FoldPredictions(rows, codes, *behind)


def _losses(workspace: Workspace, answers: FoldPredictions, counted: Sequence[int]) -> Floats:
    """Return the loss of every row; one that repeats predict again counts with its mean."""
    scoring = scoring_of(workspace)
    sums, counts = np.zeros(len(workspace.y)), np.zeros(len(workspace.y))
    start = 0
    for fold in counted:
        part = answers.part(start, start := start + len(workspace.splits[fold][1]))
        sums[part.rows] += scoring.losses_of_answers(workspace.y[part.rows], part)
        counts[part.rows] += 1
    with np.errstate(invalid="ignore"):
        found: Floats = sums / counts
    return found


def _counted_folds(running: Sequence[Sequence[Outcome]], planned: int) -> list[int]:
    """Return the folds that at least half of the models that can have been through."""
    started = [folds for folds in running if any(map(_is_judged, folds))]
    return [
        fold
        for fold in range(planned)
        if started and 2 * sum(_is_judged(folds[fold]) for folds in started) >= len(started)
    ]


def _is_judged(outcome: Outcome) -> bool:
    return outcome.status == "done" and (outcome.result or {}).get("test_score") is not None


def _result(
    workspace: Workspace,
    name: str,
    title: str,
    outcomes: Sequence[Outcome],
    failed: Outcome | None,
    counted: Sequence[int],
    delivered: Delivered | None,
) -> ModelResult:
    contender = Contender(name)
    known = [fold for fold in counted if _is_judged(outcomes[fold])]
    state, reason = _state(outcomes, failed, len(known), len(counted))
    folds = () if failed is not None else tuple(_fold(workspace, fold, outcomes[fold]) for fold in known)
    return ModelResult(
        name,
        title,
        contender.family,
        role_of(contender),
        state,
        reason,
        about(contender),
        folds,
        delivered=delivered,
    )


def role_of(contender: Contender) -> Role:
    """Return the part a model plays in a comparison."""
    if contender.is_reference:
        return "reference"
    return "baseline" if contender.name == BASELINE else "model"


def _state(
    outcomes: Sequence[Outcome], failed: Outcome | None, known: int, counted: int
) -> tuple[State, str]:
    if failed is not None:
        return "failed", failed.reason
    if known and known == counted:
        return "judged", ""
    if known:
        of = counted_words(counted, "fold")
        return "unfinished", f"Judged on {known} of the {of} that count when the run was stopped."
    if outcomes and all(each.status == "done" and not _is_judged(each) for each in outcomes):
        return "failed", "The metric is not defined on any fold."
    return "skipped", "The run was stopped before its first fold was finished."


def _fold(workspace: Workspace, fold: int, outcome: Outcome) -> FoldScore:
    """Return the score of a fold, as its unit has given it."""
    learned = len(workspace.splits[fold][0])
    told: Mapping[str, Any] = outcome.result or {}
    return from_record(FoldScore, {"fold": fold, "learned_rows": learned, **told}, outcome.key)


def delivered_by(outcome: Outcome) -> Delivered | None:
    """Return the model fitted on all rows, as its unit has given it."""
    if outcome.status != "done":
        return None
    told = dict(outcome.result or {})
    return from_record(Delivered, {"reason": told.pop("why_no_file", ""), **told}, outcome.key)


def about(contender: Contender) -> About:
    """Return what a model is."""
    known = (families.get(contender.family) for families in _INTERPRETABILITY)
    readable = next((words for words in known if words), _NOT_READABLE)
    card = contender.card
    if card is None:
        return About(contender.about, interpretability=readable)
    return About(contender.about, card.rule, card.plain_rule, card.source, readable)
