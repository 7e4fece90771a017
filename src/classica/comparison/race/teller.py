"""Telling how a race goes: what runs, who leads, who was dropped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from scipy import stats

from classica.comparison.comparison_progress import ComparisonProgress, Leader, Phase, Running
from classica.comparison.race.race import Decision, Entry, Race
from classica.comparison.results.gathering import BASELINE
from classica.runs import Progress
from classica.statistics.interval import Interval
from classica.statistics.row_differences import ALONE_FACTOR

Tell = Callable[[ComparisonProgress], object]


class Teller:
    """Turns the progress of rounds into that of a comparison.

    Parameters
    ----------
    tell : callable or None
        Is told how far the comparison has come.
    workers : int
        How many trials are done at a time.
    """

    def __init__(self, tell: Tell | None, workers: int) -> None:
        self._tell, self._workers = tell, workers
        self._last = ComparisonProgress("first look", 0, 0, 0.0, None)
        self._start = time.monotonic()
        self._ahead = 0.0
        self._since: dict[str, float] = {}

    def begins(self, race: Race, decision: Decision) -> None:
        """Hear what the next round does."""
        rung = race.rungs[decision.rung]
        phase: Phase = "first look" if decision.rung == 0 else "tuning" if rung.task == "tune" else "judging"
        dropped = race.dropped
        self._ahead = time.monotonic() + race.remaining() / self._workers
        is_new = len(dropped) > len(self._last.dropped)
        self._last = replace(self._last, phase=phase, dropped=dropped, is_new=is_new)

    def hears(self, race: Race, left: float) -> Callable[[Progress], None]:
        """Return what hears the progress of a round; so many seconds are left."""
        until = time.monotonic() + left

        def heard(progress: Progress) -> None:
            if self._tell is None:
                return
            now = time.monotonic()
            remaining = max(0.0, min(until, self._ahead) - now) if race.store.is_known else None
            self._last = replace(
                self._last,
                done=progress.done,
                total=progress.total,
                elapsed=time.monotonic() - self._start,
                remaining=remaining,
                running=self._now_running(progress.running, lambda key: self._running(race, key)),
            )
            self._tell(self._last)
            self._last = replace(self._last, is_new=False)

        return heard

    def ends(self, race: Race) -> None:
        """Hear that a round is over: there is a new leaderboard."""
        leaders = tuple(
            leader(race, entry) for entry in race.standing_order(race.active) if _is_seen(race, entry)
        )
        self._last = replace(
            self._last,
            leaders=leaders,
            dropped=race.dropped,
            is_new=True,
            is_provisional=not any(entry.folds for entry in race.active),
            running=(),
        )
        if self._tell is not None:
            self._tell(self._last)
            self._last = replace(self._last, is_new=False)

    def phase(self, name: Phase) -> Callable[[Progress], None]:
        """Return what hears the progress of work after the race."""

        def heard(progress: Progress) -> None:
            self._last = replace(
                self._last,
                phase=name,
                done=progress.done,
                total=progress.total,
                elapsed=time.monotonic() - self._start,
                remaining=progress.remaining,
                running=self._now_running(progress.running, lambda key: Running(key, 0, 0.0)),
            )
            if self._tell is not None:
                self._tell(self._last)

        return heard

    def _now_running(self, keys: Iterable[str], running: Callable[[str], Running]) -> tuple[Running, ...]:
        """Return the units that are being done, with the seconds since they were first heard of."""
        now = time.monotonic()
        self._since = {key: self._since.get(key, now) for key in keys}
        return tuple(replace(running(key), seconds=now - since) for key, since in self._since.items())

    @staticmethod
    def _running(race: Race, key: str) -> Running:
        name = next((name for name in race.entries if key.startswith(f"{name} ")), key)
        stage = int(key.rpartition(" stage ")[2].split()[0]) - 1 if " stage " in key else 0
        return Running(race.titles.get(name, key), race.workspace.stages.all[stage].rows, 0.0)


def _is_seen(race: Race, entry: Entry) -> bool:
    return entry.name != BASELINE and race.losses(entry) is not None


def leader(race: Race, entry: Entry) -> Leader:
    """Return a model with its score so far."""
    losses = race.losses(entry)
    known = losses[np.isfinite(losses)] if losses is not None else np.empty(0)
    return Leader(
        entry.name,
        race.titles[entry.name],
        provisional_score(race, known),
        race.learned_rows(entry),
        len(known),
    )


def provisional_score(race: Race, losses: np.ndarray) -> Interval:
    """Return the mean score of some rows, with an interval as wide as they leave it."""
    workspace = race.workspace
    higher, limits = workspace.metric.higher_is_better, workspace.metric.limits
    confidence = workspace.settings.confidence
    mean = float(losses.mean())
    spread = float(losses.std(ddof=1)) if len(losses) > 1 else float("nan")
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * spread * np.sqrt(ALONE_FACTOR / len(losses))
    value = 1 - mean if higher else mean
    low, high = (float(np.clip(end, *limits)) for end in (value - reach, value + reach))
    return Interval(value, low, high, spread, 1, confidence)
