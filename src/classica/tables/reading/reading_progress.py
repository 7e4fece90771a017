"""How far the reading of a table is, told now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Called with what is done, all there is to do (None if that is not known) and the unit of both.
Tell = Callable[[int, int | None, str], None]

#: Seconds between two calls: nobody reads faster.
_PAUSE = 0.1


class Progress:
    """Passes on how far the reading of a table is, but not more often than somebody can look.

    Parameters
    ----------
    tell : callable or None
        Called with what is done, all there is to do (None if that is not known), and "bytes" or "rows".
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._last = 0.0

    def __call__(self, done: int, total: int | None, unit: str = "bytes") -> None:
        """Tell how far it is, unless that was told just now."""
        if self._tell is None:
            return
        now = time.monotonic()
        if now - self._last >= _PAUSE or done == total:
            self._last = now
            self._tell(done, total, unit)
