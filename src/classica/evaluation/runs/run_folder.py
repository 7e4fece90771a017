"""A run folder: starting, continuing and reading it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

from classica.children.plain_values import encode
from classica.errors import ParameterError, RunError, must
from classica.evaluation.runs import reasons
from classica.evaluation.runs.clock import RunClock
from classica.evaluation.runs.execution import Execution
from classica.evaluation.runs.interrupts import interrupts
from classica.evaluation.runs.journal import Journal, read_journal
from classica.evaluation.runs.ledger import Ledger, outcomes_in
from classica.evaluation.runs.limits import check_limit
from classica.evaluation.runs.lock import RunLock
from classica.evaluation.runs.outcome import Outcome
from classica.evaluation.runs.plan import Plan
from classica.evaluation.runs.plan_file import NAME as PLAN
from classica.evaluation.runs.plan_file import load_plan, write_plan
from classica.evaluation.runs.progress import Progress
from classica.threads import cores


def run_units(
    folder: str | os.PathLike[str],
    plan: Plan | None = None,
    *,
    workers: int = 1,
    threads: int | None = None,
    budget: float | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> list[Outcome]:
    """Start a run or continue it, and return what became of its units.

    Every unit is done in a child process. Its outcome is on the disk before it counts, so the run may be
    killed at any moment and continued by calling this again: what has an outcome is not done again, whatever
    the outcome is.

    Parameters
    ----------
    folder : path
        The folder of the run; made if it does not exist and there is a plan.
    plan : Plan, optional
        What to do. A folder that has a plan is continued, by the same plan or none.
    workers : int
        How many units at a time.
    threads : int, optional
        How many threads a unit may use (``CLASSICA_NUM_THREADS`` and ``OMP_NUM_THREADS`` in its process); by
        default the cores are shared among the workers. BLAS has one: its results depend on how many it has.
    budget : float, optional
        Seconds from now, in place of what is left of the budget of the plan.
    progress : callable, optional
        Called with a `Progress` after every outcome and about once a second. It should be quick: nobody is
        watched meanwhile.

    Returns
    -------
    list of Outcome
        One per unit, in the order of the plan. Units that the budget did not reach are "skipped"; they are
        done when the run is continued with more of it.

    Raises
    ------
    RunBusyError
        If another process is working on the folder.
    RunError
        If the folder cannot be used: another plan, another version, damage, no place on the disk.
    KeyboardInterrupt
        On Ctrl-C, after the children were ended; the run can be continued.
    """
    if not (isinstance(workers, int) and workers >= 1):
        raise ParameterError(must("workers", "an integer of at least 1", workers))
    if threads is not None and not (isinstance(threads, int) and threads >= 1):
        raise ParameterError(must("threads", "None or an integer of at least 1", threads))
    check_limit("budget", budget)
    if not Path("/proc/self/status").exists():
        raise RunError(must("The system of a run", "Linux, with /proc", sys.platform))
    place = _prepared(Path(folder).absolute(), plan)
    with RunLock(place) as lock:
        plan, digest = _settled(place, plan)
        with Journal(place, {"kind": "start", "plan": digest}) as journal, interrupts() as is_stopped:
            ledger = Ledger(journal, digest)
            clock = RunClock(ledger.elapsed, plan.limits.budget, budget)
            share = threads or max(1, cores() // workers)
            execution = Execution(place, plan, ledger, clock, workers, share, lock.handle, progress)
            try:
                execution.run(is_stopped)
            except KeyboardInterrupt:
                ledger.pause(clock.elapsed)
                raise
            if len(ledger.outcomes) < len(plan.units):
                ledger.pause(clock.elapsed)
            spent = {key: reasons.over_budget(clock.budget or 0.0, "finished") for key in execution.running}
            otherwise = reasons.over_budget(clock.budget or 0.0, "started")
            return _in_order(plan, ledger.outcomes, spent, otherwise)


def is_resumable(folder: str | os.PathLike[str]) -> bool:
    """Return whether there is a run in a folder."""
    return (Path(folder) / PLAN).exists()


def read_plan(folder: str | os.PathLike[str]) -> Plan:
    """Return the plan of a run folder."""
    return load_plan(Path(folder))[0]


def read_outcomes(folder: str | os.PathLike[str]) -> list[Outcome]:
    """Return what has become of the units of a run, in the order of the plan.

    Another process may be running it. Units without an outcome are "skipped".
    """
    plan, digest = load_plan(Path(folder))
    return _in_order(plan, outcomes_in(read_journal(Path(folder)), digest), {}, "It has not been done yet.")


def _prepared(folder: Path, plan: Plan | None) -> Path:
    if plan is None:
        load_plan(folder)  # no lock is left where there is no run
        return folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(must(f"The run folder {folder}", "one that can be made", error.strerror)) from error
    return folder


def _settled(folder: Path, plan: Plan | None) -> tuple[Plan, str]:
    """Return the plan of the folder and its digest; it is the given one, and written now if there is none."""
    if plan is not None and not (folder / PLAN).exists():
        write_plan(folder, plan)
    kept, digest = load_plan(folder)
    # As it is read back: a tuple has become a list.
    if plan is not None and json.loads(encode(plan.record())) != kept.record():
        raise RunError(f"The plan of a run must stay the same, but {folder} has another one.")
    return kept, digest


def _in_order(
    plan: Plan, outcomes: dict[str, Outcome], reasons: dict[str, str], otherwise: str
) -> list[Outcome]:
    """Return the outcomes in the order of the plan; units without one are skipped for their reason."""
    keys = [unit.key for unit in plan.units]
    return [outcomes.get(key) or Outcome(key, "skipped", reasons.get(key, otherwise)) for key in keys]
