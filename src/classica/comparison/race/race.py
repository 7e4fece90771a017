"""The race: who does what next, who leaves, and what is known of everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from classica.comparison.comparison_progress import Dropped
from classica.comparison.plan.contender import Contender, titles
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.elimination import optimistic_gain, surviving_points, verdicts
from classica.comparison.race.ladder import Rung, rungs
from classica.comparison.race.losses import LossStore, TrialLosses, losses_path
from classica.comparison.race.meter import Meter
from classica.comparison.race.points import Points
from classica.comparison.race.stages import GROWTH
from classica.comparison.race.trial import MOST_HALVES, Task, Trial
from classica.comparison.results.gathering import BASELINE
from classica.errors import RunError
from classica.native import Floats
from classica.runs import Outcome
from classica.statistics.row_differences import row_test

#: A model is judged, or goes on to more rows, only if one fold of it takes at most this share of all work.
_MOST_OF_A_TRIAL = 0.04
_MOST_OF_A_JUDGED_FOLD = 0.12
#: The share of the work that is left that a rung of tuning may take, and one of judging.
_TUNING, _JUDGING = 0.4, 0.9
#: Where judging everybody takes less than this share of all work, nobody leaves early: the table of results
#: is then whole.
_CHEAP = 0.06
#: Where tuning everybody inside every fold takes less than this share of all work, that is the plan: its
#: scores are those of an exhaustive search. Iris takes 0.02 of the default budget, a thousand rows of mixed
#: columns 0.1: at this share the wait is about 20 seconds on two cores.
_SEARCHED = 0.05
#: All points of a model's grid go on to more folds where that takes less than this share of all work.
_FREE_TUNING = 0.0005
#: Points of a grid that go on from one stage to the next: at least these, or this share of them; and to more
#: folds of the same stage.
_FEWEST_POINTS, _SHARE_OF_POINTS, _MOST_POINTS = 3, 0.34, 6
#: Models within so many standard errors of the leader are compared by halves of the table as well.
_CLOSE = 4.0
#: Trials predicted to take longer than this are cut into folds, so that the cores share them.
_LONG = 1.5

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
    """

    rung: int
    trials: tuple[Trial, ...]
    eliminated: Mapping[str, str]
    capped: Mapping[str, str]
    seconds: float

    @property
    def record(self) -> dict[str, Any]:
        """What is kept with the plan of the round."""
        return {"rung": self.rung, "eliminated": dict(self.eliminated), "capped": dict(self.capped)}


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
        self._left: list[str] = []
        self._cheap: tuple[tuple[float, int], bool] | None = None
        self._searches: bool | None = None  # not known before the first look
        self.store = LossStore(workspace.stages.tested)
        is_timed = workspace.settings.time is not None
        self.rungs = rungs(workspace.stages, len(workspace.y), is_timed=is_timed)
        self.titles = titles(workspace.models)
        self._points = {name: Points(Contender(name), workspace.settings) for name in workspace.models}
        self.entries = {name: Entry(name, [*range(len(points))]) for name, points in self._points.items()}

    @property
    def active(self) -> list[Entry]:
        """The models that are still in the race."""
        return [entry for entry in self.entries.values() if entry.state == "active"]

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """The models that are not, the latest last."""
        return tuple(
            Dropped(entry.name, self.titles[entry.name], self._rows(entry), entry.reason)
            for entry in map(self._entry, self._left)
        )

    def _drop(self, entry: Entry, state: State, reason: str) -> None:
        entry.state, entry.reason = state, reason
        self._left.append(entry.name)

    def decide(self, left: float) -> Decision | None:
        """Return what to do next with the work that is left, in seconds of one core; None: nothing."""
        eliminated: dict[str, str] = {}
        capped: dict[str, str] = {}
        while (on := self._lowest) < len(self.rungs):
            here = [entry for entry in self.active if entry.rung == on]
            if on > 0 and self._searches is None:
                self._searches = self._can_search()
            decision = self._decision(on, here, left)
            eliminated |= decision.eliminated
            capped |= decision.capped
            if decision.trials:
                return replace(decision, eliminated=eliminated, capped=capped)
            self.apply(decision)
            for entry in here:
                entry.rung = max(entry.rung, on + 1)
        return None

    @property
    def most_trials(self) -> int:
        """The most trials that a round can have."""
        return len(self.entries) * max(MOST_HALVES, len(self.workspace.splits))

    def can_be(self, decision: Decision) -> bool:
        """Return whether a decision that was read back is one of this race: such as its rungs ask for."""
        if not (decision.trials and decision.rung < len(self.rungs)):
            return False
        rung = self.rungs[decision.rung]
        folds = set(self._judged_folds if rung.task == "judge" else rung.folds)
        tasks = ("judge", "search") if rung.task == "judge" else (rung.task,)
        return all(
            trial.task in tasks
            and (trial.stage == rung.stage or rung.task != "tune")
            and folds.issuperset(trial.folds)
            and all(given and len(set(given)) == len(given) for given in (trial.folds, trial.points))
            for trial in decision.trials
        )

    @property
    def _lowest(self) -> int:
        return min((entry.rung for entry in self.active), default=len(self.rungs))

    def apply(self, decision: Decision) -> None:
        """Take note of who leaves and who goes no further."""
        for name, reason in decision.eliminated.items():
            if self._entry(name).state == "active":
                self._drop(self._entry(name), "eliminated", reason)
        for name, reason in decision.capped.items():
            self._give_up(self._entry(name), reason)
        if decision.rung > 0 and self._searches is None:  # a race that is played again keeps to its plan
            self._searches = any(trial.task == "search" for trial in decision.trials)
        self._climb(decision)

    def _climb(self, decision: Decision) -> None:
        for trial in decision.trials:
            entry = self._entry(trial.model)
            entry.rung = max(entry.rung, decision.rung)
            if trial.task == "tune" and decision.rung > 1:
                entry.points = list(trial.points)
        for entry in self.active:  # a race that is played again: who did nothing on a rung is past it
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
        entry = self._entry(trial.model)
        if outcome.status == "skipped":
            if is_over and trial.task == "tune" and entry.state == "active":
                self._give_up(entry, "There was no time to learn from more rows.")
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
        stage, point = self._judging_stage(entry), self._points[entry.name].default
        return self.store.losses("search", entry.name, stage, point) is not None

    def _judged_losses(self, entry: Entry, point: int) -> Floats | None:
        tasks: tuple[Task, ...] = ("search", "judge")
        found = (self.store.losses(task, entry.name, self._judging_stage(entry), point) for task in tasks)
        return next((losses for losses in found if losses is not None), None)

    def losses(self, entry: Entry) -> Floats | None:
        """Return what is known best of a model: the losses of being judged, or else of its best point."""
        judged = self._judged_losses(entry, self.judged_point(entry))
        if judged is not None:
            return judged
        if entry.stage < 0:
            return None
        return self.store.losses("tune", entry.name, entry.stage, self.chosen(entry))

    def is_judged(self, entry: Entry) -> bool:
        """Return whether a model was judged as it would be delivered, on some fold."""
        return bool(entry.folds)

    def standing_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return models by their mean loss so far, the best first; those of which nothing is known last."""
        return sorted(entries, key=self._mean)

    def learned_rows(self, entry: Entry) -> int:
        """Return the training rows that what is known of a model rests on."""
        return self._rows(entry)

    def remaining(self) -> float:
        """Return about how much work is ahead, in seconds of one core."""
        total = 0.0
        for entry in self.active:
            for number in range(entry.rung, len(self.rungs)):
                trial = self._trial(entry, self.rungs[number])
                if trial is not None and (entry.cap is None or trial.stage <= entry.cap):
                    total += self.meter.predicted(trial)
        return total

    # -- deciding -------------------------------------------------------------------------------------------

    def _decision(self, number: int, here: list[Entry], left: float) -> Decision:
        rung = self.rungs[number]
        eliminated = self._leaving(number, here)
        staying = self.standing_order(entry for entry in here if entry.name not in eliminated)
        if rung.task == "halves":
            staying = self._close_to_the_best(staying)
        if rung.task == "judge" and self._is_sure(staying):
            staying = []
        # A yardstick need not be as exact as what is measured by it.
        staying = [entry for entry in staying if not (entry.folds and Contender(entry.name).is_reference)]
        trials, capped = self._affordable(number, staying, left)
        cut = [part for trial in trials for part in self._cut(trial)]
        longest = max((self.meter.predicted(trial) for trial in cut), default=0.0)
        # The longest first keeps the cores busy to the end; a first look that is cut short has seen many.
        sign = 1 if number == 0 else -1
        cut.sort(key=lambda trial: sign * self.meter.predicted(trial))
        return Decision(number, tuple(cut), eliminated, capped, max(3 * longest, self._limit(rung), 5.0))

    def _affordable(
        self, number: int, entries: list[Entry], left: float
    ) -> tuple[list[Trial], dict[str, str]]:
        """Return the trials that there is work left for, the most promising models first."""
        rung = self.rungs[number]
        share = 1.0 if number == 0 else _TUNING if rung.task == "tune" else _JUDGING
        room = share * max(0.0, left - self._reserve(entries))
        trials: list[Trial] = []
        capped: dict[str, str] = {}
        for entry in entries:
            trial = self._trial(entry, rung)
            if trial is None:
                continue
            cost = self.meter.predicted(trial)
            is_too_much = cost > room or cost / len(trial.folds) > self._limit(rung)
            if rung.task == "tune" and is_too_much and len(trial.points) > 1:
                trial = Trial(trial.task, trial.model, trial.stage, trial.folds, trial.points[:1])
                cost = self.meter.predicted(trial)
            one_fold = cost / len(trial.folds)
            is_free = number == 0 or (rung.task == "judge" and not trials)
            if not is_free and (cost > room or one_fold > self._limit(rung)):
                if rung.task == "tune" and rung.stage > 0:
                    rows = self.workspace.stages.all[rung.stage].rows
                    capped[entry.name] = f"Learning from {rows:,} rows would take too long."
                continue
            room -= cost
            trials.append(trial)
        return trials, capped

    def _trial(self, entry: Entry, rung: Rung) -> Trial | None:
        """Return what a model does on a rung; None if there is nothing to do."""
        points = self._points[entry.name]
        if self._searches and rung.points != "default":
            return self._search(entry) if rung.task == "judge" else None
        if rung.points == "default":
            # The first leaderboard does not wait for the reference, which may be slow on many columns.
            wanted = [] if Contender(entry.name).is_reference else [points.default]
        elif rung.points == "all":
            known = self.store.points(entry.name, rung.stage)
            wanted = [point for point in entry.points if point not in known]
        elif rung.points == "surviving":
            wanted = self._surviving(entry, rung)
        else:
            stage = self._judging_stage(entry)
            point = self.judged_point(entry)
            folds = rung.folds
            if rung.task == "judge":
                asked = self._judged_folds if self._is_cheap() else rung.folds
                folds = tuple(fold for fold in asked if fold not in entry.folds)
            return Trial(rung.task, entry.name, stage, folds, (point,)) if folds else None
        if entry.cap is not None and rung.stage > entry.cap:
            return None
        is_more_folds = rung.stage == entry.stage and rung.points == "surviving"
        if not wanted or (is_more_folds and len(wanted) < 2):
            return None
        return Trial("tune", entry.name, rung.stage, rung.folds, tuple(wanted))

    def _search(self, entry: Entry) -> Trial | None:
        last = len(self.workspace.stages.all) - 1
        folds = tuple(fold for fold in self._judged_folds if fold not in entry.folds)
        default = self._points[entry.name].default
        return Trial("search", entry.name, last, folds, (default,)) if folds else None

    def _can_search(self) -> bool:
        """Return whether tuning everybody inside every fold takes little of the work.

        By the cards, where there are any: what a first look takes is mostly overhead.
        """
        if not self.workspace.settings.tune:
            return False
        cost = 0.0
        for entry in self.active:
            is_stated = Contender(entry.name).card is not None
            if trial := self._search(entry):
                cost += self.meter.nominal(trial) if is_stated else self.meter.predicted(trial)
        return cost <= _SEARCHED * self.work

    def _surviving(self, entry: Entry, rung: Rung) -> list[int]:
        found = {
            point: losses
            for point, losses in self.store.points(entry.name, entry.stage).items()
            if point in entry.points
        }
        if len(found) < 2:
            return list(found) or entry.points[:1]
        every = Trial("tune", entry.name, rung.stage, rung.folds, tuple(found))
        if self.meter.predicted(every) <= _FREE_TUNING * self.work:
            return list(found)
        common = np.all([np.isfinite(losses) for losses in found.values()], axis=0)
        most = _MOST_POINTS if self._is_cheap() else _FEWEST_POINTS
        if rung.stage > entry.stage:
            most = max(_FEWEST_POINTS, int(np.ceil(_SHARE_OF_POINTS * len(found))))
        if common.sum() < 2:
            return list(found)[:most]
        return surviving_points({point: losses[common] for point, losses in found.items()}, most)

    def _leaving(self, number: int, here: list[Entry]) -> dict[str, str]:
        """Return the models that cannot catch up with the leader any more, each with the reason."""
        known = {entry.name: self.losses(entry) for entry in self.active}
        losses = {name: found for name, found in known.items() if found is not None}
        if number < 2 or len(losses) < 2 or self._is_cheap():
            return {}
        leader = min(
            (name for name in losses if self._may_win(self._entry(name))),
            key=lambda name: self._mean(self._entry(name)),
            default=None,
        )
        if leader is None:
            return {}
        eliminated = {}
        for entry in here:
            if entry.name == leader or not self._may_win(entry) or entry.name not in losses:
                continue
            both = np.isfinite(losses[leader]) & np.isfinite(losses[entry.name])
            gain = self._gain(entry, self._entry(leader))
            if both.sum() < 2 or gain is None:
                continue
            pair = {leader: losses[leader][both], entry.name: losses[entry.name][both]}
            verdict = verdicts(pair, {leader: 0.0, entry.name: gain})[entry.name]
            if verdict.is_out:
                eliminated[entry.name] = self._behind(entry, leader, verdict.behind)
        return eliminated

    def _behind(self, entry: Entry, leader: str, behind: float) -> str:
        share = self.workspace.metric.limits == (0.0, 1.0)
        gap = f"{100 * behind:.1f} percentage points" if share else f"{behind:.3g}"
        rows = f"{self._rows(entry):,} training rows"
        return f"{gap} behind {self.titles[leader]} with {rows}, too far to catch up."

    def _gain(self, entry: Entry, leader: Entry) -> float | None:
        """Return what a model may still gain on the leader by more rows; None where nobody knows yet."""
        last = len(self.workspace.stages.all) - 1
        if entry.cap is not None or entry.stage == last or entry.folds:
            return 0.0
        if entry.stage < 1 or leader.stage < 1:
            return None
        means = [self._mean_at(each, stage) for each in (entry, leader) for stage in (-1, 0)]
        stages = self.workspace.stages.all
        ahead = np.log(stages[-1].rows / stages[entry.stage].rows) / np.log(GROWTH)
        before, now, leader_before, leader_now = means
        is_known = not any(map(np.isnan, means))
        return optimistic_gain(before, now, leader_before, leader_now, float(ahead)) if is_known else None

    def _mean_at(self, entry: Entry, back: int) -> float:
        """Return the least mean loss of a model at its present stage (0) or the one before (-1)."""
        found = self.store.points(entry.name, entry.stage + back)
        return min((float(np.nanmean(losses)) for losses in found.values()), default=np.nan)

    def _is_cheap(self) -> bool:
        """Return whether judging everybody takes so little that nobody needs to leave early."""
        if self._searches:
            return True
        known = self.seconds, len(self._left)  # the answer changes only with what was done
        if self._cheap is None or self._cheap[0] != known:
            last = len(self.workspace.stages.all) - 1
            judged = (Trial("judge", each.name, last, self._judged_folds, (0,)) for each in self.active)
            self._cheap = known, sum(map(self.meter.predicted, judged)) <= _CHEAP * self.work
        return self._cheap[1]

    @cached_property
    def _judged_folds(self) -> tuple[int, ...]:
        return tuple(fold for rung in self.rungs if rung.task == "judge" for fold in rung.folds)

    def _is_sure(self, entries: list[Entry]) -> bool:
        """Return whether more folds would change nothing: every model is practically as good or worse."""
        judged = [entry for entry in entries if len(entry.folds) >= 3]
        if len(judged) < len(entries) or not entries or self._is_cheap():
            return False
        rope, leader = self.workspace.settings.rope, self.losses(judged[0])
        if leader is None or self._half_width(leader) > rope / 2:
            return False
        for entry in judged[1:]:
            own = self.losses(entry)
            both = np.isfinite(leader) & np.isfinite(own) if own is not None else None
            if own is None or both is None:
                return False
            test = row_test(leader[both], own[both])
            if test.difference - 2 * test.error < 0 and test.difference + 2 * test.error > rope:
                return False
        return True

    @staticmethod
    def _half_width(losses: Floats) -> float:
        known = losses[np.isfinite(losses)]
        return float(2 * np.sqrt(2.1 * known.var() / max(len(known), 1)))

    def _close_to_the_best(self, entries: list[Entry]) -> list[Entry]:
        judged = [entry for entry in entries if entry.folds and self._may_win(entry)]
        if len(judged) < 2:
            return []
        leader = self.losses(judged[0])
        close = [judged[0]]
        for entry in judged[1:]:
            own = self.losses(entry)
            if leader is None or own is None:
                continue
            both = np.isfinite(leader) & np.isfinite(own)
            if both.sum() < 2:
                continue
            test = row_test(leader[both], own[both])
            if test.difference <= _CLOSE * test.error:
                close.append(entry)
        return close if len(close) > 1 else []

    def _limit(self, rung: Rung) -> float:
        share = _MOST_OF_A_TRIAL if rung.task == "tune" else _MOST_OF_A_JUDGED_FOLD
        return share * self.work

    def _reserve(self, entries: list[Entry]) -> float:
        """Return the work that delivering the leader takes."""
        if not entries or entries[0].stage < 0:
            return 0.0
        leader = entries[0]
        fit = Trial("judge", leader.name, self._judging_stage(leader), (0,), (self.chosen(leader),))
        return min(self.meter.predicted(fit), _MOST_OF_A_JUDGED_FOLD * self.work)

    def _cut(self, trial: Trial) -> list[Trial]:
        """Return a long trial fold by fold, a short one as it is."""
        if len(trial.folds) < 2 or self.meter.predicted(trial) < _LONG:
            return [trial]
        return [Trial(trial.task, trial.model, trial.stage, (fold,), trial.points) for fold in trial.folds]

    # -- what is known --------------------------------------------------------------------------------------

    def _take(self, entry: Entry, trial: Trial, told: Any) -> None:
        result, stages = trial.checked(told), self.workspace.stages
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

    def _judging_stage(self, entry: Entry) -> int:
        last = len(self.workspace.stages.all) - 1
        return last if entry.cap is None else min(last, entry.cap)

    @property
    def _first_judging(self) -> int:
        return next(number for number, rung in enumerate(self.rungs) if rung.task == "judge")

    def _rows(self, entry: Entry) -> int:
        stage = self._judging_stage(entry) if entry.folds else max(entry.stage, 0)
        return self.workspace.stages.all[stage].rows

    def _mean(self, entry: Entry) -> float:
        found = self.losses(entry)
        return float("inf") if found is None else round(float(np.nanmean(found)), 9)

    @staticmethod
    def _may_win(entry: Entry) -> bool:
        """Return whether a model takes part in earnest: neither baseline nor reference can be recommended."""
        return entry.name != BASELINE and not Contender(entry.name).is_reference

    def _entry(self, name: str) -> Entry:
        if name not in self.entries:
            raise RunError(f"A decision of the race must be about a model of the comparison, got {name!r}.")
        return self.entries[name]
