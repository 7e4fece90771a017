"""The fork server, inside its process: it imports modules, forks workers on request, and reaps them.

It computes nothing, so it has no threads of its own when it forks. It is the parent of all workers and adopts
what they leave behind, so it can end and reap everything; it does so when the run closes the line, or is
killed.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import time
import traceback
from collections.abc import Sequence
from typing import Any

from classica.children import worker
from classica.children.processes import adopt_orphans, children, die_with_parent

#: How long a worker that is on its way out may take before it is killed.
_GRACE_SECONDS = 0.5


def main(control: int, modules: Sequence[str]) -> None:
    """Serve until the run is gone.

    Parameters
    ----------
    control : int
        The handle of the line to the run; the lock of its folder comes through it.
    modules : sequence of str
        What to import before the first worker.
    """
    line = socket.socket(fileno=control)
    if _is_closed(line):  # killed before the kernel was told to end this process with it
        return
    problem = _import(modules)
    with contextlib.suppress(OSError):
        line.send(json.dumps({"problem": problem}).encode())
    adopt_orphans()
    # Until now the kernel would have ended this process with the run; from here on it has children to reap.
    die_with_parent(0)
    gc.freeze()
    Server(line).serve()


def _is_closed(line: socket.socket) -> bool:
    try:
        return not line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def _import(modules: Sequence[str]) -> str | None:
    for name in modules:
        try:
            importlib.import_module(name)
        except BaseException as error:  # an import may even exit
            return f"{name}: {type(error).__name__}: {str(error)[:200]}"
    return None


class Server:
    """The workers that live, and the line to the run."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._lock: int | None = None
        self._workers: set[int] = set()

    def serve(self) -> None:
        """Follow orders until the line is closed, then end everything."""
        while True:
            try:
                data, handles, _, _ = socket.recv_fds(self._line, 4096, 2)
            except ConnectionError:
                data, handles = b"", []
            if not data:
                break
            order = json.loads(data)
            if "lock" in order:  # held until this process ends; nobody waits for an answer
                (self._lock,) = handles
            else:
                self._answer(self._fork(handles) if handles else self._reap(**order))
        for pid in list(self._workers):
            self._reap(pid, False)

    def _answer(self, message: dict[str, Any]) -> None:
        # A run that was killed does not read it; the next order will be the end of the line.
        with contextlib.suppress(OSError):
            self._line.send(json.dumps(message).encode())

    def _fork(self, handles: list[int]) -> dict[str, Any]:
        if self._lock is None:
            return {"problem": "The server holds no lock."}
        me = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            pid = -1
            problem = error.strerror
        if pid == 0:
            self._be_worker(me, self._lock, *handles)
        for handle in handles:
            os.close(handle)
        if pid < 0:
            return {"problem": problem}
        self._workers.add(pid)
        return {"pid": pid}

    def _be_worker(self, server: int, lock: int, line: int, output: int) -> None:
        try:
            os.close(lock)
            self._line.close()
            worker.settle(server, output)
            worker.work(socket.socket(fileno=line))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(70)  # never back into the server's own loop

    def _reap(self, pid: int, is_leaving: bool) -> dict[str, Any]:
        """End a worker with all it has started, and return how it ended.

        A worker stays a zombie until here, so that its number means no other process.
        """
        killed = not (is_leaving and _has_left(pid))
        _kill_group(pid)
        _, status = os.waitpid(pid, 0)
        self._workers.discard(pid)
        self._reap_orphans()
        return {"status": status, "killed": killed}

    def _reap_orphans(self) -> None:
        while orphans := set(children(os.getpid())) - self._workers:
            for orphan in orphans:
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)


def _has_left(pid: int) -> bool:
    end = time.monotonic() + _GRACE_SECONDS
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > end:
            return False
        time.sleep(0.001)
    return True


def _kill_group(pid: int) -> None:
    for kill in (os.killpg, os.kill):  # a worker just forked may have no group yet
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)
