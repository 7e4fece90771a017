"""A command in a process of its own that may be killed, and what of its run can be seen from outside."""

import os
import signal
import time
from pathlib import Path

from classica.children.processes import children, is_over
from classica.comparison.work.insight import FOLDER
from classica.interfaces.cli import compare, main, resume
from classica.interfaces.report import write_report
from classica.persist import inspect
from classica.runs import is_resumable, read_outcomes
from classica.runs.journal import read_journal
from tests.runs.launcher import kill

#: What the commands import, so that a forked process is at work at once.
PRELOADED = compare, resume, write_report


def command(arguments, output):
    """Run a command, with its output in a file: what a `Launcher` launches."""
    handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for place in (1, 2):
        os.dup2(handle, place)
    try:
        main(arguments)
    except SystemExit as end:
        os._exit(end.code or 0)


class KillableRun:
    """A comparison that is begun by ``classica compare`` and gone on with by ``classica resume``."""

    def __init__(self, launcher, folder, arguments):
        self.folder, self._launcher, self._arguments = folder, launcher, arguments
        self._output = folder.with_suffix(".txt")
        self.pid = None

    def start(self):
        """Start the command that anybody would now: resume as soon as there is a plan."""
        is_begun = is_resumable(self.folder)
        begin = ["compare", *self._arguments, "--out", str(self.folder)]
        arguments = ["resume", str(self.folder)] if is_begun else begin
        self.pid = self._launcher.start([*arguments, "--workers", "2"], str(self._output))

    def end(self):
        """Let the command come to its end; return its exit code and what it has said."""
        return self._launcher.ended(), self._output.read_text()

    @property
    def is_over(self):
        return self.pid is None or is_over(self.pid)

    def done(self):
        """Return the units that are finished: their outcomes, and when their files were written."""
        parts = [self.folder, *self.folder.glob(f"{FOLDER}/*")]
        outcomes = {
            each.key: each
            for part in parts
            if is_resumable(part)
            for each in read_outcomes(part)
            if each.status == "done"
        }
        return {key: (each, self._written(key)) for key, each in outcomes.items()}

    def _written(self, key):
        name, _, fold = key.partition(" fold ")
        model = name.removesuffix(" all rows")
        if fold:
            path = self.folder / f"answers/{model}-{fold}.npz"
            return path.stat().st_mtime_ns if path.exists() else None
        path = self.folder / f"models/{model}.classica"
        # Its card is written when the summary is known; the rest of the file stays as it was.
        return inspect(path)["metadata"]["fingerprint"] if path.exists() else None

    def lines(self, part=""):
        """Return how many records a journal has."""
        return sum(len(read_journal(place)) for place in places(self.folder, part))

    def looks(self):
        """Return how many units of the closer look are finished."""
        return looks_in(self.folder)

    def stamp(self, name):
        """Return when a file was written, None if it is not there."""
        path = self.folder / name
        return path.stat().st_mtime_ns if path.exists() else None

    def kill(self, victim):
        """Kill the command, its server, or both, or a worker with the command.

        Return who it was: the command where there is no other, None where it is over.
        """
        if self.is_over:
            return None
        servers = children(self.pid)
        workers = [worker for server in servers for worker in children(server)]
        others = {"command": [], "server": servers, "server and command": servers}.get(victim, workers[:1])
        if not others:
            victim = "command"
        if victim == "server":
            kill(others[0])
            return victim
        # A command that stands still cannot see that the other is gone: both end at once.
        os.kill(self.pid, signal.SIGSTOP)
        for other in others[:1]:
            kill(other)
        kill(self.pid)
        self.pid = None
        return victim


def places(folder, part):
    """Return the folders of the runs in a part of a run's folder."""
    return [place for place in folder.glob(f"{part}/*") if is_resumable(place)] if part else [folder]


def looks_in(folder):
    """Return how many units of the closer look are finished in the folder of a run."""
    return sum("outcome" in record for place in places(folder, FOLDER) for record in read_journal(place))


def files_in(folder):
    """Return the names of all files of a run, hidden ones included."""
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*")}


def wait_until(is_so, run, seconds=60.0):
    """Wait until something is so; False if the command has come to its end before."""
    until = time.monotonic() + seconds
    while not is_so():
        if run.is_over:
            return False
        assert time.monotonic() < until, "the command must go on"
        time.sleep(0.002)
    return True
