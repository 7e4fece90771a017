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

from classica.comparison.comparison_progress import ComparisonProgress
from classica.comparison.comparison_result import ComparisonResult
from classica.comparison.plan.contender import (
    all_contenders,
    foreign_models,
    named_contenders,
    reference_contender,
)
from classica.comparison.plan.memory import default_memory
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace, is_unstarted
from classica.comparison.race import trials
from classica.comparison.results.gathering import BASELINE
from classica.comparison.running import run_comparison
from classica.comparison.work import insight
from classica.comparison.work.units import WORK, units, work
from classica.decision import read_cost_file
from classica.decision.class_labels import named_class
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
    preload=("classica.estimators",),
)
#: What the process needs that starts the workers: bytes, and copies of the table. With a million rows of 50
#: columns it took 1.2 GB. Not what it takes at the moment: under ``effort`` nothing may depend on that.
_OWN_MEMORY, _OWN_COPIES = 300_000_000, 2
#: Seconds for a comparison, and for one of many rows.
_BUDGET, _BUDGET_OF_MANY_ROWS, _MANY_ROWS = 300.0, 600.0, 1_000_000
#: Copies of the encoded training rows that a fit may hold at a time (with 8, a million rows of 50 columns
#: took 2.3 of their 4 GB), levels of a category that become columns at most, and how few rows a sample has.
_COPIES, _MOST_LEVELS, _FEWEST_ROWS = 5, 50, 1000


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
    positive: Any = None,
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
) -> ComparisonResult:
    """Compare classifiers on a table and recommend one.

    The comparison is a race. Every model is fitted with its default parameters on a sample, then with all
    points of its grid; the points and models that can still win go on to larger samples, and the remaining
    models are cross-validated on all folds, until the answer is clear or the budget is used up. Every score
    is measured on rows that were not used for training (encoding and scaling included), and the score of the
    recommended model is corrected for having been selected. The run is kept in a folder: after a crash or
    Ctrl-C, `resume` continues it. A model that fails, or takes too long or too much memory, is listed with
    the reason.

    Parameters
    ----------
    source : Table, RawTable or what `classica.tables.read_table` takes
        The table.
    target : str, optional
        Column to predict; by default the target of the schema.
    models : iterable of str, optional
        Slugs of the catalog, or any scikit-learn classifier as ``module:Class``, with optional parameters
        such as ``knn(n_neighbors=7)``; by default every classifier of the catalog.
    metric : str, default="accuracy"
        One of `classica.metrics.METRICS`; "cost" needs `costs`.
    folds, repeats, inner_folds : int
        Number of cross-validation folds, repetitions of the cross-validation, and inner folds of a thorough
        comparison.
    tune, refine : bool
        Whether hyper-parameters are tuned, and whether a thorough comparison then refines numeric ones.
    groups, time : str, optional
        Column whose equal values stay in one fold; column by which test rows come after training rows.
    costs : optional
        Cost matrix (rows: predicted class, columns: true class), as `classica.decision.read_costs` takes it.
    reject_cost : float, optional
        Cost of rejecting a row, for the metric "cost": a model rejects rows whose expected cost is higher.
        Each rejected test row adds this cost to the score. Without `costs`, an error costs 1.
    positive : label, optional
        Class whose precision, recall, F1 and curves are shown beside the metrics of all classes.
    schema : Schema or path, optional
        Kind and role of each column; by default inferred.
    ignore : iterable of str, optional
        Columns to leave out.
    seed : int, default=0
        Random seed.
    rope : float, default=0.01
        Region of practical equivalence: smaller differences do not matter.
    calibrate : bool, default=True
        Whether the scores of models without probabilities, such as ``svm``, are calibrated on held-out rows;
        such a model then predicts the most probable class, in the folds as well as in its file.
    out : path, optional
        Run folder; by default a new one in the folder for temporary files.
    limit : float, optional
        Time limit in seconds for one unit of work: a model on some folds.
    memory : int, optional
        Memory limit in bytes; by default 4 GB, or 20 times the table if that is more, but at most half of
        the memory of the computer. Larger tables are sampled, and the result states that.
    budget : float, None or "auto", default="auto"
        Time limit in seconds; "auto": 5 minutes, 10 from a million rows on, and none for a thorough
        comparison. None: no limit.
    effort : float, optional
        Reproducible budget in nominal seconds of work instead of time: two runs take the same decisions and
        give the same results bit for bit.
    since : float, optional
        Start of the budget by `time.monotonic()`, for a caller that has read the table itself. None: now.
    thorough : bool, default=False
        Whether to use an exhaustive nested cross-validation of all models and grid points instead.
    reference : bool, default=True
        Whether to add scikit-learn's ``HistGradientBoostingClassifier`` as a reference.
    workers : int, optional
        Number of fits to run in parallel; by default one per core.
    notes : sequence of str, optional
        Notes on how the table was read, to be kept with the result.
    progress : callable, optional
        Called with a `ComparisonProgress` after every unit and about once a second.

    Returns
    -------
    ComparisonResult
    """
    since = monotonic() if since is None else since
    table = labelled_table(source, target, schema=schema, groups=groups, time=time, ignore=ignore)
    names = _models(models, table, reference=reference)
    many = _workers(workers)
    memory_for_all = memory or default_memory(int(table.frame.estimated_size()))
    allowed = _for_each_worker(memory_for_all, table, many)
    settings = Settings(
        metric, folds, repeats, inner_folds, tune, refine, seed, groups, time,
        _costs(costs, table, metric, reject_cost), rope, calibrate=calibrate, reject_cost=reject_cost,
        thorough=thorough, effort=effort, most_rows=None if thorough else _most_rows(table, allowed),
        positive=None if positive is None else str(named_class(positive, np.unique(table.y).tolist())),
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
) -> ComparisonResult:
    """Continue a comparison; finished units are not repeated, and earlier decisions hold.

    Parameters
    ----------
    folder : path
        Run folder. It cannot choose code to run: models of the catalog are looked up by slug, and any other
        model is imported only if it is named in `allow`.
    allow : iterable of str, optional
        Third-party models of the run that you trust, as ``module:Class``.
    models : iterable of str, optional
        More models to compare; not for a thorough comparison, whose plan is fixed.
    limit, memory : optional
        As in `compare`, instead of those of the run.
    budget : float, optional
        Time limit in seconds from now, infinite for none; by default that of the run.
    workers, progress
        As in `compare`.

    Returns
    -------
    ComparisonResult
    """
    path = Path(folder)
    require_own_files(path)
    workspace = Workspace.load(path)
    untrusted = [name for name in foreign_models(workspace.models) if name not in set(allow)]
    if untrusted:
        raise RunError(
            f"Cannot resume {path}: it uses third-party models: {', '.join(untrusted)}."
            f" If you trust them, resume it with allow={json.dumps(untrusted)}."
        )
    limits = _limits(path, workspace)
    _check(workspace)
    many = _workers(workers)
    plan = _plan(workspace, limits)
    if models is not None:
        workspace = _with_more(path, workspace, models)
    changed = Limits(
        limits.seconds if limit is None else limit,
        limits.memory if memory is None else _for_each_worker(memory, workspace.table, many),
        limits.budget if budget is None else None if math.isinf(budget) else budget,
    )
    # The plan is computed again and must equal the one in the folder, so that nobody can add a unit to it.
    return run_comparison(path, workspace, plan, _TABLE, many, changed.budget, progress, changed)


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
        raise RunError(f"Cannot resume {folder}: its plan was changed.")
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
                f"{workspace.table.source} must have the column {name!r} of groups or times, got none."
            )
    if workspace.settings.costs is not None:
        read_costs(workspace.settings.costs, workspace.classes)
    _ = workspace.splits


def _new_folder(out: str | Path | None) -> Path:
    if out is None:
        return Path(tempfile.mkdtemp(prefix="classica-"))
    folder = Path(out)
    if folder.is_dir() and not is_unstarted(folder):
        raise ParameterError(must("out", "a new or empty folder (use resume to continue a run)", str(folder)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(f"Cannot create the run folder {folder}: {error.strerror}.") from None
    return folder
