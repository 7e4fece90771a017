"""Report the progress of a race: what runs, which models lead, which were dropped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from scipy import stats

from classica.comparison.comparison_progress import ComparisonProgress, Leader, Phase, Running
from classica.comparison.race.entry import Decision, Entry
from classica.comparison.race.race import Race
from classica.comparison.race.trial import Trial
from classica.comparison.results.gathering import BASELINE
from classica.runs import Progress
from classica.statistics.interval import Interval
from classica.statistics.row_differences import ALONE_FACTOR

Report = Callable[[ComparisonProgress], object]


class ProgressReporter:
    """Turn the progress of rounds into that of a comparison.

    Parameters
    ----------
    report : callable or None
        Called with the progress of the comparison.
    workers : int
        Number of trials that run in parallel.
    """

    def __init__(self, report: Report | None, workers: int) -> None:
        self._report, self._workers = report, workers
        self._last = ComparisonProgress("first look", 0, 0, 0.0, None)
        self._start = time.monotonic()
        self._ahead = 0.0
        self._since: dict[str, float] = {}
        self._trials: dict[str, Trial] = {}

    def begin_round(self, race: Race, decision: Decision, remaining: float) -> None:
        """Note the trials of the next round, and the remaining work in seconds of one core."""
        rung = race.rungs[decision.rung]
        phase: Phase = "first look" if decision.rung == 0 else "tuning" if rung.task == "tune" else "judging"
        dropped = race.dropped
        self._ahead = time.monotonic() + remaining / self._workers
        self._trials = {trial.unit.key: trial for trial in decision.trials}
        is_new = len(dropped) > len(self._last.dropped)
        self._last = replace(self._last, phase=phase, dropped=dropped, is_new=is_new)

    def round_listener(self, race: Race, left: float) -> Callable[[Progress], None]:
        """Return the listener for the progress of a round, with the seconds that are left."""
        until = time.monotonic() + left

        def listen(progress: Progress) -> None:
            if self._report is None:
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
            self._report(self._last)
            self._last = replace(self._last, is_new=False)

        return listen

    def end_round(self, race: Race) -> None:
        """Note the end of a round and its new leaderboard."""
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
        if self._report is not None:
            self._report(self._last)
            self._last = replace(self._last, is_new=False)

    def phase_listener(self, name: Phase) -> Callable[[Progress], None]:
        """Return the listener for the progress of work after the race."""

        def listen(progress: Progress) -> None:
            self._last = replace(
                self._last,
                phase=name,
                done=progress.done,
                total=progress.total,
                elapsed=time.monotonic() - self._start,
                remaining=progress.remaining,
                running=self._now_running(progress.running, lambda key: Running(key, 0, 0.0)),
            )
            if self._report is not None:
                self._report(self._last)

        return listen

    def _now_running(self, keys: Iterable[str], running: Callable[[str], Running]) -> tuple[Running, ...]:
        """Return the units that are being done, with the seconds since they were first listen of."""
        now = time.monotonic()
        self._since = {key: self._since.get(key, now) for key in keys}
        return tuple(replace(running(key), seconds=now - since) for key, since in self._since.items())

    def _running(self, race: Race, key: str) -> Running:
        trial = self._trials[key]
        return Running(race.titles[trial.model], race.workspace.stages.all[trial.stage].rows, 0.0)


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
