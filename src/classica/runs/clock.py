"""The time of a run over all its parts."""

from __future__ import annotations

import time


class RunClock:
    """The time of a run over all its parts, and what is left of its budget.

    Parameters
    ----------
    before : float
        Seconds of earlier parts.
    whole : float or None
        The budget of the whole run.
    more : float or None
        A budget of this part; it takes the place of what is left of the whole.
    """

    def __init__(self, before: float, whole: float | None, more: float | None) -> None:
        self._start = time.monotonic() - before
        self._end = None
        if more is not None:
            self._end = self._start + before + more
        elif whole is not None:
            self._end = self._start + whole
        #: The budget that counts, as it was given.
        self.budget = whole if more is None else more

    @property
    def elapsed(self) -> float:
        """Seconds since the run began, without the time between its parts."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """Seconds of the budget that are left; infinite without one."""
        return float("inf") if self._end is None else self._end - time.monotonic()
