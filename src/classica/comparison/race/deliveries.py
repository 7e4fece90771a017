"""Which models of a race are fitted on all rows, and on how many where all would take too long."""

from __future__ import annotations

from classica.comparison.race.race import Race
from classica.comparison.race.results import chosen_parameters
from classica.comparison.race.trial import Task, Trial
from classica.comparison.results.summarising import RankedResults
from classica.comparison.results.summary import ModelResult
from classica.comparison.work.units import Delivery

#: The share of the time left that the other models' final fits may take together.
_OTHERS = 0.25
#: The share of all work that the final fit of one of them may take.
_ONE_OF_THEM = 0.01
#: Seconds that a final fit may take after Ctrl-C, when the user is waiting.
_HURRY = 10.0


def deliveries(
    race: Race, ranked: RankedResults, left: float | None, workers: int, *, is_hurried: bool
) -> list[Delivery]:
    """Return the recommended and the best model first, then the others that there is time for.

    Parameters
    ----------
    race : Race
        The race.
    ranked : RankedResults
        Who is recommended, and who is best.
    left : float or None
        Seconds that are left; None: no limit.
    workers : int
        How many fits at a time.
    is_hurried : bool
        Whether somebody is waiting: only the recommended model, or else the best, is fitted then.
    """
    patience = _HURRY if is_hurried else float("inf") if left is None else max(left, _HURRY)
    # Where nothing is recommended, the best is at least something to look at.
    first = [ranked.recommended or ranked.best] if is_hurried else [ranked.recommended, ranked.best]
    wanted = [name for name in dict.fromkeys(first) if name is not None and name in race.entries]
    found = [_delivery(race, name, patience / 2) for name in wanted]
    if is_hurried:
        return found
    room, most = _OTHERS * patience * workers, _ONE_OF_THEM * race.work
    for model in ranked.judged:
        cost = fit_seconds(race, model.name)
        is_whole = race.entries[model.name].cap is None
        if model.name not in wanted and is_whole and _is_ours(model) and cost <= min(room, most):
            room -= cost
            found.append(Delivery(model.name, chosen_parameters(race, race.entries[model.name])))
    return found


def _is_ours(model: ModelResult) -> bool:
    return model.role != "reference" and ":" not in model.name


def _delivery(race: Race, name: str, patience: float) -> Delivery:
    """Return a model on all rows, or on as many as it has been judged with if all would take too long."""
    entry = race.entries[name]
    rows = None if fit_seconds(race, name) <= patience else race.learned_rows(entry)
    return Delivery(name, chosen_parameters(race, entry), rows)


def fit_seconds(race: Race, name: str) -> float:
    """Return the estimated time to fit a model on all rows; under `effort` that of its card."""
    entry = race.entries[name]
    last = len(race.workspace.stages.all) - 1
    task: Task = "search" if race.is_searched(entry) else "judge"
    one_fold = race.meter.predicted(Trial(task, name, last, (0,), (race.judged_point(entry),)))
    return one_fold * len(race.workspace.y) / race.workspace.stages.all[-1].rows
