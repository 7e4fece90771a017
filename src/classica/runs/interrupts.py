"""Ctrl-C at a moment that suits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C instead of raising, and give a function that says whether it came.

    Where it came but the block ended without minding it, ``KeyboardInterrupt`` is raised at its end. In
    another than the main thread, or where the caller has a handler of their own, nothing is changed.
    """
    came = threading.Event()
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield came.is_set
        return
    signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield came.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came.is_set():
        raise KeyboardInterrupt
