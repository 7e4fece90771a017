"""From what became of the units of a run to what is known of each model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from classica import catalog
from classica.comparison.contender import Contender, titles
from classica.comparison.summary import About, Delivered, FoldScore, ModelResult, Role, State
from classica.comparison.workspace import Workspace
from classica.data.wording import counted as counted_words
from classica.evaluation.recorded import from_record
from classica.evaluation.runs import Outcome

#: The majority-class baseline, which every model has to beat.
BASELINE = "chance"

#: What people can read of a model of a family.
_INTERPRETABILITY = {
    "trees": "rules",
    "bayes": "one table per column",
    "gaussian": "means and covariances",
    "linear": "one weight per column",
    "neighbours": "by similar rows",
    "floor": "nothing learned",
}

#: Of equal means the model that is easier to understand counts as best.
SIMPLEST_FIRST = ("floor", "trees", "bayes", "gaussian", "linear", "neighbours", "kernel", "neural")


def by_simplicity(models: Sequence[ModelResult]) -> list[ModelResult]:
    """Return the models, those that are easier to understand first."""
    ranks = {family: rank for rank, family in enumerate(SIMPLEST_FIRST)}
    return sorted(models, key=lambda model: ranks.get(model.family, len(ranks)))


def gather(workspace: Workspace, outcomes: Sequence[Outcome]) -> tuple[list[ModelResult], list[int]]:
    """Return what is known of every model, and the folds that count.

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
    return [
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
    ], counted


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
    role: Role = "baseline" if name == BASELINE else "model"
    return ModelResult(
        name, title, contender.family, role, state, reason, _about(contender), folds, delivered=delivered
    )


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
    return "skipped", "The run was stopped before its first fold was done."


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


def _about(contender: Contender) -> About:
    readable = _INTERPRETABILITY.get(contender.family, "not directly")
    if not contender.is_ours:
        return About(f"{contender.name}, with its default parameters.", interpretability=readable)
    card = catalog.card(contender.name)
    return About(card.summary, card.rule, card.plain_rule, card.source, readable)
