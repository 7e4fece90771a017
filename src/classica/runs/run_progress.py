"""How far a run has come."""

from __future__ import annotations

from dataclasses import dataclass

from classica.runs.unit_outcome import Outcome


@dataclass(frozen=True)
class Progress:
    """How far a run has come, told after every outcome and about once a second.

    Attributes
    ----------
    done, total : int
        Units with an outcome, and all units.
    groups : dict
        The same two numbers for every group, in the order of the plan.
    running : tuple of str
        The keys of the units that are being done.
    elapsed : float
        Seconds the run has taken, earlier parts of it included.
    remaining : float or None
        About how many seconds are left: the units to come at the mean time of their group (of all, where the
        group has none yet), shared among the workers; None before the first outcome.
    last : Outcome or None
        The outcome this was told for.
    """

    done: int
    total: int
    groups: dict[str, tuple[int, int]]
    running: tuple[str, ...]
    elapsed: float
    remaining: float | None
    last: Outcome | None = None
