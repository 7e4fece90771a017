"""A run in progress: its folder is locked, and its workers are ready."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from classica.children.messages import encode
from classica.errors import ParameterError, RunError, must
from classica.runs.execution import Execution
from classica.runs.journal import Journal
from classica.runs.ledger import Ledger, in_order, over_budget
from classica.runs.lock import RunLock, require_own_files
from classica.runs.plan import NAME as PLAN
from classica.runs.plan import Plan, load_plan, write_plan
from classica.runs.run_progress import Progress, RunClock
from classica.runs.servers import Servers, has_proc, threads_per_worker
from classica.runs.unit import Outcome, check_limit
from classica.runs.work_table import WorkTable


@contextmanager
def open_run(
    folder: str | os.PathLike[str],
    table: WorkTable,
    plan: Plan | None = None,
    *,
    workers: int = 1,
    threads: int | None = None,
) -> Iterator[Run]:
    """Lock the folder of a run and yield the run; see `run_units`."""
    if not (isinstance(workers, int) and workers >= 1):
        raise ParameterError(must("workers", "an integer of at least 1", workers))
    if threads is not None and not (isinstance(threads, int) and threads >= 1):
        raise ParameterError(must("threads", "None or an integer of at least 1", threads))
    if not has_proc():
        raise RunError(f"Cannot run units on {sys.platform}: Linux with /proc is required.")
    path = _prepared(Path(folder).absolute(), plan)
    share = threads_per_worker(workers, threads)
    with RunLock(path) as lock, Servers(lock.handle, share, path) as servers:
        yield Run(path, table, *_settled(path, table, plan), workers, servers)


@dataclass(frozen=True)
class Run:
    """A run whose folder is locked.

    Attributes
    ----------
    folder : Path
        Its folder.
    table : WorkTable
        The functions that its units may call.
    plan : Plan
        The plan.
    digest : str
        The digest of the plan.
    workers : int
        Number of concurrent units.
    servers : Servers
        The source of workers.
    """

    folder: Path
    table: WorkTable
    plan: Plan
    digest: str
    workers: int
    servers: Servers

    def outcomes(
        self, budget: float | None = None, progress: Callable[[Progress], object] | None = None
    ) -> list[Outcome]:
        """Execute the remaining units, and return the outcomes of all; see `run_units`."""
        check_limit("budget", budget)
        head = {"kind": "start", "plan": self.digest}
        with Journal(self.folder, head) as journal, interrupts() as is_stopped:
            ledger = Ledger(journal, self.digest, self.plan)
            clock = RunClock(ledger.elapsed, self.plan.limits.budget, budget)
            execution = Execution(
                self.folder, self.plan, self.table, ledger, clock, self.workers, self.servers, progress
            )
            try:
                execution.run(is_stopped)
            except KeyboardInterrupt:
                ledger.pause(clock.elapsed)
                raise
            if len(ledger.outcomes) < len(self.plan.units):
                ledger.pause(clock.elapsed)
            spent = {key: over_budget(clock.budget or 0.0, "finished") for key in execution.running}
            otherwise = over_budget(clock.budget or 0.0, "started")
            return in_order(self.plan, ledger.outcomes, spent, otherwise)

    @contextmanager
    def within(self, name: str, plan: Plan) -> Iterator[Run]:
        """Yield a run in a subfolder, with the same workers."""
        path = _prepared(self.folder / name, plan)
        with RunLock(path):
            settled = _settled(path, self.table, plan)
            yield Run(path, self.table, *settled, self.workers, self.servers)


def _prepared(folder: Path, plan: Plan | None) -> Path:
    require_own_files(folder)
    if plan is None:
        load_plan(folder)  # leaves no lock in a folder without a run
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"Cannot create the run folder {folder}: {error.strerror}.") from error
    return folder


def _settled(folder: Path, table: WorkTable, plan: Plan | None) -> tuple[Plan, str]:
    """Return the plan of the folder and its digest; write the given plan if there is none."""
    if plan is not None and not (folder / PLAN).exists():
        write_plan(folder, plan)
    kept, digest = load_plan(folder)
    # As read back: tuples have become lists.
    if plan is not None and json.loads(encode(plan.record())) != kept.record():
        raise RunError(f"Cannot continue the run in {folder}: its plan was changed.")
    table.reference(kept.work, folder)
    return kept, digest


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Record Ctrl-C instead of raising, and return a function that tells whether it was pressed.

    If the block ends without handling it, ``KeyboardInterrupt`` is raised at its end. In other threads than
    the main one, or if the caller has its own handler, nothing is changed.
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
