"""Which models of a race need to be judged on more folds, or on halves of the table: those it matters for.

The answer names the best model, the models tied with it, and the simplest of those that are as good in
practice. A model that is practically as good as the leader by the folds so far stays so: more folds would
only narrow its interval. The leader and those of which one will be recommended are judged on all folds.
"""

from __future__ import annotations

import numpy as np

from classica.comparison.plan.contender import Contender
from classica.comparison.race.entry import Entry
from classica.comparison.race.race import Race
from classica.comparison.results.gathering import readability
from classica.native import Floats
from classica.statistics.row_differences import ALONE_FACTOR, ROW_FACTOR, row_test

#: Folds that a model must have been through before more of them can be said to change nothing.
_FEW_FOLDS = 3
#: Practically as good as the leader, worse than it, or a score known well enough: by so many standard errors.
_SURE = 2.0
#: Models within so many standard errors of the leader are compared by halves of the table as well.
_CLOSE = 4.0
#: Halves may find a model significantly worse only beyond so many standard errors without them: significant
#: at 5% for two models alone, with the smallest error that halves can leave.
_MAY_BE_WORSE = 1.96 * (ROW_FACTOR / ALONE_FACTOR) ** 0.5


def settled_models(race: Race, entries: list[Entry]) -> set[str]:
    """Return the models that more folds would tell nothing new of; all of them where the answer is sure.

    Parameters
    ----------
    race : Race
        What is known so far.
    entries : list of Entry
        The models to judge, the best first.
    """
    if _is_sure(race, entries):
        return {entry.name for entry in entries}
    judged = [entry for entry in entries if len(entry.folds) >= _FEW_FOLDS and race.may_win(entry)]
    if len(judged) < 3:
        return set()
    kept = {judged[0].name, *_simplest_of_the_close(race, judged)}
    return {entry.name for entry in judged if entry.name not in kept and _is_as_good(race, judged[0], entry)}


def halved_models(race: Race, entries: list[Entry], *, is_cheap: bool) -> list[Entry]:
    """Return the leader and the models that halves of the table may show to be tied with it or worse.

    Where they cost little, these are all models close to the leader; those of which one will be recommended
    are among them in any case.

    Parameters
    ----------
    race : Race
        What is known so far.
    entries : list of Entry
        The models in the race, the best first.
    is_cheap : bool
        Whether halves cost little.
    """
    judged = [entry for entry in entries if entry.folds and race.may_win(entry)]
    if len(judged) < 2:
        return []
    simple = _simplest_of_the_close(race, judged)
    close = [judged[0]]
    for entry in judged[1:]:
        pair = _both(race, judged[0], entry)
        if pair is None:
            continue
        test = row_test(*pair)
        least = -np.inf if is_cheap or entry.name in simple else _MAY_BE_WORSE * test.error
        if least < test.difference <= _CLOSE * test.error:
            close.append(entry)
    return close if len(close) > 1 else []


def _is_sure(race: Race, entries: list[Entry]) -> bool:
    """Return whether more folds would change nothing: every model is practically as good or worse."""
    judged = [entry for entry in entries if len(entry.folds) >= _FEW_FOLDS]
    if len(judged) < len(entries) or not entries:
        return False
    rope, leader = race.workspace.settings.rope, race.losses(judged[0])
    if leader is None or _half_width(leader) > rope / 2:
        return False
    return all(
        _is_as_good(race, judged[0], entry) or _is_worse(race, judged[0], entry) for entry in judged[1:]
    )


def _half_width(losses: Floats) -> float:
    known = losses[np.isfinite(losses)]
    return float(_SURE * np.sqrt(ALONE_FACTOR * known.var() / max(len(known), 1)))


def _is_as_good(race: Race, leader: Entry, entry: Entry) -> bool:
    pair = _both(race, leader, entry)
    if pair is None:
        return False
    test = row_test(*pair)
    return test.difference + _SURE * test.error <= race.workspace.settings.rope


def _is_worse(race: Race, leader: Entry, entry: Entry) -> bool:
    pair = _both(race, leader, entry)
    if pair is None:
        return False
    test = row_test(*pair)
    return test.difference >= _SURE * test.error


def _simplest_of_the_close(race: Race, entries: list[Entry]) -> set[str]:
    """Return the models of the simplest family among those within the margin of the first one."""
    most = race.mean_loss(entries[0]) + race.workspace.settings.rope
    ranks = {
        entry.name: readability(Contender(entry.name).family)
        for entry in entries
        if race.mean_loss(entry) <= most
    }
    return {name for name, rank in ranks.items() if rank == min(ranks.values())}


def _both(race: Race, one: Entry, other: Entry) -> tuple[Floats, Floats] | None:
    """Return the losses of two models on the rows both have predicted; None for fewer than two rows."""
    first, second = race.losses(one), race.losses(other)
    if first is None or second is None:
        return None
    both = np.isfinite(first) & np.isfinite(second)
    return (first[both], second[both]) if both.sum() >= 2 else None
