"""Start, continue and read runs."""

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
    """Start or continue a run, and return the outcomes of its units.

    Every unit is executed in a child process. Its outcome is synced before it counts, so the run may be
    killed at any moment and continued by calling this again: a unit with an outcome, whatever it is, is not
    repeated.

    Parameters
    ----------
    folder : path
        The folder of the run; created if it does not exist and a plan is given.
    table : WorkTable
        The functions that units may call. The plan names one of them; nothing in the folder can select other
        code.
    plan : Plan, optional
        The plan. A folder that has a plan is continued with the same plan, or with None.
    workers : int
        Number of concurrent units.
    threads : int, optional
        Number of threads of a unit (``CLASSICA_NUM_THREADS`` and ``OMP_NUM_THREADS`` in its process); by
        default the cores are shared among the workers. BLAS has one thread, because its results depend on the
        number.
    budget : float, optional
        Seconds from now, instead of the remaining budget of the plan.
    progress : callable, optional
        Called with a `Progress` after every outcome and about once a second. It should be quick, because
        limits are not enforced meanwhile.

    Returns
    -------
    list of Outcome
        One per unit, in the order of the plan. Units that the budget did not reach are "skipped"; they are
        executed when the run is continued with more budget.

    Raises
    ------
    RunBusyError
        If another process is working on the folder.
    RunError
        If the folder cannot be used: another plan, another version, damage, or a full disk.
    KeyboardInterrupt
        On Ctrl-C, after the children have ended; the run can be continued.
    """
    check_limit("budget", budget)
    with open_run(folder, table, plan, workers=workers, threads=threads) as run:
        return run.outcomes(budget, progress)


def is_resumable(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder contains a run."""
    return (Path(folder) / PLAN).exists()


def read_plan(folder: str | os.PathLike[str]) -> Plan:
    """Return the plan of a run folder."""
    return load_plan(Path(folder))[0]


def read_outcomes(folder: str | os.PathLike[str]) -> list[Outcome]:
    """Return the outcomes of the units of a run, in the order of the plan.

    Another process may be running it. Units without an outcome are "skipped".
    """
    plan, digest = load_plan(Path(folder))
    outcomes = outcomes_in(read_journal(Path(folder)), digest, plan)
    return in_order(plan, outcomes, {}, "It has not been run yet.")
