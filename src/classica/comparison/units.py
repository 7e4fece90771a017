"""The work of a comparison: one model on one fold, or one model on all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from classica import TableClassifier, persist
from classica.comparison.answers import Answers
from classica.comparison.contender import Contender
from classica.comparison.preparing import decided, grid, pipeline, plain_names
from classica.comparison.scoring import Scoring, spread_out
from classica.comparison.workspace import Workspace, opened
from classica.errors import DataError, ModelFileError, must
from classica.evaluation.metrics import metric
from classica.evaluation.nested_cv import nested_cv
from classica.evaluation.nested_fold import NestedFold
from classica.evaluation.runs import Limits, Plan, Unit
from classica.evaluation.select_parameters import select_parameters
from classica.native import Floats

#: The work of a comparison, and the folder within that of the run where a model is fitted after a stop.
#: The name of the work in the table of the comparison.
WORK = "comparison"
DELIVERY = "delivery"


def units(workspace: Workspace) -> list[Unit]:
    """Return all that is to be done: every fold of every model, fold by fold, then every model on all rows.

    A run that is stopped early has then seen all models on the same folds.
    """
    folds = [
        Unit(f"{name} fold {fold + 1}", name, {"model": name, "fold": fold})
        for fold in range(len(workspace.splits))
        for name in workspace.models
    ]
    return [*folds, *(Unit(f"{name} all rows", name, {"model": name}) for name in workspace.models)]


def work(folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Do one unit in the folder of a run."""
    run = folder.parent if folder.name == DELIVERY else folder
    workspace, contender = opened(str(run)), Contender(arguments["model"])
    if "fold" in arguments:
        return _on_fold(run, workspace, contender, arguments["fold"])
    return _on_all_rows(run, workspace, contender, arguments.get("parameters"))


def delivery_plan(name: str, parameters: Mapping[str, Any], limits: Limits) -> Plan:
    """Return what fits one model on all rows with given parameters, when there is no time to choose them."""
    unit = Unit(f"{name} all rows", name, {"model": name, "parameters": dict(parameters)})
    return Plan(WORK, [unit], f"fit {name} on all rows", {}, limits)


def answers_path(folder: Path, name: str, fold: int) -> Path:
    """Return where the answers of a model to a fold are."""
    return folder / "answers" / f"{_file_name(name)}-{fold + 1}.npz"


def model_path(folder: Path, name: str) -> Path:
    """Return where the model fitted on all rows is."""
    return folder / "models" / f"{_file_name(name)}.classica"


def _file_name(name: str) -> str:
    return name.replace(":", "-")


def _on_fold(folder: Path, workspace: Workspace, contender: Contender, number: int) -> dict[str, Any]:
    settings = workspace.settings
    found = nested_cv(
        pipeline(contender, settings, workspace.table.schema),
        grid(contender, settings),
        workspace.X,
        workspace.y,
        cv=[workspace.splits[number]],
        inner_cv=workspace.inner_splitter(number),
        scoring=_scoring(workspace),
        groups=workspace.order,
        refine=settings.refine,
    )
    fold = found.folds[0]
    sign = 1.0 if metric(settings.metric).higher_is_better else -1.0
    _answers(workspace, fold).save(answers_path(folder, contender.name, number))
    return {
        "parameters": shown(plain_names(fold.parameters)),
        "inner_score": _known(sign * fold.inner_score),
        "train_score": _known(sign * fold.train_score),
        "test_score": _known(sign * fold.test_score),
        "select_seconds": fold.select_seconds,
        "fit_seconds": fold.fit_seconds,
        "predict_seconds": fold.predict_seconds,
        "test_rows": len(fold.test),
    }


def _known(score: float) -> float | None:
    """Return a score; None where the metric is not defined, as the area under the ROC curve of one class."""
    return None if np.isnan(score) else score


def _on_all_rows(
    folder: Path, workspace: Workspace, contender: Contender, given: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Fit a model on all rows, with parameters chosen on all rows unless they are given."""
    settings, table = workspace.settings, workspace.table
    tried = grid(contender, settings)
    chosen: dict[str, Any] = {} if given is None else _among(tried, given)
    began = perf_counter()
    if tried and given is None:
        whole = pipeline(contender, settings, table.schema)
        splits = list(workspace.inner_splitter(-1).split(workspace.X, workspace.y, groups=workspace.order))
        chosen = select_parameters(
            whole, tried, workspace.X, workspace.y, splits, _scoring(workspace), refine=settings.refine
        ).best_params
    selected = perf_counter()
    inner = {name.partition("__")[2]: value for name, value in chosen.items()}
    model = TableClassifier(decided(contender, settings).set_params(**inner), table.schema)
    model.fit(table, workspace.y)
    fitted = perf_counter()
    return {
        "parameters": shown(plain_names(chosen)),
        "select_seconds": selected - began,
        "fit_seconds": fitted - selected,
        **_saved(model, model_path(folder, contender.name)),
    }


def _among(tried: Mapping[str, Sequence[Any]], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a grid that plain values stand for: JSON has no tuples."""
    found = {}
    for name, values in tried.items():
        plain = name.rpartition("__")[2]
        if plain in given:
            same = [value for value in values if shown({plain: value})[plain] == given[plain]]
            found[name] = same[0] if same else given[plain]
    return found


def _saved(model: TableClassifier, path: Path) -> dict[str, Any]:
    """Save a model of ours, and return its size; a stranger's has no file."""
    path.parent.mkdir(exist_ok=True)
    try:
        persist.save(model, path)
    except ModelFileError as error:
        return {"file": None, "why_no_file": str(error), "bytes": None, "model_parameters": None}
    told = persist.inspect(path)
    return {
        "file": f"models/{path.name}",
        "bytes": told["file_bytes"],
        "model_parameters": told["model_parameters"],
    }


def _scoring(workspace: Workspace) -> Any:
    settings = workspace.settings
    if settings.metric == "accuracy":
        return "accuracy"
    return Scoring(settings.metric, workspace.classes, settings.costs)


def _answers(workspace: Workspace, fold: NestedFold) -> Answers:
    classes = workspace.classes
    strange = fold.predictions[~np.isin(fold.predictions, classes)]
    if len(strange):
        raise DataError(must("Answers of a model", "classes of the table", strange.tolist()[0]))
    codes = np.searchsorted(classes, fold.predictions).astype(np.int32)
    behind = [
        None if found is None else spread_out(_finite(found, what), fold.classes, classes)
        for found, what in ((fold.probabilities, "probabilities"), (fold.decision_values, "scores"))
    ]
    return Answers(fold.test, codes, *behind)


def _finite(found: Any, what: str) -> Floats:
    values = np.asarray(found, dtype=np.float64)
    wrong = values[~np.isfinite(values)]
    if len(wrong):
        raise DataError(must(f"The {what} of a model", "finite numbers", float(wrong[0])))
    return values


def shown(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON knows them."""
    plain = bool, int, float, str, type(None)
    return {
        name: list(value) if isinstance(value, tuple) else value if isinstance(value, plain) else str(value)
        for name, value in parameters.items()
    }
