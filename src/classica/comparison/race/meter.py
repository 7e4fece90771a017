"""How long a trial will take: from the trials a model has been through, or from its card alone."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_decision
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.points import Points
from classica.comparison.race.trial import Trial
from classica.decision import BayesDecisionClassifier
from classica.registry import FitTime

#: What a trial costs besides fitting, whatever its size: rows are taken, encoded and written.
_OVERHEAD = 0.02
#: Points of a grid that share work cost less than as many fits: so much of the time of all points stays
#: however few of them are left.
_SHARED = 0.3
#: Powers by which time may grow with the rows, because two measurements are not reliable.
_LEAST_POWER, _MOST_POWER = 0.5, 2.5
#: Times below this are mostly overhead and do not show growth.
_TELLING = 0.2


@dataclass(frozen=True)
class _Seen:
    """A trial that was done: training rows, folds and points, and its seconds."""

    task: str
    rows: int
    folds: int
    points: int
    seconds: float


@dataclass(frozen=True)
class _Model:
    """What is known of a model beforehand: its stated time, points of its grid, whether it is calibrated."""

    time: FitTime
    points: int
    is_calibrated: bool


class Meter:
    """Predicts the seconds of trials.

    Parameters
    ----------
    workspace : Workspace
        What is compared on.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: dict[str, list[_Seen]] = defaultdict(list)
        self._is_nominal = workspace.settings.effort is not None
        self._models: dict[str, _Model] = {}
        self._spent, self._uncounted = 0.0, list[Trial]()

    @property
    def spent(self) -> float:
        """What all trials so far count for."""
        # Only now, because it builds third-party classifiers, which reading a folder must not do.
        while self._uncounted:
            self._spent += self.nominal(self._uncounted.pop(0))
        return self._spent

    def note(self, trial: Trial, seconds: float) -> None:
        """Take in how long a trial took."""
        if self._is_nominal:
            self._uncounted.append(trial)
            return
        size = _Seen(trial.task, self._rows(trial), len(trial.folds), len(trial.points), max(seconds, 1e-4))
        self._seen[trial.model].append(size)
        self._spent += seconds

    def predicted(self, trial: Trial) -> float:
        """Return about how many seconds a trial will take."""
        seen = self._seen[trial.model]
        if self._is_nominal or not seen:
            return self.nominal(trial)
        alike = [each for each in seen if each.task == trial.task] or seen
        last = max(alike, key=lambda each: (each.rows, each.points * each.folds))
        growth = (self._rows(trial) / last.rows) ** self._power(trial.model, alike)
        points = _SHARED + (1 - _SHARED) * len(trial.points) / last.points
        if trial.task != last.task:
            points = self._fits(trial) / max(1.0, last.points / 2)
        seconds = max(last.seconds - _OVERHEAD, 0.001) * growth * points
        return float(_OVERHEAD + seconds * len(trial.folds) / last.folds)

    def nominal(self, trial: Trial) -> float:
        """Return the seconds of a trial by the card of its model: the same on every machine."""
        workspace, model = self._workspace, self._model(trial.model)
        time = model.time
        one = time.predicted(self._rows(trial), self._columns, len(workspace.classes))
        if trial.task == "tune":
            share = len(trial.points) / model.points
            fits = 1.0 if len(trial.points) == 1 else max(1.0, time.grid * (_SHARED + (1 - _SHARED) * share))
        else:
            fits = self._fits(trial)
        return float(len(trial.folds) * (_OVERHEAD + fits * one))

    def _fits(self, trial: Trial) -> float:
        """Return how many fits one fold of a trial takes: calibration adds some, halves are two.

        A search takes its whole grid on every inner fold besides.
        """
        if trial.task == "tune":
            return float(len(trial.points))
        model, settings = self._model(trial.model), self._workspace.settings
        inner = settings.inner_folds * model.time.grid if trial.task == "search" and model.points > 1 else 0.0
        return inner + (4.0 if model.is_calibrated else 1.0) * (2.0 if trial.task == "halves" else 1.0)

    def _model(self, name: str) -> _Model:
        if name not in self._models:
            contender, settings = Contender(name), self._workspace.settings
            model = with_decision(contender, settings)
            self._models[name] = _Model(
                contender.fit_time,
                len(Points(contender, settings)),
                isinstance(model, BayesDecisionClassifier) and model.calibration is not None,
            )
        return self._models[name]

    def _rows(self, trial: Trial) -> int:
        rows = self._workspace.stages.all[trial.stage].rows
        return min(rows, len(self._workspace.y) // 2) if trial.task == "halves" else rows

    @property
    def _columns(self) -> int:
        return max(1, self._workspace.X.width)

    def _power(self, model: str, seen: list[_Seen]) -> float:
        """Return the power by which a model's time grows with the rows."""
        stated = self._model(model).time.rows
        per_fold = {each.rows: each.seconds / each.folds / each.points for each in seen}
        rows = sorted(size for size, seconds in per_fold.items())
        if len(rows) >= 2 and max(each.seconds for each in seen) > _TELLING:
            ratio = per_fold[rows[-1]] / per_fold[rows[-2]]
            measured = math.log(max(ratio, 1e-6)) / math.log(rows[-1] / rows[-2])
            stated = max(stated, measured) if measured > stated else (stated + measured) / 2
        return float(np.clip(stated, _LEAST_POWER, _MOST_POWER))
