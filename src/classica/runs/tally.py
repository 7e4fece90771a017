"""Counts and times of the units of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from classica.runs.run_progress import Progress
from classica.runs.unit import Unit
from classica.runs.unit_outcome import Outcome


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
        """Return how far the run has come.

        Parameters
        ----------
        running : iterable of (str, float)
            The keys of the units that are being done, and for how many seconds they have been.
        elapsed : float
            Seconds since the run began.
        workers : int
            How many units are done at a time.
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
        # What a unit has behind it is not ahead of it; one that takes longer than the mean may be over at
        # once.
        behind = sum(min(seconds, self._mean(self._group[key])) for key, seconds in running)
        units = self._total.total() - self._done.total()
        return max(0.0, left - behind) / max(1, min(workers, units))

    def _mean(self, group: str) -> float:
        if self._done[group]:
            return self._seconds[group] / self._done[group]
        return self._seconds.total() / self._done.total()
