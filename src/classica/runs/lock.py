"""``lock``: one process works on a run folder at a time.

The lock is a kernel lock (``flock``): it is released when the processes that hold it end, however they end.
The text in the file only identifies the holder. The fork server holds it together with the run that started
it, so that after ``kill -9`` the folder is free as soon as the last child has ended, a few milliseconds
later.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import stat
import time
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from classica.children.processes import is_over
from classica.errors import RunBusyError, RunError

NAME = "lock"
#: How long to wait for the children of a killed run to end.
_LEFTOVER_SECONDS = 10.0


class RunLock:
    """The lock of a run folder, held from construction to `close`."""

    def __init__(self, folder: Path) -> None:
        path = folder / NAME
        try:
            self.handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise RunError(f"Cannot write to the run folder {folder}: {error.strerror}.") from error
        try:
            _acquire(self.handle, folder)
            _sign(self.handle, folder)
        except BaseException:
            os.close(self.handle)
            raise

    def close(self) -> None:
        """Release the folder."""
        # Without the text it is not mistaken for the lock of a killed run.
        with contextlib.suppress(OSError):
            os.ftruncate(self.handle, 0)
        os.close(self.handle)

    def __enter__(self) -> RunLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _acquire(handle: int, folder: Path) -> None:
    start = time.monotonic()
    while not _locked(handle):
        waited = time.monotonic() - start
        holder = _holder(handle)
        patience = 0.2 if holder is None else _LEFTOVER_SECONDS if _is_gone(holder) else 0.0
        if waited >= patience:
            who = _described(holder) if holder else "a process that has just started"
            raise RunBusyError(f"Cannot use the run folder {folder}: it is locked by {who}.")
        time.sleep(0.01)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(handle: int, folder: Path) -> None:
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    text = json.dumps({"pid": os.getpid(), "host": socket.gethostname(), "started": now}).encode() + b"\n"
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, text, 0)
    except OSError as error:
        raise RunError(f"Cannot write to the run folder {folder}: {error.strerror}.") from error


def _holder(handle: int) -> dict[str, Any] | None:
    try:
        record = json.loads(os.pread(handle, 4096, 0))
        return {"pid": int(record["pid"]), "host": str(record["host"]), "started": str(record["started"])}
    except (ValueError, KeyError, TypeError):
        return None  # not signed yet


def _is_gone(holder: dict[str, Any]) -> bool:
    return holder["host"] == socket.gethostname() and is_over(holder["pid"])


def _described(holder: dict[str, Any]) -> str:
    return f"process {holder['pid']} on {holder['host']}, started {holder['started']}"


def require_own_files(folder: Path) -> None:
    """Raise for a folder that contains links, pipes or devices.

    A run writes to files in its folder. A link would let the author of the folder choose a file elsewhere to
    be overwritten, and a pipe would block forever.
    """
    for path in folder.rglob("*"):
        try:
            mode = path.lstat().st_mode
        except OSError:  # a file of a run in progress that has been removed since
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            kind = "a link" if stat.S_ISLNK(mode) else "a pipe, socket or device"
            raise RunError(f"The run folder {folder} must hold only files and folders, got {kind}: {path}.")
