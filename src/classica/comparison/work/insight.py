"""A closer look: would more rows help the best model, where do its errors come from; and the model to use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from classica import persist
from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_decision, with_encoder
from classica.comparison.plan.workspace import Workspace, open_workspace
from classica.comparison.results.summary import ModelResult
from classica.comparison.work import driver_looks, error_looks
from classica.comparison.work.driver_looks import LOOK
from classica.comparison.work.units import model_path
from classica.runs import Limits, Plan, Unit
from classica.selection import learning_curve
from classica.statistics import bias_variance, table_bayes_error

#: The folder within that of the run.
FOLDER = "insight"
#: The name of its work in the table of the comparison.
WORK = "closer look"

#: Looking closer may take about so many seconds on one core; slow models are fitted less often.
_PATIENCE = 20.0
_CURVE_FITS = 25
#: The power by which a fit takes longer with more rows than it was judged with.
_GROWTH = 1.5
_SAMPLES = 30


def insight_plan(
    best: ModelResult,
    rows: int,
    upper_error: float | None,
    limits: Limits,
    *,
    is_by_rows: bool,
    fit_seconds: float | None = None,
    more: Sequence[Unit] = (),
) -> Plan:
    """Return what is looked at; ``upper_error`` is the upper confidence limit of the best model's error.

    ``fit_seconds`` is how long a fit on all rows counts as; by default as long as fits took so far. ``more``
    are units about the recommended model, which take less time and come first.

    Unless folds are drawn by rows, rows of one group or time would answer for one another in what leaves rows
    out on its own: neighbours, and the parts of the error.
    """
    growth = max(1.0, rows / max(best.learned_rows or 1, 1)) ** _GROWTH
    seconds = (best.mean("fit_seconds") or 0.0) * growth if fit_seconds is None else fit_seconds
    samples = int(np.clip(_PATIENCE / max(seconds, 1e-6), 0, _SAMPLES))
    units = [*more]
    if is_by_rows:
        units.append(Unit("bayes error", LOOK, {"kind": "bracket", "best_upper": upper_error}))
    if seconds * _CURVE_FITS <= 2 * _PATIENCE:
        units.append(Unit("learning curve", LOOK, {"kind": "curve", "model": best.name}))
    if is_by_rows and samples >= 10:
        about = {"kind": "bias_variance", "model": best.name, "samples": samples}
        units.append(Unit("bias and variance", LOOK, about))
    return Plan(WORK, units, f"a closer look at {best.name}", {}, limits)


def work(folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Do one unit in the folder of the closer look."""
    run = folder.parent.parent
    return _LOOKS[arguments["kind"]](run, open_workspace(str(run)), arguments)


def _bracket(folder: Path, workspace: Workspace, arguments: dict[str, Any]) -> dict[str, Any]:
    found = table_bayes_error(
        workspace.X, workspace.y, arguments["best_upper"], random_state=workspace.settings.seed
    )
    return {"bayes_error": found.record()}


def _curve(folder: Path, workspace: Workspace, arguments: dict[str, Any]) -> dict[str, Any]:
    model = _as_chosen(folder, workspace, arguments["model"])
    curve = learning_curve(
        model, workspace.X, workspace.y, workspace.inner_splitter(-1), groups=workspace.order
    )
    return {"learning_curve": curve.record(), "extrapolation": curve.extrapolate().record()}


def _bias_variance(folder: Path, workspace: Workspace, arguments: dict[str, Any]) -> dict[str, Any]:
    model = _as_chosen(folder, workspace, arguments["model"])
    found = bias_variance(
        model,
        workspace.X,
        workspace.y,
        n_samples=arguments["samples"],
        stratify=True,  # as the folds are
        random_state=workspace.settings.seed,
    )
    return {"bias_variance": found.record()}


_LOOKS = {
    "bracket": _bracket,
    "curve": _curve,
    "bias_variance": _bias_variance,
    "importance": driver_looks.importance,
    "dependence": driver_looks.dependence,
    "interactions": driver_looks.pair_interactions,
    "coefficients": driver_looks.coefficients,
    "errors": error_looks.errors,
}


def _as_chosen(folder: Path, workspace: Workspace, name: str) -> Pipeline:
    """Return a model with the parameters chosen on all rows, not fitted."""
    path = model_path(folder, name)
    if path.exists():
        model = clone(persist.load(path).estimator)
    else:  # a stranger, which keeps its own parameters
        model = with_decision(Contender(name), workspace.settings)
    return with_encoder(model, workspace.schema)
