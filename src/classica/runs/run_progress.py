"""The progress of a run: clock, counts and reports."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from classica.runs.unit import Outcome, Unit


@dataclass(frozen=True)
class Progress:
    """The progress of a run, reported after every outcome and about once a second.

    Attributes
    ----------
    done, total : int
        Units with an outcome, and all units.
    groups : dict
        The same two numbers for every group, in the order of the plan.
    running : tuple of str
        The keys of the running units.
    elapsed : float
        Seconds of the run so far, including earlier sessions.
    remaining : float or None
        The estimated seconds left: the remaining units at the mean time of their group (or of all units),
        divided by the number of workers; None before the first outcome.
    last : Outcome or None
        The latest outcome.
    """

    done: int
    total: int
    groups: dict[str, tuple[int, int]]
    running: tuple[str, ...]
    elapsed: float
    remaining: float | None
    last: Outcome | None = None


class RunClock:
    """The time of a run over all its sessions, and the rest of its budget.

    Parameters
    ----------
    before : float
        Seconds of earlier sessions.
    whole : float or None
        The budget of the whole run.
    more : float or None
        The budget of this session, instead of the rest of the whole.
    """

    def __init__(self, before: float, whole: float | None, more: float | None) -> None:
        self._start = time.monotonic() - before
        self._end = None
        if more is not None:
            self._end = self._start + before + more
        elif whole is not None:
            self._end = self._start + whole
        #: The budget in force.
        self.budget = whole if more is None else more

    @property
    def elapsed(self) -> float:
        """Seconds of the run, without the time between its sessions."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds of the budget that are left; infinite without one."""
        return float("inf") if self._end is None else self._end - time.monotonic()


class Tally:
    """Counts and times of the units of a run, by group."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._group = {unit.key: unit.group for unit in units}
        self._total = Counter(unit.group for unit in units)
        self._done: Counter[str] = Counter()
        self._seconds: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count an outcome."""
        group = self._group[outcome.key]
        self._done[group] += 1
        self._seconds[group] += outcome.seconds  # type: ignore[assignment]

    def progress(
        self, running: Iterable[tuple[str, float]], elapsed: float, workers: int, last: Outcome | None
    ) -> Progress:
        """Return the progress of the run.

        Parameters
        ----------
        running : iterable of (str, float)
            The keys of the running units, and their running times in seconds.
        elapsed : float
            Seconds since the run began.
        workers : int
            Number of concurrent units.
        last : Outcome or None
            The latest outcome.
        """
        now = tuple(running)
        return Progress(
            done=self._done.total(),
            total=self._total.total(),
            groups={group: (self._done[group], total) for group, total in self._total.items()},
            running=tuple(key for key, _ in now),
            elapsed=elapsed,
            remaining=self._remaining(now, workers),
            last=last,
        )

    def _remaining(self, running: Sequence[tuple[str, float]], workers: int) -> float | None:
        if not self._done:
            return None
        left = sum(self._mean(group) * (total - self._done[group]) for group, total in self._total.items())
        # The elapsed time of a running unit is subtracted; one that exceeds the mean may end at any moment.
        behind = sum(min(seconds, self._mean(self._group[key])) for key, seconds in running)
        units = self._total.total() - self._done.total()
        return max(0.0, left - behind) / max(1, min(workers, units))

    def _mean(self, group: str) -> float:
        if self._done[group]:
            return self._seconds[group] / self._done[group]
        return self._seconds.total() / self._done.total()
