"""How far a comparison has come, in words: fits, time left, best so far."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from classica.comparison.contender import titles
from classica.comparison.sentences import shown
from classica.comparison.summary_text import seconds
from classica.comparison.workspace import opened
from classica.evaluation import metric
from classica.evaluation.runs import Outcome, Progress


class ProgressWords:
    """Hears of every fit of a run.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._scores: dict[str, list[float]] = {}

    def __call__(self, told: Progress) -> str:
        """Return the line to show now."""
        self._note(told.last)
        left = "" if told.remaining is None else f", about {seconds(max(told.remaining, 1.0))} left"
        return f"{told.done} of {told.total} fits{left}{self._best()}"

    def _note(self, outcome: Outcome | None) -> None:
        result = None if outcome is None else outcome.result
        if outcome is not None and result and result.get("test_score") is not None:
            self._scores.setdefault(outcome.key.rpartition(" fold ")[0], []).append(result["test_score"])

    def _best(self) -> str:
        if not self._scores:
            return ""
        workspace = opened(str(self._folder))
        measure = metric(workspace.settings.metric)
        means = {name: float(np.mean(scores)) for name, scores in self._scores.items()}
        best = (max if measure.higher_is_better else min)(means, key=means.__getitem__)
        score = shown(means[best], share=measure.limits == (0.0, 1.0))
        return f"; best so far: {titles(workspace.models)[best]}, {measure.title} {score}"
