"""The fork server of a run, from the first unit that needs it to the end of the run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from classica.runs.fork_server import ForkServer
from classica.threads import cores

#: The servers that were started before their run, by its folder.
_ahead: dict[Path, ForkServer] = {}


def threads_per_worker(workers: int, threads: int | None = None) -> int:
    """Return how many threads each worker may use: the cores are shared out unless that is given."""
    return threads or max(1, cores() // workers)


def has_proc() -> bool:
    """Return whether the system has ``/proc``, which the limits of workers are read from."""
    return Path("/proc/self/status").exists()


@contextmanager
def server_ahead(folder: str | os.PathLike[str], modules: Sequence[str], workers: int) -> Iterator[None]:
    """Start the process that forks workers before its run is opened inside the block.

    Its imports and those of the caller then take place side by side. It has neither the lock of the folder
    nor a worker until the run is opened; if none is, it ends with the block.

    Parameters
    ----------
    folder : path
        The folder of the run, which need not exist yet.
    modules : sequence of str
        What it imports.
    workers : int
        How many units the run will do at a time.
    """
    if not has_proc():  # opening the run raises the error
        yield
        return
    path = Path(folder).absolute()
    _ahead[path] = ForkServer(modules, threads_per_worker(workers), path)
    try:
        yield
    finally:
        if unused := _ahead.pop(path, None):
            unused.close()


class Servers:
    """Starts a fork server when the first worker is needed, and keeps it: its imports take longest.

    Parameters
    ----------
    lock : int
        The handle of the folder's lock, which the server holds for as long as a worker may live.
    threads : int
        How many threads a worker may use.
    folder : Path
        The folder of the run.
    """

    def __init__(self, lock: int, threads: int, folder: Path) -> None:
        self._lock, self._threads, self._folder = lock, threads, folder
        self._server: ForkServer | None = None

    def server(self, modules: Sequence[str]) -> ForkServer:
        """Return the server; one that starts now imports these modules first."""
        if self._server is None:
            self._server = self._started_ahead() or ForkServer(modules, self._threads, self._folder)
            self._server.hold(self._lock)
        return self._server

    def _started_ahead(self) -> ForkServer | None:
        """Return the server that was started for this folder, if it still runs and gives as many threads."""
        server = _ahead.pop(self._folder, None)
        if server is not None and (server.threads != self._threads or not server.is_running):
            server.close()
            return None
        return server

    def close(self) -> None:
        """End the server and all workers."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def __enter__(self) -> Servers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
