"""What a race has come to: from its entries to the results of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.contender import Contender
from classica.comparison.race.entry import Entry
from classica.comparison.race.points import Points
from classica.comparison.race.progress_reporter import provisional_score
from classica.comparison.race.race import Race
from classica.comparison.results.gathering import Gathered, about, all_answers, role_of
from classica.comparison.results.summary import FoldScore, ModelResult, SizeScore, State
from classica.comparison.work.units import json_parameters
from classica.native import Floats
from classica.recorded import from_record
from classica.wording import counted as counted_words


def race_results(race: Race) -> Gathered:
    """Return what is known of every model of a race, however far it has come."""
    # The baseline and the reference alone answer nothing.
    is_provisional = not any(entry.folds and race.may_win(entry) for entry in race.entries.values())
    counted = _first_look(race) if is_provisional else _counted_folds(race)
    models = [_result(race, entry, counted, is_provisional) for entry in race.entries.values()]
    ranked = [model.name for model in models if model.state == "judged"]
    entries = [race.entries[name] for name in ranked]
    # Before anybody is judged, the baseline may have been: it has to be compared on the rows of the others.
    losses = {
        entry.name: race.tuned_losses(entry) if is_provisional else race.losses(entry) for entry in entries
    }
    return Gathered(
        models,
        counted,
        {name: found for name, found in losses.items() if found is not None},
        {}
        if is_provisional
        else {
            entry.name: all_answers(
                race.folder, race.workspace, entry.name, [fold for fold in counted if fold in entry.folds]
            )
            for entry in entries
        },
        {entry.name: points for entry in entries if (points := _points(race, entry)) is not None},
        _halves(entries),
        _clusters(race),
        is_provisional,
        race.seconds,
    )


def _counted_folds(race: Race) -> list[int]:
    """Return the folds that at least half of the judged models have been through, settled ones apart.

    Baseline and reference do not count: the baseline is judged first, and where there was time for one fold
    of a model, the answer rests on that fold.
    """
    judged = [
        entry
        for entry in race.entries.values()
        if entry.folds and entry.state == "active" and not entry.is_settled and race.may_win(entry)
    ]
    judged = judged or [entry for entry in race.entries.values() if entry.folds]
    folds = {fold for entry in judged for fold in entry.folds}
    known = {fold: sum(_is_defined(entry, fold) for entry in judged) for fold in folds}
    return sorted(fold for fold, many in known.items() if many and 2 * many >= len(judged))


def _is_defined(entry: Entry, fold: int) -> bool:
    return entry.folds.get(fold, {}).get("test_score") is not None


def _first_look(race: Race) -> list[int]:
    return list(race.workspace.stages.first_folds)


def _result(race: Race, entry: Entry, counted: Sequence[int], is_provisional: bool) -> ModelResult:
    contender = Contender(entry.name)
    losses = race.losses(entry)
    state, reason = _state(race, entry, counted, is_provisional)
    folds: tuple[FoldScore, ...] = ()
    if state in ("judged", "unfinished"):
        folds = _provisional_folds(race, entry) if is_provisional else _folds(entry, counted)
    known = losses[np.isfinite(losses)] if losses is not None else np.empty(0)
    return ModelResult(
        entry.name,
        race.titles[entry.name],
        contender.family,
        role_of(contender),
        state,
        reason,
        about(contender),
        folds,
        provisional=provisional_score(race, known) if len(known) and state != "failed" else None,
        curve=_curve(race, entry),
    )


def _state(race: Race, entry: Entry, counted: Sequence[int], is_provisional: bool) -> tuple[State, str]:
    if entry.state == "failed":
        return "failed", entry.reason
    if is_provisional and entry.stage >= 0 and entry.state == "active":
        return "judged", ""
    if entry.folds and all(not _is_defined(entry, fold) for fold in entry.folds):
        return "failed", "The metric is not defined on any fold."
    if _is_ranked(entry, counted):
        return "judged", entry.why_capped
    if entry.state == "eliminated":
        return "eliminated", entry.reason
    if entry.folds:
        of = counted_words(len(counted), "fold")
        return "unfinished", f"Judged on {len(entry.folds)} of the {of} that count."
    if entry.stage >= 0:
        return "unfinished", "The budget did not allow its evaluation."
    return "skipped", "The run was stopped before its first fold was finished."


def _is_ranked(entry: Entry, counted: Sequence[int]) -> bool:
    """Return whether a model has been through all folds that count; a few are enough for the reference.

    And for a model that is settled: they have shown that it is as good as the leader in practice.
    """
    if entry.is_settled or Contender(entry.name).is_reference:
        return any(_is_defined(entry, fold) for fold in counted)
    return bool(counted) and all(_is_defined(entry, fold) for fold in counted)


def _folds(entry: Entry, counted: Sequence[int]) -> tuple[FoldScore, ...]:
    return tuple(
        from_record(FoldScore, entry.folds[fold], f"{entry.name}, fold {fold + 1}")
        for fold in counted
        if fold in entry.folds
    )


def _provisional_folds(race: Race, entry: Entry) -> tuple[FoldScore, ...]:
    """Return the scores of a model that has not been judged yet, fold by fold, from what tuning has seen."""
    losses, found = race.tuned_losses(entry), []
    stages, tested = race.workspace.stages, race.workspace.stages.tested
    higher = race.workspace.metric.higher_is_better
    parameters = chosen_parameters(race, entry) or {}
    for fold in stages.first_folds:
        train, test = stages.rows(stages.all[max(entry.stage, 0)], fold)
        own = losses[np.searchsorted(tested, test)] if losses is not None else np.empty(0)
        own = own[np.isfinite(own)]
        if len(own):
            mean = float(own.mean())
            score = 1 - mean if higher else mean
            nan = float("nan")
            found.append(FoldScore(fold, len(train), len(own), score, nan, nan, parameters, 0.0, 0.0, 0.0))
    return tuple(found)


def chosen_parameters(race: Race, entry: Entry) -> dict[str, Any] | None:
    """Return the tuned hyper-parameters of a model as JSON values; None if every fit tunes them."""
    if race.is_searched(entry):
        return None
    points = Points(Contender(entry.name), race.workspace.settings)
    return json_parameters(points.all[race.judged_point(entry)])


def _points(race: Race, entry: Entry) -> Floats | None:
    """Return the losses of the points that a model's parameters were chosen from, where tuning saw them.

    Points that have left are among them: they might have been chosen.
    """
    if race.is_searched(entry):  # chosen inside the training rows, which flatters nothing
        return None
    found = race.store.points(entry.name, entry.stage) if entry.stage >= 0 else {}
    return np.column_stack(list(found.values())) if len(found) > 1 else None


def _halves(entries: Sequence[Entry]) -> dict[str, Floats]:
    """Return the halves of the models that have been through the same partitions."""
    known = [set(entry.halves) for entry in entries if entry.halves]
    common = sorted(set.intersection(*known)) if known else []
    if not common:
        return {}
    return {
        entry.name: np.array([entry.halves[partition] for partition in common])
        for entry in entries
        if entry.halves
    }


def _clusters(race: Race) -> NDArray[Any] | None:
    """Return the group of every row that was tested on, where rows of one group stay together."""
    workspace = race.workspace
    if workspace.settings.groups is None or workspace.order is None:
        return None
    found: NDArray[Any] = workspace.order[workspace.stages.tested]
    return found


def _curve(race: Race, entry: Entry) -> tuple[SizeScore, ...]:
    """Return the scores of a model's best point at every stage it has been tuned at."""
    found = []
    for stage in race.workspace.stages.all[: entry.stage + 1]:
        points = race.store.points(entry.name, stage.number)
        if points:
            best = min(points.values(), key=lambda losses: float(np.nanmean(losses)))
            known = best[np.isfinite(best)]
            found.append(SizeScore(stage.rows, provisional_score(race, known)))
    return tuple(found)
