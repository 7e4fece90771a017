"""Running a comparison in its folder: the race or the thorough search, then the models, then the summary."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from classica.comparison.comparison_progress import ComparisonProgress
from classica.comparison.comparison_result import ComparisonResult, keep_models
from classica.comparison.plan.workspace import Workspace, open_workspace, shared
from classica.comparison.race.deliveries import deliveries, fit_seconds
from classica.comparison.race.progress_reporter import ProgressReporter
from classica.comparison.race.race import Race
from classica.comparison.race.results import race_results
from classica.comparison.race.rounds import Allowance, RaceRun
from classica.comparison.results.gathering import Gathered, gather
from classica.comparison.results.summarising import RankedResults, rank_results
from classica.comparison.results.summary import Delivered, Summary
from classica.comparison.work.finishing import closer_look, deliver
from classica.comparison.work.kept_files import checked_outcomes
from classica.comparison.work.units import Delivery
from classica.runs import Limits, Outcome, Plan, Run, WorkTable, open_run, read_outcomes

#: The share of a budget, and the seconds at most, that are kept back for the models and the summary.
_CLOSING, _MOST_CLOSING = 0.1, 20.0
#: The share of a budget that the closer look may take, and the most seconds kept back for what follows it.
_LOOKING, _LAST_SECONDS = 0.1, 8.0
#: Seconds of the closer look at least, if they are a third of what is left.
_LEAST_LOOK = 2.0
#: Without a time limit, elimination and the longest trial are judged as if there were this many seconds.
_NOTIONAL = 300.0

Tell = Callable[[ComparisonProgress], object]


def run_comparison(
    folder: Path,
    workspace: Workspace,
    plan: Plan,
    table: WorkTable,
    workers: int,
    budget: float | None,
    progress: Tell | None,
    limits: Limits | None = None,
    since: float | None = None,
) -> ComparisonResult:
    """Run a comparison, or what is left of it, and return its result.

    The budget counts from ``since``, by `time.monotonic()`, or from now.

    Ctrl-C stops it once, and the result is what is known by then; a second one is an interrupt as ever.
    """
    open_workspace.cache_clear()
    with open_run(folder, table, plan, workers=workers) as run, shared(workspace, folder):
        job = _Job(run, workspace, workers, budget, limits or plan.limits, progress, since)
        summary = job.summary()
    summary.save(folder)
    return ComparisonResult(folder, summary, workspace)


class _Job:
    """A comparison that is being run."""

    def __init__(
        self,
        run: Run,
        workspace: Workspace,
        workers: int,
        budget: float | None,
        limits: Limits,
        progress: Tell | None,
        since: float | None,
    ) -> None:
        self._run, self._workspace, self._workers = run, workspace, workers
        self._budget, self._limits = budget, replace(limits, budget=None)
        self._reporter = ProgressReporter(progress, workers)
        self._start = time.monotonic() if since is None else since
        self._is_interrupted = False

    @property
    def _left(self) -> float | None:
        return None if self._budget is None else self._start + self._budget - time.monotonic()

    def summary(self) -> Summary:
        """Do everything, and return the summary."""
        if self._workspace.settings.thorough:
            gathered, wanted = self._thorough(), self._missing
        else:
            gathered, wanted = self._raced(), self._of_race
        ranked = rank_results(self._workspace, gathered)
        ranked = ranked.with_models(self._delivered(lambda: wanted(ranked)))
        summary = ranked.summary(self._looks(ranked), is_interrupted=self._is_interrupted)
        return keep_models(self._run.folder, summary)

    def _thorough(self) -> Gathered:
        listener = self._reporter.phase_listener("judging")
        try:
            outcomes = self._run.outcomes(self._budget, listener)
        except KeyboardInterrupt:
            self._is_interrupted = True
            outcomes = read_outcomes(self._run.folder)
        return gather(self._run.folder, self._workspace, checked_outcomes(outcomes))

    def _raced(self) -> Gathered:
        seconds = _NOTIONAL if self._budget is None else self._budget
        effort = self._workspace.settings.effort
        work = seconds * self._workers if effort is None else effort
        self._race = Race(self._run.folder, self._workspace, work)
        closing = min(_CLOSING * seconds, _MOST_CLOSING)
        allowance = Allowance(self._left, closing, self._workers, self._limits)
        played = RaceRun(self._run, self._race, allowance, self._reporter)
        played.play()
        self._is_interrupted = played.is_interrupted
        return race_results(self._race)

    def _missing(self, ranked: RankedResults) -> list[Delivery]:
        """Return the recommended model, where a thorough run was stopped before it was fitted on all rows."""
        used = ranked.model(ranked.recommended or ranked.best)
        if used is None or used.delivered is not None or not used.folds:
            return []
        return [Delivery(used.name, used.chosen[0][0])]

    def _of_race(self, ranked: RankedResults) -> list[Delivery]:
        left = None if self._workspace.settings.effort is not None else self._left
        return deliveries(self._race, ranked, left, self._workers, is_hurried=self._is_interrupted)

    def _delivered(self, wanted: Callable[[], list[Delivery]]) -> dict[str, Delivered]:
        # Something to use is worth more than the last seconds of a budget.
        left = None if self._left is None else max(self._left, 10.0)
        limits = replace(self._limits, seconds=None)
        try:
            return deliver(self._run, wanted(), limits, left, self._reporter.phase_listener("final fit"))
        except KeyboardInterrupt:
            if self._is_interrupted:
                raise
            self._is_interrupted = True
            return self._delivered(wanted)  # in a hurry now

    @property
    def _nominal(self) -> Callable[[str], float] | None:
        """What tells how long a fit counts as under ``effort``; None where it is measured."""
        is_nominal = not self._workspace.settings.thorough and self._workspace.settings.effort is not None
        return partial(fit_seconds, self._race) if is_nominal else None

    def _looks(self, ranked: RankedResults) -> dict[str, Outcome]:
        if self._is_interrupted or ranked.gathered.is_provisional:
            return {}
        is_whole = not any(model.state in ("skipped", "unfinished") for model in ranked.models)
        is_complete = len(ranked.gathered.counted) == len(self._workspace.splits)
        if self._workspace.settings.thorough and not (is_whole and is_complete):
            return {}
        listener = self._reporter.phase_listener("closer look")
        limits, left = self._limits, self._left
        if left is not None:
            budget = self._budget or 0.0
            wanted = min(left - min(_LAST_SECONDS, _CLOSING * budget), _LOOKING * budget)
            # Where a race has used up its time, the errors of the recommended model are still worth seconds.
            left = max(wanted, min(_LEAST_LOOK, left / 3))
            limits = replace(limits, seconds=max(left, 1.0))
        try:
            return closer_look(self._run, self._workspace, ranked, limits, left, listener, self._nominal)
        except KeyboardInterrupt:
            self._is_interrupted = True
            return {}
