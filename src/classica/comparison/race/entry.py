"""The state of one model in a race, and the decision for a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from classica.comparison.race.trial import Trial

State = Literal["active", "eliminated", "failed"]


@dataclass
class Entry:
    """How far a model has come.

    Attributes
    ----------
    name : str
        The model.
    points : list of int
        The points of its grid that are still in the race, the best first.
    rung : int
        The rung it is on.
    stage : int
        The largest stage at which it has been tuned; -1: none.
    cap : int or None
        The stage it cannot go beyond, as more rows would take too long.
    why_capped : str
        Why it cannot, in one sentence.
    state, reason : str
        Whether it is in the race, and why not, in one sentence.
    folds : dict from int to dict
        The folds it was judged on.
    halves : dict from int to list of float
        Its mean losses on the halves of the table.
    is_settled : bool
        Whether more folds of it would not change the answer.
    """

    name: str
    points: list[int]
    rung: int = 0
    stage: int = -1
    cap: int | None = None
    why_capped: str = ""
    state: State = "active"
    reason: str = ""
    folds: dict[int, dict[str, Any]] = field(default_factory=dict)
    halves: dict[int, list[float]] = field(default_factory=dict)
    is_settled: bool = False


@dataclass(frozen=True)
class Decision:
    """What is done in a round, and what was decided before it.

    Attributes
    ----------
    rung : int
        The rung of the round.
    trials : tuple of Trial
        What is done.
    eliminated : dict from str to str
        Models that leave, with the reason.
    capped : dict from str to str
        Models that go no further in rows, with the reason.
    seconds : float
        The longest a trial may take.
    settled : tuple of str
        Models that are judged on no more folds: they are as good as the leader in practice.
    """

    rung: int
    trials: tuple[Trial, ...]
    eliminated: Mapping[str, str]
    capped: Mapping[str, str]
    seconds: float
    settled: tuple[str, ...] = ()

    @property
    def record(self) -> dict[str, Any]:
        """What is kept with the plan of the round."""
        return {
            "rung": self.rung,
            "eliminated": dict(self.eliminated),
            "capped": dict(self.capped),
            "settled": list(self.settled),
        }
