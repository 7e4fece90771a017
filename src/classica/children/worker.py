"""A worker, inside its process: forked from the server, it does one unit after the other.

What a unit may do to its process is taken for granted here: it raises, exits, forks, changes folder, closes
what is not its own. A worker that is no longer as it was says so (``clean``), and is not given another unit.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import os
import random
import resource
import signal
import socket
import sys
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from classica.children import messages
from classica.children.messages import encode, not_plain
from classica.children.processes import adopt_orphans, children, die_with_parent, sizes

_MOST_TRACEBACK = 8_000
_MOST_REASON = 300


def settle(server: int, output: int) -> None:
    """Make a forked process a worker: a group of its own, its own output, and no life after the server's."""
    os.setsid()
    die_with_parent(signal.SIGKILL)
    if os.getppid() != server:
        os._exit(1)  # the server ended before the kernel knew
    adopt_orphans()
    for handle in (1, 2):
        os.dup2(output, handle)
    os.close(output)
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    # The stack of a fault is worth more than a file as large as the memory.
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # If memory runs out, a worker goes before the run does.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")


def _stream(handle: int) -> TextIO:
    # By lines, so that a crash does not take them along.
    return open(handle, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def work(line: socket.socket) -> None:
    """Do units until the run closes the line."""
    me, before, streams = os.getpid(), _surroundings(), (sys.stdout, sys.stderr)
    while (order := messages.receive(line)) is not None:
        reply = _do(order)
        if os.getpid() != me:
            os._exit(0)  # the unit has forked, and this is the copy
        sys.stdout, sys.stderr = streams
        for stream in streams:
            with contextlib.suppress(Exception):
                stream.flush()
        reply["clean"] = _surroundings() == before and not children(me)
        messages.send(line, reply)


def _surroundings() -> tuple[str, dict[str, str]]:
    try:
        return os.getcwd(), dict(os.environ)
    except OSError:  # the folder is gone
        return "", {}


def _do(order: dict[str, Any]) -> dict[str, Any]:
    before = _forget_peak()
    _seed(order["key"])
    start = time.perf_counter()
    try:
        result = _function(order["work"])(Path(order["folder"]), order["arguments"])
        reply = _judged(result)
    # A unit may raise anything, SystemExit and KeyboardInterrupt included.
    except BaseException as error:
        reply = _raised(error)
    reply["seconds"] = time.perf_counter() - start
    reply["peak_bytes"] = max(0, sizes(os.getpid()).get("VmHWM", 0) - before)
    return reply


def _function(work: str) -> Callable[[Path, dict[str, Any]], Any]:
    module, _, name = work.partition(":")
    function: Callable[[Path, dict[str, Any]], Any] = getattr(importlib.import_module(module), name)
    return function


def _seed(key: str) -> None:
    # A worker has done other units before, and which ones depends on the clock.
    number = zlib.crc32(key.encode("utf-8", "surrogatepass"))
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number)


def _forget_peak() -> int:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return sizes(os.getpid()).get("VmRSS", 0)


def _judged(result: object) -> dict[str, Any]:
    problem = not_plain(result, "result") if isinstance(result, dict) else f"it is a {type(result).__name__}"
    if problem:
        return {
            "status": "failed",
            "reason": f"Its result must be a dict of plain values, but {problem}.",
        }
    size = len(encode(result))
    if size > messages.MOST_BYTES:
        return {
            "status": "failed",
            "reason": f"Its result must take at most 64 MiB, got {size} bytes.",
        }
    return {"status": "done", "result": result}


def _raised(error: BaseException) -> dict[str, Any]:
    report = traceback.TracebackException.from_exception(error)
    lines = "".join(report.format_exception_only()).strip().splitlines() or [type(error).__name__]
    first = lines[0] if len(lines[0]) <= _MOST_REASON else lines[0][:_MOST_REASON] + "..."
    trace = "".join(report.format())
    return {
        "status": "failed",
        "reason": f"It raised {first.rstrip('.')}.",
        "traceback": trace[-_MOST_TRACEBACK:],
    }
