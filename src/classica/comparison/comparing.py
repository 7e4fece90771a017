"""Comparing classifiers on a table: plan, run, and sum up."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from classica.comparison import insight
from classica.comparison.compared import Compared, keep_best
from classica.comparison.contender import all_contenders, foreign_models, named_contenders
from classica.comparison.gathering import BASELINE, delivered_by
from classica.comparison.insight import FOLDER, insight_plan
from classica.comparison.kept_files import checked_outcomes
from classica.comparison.settings import Settings
from classica.comparison.stopwatch import Stopwatch
from classica.comparison.summarising import summarise
from classica.comparison.summary import Summary
from classica.comparison.units import DELIVERY, WORK, delivery_plan, units, work
from classica.comparison.workspace import Workspace, is_unstarted
from classica.data import Table, labelled_table
from classica.data.labelled import decision_notes
from classica.data.wording import counted
from classica.decision import read_cost_file
from classica.decision.costs import read_costs
from classica.errors import DataError, ParameterError, RunError, must
from classica.evaluation.metrics import metric as measure
from classica.evaluation.runs import (
    Limits,
    Outcome,
    Plan,
    Progress,
    Run,
    WorkTable,
    open_run,
    read_plan,
    require_own_files,
)
from classica.threads import cores

#: All that the units of a comparison may do, whatever its folder says.
_TABLE = WorkTable(
    {WORK: work, insight.WORK: insight.work}, preload=("classica.catalog", "sklearn.pipeline", "polars")
)


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
    budget: float | None = None,
    workers: int | None = None,
    notes: Sequence[str] = (),
    progress: Callable[[Progress], object] | None = None,
) -> Compared:
    """Say which classifiers to trust on a table, and how good they really are.

    Every model chooses its parameters inside each training part and is judged on rows that neither it nor
    the choice has seen (nested cross-validation); what learns, also encoding and scaling, learns inside. The
    run is a folder: killed at any moment, it goes on where it was by `resume`. A model that fails, or takes
    too long or too much memory, is a row with the reason.

    Parameters
    ----------
    source : Table, RawTable or what `classica.data.read_table` takes
        The table.
    target : str, optional
        The column to predict; by default the one that the schema names.
    models : iterable of str, optional
        Slugs of the catalog, or any scikit-learn classifier as ``module:Class``; by default every classifier
        of the catalog.
    metric : str, default="accuracy"
        One of `classica.evaluation.METRICS`; "cost" needs `costs`.
    folds, repeats, inner_folds : int
        The outer folds, how often they are drawn anew, and the folds that choose parameters.
    tune, refine : bool
        Whether parameters are chosen from each model's grid, and whether numbers are then refined.
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
        Of every draw.
    rope : float, default=0.01
        Differences below this are of no practical weight.
    calibrate : bool, default=True
        Whether models that have no probabilities, such as ``svm``, get them by calibration on held-out rows,
        and then predict the most probable class. They are judged as they are delivered.
    out : path, optional
        The folder of the run; by default a new one in the folder for temporary files.
    limit, budget : float, optional
        Seconds for one fit of a model with its choice of parameters, and for the whole run.
    memory : int, optional
        Bytes for one fit.
    workers : int, optional
        How many fits at a time; by default one per core.
    notes : sequence of str, optional
        What was found when the table was read, to be kept with the result.
    progress : callable, optional
        Is told how far the run has come.

    Returns
    -------
    Compared
    """
    table = labelled_table(source, target, schema=schema, groups=groups, time=time, ignore=ignore)
    settings = Settings(
        metric, folds, repeats, inner_folds, tune, refine, seed, groups, time,
        _costs(costs, table, metric, reject_cost), rope, calibrate=calibrate, reject_cost=reject_cost,
    )  # fmt: skip
    names = _models(models, table)
    told = dict.fromkeys([*notes, *table.notes, *decision_notes(table)])
    workspace = Workspace(table, settings, names, tuple(told))
    _check(workspace)
    folder = _new_folder(out)
    workspace.save(folder)
    plan = _plan(workspace, Limits(limit, memory, budget))
    return _run(folder, plan, workers, None, progress)


def resume(
    folder: str | Path,
    *,
    allow: Iterable[str] = (),
    budget: float | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], object] | None = None,
) -> Compared:
    """Go on with a run where it was.

    Parameters
    ----------
    folder : path
        The folder of the run. It cannot choose code to run: the models of the catalog are known by name, and
        any other model is imported only if it is named here again.
    allow : iterable of str, optional
        Third-party models of the run that you trust, as ``module:Class``.
    budget : float, optional
        Seconds from now, in place of what is left of the budget of the run.
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
    # The plan is made again, and must be the one in the folder: no unit in it can be of anybody's making.
    return _run(place, _plan(workspace, limits), workers, budget, progress)


