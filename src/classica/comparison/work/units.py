"""The work of a comparison: one model on one fold, or one model on all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from classica import TableClassifier, persist
from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import grid, plain_names, tuning_model, with_encoder
from classica.comparison.plan.splits import Rows
from classica.comparison.plan.workspace import Workspace, open_workspace
from classica.comparison.work.judging import (
    FoldEvaluation,
    evaluate_fold,
    final_model,
    known_score,
    scoring_of,
)
from classica.errors import ModelFileError
from classica.runs import Limits, Plan, Unit
from classica.selection.grid_search import select_parameters
from classica.tables.fingerprint import row_fingerprint

#: The name of the work in the table of the comparison, and the folder within that of the run where a model is
#: fitted after a stop.
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
    run = folder.parent.parent if folder.parent.name == DELIVERY else folder
    workspace, contender = open_workspace(str(run)), Contender(arguments["model"])
    if "fold" in arguments:
        return _on_fold(run, workspace, contender, arguments["fold"])
    return _on_all_rows(run, workspace, contender, arguments.get("parameters"), arguments.get("rows"))


def delivery_plan(wanted: Sequence[Delivery], limits: Limits) -> Plan:
    """Return what fits some models on all rows, or as many as there is time for, with given parameters."""
    units = [
        Unit(
            f"{each.model} all rows",
            each.model,
            {
                "model": each.model,
                "parameters": None if each.parameters is None else dict(each.parameters),
                "rows": each.rows,
            },
        )
        for each in wanted
    ]
    return Plan(WORK, units, "fit the chosen models", {}, limits)


@dataclass(frozen=True)
class Delivery:
    """A model to fit for use.

    Attributes
    ----------
    model : str
        Its name.
    parameters : dict or None
        The parameters chosen for it; None: it is tuned before the fit.
    rows : int or None
        How many rows it is fitted on; None: all.
    """

    model: str
    parameters: Mapping[str, Any] | None
    rows: int | None = None


def answers_path(folder: Path, name: str, fold: int) -> Path:
    """Return the path of the predictions of a model for a fold."""
    return folder / "answers" / f"{Contender(name).file_name}-{fold + 1}.npz"


def model_path(folder: Path, name: str) -> Path:
    """Return where the model fitted on all rows is."""
    return folder / "models" / f"{Contender(name).file_name}.classica"


def _on_fold(folder: Path, workspace: Workspace, contender: Contender, number: int) -> dict[str, Any]:
    train, test = workspace.splits[number]
    return judged_on_fold(folder, workspace, contender, number, train, test)[1]


def judged_on_fold(
    folder: Path,
    workspace: Workspace,
    contender: Contender,
    number: int,
    train: Rows,
    test: Rows,
    chosen: dict[str, Any] | None = None,
) -> tuple[FoldEvaluation, dict[str, Any]]:
    """Judge a model on a fold as it would be delivered, keep its predictions, and return what to record.

    Without given parameters they are tuned inside the training rows of the fold.
    """
    began, inner_score = perf_counter(), float("nan")
    if chosen is None:
        chosen, inner_score = tuned_parameters(workspace, contender, number)
    selected = perf_counter()
    # What is judged is what is delivered: the same decision around the classifier with what was chosen.
    found = evaluate_fold(workspace, contender, chosen, train, test)
    found.answers.save(answers_path(folder, contender.name, number))
    return found, {
        "parameters": json_parameters(chosen),
        "inner_score": known_score(scoring_of(workspace).signed(inner_score)),
        "train_score": known_score(found.train_score),
        "test_score": known_score(found.test_score),
        "select_seconds": selected - began,
        "fit_seconds": found.fit_seconds,
        "predict_seconds": found.predict_seconds,
        "model_parameters": found.model_parameters,
        "test_rows": len(found.answers.rows),
    }


def tuned_parameters(workspace: Workspace, contender: Contender, fold: int) -> tuple[dict[str, Any], float]:
    """Return the parameters tuned on the training rows of a fold (-1: on all rows), and their inner score."""
    settings = workspace.settings
    tried = grid(contender, settings)
    if not tried:
        return {}, float("nan")
    rows = np.arange(len(workspace.y)) if fold < 0 else workspace.splits[fold][0]
    found = select_parameters(
        with_encoder(tuning_model(contender, settings), workspace.schema),
        tried,
        workspace.X[rows],
        workspace.y[rows],
        workspace.inner_splitter(fold),
        "accuracy" if settings.metric == "accuracy" else scoring_of(workspace),
        refine=settings.refine,
        groups=None if workspace.order is None else workspace.order[rows],
    )
    return plain_names(found.best_params), found.best_score


def _on_all_rows(
    folder: Path,
    workspace: Workspace,
    contender: Contender,
    given: Mapping[str, Any] | None = None,
    rows: int | None = None,
) -> dict[str, Any]:
    """Fit a model on all rows, or some, with parameters tuned on all rows unless they are given."""
    began = perf_counter()
    chosen = tuned_parameters(workspace, contender, -1)[0] if given is None else grid_values(contender, given)
    selected = perf_counter()
    table = workspace.table if rows is None else workspace.table.take_rows(workspace.sample(rows))
    model = TableClassifier(final_model(contender, workspace.settings, chosen), table.schema)
    model.fit(table, table.y)
    fitted = perf_counter()
    return {
        "parameters": json_parameters(chosen),
        "learned_rows": len(table),
        "select_seconds": selected - began,
        "fit_seconds": fitted - selected,
        **_saved(model, model_path(folder, contender.name), _metadata(workspace, contender, chosen)),
    }


def _metadata(workspace: Workspace, contender: Contender, chosen: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept along with a model."""
    table = workspace.table
    return {
        "target": table.schema.target,
        "rows": len(table),
        "fingerprint": table.fingerprint(),
        "rows_fingerprint": row_fingerprint(table),
        "options": {
            "model": contender.name,
            "parameters": json_parameters(chosen),
            "seed": workspace.settings.seed,
        },
    }


def grid_values(contender: Contender, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of the grid of a model that plain values stand for: JSON has no tuples."""
    found = {}
    for name, values in contender.grid.items():
        if name in given:
            same = [value for value in values if json_parameters({name: value})[name] == given[name]]
            found[name] = same[0] if same else given[name]
    return found


def _saved(model: TableClassifier, path: Path, metadata: dict[str, Any]) -> dict[str, Any]:
    """Save a model of the catalog and return its size; a third-party model has no file."""
    path.parent.mkdir(exist_ok=True)
    try:
        persist.save(model, path, metadata=metadata)
    except ModelFileError as error:
        return {"file": None, "why_no_file": str(error), "bytes": None, "model_parameters": None}
    told = persist.inspect(path)
    return {
        "file": f"models/{path.name}",
        "bytes": told["file_bytes"],
        "model_parameters": told["model_parameters"],
    }


def json_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON values."""
    plain = bool, int, float, str, type(None)
    return {
        name: list(value) if isinstance(value, tuple) else value if isinstance(value, plain) else str(value)
        for name, value in parameters.items()
    }
