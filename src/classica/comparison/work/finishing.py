"""What follows the ranking: the chosen models fitted on all rows, and a closer look at the best."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np

from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import delivered_by
from classica.comparison.results.summary import Delivered, ModelResult
from classica.comparison.work.insight import FOLDER, insight_plan
from classica.comparison.work.kept_files import checked_outcomes
from classica.comparison.work.units import DELIVERY, Delivery, delivery_plan
from classica.runs import Limits, Outcome, Plan, Progress, Run, is_resumable, read_plan

Listener = Callable[[Progress], object]


def deliver(
    run: Run, wanted: Sequence[Delivery], limits: Limits, budget: float | None, listener: Listener | None
) -> dict[str, Delivered]:
    """Fit models for use, and return those that were finished."""
    if not wanted:
        return {}
    plan = delivery_plan(wanted, replace(limits, budget=None))
    with _within(run, DELIVERY, plan) as part:
        outcomes = checked_outcomes(part.outcomes(budget, listener))
    found = {unit.group: delivered_by(outcome) for unit, outcome in zip(plan.units, outcomes, strict=True)}
    return {name: each for name, each in found.items() if each is not None}


def closer_look(
    run: Run,
    workspace: Workspace,
    best: ModelResult | None,
    limits: Limits,
    budget: float | None,
    listener: Listener | None,
    fit_seconds: Callable[[str], float] | None = None,
) -> dict[str, Outcome]:
    """Look closer at the best model, if there is time.

    ``fit_seconds`` returns how long a fit of a model counts as, where that is not to depend on the clock.
    """
    if best is None or (budget is not None and budget <= 0):
        return {}
    low = best.score.low
    known = workspace.settings.metric == "accuracy" and np.isfinite(low)
    upper = min(max(1 - low, 0.0), 1.0) if known else None
    rows = len(workspace.y)
    plan = insight_plan(
        best,
        rows,
        upper,
        replace(limits, budget=None),
        is_by_rows=workspace.order is None,
        fit_seconds=None if fit_seconds is None else fit_seconds(best.name),
    )
    if not plan.units:
        return {}
    with _within(run, FOLDER, plan) as look:
        found = checked_outcomes(look.outcomes(budget, listener))
    return {outcome.key: outcome for outcome in found}


def _within(run: Run, folder: str, plan: Plan) -> AbstractContextManager[Run]:
    """Give the run of a plan; one that was begun before keeps its limits, which depend on the time left."""
    name = f"{folder}/{_digest(plan)}"
    if is_resumable(run.folder / name):
        plan = replace(plan, limits=read_plan(run.folder / name).limits)
    return run.within(name, plan)


def _digest(plan: Plan) -> str:
    """Return a name for the folder of a plan: a run that is continued with more models may need another."""
    units: Mapping[str, object] = plan.record()
    return hashlib.sha256(json.dumps(units["units"], sort_keys=True).encode()).hexdigest()[:12]
