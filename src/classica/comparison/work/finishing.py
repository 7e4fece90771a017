"""What follows the ranking: the chosen models fitted on all rows, and a closer look at the best."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import delivered_by
from classica.comparison.results.summarising import RankedResults
from classica.comparison.results.summary import Delivered, ModelResult
from classica.comparison.work.driver_looks import LookSizes, driver_units, importance_units, top_columns
from classica.comparison.work.error_looks import error_unit
from classica.comparison.work.insight import FOLDER, WORK, insight_plan
from classica.comparison.work.kept_files import checked_outcomes
from classica.comparison.work.units import DELIVERY, Delivery, delivery_plan
from classica.runs import Limits, Outcome, Plan, Progress, Run, Unit, is_resumable, read_plan

Listener = Callable[[Progress], object]

#: The share of the time of the closer look that importances may take.
_FIRST_SHARE = 0.5
#: With fewer seconds nothing would be finished.
_TOO_LITTLE = 0.5


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
    ranked: RankedResults,
    limits: Limits,
    budget: float | None,
    listener: Listener | None,
    fit_seconds: Callable[[str], float] | None = None,
) -> dict[str, Outcome]:
    """Look closer at the best model and at the recommended one, if there is time.

    ``fit_seconds`` returns how long a fit of a model counts as, where that is not to depend on the clock.
    """
    best = ranked.model(ranked.best)
    if best is None or (budget is not None and budget < _TOO_LITTLE):
        return {}
    began, limits = monotonic(), replace(limits, budget=None)
    about = _Reasons.of(workspace, ranked, fit_seconds)
    # The importances come first: they say which columns to look at.
    share = None if budget is None else _FIRST_SHARE * budget
    first = {} if about is None else _looked(run, Plan(WORK, about.first, "", {}, limits), share, listener)
    low = best.score.low
    known = workspace.settings.metric == "accuracy" and np.isfinite(low)
    plan = insight_plan(
        best,
        len(workspace.y),
        min(max(1 - low, 0.0), 1.0) if known else None,
        limits,
        is_by_rows=workspace.order is None,
        fit_seconds=None if fit_seconds is None else fit_seconds(best.name),
        more=[] if about is None else about.then(top_columns(first)),
    )
    left = None if budget is None else budget - (monotonic() - began)
    return first if left is not None and left <= 0 else {**first, **_looked(run, plan, left, listener)}


@dataclass(frozen=True)
class _Reasons:
    """What is looked at to find out what drives the recommended model, and where it fails."""

    used: ModelResult
    judged: list[ModelResult]
    sizes: LookSizes
    seed: int

    @classmethod
    def of(
        cls, workspace: Workspace, ranked: RankedResults, fit_seconds: Callable[[str], float] | None
    ) -> _Reasons | None:
        """Return what is to be looked at; None for the baseline, which nothing drives."""
        used = ranked.model(ranked.recommended)
        if used is None or used.role != "model" or not used.folds:
            return None
        nominal = None if fit_seconds is None else fit_seconds(used.name)
        columns = len(workspace.schema.names("feature"))
        sizes = LookSizes.of(used, len(workspace.y), columns, nominal)
        return cls(used, ranked.judged, sizes, workspace.settings.seed)

    @property
    def first(self) -> list[Unit]:
        """The units that the others depend on."""
        return importance_units(self.used, self.sizes)

    def then(self, columns: list[str]) -> list[Unit]:
        """Return the other units, about the most important columns."""
        about = driver_units(self.used, self.sizes, columns, self.seed)
        return [error_unit(self.used, self.judged, columns), *about]


def _looked(run: Run, plan: Plan, budget: float | None, listener: Listener | None) -> dict[str, Outcome]:
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
