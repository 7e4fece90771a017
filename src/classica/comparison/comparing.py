"""Comparing classifiers on a table: plan, run, and sum up."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from classica.comparison.compared import Compared
from classica.comparison.comparison_progress import ComparisonProgress
from classica.comparison.plan.contender import (
    all_contenders,
    foreign_models,
    named_contenders,
    reference_contender,
)
from classica.comparison.plan.memory import half_the_memory
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace, is_unstarted
from classica.comparison.race import trials
from classica.comparison.results.gathering import BASELINE
from classica.comparison.running import run_comparison
from classica.comparison.work import insight
from classica.comparison.work.units import WORK, units, work
from classica.decision import read_cost_file
from classica.decision.costs import read_costs
from classica.errors import DataError, ParameterError, RunError, must
from classica.metrics.measures import metric as measure
from classica.runs import Limits, Plan, WorkTable, read_plan, require_own_files
from classica.tables import Table, labelled_table
from classica.tables.labelled import decision_notes
from classica.threads import cores
from classica.wording import counted

#: All that the units of a comparison may do, whatever its folder says.
_TABLE = WorkTable(
    {WORK: work, insight.WORK: insight.work, trials.WORK: trials.work},
    preload=("classica.estimators", "sklearn.pipeline", "polars"),
)
#: What the process needs that starts the workers: bytes, and copies of the table. With a million rows of 50
#: columns it took 1.2 GB. Not what it takes at the moment: under ``effort`` nothing may depend on that.
_OWN_MEMORY, _OWN_COPIES = 300_000_000, 2
#: Seconds for a comparison, and for one of many rows.
_BUDGET, _BUDGET_OF_MANY_ROWS, _MANY_ROWS = 300.0, 600.0, 1_000_000
#: Copies of the encoded training rows that a fit may hold at a time, levels of a category that become columns
#: at most, and how few rows a sample may have.
_COPIES, _MOST_LEVELS, _FEWEST_ROWS = 8, 50, 1000


def compare(
    source: Any,
    target: str | None = None,
    *,
    models: Iterable[str] | None = None,
    metric: str = "accuracy",
    folds: int = 10,
    repeats: int = 1,
    inner_folds: int = 5,
    tune: bool = True,
    refine: bool = False,
    groups: str | None = None,
    time: str | None = None,
    costs: Any = None,
    reject_cost: float | None = None,
    schema: Any = None,
    ignore: Iterable[str] = (),
    seed: int = 0,
    rope: float = 0.01,
    calibrate: bool = True,
    out: str | Path | None = None,
    limit: float | None = None,
    memory: int | None = None,
    budget: float | str | None = "auto",
    since: float | None = None,
    effort: float | None = None,
    thorough: bool = False,
    reference: bool = True,
    workers: int | None = None,
    notes: Sequence[str] = (),
    progress: Callable[[ComparisonProgress], object] | None = None,
) -> Compared:
    """Compare classifiers on a table: which one to trust, and how good it really is.

    The comparison is a race. Every model is first fitted with its default parameters on a sample, then with
    all points of its grid, then the points and models that can still win on more and more rows, until all
    that are left are judged on all folds, it is sure enough, or the time is up. Every score is of rows that
    the model has not learned from (encoding and scaling included), and the score of the recommended model is
    corrected for having been selected. The run is a folder: after a crash or Ctrl-C, `resume` continues it. A
    model that fails, or takes too long or too much memory, is a row with the reason.

    Parameters
    ----------
    source : Table, RawTable or what `classica.tables.read_table` takes
        The table.
    target : str, optional
        The column to predict; by default the one that the schema names.
    models : iterable of str, optional
        Slugs of the catalog, or any scikit-learn classifier as ``module:Class``, both with parameters if
        wanted, such as ``knn(n_neighbors=7)``; by default every classifier of the catalog.
    metric : str, default="accuracy"
        One of `classica.metrics.METRICS`; "cost" needs `costs`.
    folds, repeats, inner_folds : int
        Folds of the cross-validation, how often they are drawn anew, and the inner folds of a thorough
        comparison.
    tune, refine : bool
        Whether hyper-parameters are tuned, and whether a thorough comparison then refines numeric ones.
    groups, time : str, optional
        A column whose equal values stay together; a column whose order training and test keep.
    costs : optional
        As `classica.decision.read_costs` takes them.
    reject_cost : float, optional
        What it costs to reject a row, for the metric "cost": a model then predicts a row only if that is
        expected to cost no more. Each rejected row of a test fold counts as this cost in the score. Without
        `costs`, an error costs 1.
    schema : Schema or path, optional
        Decisions about columns that are taken already.
    ignore : iterable of str, optional
        Columns to leave out.
    seed : int, default=0
        Random seed.
    rope : float, default=0.01
        Differences below this are of no practical weight.
    calibrate : bool, default=True
        Whether models that have no probabilities, such as ``svm``, get them by calibration on held-out rows,
        and then predict the most probable class. They are judged as they are delivered.
    out : path, optional
        The folder of the run; by default a new one in the folder for temporary files.
    limit : float, optional
        Seconds for one unit of work: a model on some folds.
    memory : int, optional
        Bytes for the whole comparison; by default half of the machine's memory. Tables that do not fit are
        sampled, and the result says so.
    budget : float, None or "auto", default="auto"
        Seconds for the comparison; "auto": 5 minutes, 10 for a million rows and more, and no limit if it is
        thorough. None: no limit.
    effort : float, optional
        The same plan counted in nominal seconds of work instead of the clock: two runs take the same
        decisions and give the same results bit for bit.
    since : float, optional
        When the budget began to count, by `time.monotonic()`: when a caller that has read the table itself
        began to. None: now.
    thorough : bool, default=False
        Whether to compare by an exhaustive nested cross-validation of all models and grid points instead.
    reference : bool, default=True
        Whether to add scikit-learn's ``HistGradientBoostingClassifier`` as a yardstick.
    workers : int, optional
        How many fits at a time; by default one per core.
    notes : sequence of str, optional
        What was found when the table was read, to be kept with the result.
    progress : callable, optional
        Is called with a `ComparisonProgress` after every unit and about once a second.

    Returns
    -------
    Compared
    """
    since = monotonic() if since is None else since
    table = labelled_table(source, target, schema=schema, groups=groups, time=time, ignore=ignore)
    names = _models(models, table, reference=reference)
    many = _workers(workers)
    allowed = _for_each_worker(memory or half_the_memory(), table, many)
    settings = Settings(
        metric, folds, repeats, inner_folds, tune, refine, seed, groups, time,
        _costs(costs, table, metric, reject_cost), rope, calibrate=calibrate, reject_cost=reject_cost,
        thorough=thorough, effort=effort, most_rows=None if thorough else _most_rows(table, allowed),
    )  # fmt: skip
    found = dict.fromkeys([*notes, *table.notes, *decision_notes(table)])
    workspace = Workspace(table, settings, names, tuple(found))
    _check(workspace)
    seconds = _seconds(budget, len(table), has_limit=not thorough and effort is None)
    limits = Limits(limit, allowed if memory or not thorough else None, seconds)
    folder = _new_folder(out)
    workspace.save(folder)
    plan = _plan(workspace, limits)
    return run_comparison(folder, workspace, plan, _TABLE, many, seconds, progress, since=since)


def _workers(workers: int | None) -> int:
    if workers is not None and not (isinstance(workers, int) and workers >= 1):
        raise ParameterError(must("workers", "an integer of at least 1", workers))
    return cores() if workers is None else workers


def _for_each_worker(memory: int, table: Table, workers: int) -> int:
    """Return the memory that a worker may use: what this process needs itself is taken off first."""
    own = _OWN_MEMORY + _OWN_COPIES * int(table.frame.estimated_size())
    return max(memory - own, memory // 2) // workers


def _seconds(budget: float | str | None, rows: int, *, has_limit: bool) -> float | None:
    """Return the seconds that a comparison may take."""
    if budget == "auto":
        return None if not has_limit else _BUDGET if rows < _MANY_ROWS else _BUDGET_OF_MANY_ROWS
    if isinstance(budget, str):
        raise ParameterError(must("budget", "a number of seconds, None or 'auto'", budget))
    return budget


def _most_rows(table: Table, memory: int) -> int | None:
    """Return how many training rows there is room for; None if it is enough for all."""
    columns = 0
    for name in table.schema.names("feature"):
        column = table.schema[name]
        columns += 1 if column.kind == "numeric" else max(1, min(len(column.levels or ()), _MOST_LEVELS))
    rows = int(memory / (8 * _COPIES * max(columns, 1)))
    return None if rows >= len(table) else max(rows, _FEWEST_ROWS)


def resume(
    folder: str | Path,
    *,
    allow: Iterable[str] = (),
    models: Iterable[str] | None = None,
    limit: float | None = None,
    memory: int | None = None,
    budget: float | None = None,
    workers: int | None = None,
    progress: Callable[[ComparisonProgress], object] | None = None,
) -> Compared:
    """Continue a comparison: nothing that is finished is done again, and decisions already taken hold.

    Parameters
    ----------
    folder : path
        The folder of the run. It cannot choose code to run: the models of the catalog are known by name, and
        any other model is imported only if it is named here again.
    allow : iterable of str, optional
        Third-party models of the run that you trust, as ``module:Class``.
    models : iterable of str, optional
        More models to compare; not for a thorough comparison, whose plan is fixed.
    limit, memory : optional
        As in `compare`, in place of those of the run.
    budget : float, optional
        Seconds from now, infinite for no limit; by default as many as the run had.
    workers, progress
        As in `compare`.

    Returns
    -------
    Compared
    """
    place = Path(folder)
    require_own_files(place)
    workspace = Workspace.load(place)
    strange = [name for name in foreign_models(workspace.models) if name not in set(allow)]
    if strange:
        raise RunError(
            f"The run in {place} uses models that are not part of classica: {', '.join(strange)}."
            f" If you trust them, resume it with allow={json.dumps(strange)}."
        )
    limits = _limits(place, workspace)
    _check(workspace)
    many = _workers(workers)
    plan = _plan(workspace, limits)
    if models is not None:
        workspace = _with_more(place, workspace, models)
    changed = Limits(
        limits.seconds if limit is None else limit,
        limits.memory if memory is None else _for_each_worker(memory, workspace.table, many),
        limits.budget if budget is None else None if math.isinf(budget) else budget,
    )
    # The plan is made again, and must be the one in the folder: no unit in it can be of anybody's making.
    return run_comparison(place, workspace, plan, _TABLE, many, changed.budget, progress, changed)


def _with_more(folder: Path, workspace: Workspace, models: Iterable[str]) -> Workspace:
    """Return the workspace with more models, written to the folder."""
    if workspace.settings.thorough:
        raise ParameterError(
            must("models", "None for a thorough comparison, whose plan is fixed", list(models))
        )
    names = [contender.name for contender in named_contenders(models)]
    more = replace(workspace, models=tuple(dict.fromkeys([*workspace.models, *names])))
    more.save(folder)
    return more


def _limits(folder: Path, workspace: Workspace) -> Limits:
    """Return the limits of a run; refuse settings whose folds could not be drawn in the time of its units."""
    plan, settings = read_plan(folder), workspace.settings
    if settings.thorough and settings.time is None and settings.repeats > max(1, len(plan.units)):
        raise RunError(f"The plan of a run must stay the same, but {folder} has another one.")
    return plan.limits


def _plan(workspace: Workspace, limits: Limits) -> Plan:
    planned = units(workspace) if workspace.settings.thorough else []
    return Plan(WORK, planned, f"compare {workspace.table.source}", {}, limits)


def _costs(costs: Any, table: Table, name: str, reject_cost: Any) -> list[list[float]] | None:
    measure(name)
    if name == "cost" and costs is None and reject_cost is None:
        raise ParameterError("costs must be given for the metric 'cost', got None.")
    if name != "cost" and costs is not None:
        raise ParameterError(f"metric must be 'cost' where there are costs, got {name!r}.")
    if name != "cost":
        return None
    matrix: list[list[float]] = read_cost_file(costs, np.unique(table.y)).tolist()
    return matrix


def _models(models: Iterable[str] | None, table: Table, *, reference: bool) -> tuple[str, ...]:
    found = all_contenders(len(np.unique(table.y))) if models is None else named_contenders(models)
    if reference and models is None:
        found = [*found, reference_contender()]
    names = [contender.name for contender in found]
    # The baseline is what every model has to beat: it always takes part, and first, since without it a run
    # that is stopped early can recommend nothing.
    return (BASELINE, *(name for name in names if name != BASELINE))


def _check(workspace: Workspace) -> None:
    """Raise before anything is written if there are no folds, or no rows for them."""
    if len(workspace.y) < 4:
        raise DataError(
            f"{workspace.table.source} must have at least 4 rows with a label,"
            f" got {counted(len(workspace.y), 'row')}."
        )
    for name in (workspace.settings.groups, workspace.settings.time):
        if name is not None and name not in workspace.table.frame.columns:
            raise DataError(
                f"{workspace.table.source} must have the column that folds respect, got none named {name!r}."
            )
    if workspace.settings.costs is not None:
        read_costs(workspace.settings.costs, workspace.classes)
    _ = workspace.splits


def _new_folder(out: str | Path | None) -> Path:
    if out is None:
        return Path(tempfile.mkdtemp(prefix="classica-"))
    folder = Path(out)
    if folder.is_dir() and not is_unstarted(folder):
        raise ParameterError(must("out", "a new or empty folder (or resume the run in it)", str(folder)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(f"out must be a folder to write to, got {folder}: {error.strerror}.") from None
    return folder
