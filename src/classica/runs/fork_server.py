"""The launcher's view of the fork server."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from classica.children.processes import end_marked
from classica.errors import RunError
from classica.runs.child import Child

# The kernel kills a server that is still importing when the run is killed (signal 9, option 1).
_START = (
    "import ctypes, json, sys; ctypes.CDLL(None).prctl(1, 9); control, path, modules = sys.argv[1:]; "
    "sys.path[:] = json.loads(path); from classica.children.server import main; "
    "main(int(control), json.loads(modules))"
)
_MARK = "CLASSICA_RUN"


class ServerLostError(Exception):
    """The fork server has ended, and all workers with it."""


class ForkServer:
    """A process that has imported the modules of the units and forks workers.

    Parameters
    ----------
    modules : sequence of str
        The modules to import.
    threads : int
        Number of threads per worker.
    folder : Path
        The folder of the run, which identifies processes left behind.
    """

    def __init__(self, modules: Sequence[str], threads: int, folder: Path) -> None:
        self.threads = threads
        self._mark = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the rest)
        command = [str(theirs.fileno()), json.dumps(sys.path), json.dumps(list(modules))]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(theirs.fileno(),),
            env={**os.environ, **_environment(threads), _MARK: self._mark},
            start_new_session=True,  # Ctrl-C is handled by the run
        )
        theirs.close()
        self._ready = False

    def hold(self, lock: int) -> None:
        """Pass the lock of the folder to the server, which holds it as long as a worker may live.

        Without the lock it forks no worker. As the lock is ours now, processes started by another server of
        this folder are orphans; they may outlive a killed server if they have left its session.
        """
        end_marked(f"{_MARK}={self._mark}", spared=self._process.pid)
        with contextlib.suppress(ConnectionError):  # the next request notices that it has ended
            socket.send_fds(self._line, [json.dumps({"lock": True}).encode()], [lock])

    @property
    def is_running(self) -> bool:
        """Whether its process is running."""
        return self._process.poll() is None

    def wait(self, seconds: float) -> bool:
        """Wait for the imports; return whether they are finished."""
        if not self._ready:
            self._line.settimeout(seconds)
            try:
                answer = self._answer()
            except TimeoutError:
                return False
            except ServerLostError:
                reason = f"the process that imports their modules ended ({self._last_error()})"
                raise RunError(f"Cannot start workers: {reason}.") from None
            if answer["problem"]:
                raise RunError(f"Cannot import the modules of the run: {answer['problem']}.")
            self._line.settimeout(None)
            self._ready = True
        return True

    def fork(self) -> Child:
        """Return a new worker."""
        ours, theirs = socket.socketpair()
        output, their_output = os.pipe()
        try:
            answer = self._ask({}, [theirs.fileno(), their_output])
            if "pid" not in answer:
                raise RunError(f"Cannot start a worker: {answer['problem']}.")
        except BaseException:
            ours.close()
            os.close(output)
            raise
        finally:
            theirs.close()
            os.close(their_output)
        return Child(answer["pid"], ours, output)

    def reap(self, child: Child, *, is_leaving: bool = False) -> tuple[int, bool]:
        """Kill a worker and all processes that it has started.

        Parameters
        ----------
        child : Child
            The worker.
        is_leaving : bool
            Whether it seems to be ending by itself, so that its status is worth waiting for.

        Returns
        -------
        status : int
            The status from `os.waitpid`.
        killed : bool
            Whether it had to be killed.
        """
        child.close()
        answer = self._ask({"pid": child.pid, "is_leaving": is_leaving}, [])
        return answer["status"], answer["killed"]

    def close(self) -> None:
        """End the server and all workers."""
        self._line.close()
        if not self._ready:
            self._process.kill()  # it has no worker yet, and imports may take a while
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, order: dict[str, Any], handles: list[int]) -> dict[str, Any]:
        try:
            socket.send_fds(self._line, [json.dumps(order).encode()], handles)
        except (BrokenPipeError, ConnectionError) as error:
            raise ServerLostError from error
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        try:
            data = self._line.recv(4096)
        except ConnectionError as error:
            raise ServerLostError from error
        if not data:
            raise ServerLostError
        answer: dict[str, Any] = json.loads(data)
        return answer

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit status {self._process.wait()}"


def _environment(threads: int) -> dict[str, str]:
    """Return the environment that makes results depend on the unit only and limits workers to their cores."""
    return {
        "PYTHONHASHSEED": "0",
        "CLASSICA_NUM_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "POLARS_MAX_THREADS": str(threads),
        # Spinning threads take cores from other workers.
        "OMP_WAIT_POLICY": "PASSIVE",
        # The bits of BLAS results depend on its number of threads, which it starts on import.
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "VECLIB_MAXIMUM_THREADS": "1",
    }
