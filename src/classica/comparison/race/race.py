"""The race: what is known of every model, from the outcomes of its rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from classica.comparison.comparison_progress import Dropped
from classica.comparison.plan.contender import Contender, titles
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.entry import Decision, Entry, State
from classica.comparison.race.ladder import rungs
from classica.comparison.race.losses import LossStore, TrialLosses, losses_path
from classica.comparison.race.meter import Meter
from classica.comparison.race.points import Points
from classica.comparison.race.trial import MOST_HALVES, Task, Trial
from classica.comparison.results.gathering import BASELINE
from classica.errors import RunError
from classica.native import Floats
from classica.runs import Outcome


class Race:
    """A race on one table.

    Parameters
    ----------
    folder : Path
        The run folder.
    workspace : Workspace
        What is compared, and how.
    work : float
        All work that may be spent, in seconds of one core.
    """

    def __init__(self, folder: Path, workspace: Workspace, work: float) -> None:
        self.folder, self.workspace, self.work = folder, workspace, work
        self.meter = Meter(workspace)
        self.seconds = 0.0
        #: The models that have left, the latest last.
        self.dropped_names: list[str] = []
        #: Whether everybody is tuned inside every fold; not known before the first look.
        self.searches: bool | None = None
        self.store = LossStore(workspace.stages.tested)
        is_timed = workspace.settings.time is not None
        self.rungs = rungs(workspace.stages, len(workspace.y), is_timed=is_timed)
        self.titles = titles(workspace.models)
        self.points = {name: Points(Contender(name), workspace.settings) for name in workspace.models}
        self.entries = {name: Entry(name, [*range(len(points))]) for name, points in self.points.items()}

    @property
    def active(self) -> list[Entry]:
        """The models that are still in the race."""
        return [entry for entry in self.entries.values() if entry.state == "active"]

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The models that are not, the latest last."""
        return tuple(
            Dropped(entry.name, self.titles[entry.name], self.learned_rows(entry), entry.reason)
            for entry in map(self.entry, self.dropped_names)
        )

    def _drop(self, entry: Entry, state: State, reason: str) -> None:
        entry.state, entry.reason = state, reason
        self.dropped_names.append(entry.name)

    @property
    def most_trials(self) -> int:
        """The most trials that a round can have."""
        return len(self.entries) * max(MOST_HALVES, len(self.workspace.splits))

    def can_be(self, decision: Decision) -> bool:
        """Return whether a decision that was read back is one of this race: such as its rungs ask for."""
        if not (decision.trials and decision.rung < len(self.rungs)):
            return False
        rung = self.rungs[decision.rung]
        folds = set(self.judged_folds if rung.task == "judge" else rung.folds)
        tasks = ("judge", "search") if rung.task == "judge" else (rung.task,)
        return all(
            trial.task in tasks
            and (trial.stage == rung.stage or rung.task != "tune")
            and folds.issuperset(trial.folds)
            and all(given and len(set(given)) == len(given) for given in (trial.folds, trial.points))
            for trial in decision.trials
        )

    def apply(self, decision: Decision) -> None:
        """Record which models are dropped and which stay on their rung."""
        for name, reason in decision.eliminated.items():
            if self.entry(name).state == "active":
                self._drop(self.entry(name), "eliminated", reason)
        for name, reason in decision.capped.items():
            self._give_up(self.entry(name), reason)
        for name in decision.settled:
            self.entry(name).is_settled = True
        if decision.rung > 0 and self.searches is None:  # a race that is played again keeps to its plan
            self.searches = any(trial.task == "search" for trial in decision.trials)
        self._climb(decision)

    def _climb(self, decision: Decision) -> None:
        for trial in decision.trials:
            entry = self.entry(trial.model)
            entry.rung = max(entry.rung, decision.rung)
            if trial.task == "tune" and decision.rung > 1:
                entry.points = list(trial.points)
        for entry in self.active:  # in a replayed race a model without trials on a rung is past it
            if entry.stage >= 0 and entry.rung < decision.rung:
                entry.rung = decision.rung

    def record(self, decision: Decision, outcomes: Sequence[Outcome], *, is_over: bool = False) -> None:
        """Take in what became of the trials of a round; ``is_over``: those that were not done will not be."""
        by_key = {outcome.key: outcome for outcome in outcomes}
        for trial in decision.trials:
            self._note(trial, by_key[trial.unit.key], is_over=is_over)
        missing = {trial.model for trial in decision.trials if by_key[trial.unit.key].status == "skipped"}
        done = {trial.model for trial in decision.trials} - missing
        if is_over or not missing:  # those with nothing to do on this rung are past it, too
            # A model that was added later has been through no rung yet.
            done |= {entry.name for entry in self.active if entry.rung == decision.rung and entry.stage >= 0}
        for entry in self.active:
            if entry.name in done and entry.rung == decision.rung:
                entry.rung += 1

    def _note(self, trial: Trial, outcome: Outcome, *, is_over: bool) -> None:
        entry = self.entry(trial.model)
        if outcome.status == "skipped":
            if is_over and trial.task == "tune" and entry.state == "active":
                self._give_up(entry, "The budget did not allow training on more rows.")
            return
        self.meter.note(trial, outcome.seconds)
        self.seconds += outcome.seconds
        if outcome.status == "done":
            self._take(entry, trial, outcome.result)
        elif entry.state == "active":
            self._fail(entry, trial, outcome)

    def chosen(self, entry: Entry) -> int:
        """Return the point of a model's grid with the least mean loss, of equal ones the first."""
        found = self.store.points(entry.name, entry.stage) if entry.stage >= 0 else {}
        known = {point: losses for point, losses in found.items() if point in entry.points}
        if not known:
            return entry.points[0]
        most = max(int(np.isfinite(losses).sum()) for losses in known.values())
        whole = {point: losses for point, losses in known.items() if np.isfinite(losses).sum() == most}
        return min(sorted(whole), key=lambda point: round(float(np.nanmean(whole[point])), 9))

    def judged_point(self, entry: Entry) -> int:
        """Return the point that a model was judged with; the one it would be if it was not."""
        for trial_point in entry.points:
            if self._judged_losses(entry, trial_point) is not None:
                return trial_point
        return self.chosen(entry)

    def is_searched(self, entry: Entry) -> bool:
        """Return whether a model was judged with parameters tuned inside every fold."""
        stage, point = self.judging_stage(entry), self.points[entry.name].default
        return self.store.losses("search", entry.name, stage, point) is not None

    def _judged_losses(self, entry: Entry, point: int) -> Floats | None:
        tasks: tuple[Task, ...] = ("search", "judge")
        found = (self.store.losses(task, entry.name, self.judging_stage(entry), point) for task in tasks)
        return next((losses for losses in found if losses is not None), None)

    def losses(self, entry: Entry) -> Floats | None:
        """Return what is known best of a model: the losses of being judged, or else of its best point."""
        judged = self._judged_losses(entry, self.judged_point(entry))
        return self.tuned_losses(entry) if judged is None else judged

    def tuned_losses(self, entry: Entry) -> Floats | None:
        """Return the losses of a model's best point in tuning; None if it has not been tuned."""
        if entry.stage < 0:
            return None
        return self.store.losses("tune", entry.name, entry.stage, self.chosen(entry))

    def is_judged(self, entry: Entry) -> bool:
        """Return whether a model was judged as it would be delivered, on some fold."""
        return bool(entry.folds)

    def standing_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return models by their mean loss so far, the best first; those of which nothing is known last."""
        return sorted(entries, key=self.mean_loss)

    @cached_property
    def judged_folds(self) -> tuple[int, ...]:
        """The folds of all rungs that judge, in the order in which they are judged."""
        return tuple(
            dict.fromkeys(fold for rung in self.rungs if rung.task == "judge" for fold in rung.folds)
        )

    def _take(self, entry: Entry, trial: Trial, record: Any) -> None:
        result, stages = trial.checked(record), self.workspace.stages
        if trial.task == "halves":
            for partition, pair in zip(trial.folds, result["halves"], strict=True):
                entry.halves[partition] = pair
            return
        for found in result["folds"]:
            path = losses_path(self.folder, trial, found["fold"])
            is_judged = trial.task != "tune"
            tested = stages.tests(stages.all[trial.stage], found["fold"], all_tests=is_judged)
            self.store.add(trial, TrialLosses.load(path).about(tested, trial.points, path))
            if is_judged:
                entry.folds[found["fold"]] = found
        if trial.task == "tune":
            entry.stage = max(entry.stage, trial.stage)

    def _fail(self, entry: Entry, trial: Trial, outcome: Outcome) -> None:
        if trial.task == "halves":
            return
        if outcome.status not in ("time", "memory") or entry.stage < 0:
            self._drop(entry, "failed", outcome.reason)
        elif entry.folds:  # what it has been judged on counts
            entry.why_capped, entry.rung = outcome.reason, len(self.rungs)
        elif trial.task == "search" or (trial.task == "judge" and trial.stage == 0):
            # A search has no smaller stage to go back to: it would only run into its limit again.
            self._drop(entry, "failed", outcome.reason)
        else:
            self._give_up(entry, outcome.reason)
            if trial.task == "judge":
                entry.cap = trial.stage - 1

    def _give_up(self, entry: Entry, reason: str) -> None:
        """Let a model go no further in rows."""
        entry.cap, entry.why_capped = max(entry.stage, 0), reason
        entry.rung = max(entry.rung, self._first_judging)

    def judging_stage(self, entry: Entry) -> int:
        """Return the stage at which a model is judged: the last one, or the one it cannot go beyond."""
        last = len(self.workspace.stages.all) - 1
        return last if entry.cap is None else min(last, entry.cap)

    @property
    def _first_judging(self) -> int:
        return next(number for number, rung in enumerate(self.rungs) if rung.task == "judge")

    def learned_rows(self, entry: Entry) -> int:
        """Return the training rows that what is known of a model rests on."""
        stage = self.judging_stage(entry) if entry.folds else max(entry.stage, 0)
        return self.workspace.stages.all[stage].rows

    def mean_loss(self, entry: Entry) -> float:
        """Return the mean loss of what is known best of a model; infinite if nothing is."""
        found = self.losses(entry)
        return float("inf") if found is None else round(float(np.nanmean(found)), 9)

    @staticmethod
    def may_win(entry: Entry) -> bool:
        """Return whether a model takes part in earnest: neither baseline nor reference can be recommended."""
        return entry.name != BASELINE and not Contender(entry.name).is_reference

    def entry(self, name: str) -> Entry:
        """Return what is known of a model that takes part."""
        if name not in self.entries:
            raise RunError(f"A decision of the race must be about a model of the comparison, got {name!r}.")
        return self.entries[name]