def _limits(folder: Path, workspace: Workspace) -> Limits:
    """Return the limits of a run; refuse settings whose folds could not be drawn in the time of its units."""
    plan, settings = read_plan(folder), workspace.settings
    if settings.time is None and settings.repeats > max(1, len(plan.units)):
        raise RunError(f"The plan of a run must stay the same, but {folder} has another one.")
    return plan.limits


def _plan(workspace: Workspace, limits: Limits) -> Plan:
    return Plan(WORK, units(workspace), f"compare {workspace.table.source}", {}, limits)


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


def _models(models: Iterable[str] | None, table: Table) -> tuple[str, ...]:
    found = all_contenders(len(np.unique(table.y))) if models is None else named_contenders(models)
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


def _run(
    folder: Path,
    plan: Plan,
    workers: int | None,
    budget: float | None,
    progress: Callable[[Progress], object] | None,
) -> Compared:
    many = cores() if workers is None else workers
    watch = Stopwatch(budget, progress)
    with open_run(folder, _TABLE, plan, workers=many) as run:
        outcomes = checked_outcomes(run.outcomes(budget, watch))
        workspace = Workspace.load(folder, is_ours=True)
        summary = summarise(folder, workspace, outcomes, {})
        looks = _closer_look(run, workspace, summary, watch)
        if looks:
            summary = summarise(folder, workspace, outcomes, looks)
        summary = _delivered(run, folder, summary, watch)
    summary.save(folder)
    return Compared(folder, summary)


def _closer_look(run: Run, workspace: Workspace, summary: Summary, watch: Stopwatch) -> dict[str, Outcome]:
    """Look closer at the best model, unless the run was cut short."""
    limits = run.plan.limits
    left = watch.left(limits.budget)
    is_cut_short = any(model.state in ("skipped", "unfinished") for model in summary.models)
    best = summary.model(summary.best)
    if best is None or is_cut_short or not summary.is_complete or (left is not None and left <= 0):
        return {}
    low = best.score.low
    known = workspace.settings.metric == "accuracy" and np.isfinite(low)
    upper = min(max(1 - low, 0.0), 1.0) if known else None
    plan = insight_plan(best, upper, replace(limits, budget=None), is_by_rows=workspace.order is None)
    if not plan.units:
        return {}
    with run.within(FOLDER, plan) as look:
        found = checked_outcomes(look.outcomes(left, watch))
    return {outcome.key: outcome for outcome in found}


def _delivered(run: Run, folder: Path, summary: Summary, watch: Stopwatch) -> Summary:
    """Return the summary with the file of the recommended model.

    Where a run was stopped before that model was fitted on all rows, it is fitted now, with the parameters
    that most folds have chosen: whatever is known is to be of use.
    """
    used = summary.model(summary.recommended)
    if used is None:
        return summary
    delivered = used.delivered
    if delivered is None and used.folds:
        plan = delivery_plan(used.name, used.chosen[0][0], replace(run.plan.limits, budget=None))
        with run.within(DELIVERY, plan) as delivery:
            (outcome,) = checked_outcomes(delivery.outcomes(None, watch))
        delivered = delivered_by(outcome)
        models = tuple(
            replace(model, delivered=delivered) if model is used else model for model in summary.models
        )
        summary = replace(summary, models=models)
    return replace(summary, best_file=keep_best(folder, delivered.file if delivered else None))
