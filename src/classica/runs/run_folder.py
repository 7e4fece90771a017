"""A run folder: starting, continuing and reading it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from classica.runs.journal import read_journal
from classica.runs.ledger import in_order, outcomes_in
from classica.runs.plan import NAME as PLAN
from classica.runs.plan import Plan, load_plan
from classica.runs.run import open_run
from classica.runs.run_progress import Progress
from classica.runs.unit import Outcome, check_limit
from classica.runs.work_table import WorkTable


def run_units(
    folder: str | os.PathLike[str],
    table: WorkTable,
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
    table : WorkTable
        The functions that do the units. The plan names one of them: nothing in the folder chooses code.
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
    check_limit("budget", budget)
    with open_run(folder, table, plan, workers=workers, threads=threads) as run:
        return run.outcomes(budget, progress)


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
    outcomes = outcomes_in(read_journal(Path(folder)), digest, plan)
    return in_order(plan, outcomes, {}, "It has not been run yet.")
