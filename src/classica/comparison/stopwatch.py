"""What is left of the budget of a comparison, which is more than one run."""

from __future__ import annotations

import time
from collections.abc import Callable

from classica.evaluation.runs import Progress


class Stopwatch:
    """Listens to the progress of a run, and passes it on.

    Parameters
    ----------
    budget : float or None
        Seconds from now for everything, in place of the budget of the run.
    progress : callable or None
        Is told what is heard.
    """

    def __init__(self, budget: float | None, progress: Callable[[Progress], object] | None) -> None:
        self._budget, self._progress = budget, progress
        self._start = time.monotonic()
        # When the run began, as if it had not been interrupted.
        self._run_start = self._start

    def __call__(self, told: Progress) -> None:
        """Hear how far the run has come."""
        self._run_start = min(self._run_start, time.monotonic() - told.elapsed)
        if self._progress is not None:
            self._progress(told)

    def left(self, whole: float | None) -> float | None:
        """Return the seconds that are left of the budget, or of that of the whole run; None without one."""
        if self._budget is not None:
            return self._start + self._budget - time.monotonic()
        return None if whole is None else self._run_start + whole - time.monotonic()
