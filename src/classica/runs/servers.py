"""The fork server of a run, from the first unit that needs it to the end of the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from classica.runs.fork_server import ForkServer


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
            self._server = ForkServer(modules, self._lock, self._threads, self._folder)
        return self._server

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
