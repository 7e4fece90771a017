"""Running a race: round after round in the run folder, each with a plan and a journal of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from classica.comparison.race.entry import Decision
from classica.comparison.race.planner import Planner
from classica.comparison.race.progress_reporter import ProgressReporter
from classica.comparison.race.race import Race
from classica.comparison.race.trial import Trial
from classica.comparison.race.trials import ROUNDS, WORK
from classica.errors import RunError
from classica.kinds import DictOf, Fields, ListOf, Scope, Whole, Word
from classica.runs import Limits, Outcome, Plan, Run, is_resumable, read_outcomes, read_plan

#: A round of tuning may take so many times what was predicted, and at least so many seconds.
_PATIENCE, _SHORTEST = 2.0, 3.0
#: More rounds than a race can have: a folder with more was tampered with.
_MOST_ROUNDS = 1000

_DECIDED = Fields(
    {"rung": Whole(0, 1000), "eliminated": DictOf(Word(), Word()), "capped": DictOf(Word(), Word())},
    optional={"settled": ListOf(Word())},  # earlier versions settled nobody
)


@dataclass(frozen=True)
class Allowance:
    """What a race may take.

    Attributes
    ----------
    seconds : float or None
        Time in all; None: no limit.
    closing : float
        Seconds of it that are kept back for the summary.
    workers : int
        How many trials are done at a time.
    limits : Limits
        The limits of one trial, as the user has set them.
    """

    seconds: float | None
    closing: float
    workers: int
    limits: Limits


class RaceRun:
    """A race that is run, or continued, in a run folder.

    Parameters
    ----------
    run : Run
        The run whose folder is locked.
    race : Race
        The race, from its start.
    allowance : Allowance
        What it may take.
    reporter : ProgressReporter
        Is told how it goes.
    """

    def __init__(self, run: Run, race: Race, allowance: Allowance, reporter: ProgressReporter) -> None:
        self._run, self._race, self._allowance, self._reporter = run, race, allowance, reporter
        self._planner = Planner(race)
        self._start = time.monotonic()
        self.is_interrupted = False

    @property
    def left(self) -> float:
        """Seconds until the end of the budget; infinite without a limit."""
        if self._allowance.seconds is None or self._race.workspace.settings.effort is not None:
            return float("inf")
        return self._start + self._allowance.seconds - self._allowance.closing - time.monotonic()

    @property
    def work_left(self) -> float:
        """The work that is left, in seconds of one core."""
        effort = self._race.workspace.settings.effort
        if effort is not None:
            return effort - self._race.meter.spent
        return self.left * self._allowance.workers

    def play(self) -> None:
        """Play rounds until nothing is left to do, or to spend, or until Ctrl-C."""
        try:
            self._play()
        except KeyboardInterrupt:  # between two rounds
            self.is_interrupted = True

    def _play(self) -> None:
        for number in range(_MOST_ROUNDS):
            name = f"{ROUNDS}/{number + 1:03d}"
            decision = recorded_decision(self._run.folder / name, self._race)
            if decision is None:
                decision = self._planner.decide(self.work_left) if self.work_left > 0 else None
            if decision is None:
                return
            self._race.apply(decision)
            self._reporter.begin_round(self._race, decision, self._planner.remaining())
            outcomes = self._played(name, decision)
            has_time = self.left > 0 and not self.is_interrupted
            self._race.record(decision, outcomes, is_over=has_time)
            self._reporter.end_round(self._race)
            if not has_time:
                return

    def _played(self, name: str, decision: Decision) -> list[Outcome]:
        plan = self._plan(decision, self._run.folder / name)
        budget = self._round_seconds(decision)
        try:
            with self._run.within(name, plan) as part:
                return part.outcomes(budget, self._reporter.round_listener(self._race, self.left))
        except KeyboardInterrupt:
            self.is_interrupted = True
            return read_outcomes(self._run.folder / name)

    def _plan(self, decision: Decision, folder: Path) -> Plan:
        if is_resumable(folder):
            return read_plan(folder)
        given = self._allowance.limits
        seconds = given.seconds
        if self._race.workspace.settings.effort is None and self._allowance.seconds is not None:
            seconds = decision.seconds if seconds is None else min(seconds, decision.seconds)
        units = [trial.unit for trial in decision.trials]
        return Plan(WORK, units, "a round of the race", decision.record, Limits(seconds, given.memory))

    def _round_seconds(self, decision: Decision) -> float | None:
        """Return how long a round may take: one of tuning that takes far longer than predicted is cut off."""
        left = self.left
        if left == float("inf"):
            return None
        if decision.rung and decision.trials[0].task == "tune":
            work = sum(map(self._race.meter.predicted, decision.trials)) / self._allowance.workers
            left = min(left, max(_SHORTEST, _PATIENCE * work))
        return max(left, 0.01)


def recorded_decision(folder: Path, race: Race) -> Decision | None:
    """Return the decision that a round in a folder rests on, checked; None if there is no such round."""
    if not is_resumable(folder):
        return None
    plan, scope = read_plan(folder), Scope(f"The plan in {folder}", error=RunError)
    rule = "that of a round of the race"
    scope.require(plan.work == WORK and len(plan.units) <= race.most_trials, rule, "another one")
    _DECIDED.check(plan.settings, Scope(f"The decisions in {folder}", error=RunError))
    trials = tuple(Trial.of(unit.arguments, race.workspace) for unit in plan.units)
    decided = plan.settings
    settled = tuple(decided.get("settled", ()))
    decision = Decision(decided["rung"], trials, decided["eliminated"], decided["capped"], 0.0, settled)
    is_one = [trial.unit for trial in trials] == list(plan.units) and race.can_be(decision)
    scope.require(is_one, rule, "another one")
    return decision


def replayed(folder: Path, race: Race) -> Race:
    """Return a race as its folder has it, without doing anything more."""
    for number in range(_MOST_ROUNDS):
        place = folder / ROUNDS / f"{number + 1:03d}"
        decision = recorded_decision(place, race)
        if decision is None:
            break
        race.apply(decision)
        race.record(decision, read_outcomes(place))
    return race
