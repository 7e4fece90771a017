"""Plan the next round of a race: which models go on, which are dropped and why, and the remaining work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from classica.comparison.plan.contender import Contender
from classica.comparison.race import settling
from classica.comparison.race.elimination import optimistic_gain, steepest_gain, surviving_points, verdicts
from classica.comparison.race.entry import Decision, Entry
from classica.comparison.race.ladder import Rung
from classica.comparison.race.race import Race
from classica.comparison.race.stages import GROWTH
from classica.comparison.race.trial import Trial
from classica.comparison.results.gathering import BASELINE

#: A model is judged, or goes on to more rows, only if one fold of it takes at most this share of all work.
_MOST_OF_A_TRIAL = 0.04
_MOST_OF_A_JUDGED_FOLD = 0.12
#: The share of the work that is left that a rung of tuning may take, and one of judging.
_TUNING, _JUDGING = 0.4, 0.9
#: Where judging everybody takes less than this share of all work, nobody leaves early: the table of results
#: is then whole.
_CHEAP = 0.015
#: Where tuning everybody inside every fold takes less than this share of all work, that is the plan: its
#: scores are those of an exhaustive search. Iris takes 0.02 of the default budget, a thousand rows of mixed
#: columns 0.1: at this share the wait is about 20 seconds on two cores.
_SEARCHED = 0.05
#: All points of a model's grid go on to more folds where that takes less than this share of all work.
_FREE_TUNING = 0.0005
#: Points of a grid that go on from one stage to the next: at least these, or this share of them; and to more
#: folds of the same stage.
_FEWEST_POINTS, _SHARE_OF_POINTS, _MOST_POINTS = 3, 0.34, 6
#: A point that may be better than the best of its model by at most this share of the practical margin is not
#: tried on more folds: a quarter of a point of accuracy by default.
_NO_MATTER = 0.25
#: Where a batch of folds takes less than this share of all work, the reference is judged without a trial on a
#: sample, which would only tell how long it takes.
_QUICK = 0.01
#: Trials predicted to take longer than this are cut into folds, so that the cores share them.
_LONG = 1.5


class Planner:
    """Decides, round by round, what is worth the work that is left.

    Parameters
    ----------
    race : Race
        What is known so far.
    """

    def __init__(self, race: Race) -> None:
        self._race = race
        self._cheap: tuple[tuple[float, int], bool] | None = None

    def decide(self, left: float) -> Decision | None:
        """Return what to do next with the work that is left, in seconds of one core; None: nothing."""
        eliminated: dict[str, str] = {}
        capped: dict[str, str] = {}
        while (on := self._lowest) < len(self._race.rungs):
            here = [entry for entry in self._race.active if entry.rung == on]
            if on > 0 and self._race.searches is None:
                self._race.searches = self._can_search()
            decision = self._decision(on, here, left)
            eliminated |= decision.eliminated
            capped |= decision.capped
            if decision.trials:
                return replace(decision, eliminated=eliminated, capped=capped)
            self._race.apply(decision)
            for entry in here:
                entry.rung = max(entry.rung, on + 1)
        return None

    @property
    def _lowest(self) -> int:
        return min((entry.rung for entry in self._race.active), default=len(self._race.rungs))

    def remaining(self) -> float:
        """Return about how much work is ahead, in seconds of one core."""
        total = 0.0
        for entry in self._race.active:
            for number in range(entry.rung, len(self._race.rungs)):
                trial = self._trial(entry, self._race.rungs[number])
                if trial is not None and (entry.cap is None or trial.stage <= entry.cap):
                    total += self._race.meter.predicted(trial)
        return total

    def _decision(self, number: int, here: list[Entry], left: float) -> Decision:
        rung = self._race.rungs[number]
        eliminated = self._leaving(number, here)
        staying = self._race.standing_order(entry for entry in here if entry.name not in eliminated)
        settled: set[str] = set()
        if rung.task == "halves":
            staying = settling.halved_models(self._race, staying, is_cheap=self._is_cheap())
        elif rung.task == "judge" and not self._is_cheap():
            settled = settling.settled_models(self._race, staying)
            staying = [entry for entry in staying if entry.name not in settled]
        # The score of the reference need not be as exact as those of the models.
        staying = [entry for entry in staying if not (entry.folds and Contender(entry.name).is_reference)]
        trials, capped = self._affordable(number, staying, left)
        cut = [part for trial in trials for part in self._cut(trial)]
        longest = max((self._race.meter.predicted(trial) for trial in cut), default=0.0)
        # The longest first keeps the cores busy to the end; a first look that is cut short has seen many.
        sign = 1 if number == 0 else -1
        cut.sort(key=lambda trial: (trial.model != BASELINE, sign * self._race.meter.predicted(trial)))
        seconds = max(3 * longest, self._limit(rung), 5.0)
        return Decision(
            number, tuple(cut), eliminated, capped, seconds, tuple(sorted(settled)) if cut else ()
        )

    def _affordable(
        self, number: int, entries: list[Entry], left: float
    ) -> tuple[list[Trial], dict[str, str]]:
        """Return the trials that there is work left for, the most promising models first."""
        rung = self._race.rungs[number]
        share = 1.0 if number == 0 else _TUNING if rung.task == "tune" else _JUDGING
        room = share * max(0.0, left - self._reserve(entries))
        trials: list[Trial] = []
        capped: dict[str, str] = {}
        for entry in entries:
            trial = self._trial(entry, rung)
            if trial is None:
                continue
            cost = self._race.meter.predicted(trial)
            is_too_much = cost > room or cost / len(trial.folds) > self._limit(rung)
            if rung.task == "tune" and is_too_much and len(trial.points) > 1:
                trial = Trial(trial.task, trial.model, trial.stage, trial.folds, trial.points[:1])
                cost = self._race.meter.predicted(trial)
            one_fold = cost / len(trial.folds)
            # Without the baseline nothing can be recommended, and it costs next to nothing.
            is_free = number == 0 or entry.name == BASELINE or (rung.task == "judge" and not trials)
            if not is_free and (cost > room or one_fold > self._limit(rung)):
                if rung.task == "tune" and rung.stage > 0:
                    rows = self._race.workspace.stages.all[rung.stage].rows
                    capped[entry.name] = f"Training on {rows:,} rows would take too long."
                continue
            room -= cost
            trials.append(trial)
        return trials, capped

    def _trial(self, entry: Entry, rung: Rung) -> Trial | None:
        """Return what a model does on a rung; None if there is nothing to do."""
        if self._race.searches and rung.points != "default":
            return self._search(entry) if rung.task == "judge" else None
        return self._tuning(entry, rung) if rung.task == "tune" else self._judging(entry, rung)

    def _tuning(self, entry: Entry, rung: Rung) -> Trial | None:
        if entry.cap is not None and rung.stage > entry.cap:
            return None
        wanted = self._wanted_points(entry, rung)
        is_more_folds = rung.stage == entry.stage and rung.points == "surviving"
        if not wanted or (is_more_folds and len(wanted) < 2):
            return None
        return Trial("tune", entry.name, rung.stage, rung.folds, tuple(wanted))

    def _wanted_points(self, entry: Entry, rung: Rung) -> list[int]:
        if Contender(entry.name).is_reference and (rung.points == "default" or self._is_quick(entry)):
            # The first leaderboard does not wait for the reference, which may be slow on many columns.
            return []
        if rung.points == "default":
            return [self._race.points[entry.name].default]
        if rung.points == "all":
            tried = self._race.store.points(entry.name, rung.stage)
            return [point for point in entry.points if point not in tried]
        return self._surviving(entry, rung)

    def _judging(self, entry: Entry, rung: Rung) -> Trial | None:
        folds = rung.folds
        if rung.task == "judge":
            is_whole = self._is_cheap() and not Contender(entry.name).is_reference
            every = self._race.judged_folds
            # With those it was spared while it was settled.
            asked = every if is_whole else every[: every.index(rung.folds[-1]) + 1]
            folds = tuple(fold for fold in asked if fold not in entry.folds)
        stage, point = self._race.judging_stage(entry), self._race.judged_point(entry)
        return Trial(rung.task, entry.name, stage, folds, (point,)) if folds else None

    def _is_quick(self, entry: Entry) -> bool:
        """Return whether judging a model on a batch of folds takes so little that no trial comes first."""
        rung = next(rung for rung in self._race.rungs if rung.task == "judge")
        trial = Trial("judge", entry.name, rung.stage, rung.folds, (0,))
        return self._race.meter.nominal(trial) <= _QUICK * self._race.work

    def _search(self, entry: Entry) -> Trial | None:
        last = len(self._race.workspace.stages.all) - 1
        folds = tuple(fold for fold in self._race.judged_folds if fold not in entry.folds)
        default = self._race.points[entry.name].default
        return Trial("search", entry.name, last, folds, (default,)) if folds else None

    def _can_search(self) -> bool:
        """Return whether tuning everybody inside every fold takes little of the work.

        By the cards, where there are any: what a first look takes is mostly overhead.
        """
        if not self._race.workspace.settings.tune:
            return False
        cost = 0.0
        for entry in self._race.active:
            is_stated = Contender(entry.name).card is not None
            if trial := self._search(entry):
                cost += self._race.meter.nominal(trial) if is_stated else self._race.meter.predicted(trial)
        return cost <= _SEARCHED * self._race.work

    def _surviving(self, entry: Entry, rung: Rung) -> list[int]:
        found = {
            point: losses
            for point, losses in self._race.store.points(entry.name, entry.stage).items()
            if point in entry.points
        }
        if len(found) < 2:
            return list(found) or entry.points[:1]
        every = Trial("tune", entry.name, rung.stage, rung.folds, tuple(found))
        if self._race.meter.predicted(every) <= _FREE_TUNING * self._race.work:
            return list(found)
        common = np.all([np.isfinite(losses) for losses in found.values()], axis=0)
        most = _MOST_POINTS if self._is_cheap() else _FEWEST_POINTS
        margin = _NO_MATTER * self._race.workspace.settings.rope
        if rung.stage > entry.stage:  # with more rows a point may gain on the others
            most, margin = max(_FEWEST_POINTS, int(np.ceil(_SHARE_OF_POINTS * len(found)))), 0.0
        if common.sum() < 2:
            return list(found)[:most]
        return surviving_points({point: losses[common] for point, losses in found.items()}, most, margin)

    def _leaving(self, number: int, here: list[Entry]) -> dict[str, str]:
        """Return the models that cannot catch up with the leader any more, each with the reason."""
        known = {entry.name: self._race.losses(entry) for entry in self._race.active}
        losses = {name: found for name, found in known.items() if found is not None}
        if number < 2 or len(losses) < 2 or self._is_cheap():
            return {}
        leader = min(
            (name for name in losses if self._race.may_win(self._race.entry(name))),
            key=lambda name: self._race.mean_loss(self._race.entry(name)),
            default=None,
        )
        if leader is None:
            return {}
        eliminated = {}
        for entry in here:
            if entry.name == leader or not self._race.may_win(entry) or entry.name not in losses:
                continue
            both = np.isfinite(losses[leader]) & np.isfinite(losses[entry.name])
            gain = self._gain(entry, self._race.entry(leader))
            if both.sum() < 2 or gain is None:
                continue
            pair = {leader: losses[leader][both], entry.name: losses[entry.name][both]}
            verdict = verdicts(pair, {leader: 0.0, entry.name: gain})[entry.name]
            if verdict.is_out:
                eliminated[entry.name] = self._behind(entry, leader, verdict.behind)
        return eliminated

    def _behind(self, entry: Entry, leader: str, behind: float) -> str:
        share = self._race.workspace.metric.limits == (0.0, 1.0)
        gap = f"{100 * behind:.1f} percentage points" if share else f"{behind:.3g}"
        rows = f"{self._race.learned_rows(entry):,} training rows"
        return f"{gap} behind {self._race.titles[leader]} with {rows}, too far to catch up."

    def _gain(self, entry: Entry, leader: Entry) -> float | None:
        """Return how much a model may still gain on the leader by more rows; None if unknown."""
        last = len(self._race.workspace.stages.all) - 1
        if entry.cap is not None or entry.stage == last or entry.folds:
            return 0.0
        if entry.stage == leader.stage == 0:
            rows = self._race.workspace.stages.all
            return steepest_gain(self._race.mean_loss(entry), rows[-1].rows / rows[0].rows)
        if entry.stage < 1 or leader.stage < 1:
            return None
        means = [self._mean_at(each, stage) for each in (entry, leader) for stage in (-1, 0)]
        stages = self._race.workspace.stages.all
        ahead = np.log(stages[-1].rows / stages[entry.stage].rows) / np.log(GROWTH)
        before, now, leader_before, leader_now = means
        is_known = not any(map(np.isnan, means))
        return optimistic_gain(before, now, leader_before, leader_now, float(ahead)) if is_known else None

    def _mean_at(self, entry: Entry, back: int) -> float:
        """Return the least mean loss of a model at its present stage (0) or the one before (-1)."""
        found = self._race.store.points(entry.name, entry.stage + back)
        return min((float(np.nanmean(losses)) for losses in found.values()), default=np.nan)

    def _is_cheap(self) -> bool:
        """Return whether evaluating all models is so fast that none needs to be dropped early."""
        if self._race.searches:
            return True
        known = (
            self._race.seconds,
            len(self._race.dropped_names),
        )  # the answer changes only with what was done
        if self._cheap is None or self._cheap[0] != known:
            last = len(self._race.workspace.stages.all) - 1
            judged = (
                Trial("judge", each.name, last, self._race.judged_folds, (0,)) for each in self._race.active
            )
            self._cheap = known, sum(map(self._race.meter.predicted, judged)) <= _CHEAP * self._race.work
        return self._cheap[1]

    def _limit(self, rung: Rung) -> float:
        share = _MOST_OF_A_TRIAL if rung.task == "tune" else _MOST_OF_A_JUDGED_FOLD
        return share * self._race.work

    def _reserve(self, entries: list[Entry]) -> float:
        """Return the work that delivering the leader takes."""
        if not entries or entries[0].stage < 0:
            return 0.0
        leader = entries[0]
        fit = Trial(
            "judge", leader.name, self._race.judging_stage(leader), (0,), (self._race.chosen(leader),)
        )
        return min(self._race.meter.predicted(fit), _MOST_OF_A_JUDGED_FOLD * self._race.work)

    def _cut(self, trial: Trial) -> list[Trial]:
        """Return a long trial fold by fold, a short one as it is."""
        if len(trial.folds) < 2 or self._race.meter.predicted(trial) < _LONG:
            return [trial]
        return [Trial(trial.task, trial.model, trial.stage, (fold,), trial.points) for fold in trial.folds]
