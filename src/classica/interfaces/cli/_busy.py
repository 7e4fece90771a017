"""A sign of life for work that takes longer than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator

#: Told what is done, all there is to do (None if that is not known), and the unit of both.
Tell = Callable[[int, int | None, str], None]


@contextlib.contextmanager
def busy(text: str) -> Iterator[Tell]:
    """Show what is being done, from the second second on and only to people who look at a terminal.

    What comes out of the ``with`` may be called to show how far the work is.
    """
    if not sys.stderr.isatty():
        yield lambda done, total, unit: None
        return
    from rich.console import Console  # only where something is drawn
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(24))
    told = TextColumn("{task.fields[told]}", markup=False)
    bar = Progress(*columns, told, console=Console(stderr=True), transient=True)
    task = bar.add_task(text, total=None, told="")

    def tell(done: int, total: int | None, unit: str) -> None:
        bar.update(task, completed=done, total=total, told=_told(done, total, unit))

    timer = threading.Timer(1.0, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


def _told(done: int, total: int | None, unit: str) -> str:
    """Return how far it is: ``12 of 200 MB``, ``30,000 rows``."""
    if unit == "bytes":
        done, total, unit = done // 10**6, None if total is None else max(total // 10**6, 1), "MB"
    return f"{done:,} {unit}" if total is None else f"{done:,} of {total:,} {unit}"
