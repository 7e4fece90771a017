"""Facts about processes, read from ``/proc``."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import time
from pathlib import Path

_SIZES = re.compile(r"^(VmHWM|VmRSS|RssAnon|RssShmem):\s*(\d+) kB$", re.MULTILINE)
_LIBC = ctypes.CDLL(None, use_errno=True)
_SET_DEATH_SIGNAL, _SET_SUBREAPER = 1, 36


def is_over(pid: int) -> bool:
    """Return whether a process has ended, be it reaped or not."""
    return not re.search(r"^State:\t[^ZX]", _status(pid), re.MULTILINE)


def sizes(pid: int) -> dict[str, int]:
    """Return the bytes of a process: resident, the most there were, and of what kinds."""
    return {name: 1024 * int(kib) for name, kib in _SIZES.findall(_status(pid))}


def held(pid: int) -> int:
    """Return the resident bytes of a process that no file backs: the system cannot take them back."""
    memory = sizes(pid)
    return memory.get("RssAnon", 0) + memory.get("RssShmem", 0)


def children(pid: int) -> list[int]:
    """Return the children of a process, those not reaped included."""
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            # A task may end while we look.
            with contextlib.suppress(OSError):
                pids += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return pids


def held_above(pid: int, baseline: int) -> int:
    """Return what a process and its descendants hold, each above what a process holds before any unit."""
    return max(0, held(pid) - baseline) + sum(held_above(child, baseline) for child in children(pid))


def end_marked(mark: str, spared: int) -> None:
    """Kill every process whose environment had a mark when its program was started, and wait for their end.

    Forks keep the environment of the program they are in, wherever they hide. One process is spared.
    """
    running = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    orphans = [pid for pid in running if pid != spared and _is_marked(pid, mark)]
    for pid in orphans:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 1.0
    while not all(map(is_over, orphans)) and time.monotonic() < until:
        time.sleep(0.001)


def die_with_parent(number: int) -> None:
    """Have the kernel send this process a signal when its parent ends; 0 for none."""
    _LIBC.prctl(_SET_DEATH_SIGNAL, number)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, so that none escapes."""
    _LIBC.prctl(_SET_SUBREAPER, 1)


def _is_marked(pid: int, mark: str) -> bool:
    # Other people's processes cannot be read, and ours may end while we look.
    with contextlib.suppress(OSError):
        return mark.encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return False


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text(errors="replace")
    except OSError:
        return ""
