"""Runs ``classica compare`` as a user does: when leaderboard and answer come, and the memory it takes."""

import json
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from benchmarks.timing import Clock
from classica.children.processes import children

#: Seconds between two looks at the memory.
_EVERY = 0.25
_PSS = re.compile(r"^Pss:\s*(\d+) kB$", re.MULTILINE)


@dataclass(frozen=True)
class TimedRun:
    """One run of the command.

    Attributes
    ----------
    first_leaderboard : float or None
        Seconds from the start of the process to its first leaderboard; None if there was none.
    answer : float
        Seconds from the start of the process to its end.
    peak_memory : int or None
        The most bytes that the process and all its descendants held together; None where the system does not
        tell.
    exit_code : int
        0 if there is an answer.
    error : str
        The last line of standard error if there is none.
    """

    first_leaderboard: float | None
    answer: float
    peak_memory: int | None
    exit_code: int
    error: str = ""


class PeakMemory:
    """The most memory that a process and all its descendants hold together while this is entered.

    Memory that processes share is counted once: of every page, each process has its share (PSS).

    Parameters
    ----------
    pid : int
        The process.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._most = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    @property
    def peak(self) -> int | None:
        """The peak; None where the system does not tell."""
        return self._most or None

    def __enter__(self) -> "PeakMemory":
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self._most = max(self._most, held_together(self._pid))
            if self._is_over.wait(_EVERY):
                return


def held_together(pid: int) -> int:
    """Return the bytes of a process and its descendants, 0 if it has ended or the system does not tell."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    own = sum(1024 * int(kib) for kib in _PSS.findall(rollup))
    return own + sum(map(held_together, children(pid)))


def run_timed(command: Sequence[str], folder: Path, clock: Clock = time.perf_counter) -> TimedRun:
    """Run a command that prints its progress as JSON lines, in a folder, until it ends."""
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
    with tempfile.TemporaryFile() as errors:
        start = clock()
        with (
            subprocess.Popen(command, cwd=folder, stderr=errors, **pipes) as process,
            PeakMemory(process.pid) as memory,
        ):
            try:
                first = _time_of_leaderboard(process.stdout or (), clock)
                exit_code = process.wait()
                end = clock()
            finally:
                process.kill()  # an interrupted benchmark leaves nothing running
        first_leaderboard = None if first is None else first - start
        error = _last_line(errors) if exit_code else ""
    return TimedRun(first_leaderboard, end - start, memory.peak, exit_code, error)


def _time_of_leaderboard(lines: Iterable[bytes], clock: Clock) -> float | None:
    """Read all lines, and return when the first with a leaderboard came."""
    first = None
    for line in lines:
        if first is None and json.loads(line).get("leaders"):
            first = clock()
    return first


def _last_line(file: IO[bytes]) -> str:
    file.seek(0)
    lines = file.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
