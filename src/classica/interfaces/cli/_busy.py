"""A sign of life for work that takes longer than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def busy(text: str) -> Iterator[None]:
    """Show what is being done, from the second second on and only to people who look at a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # only where something is drawn

    status = Console(stderr=True).status(text)
    timer = threading.Timer(1.0, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()
