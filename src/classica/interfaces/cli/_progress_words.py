"""How far a comparison has come, in words: fits, time left, best so far."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from classica.comparison.contender import titles
from classica.comparison.insight import LOOK
from classica.comparison.leaderboard_text import seconds
from classica.comparison.sentences import shown
from classica.comparison.workspace import opened
from classica.data.wording import counted
from classica.evaluation import metric
from classica.evaluation.runs import Outcome, Progress, is_resumable, read_outcomes

#: Seconds that are told in steps of so many: the estimate is no better.
_STEP = 5


class ProgressWords:
    """Hears of every fit of a run.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    """

    def __init__(self, folder: Path) -> None:
        # Absolute: the workspace is read once for a name, which may mean another folder later.
        self._folder = folder.absolute()
        self._scores: dict[str, list[float]] = {}
        # A run that goes on has a best one already.
        for outcome in read_outcomes(folder) if is_resumable(folder) else ():
            self._note(outcome)

    def __call__(self, told: Progress) -> str:
        """Return the line to show now."""
        self._note(told.last)
        if LOOK in told.groups:
            return f"a closer look at the best model: {told.done} of {told.total}"
        return f"{told.done} of {told.total} fits{_left(told)}{self._best()}"

    def _note(self, outcome: Outcome | None) -> None:
        result = None if outcome is None else outcome.result
        # Whether a result that was read back is sound is for the run to say.
        if outcome is not None and result and isinstance(result.get("test_score"), int | float):
            self._scores.setdefault(outcome.key.rpartition(" fold ")[0], []).append(result["test_score"])

    def _best(self) -> str:
        """Return who leads in the folds that nearly all have been through; one lucky fold is no lead."""
        if not self._scores:
            return ""
        workspace = opened(str(self._folder))
        measure = metric(workspace.settings.metric)
        folds = max(max(map(len, self._scores.values())) - 1, 1)
        means = {
            name: float(np.mean(scores[:folds]))
            for name, scores in self._scores.items()
            if len(scores) >= folds
        }
        best = (max if measure.higher_is_better else min)(means, key=means.__getitem__)
        score = shown(means[best], share=measure.limits == (0.0, 1.0))
        return f"; best in {counted(folds, 'fold')}: {titles(workspace.models)[best]}, {score}"


def _left(told: Progress) -> str:
    if told.remaining is None or told.done == told.total:
        return ""
    if told.remaining < _STEP:
        return ", a few seconds left"
    near = _STEP * round(told.remaining / _STEP)
    return f", about {seconds(near)} left"
