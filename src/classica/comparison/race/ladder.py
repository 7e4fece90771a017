"""The rungs of a race: what every model does next, from a first look to the last fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from classica.comparison.race.stages import Stages
from classica.comparison.race.trial import MOST_HALVES, Task

#: Folds of the first two batches in which models are tuned or judged: between batches those that cannot win
#: leave.
_BATCH = 3
#: Rows up to which the table is halved so many times; of more rows the halves differ less.
_HALVES = ((500, MOST_HALVES), (20_000, 3))
_FEWEST_HALVES = 2

Which = Literal["default", "all", "surviving", "chosen"]


@dataclass(frozen=True)
class Rung:
    """One step of the race.

    Attributes
    ----------
    task : {"tune", "judge", "halves"}
        What is fitted.
    stage : int
        How many rows are trained on.
    folds : tuple of int
        The folds, or the partitions of halves.
    points : {"default", "all", "surviving", "chosen"}
        Which points of a model's grid.
    """

    task: Task
    stage: int
    folds: tuple[int, ...]
    points: Which


def rungs(stages: Stages, rows: int, *, is_timed: bool) -> list[Rung]:
    """Return the rungs of a race, in order.

    Parameters
    ----------
    stages : Stages
        The training sets.
    rows : int
        The rows of the table.
    is_timed : bool
        Whether rows follow one another in time, which leaves no halves to train on.
    """
    first, last = stages.first_folds, stages.all[-1]
    found = [Rung("tune", 0, first, "default"), Rung("tune", 0, first, "all")]
    found += [Rung("tune", stage.number, first, "surviving") for stage in stages.all[1:]]
    more = tuple(fold for fold in stages.tuning_folds if fold not in first)
    found += [Rung("tune", last.number, folds, "surviving") for folds in _batches(more)]
    found += [Rung("judge", last.number, folds, "chosen") for folds in _batches(last.folds)]
    # Who leads in the end may have been settled on the way: it is judged on the folds that it lacks.
    found.append(Rung("judge", last.number, last.folds, "chosen"))
    halves = next((many for most, many in _HALVES if rows <= most), _FEWEST_HALVES)
    if not is_timed:
        found.append(Rung("halves", last.number, tuple(range(halves)), "chosen"))
    return found


def _batches(folds: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the folds in three batches.

    Examples
    --------
    >>> _batches(tuple(range(8)))
    [(0, 1, 2), (3, 4, 5), (6, 7)]
    """
    cut = folds[:_BATCH], folds[_BATCH : 2 * _BATCH], folds[2 * _BATCH :]
    return [batch for batch in cut if batch]
