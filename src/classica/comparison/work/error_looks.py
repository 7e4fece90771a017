"""Where the recommended model fails, from its predictions for held-out rows in the run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.splits import Rows
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.gathering import BASELINE, all_answers
from classica.comparison.results.summary import ModelResult
from classica.comparison.work.driver_looks import LOOK
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.decision import expected_costs, risk_coverage
from classica.decision.coverage import RiskCoverage
from classica.displays.canvas import shown_rows
from classica.inspection import ErrorAnalysis, HardRow, error_segments, hardest_rows, operating_curve
from classica.native import Floats
from classica.runs import Unit
from classica.tables.typing.date_parts import part_names

#: The rows that segments are searched in, and the mistakes and cells of each that are kept.
_MOST_ROWS, _HARDEST, _CELLS = 50_000, 12, 5


def error_unit(used: ModelResult, judged: Sequence[ModelResult], columns: Sequence[str]) -> Unit:
    """Return the unit: the folds of the model and of the others, and the columns whose cells are shown."""
    others = {
        model.name: [fold.fold for fold in model.folds]
        for model in judged
        if model.name not in (used.name, BASELINE)
    }
    arguments = {
        "kind": "errors",
        "model": used.name,
        "folds": [fold.fold for fold in used.folds],
        "others": others,
        "columns": list(columns),
    }
    return Unit("errors", LOOK, arguments)


def errors(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Look at the errors of a model on held-out rows, each row once."""
    found = all_answers(folder, workspace, arguments["model"], arguments["folds"]).first_of_each_row()
    wrong = found.codes != workspace.codes[found.rows]
    if found.rejected is not None:
        wrong &= ~found.rejected
    others = {
        name: all_answers(folder, workspace, name, folds).first_of_each_row()
        for name, folds in arguments["others"].items()
    }
    analysis = ErrorAnalysis(
        arguments["model"],
        int(wrong.sum()),
        len(wrong),
        tuple(_hardest(workspace, found, wrong, others, arguments["columns"])),
        # Errors of one group or time come together, whatever the columns say.
        None if workspace.order is not None else _segments(workspace, found.rows, wrong),
        _thresholds(workspace, found),
        _coverage(workspace, found, wrong),
    )
    return {"of_model": arguments["model"], "error_analysis": analysis.record()}


def _hardest(
    workspace: Workspace,
    found: FoldPredictions,
    wrong: NDArray[np.bool_],
    others: Mapping[str, FoldPredictions],
    columns: Sequence[str],
) -> list[HardRow]:
    at = np.flatnonzero(wrong)
    rows, classes = found.rows[at], workspace.classes
    hardest = hardest_rows(
        workspace.y[rows],
        classes[found.codes[at]],
        None if found.probabilities is None else found.probabilities[at],
        classes,
        others={name: _labels_of(each, rows, classes) for name, each in others.items()},
        rows=rows,
        most=_HARDEST,
    )
    parts = [part for name in columns for part in part_names(workspace.schema[name])][:_CELLS]
    cells = workspace.features(np.array([each.row - 1 for each in hardest], dtype=np.intp)).select(parts)
    shown = cells.to_dicts() if parts else [{} for _ in hardest]
    return [replace(each, cells=own) for each, own in zip(hardest, shown, strict=True)]


def _labels_of(found: FoldPredictions, rows: Rows, classes: NDArray[Any]) -> NDArray[Any]:
    """Return the predictions of a model for some rows; None where it did not predict or rejects."""
    labels = np.full(len(rows), None, dtype=object)
    if not len(found.rows):
        return labels
    at = np.searchsorted(found.rows, rows).clip(max=len(found.rows) - 1)
    known = found.rows[at] == rows
    if found.rejected is not None:
        known &= ~found.rejected[at]
    labels[known] = classes[found.codes[at[known]]].tolist()
    return labels


def _segments(workspace: Workspace, rows: Rows, wrong: NDArray[np.bool_]) -> Any:
    some = shown_rows(len(rows), _MOST_ROWS)
    found = error_segments(
        workspace.features(rows[some]),
        wrong[some],
        alpha=1 - workspace.settings.confidence,
        most_rows=_MOST_ROWS,
        random_state=workspace.settings.seed,
    )
    return replace(found, rows=len(rows))


def _thresholds(workspace: Workspace, found: FoldPredictions) -> Any:
    """Return what each threshold comes to; None unless there are two classes with probabilities."""
    truth = workspace.y[found.rows]
    if len(workspace.classes) != 2 or found.probabilities is None or len(np.unique(truth)) != 2:
        return None
    names = [str(label) for label in workspace.classes]
    positive = names.index(workspace.settings.positive) if workspace.settings.positive is not None else 1
    return operating_curve(
        truth,
        found.probabilities[:, positive],
        workspace.classes.tolist()[positive],
        costs=workspace.settings.costs,
    )


def _coverage(workspace: Workspace, found: FoldPredictions, wrong: NDArray[np.bool_]) -> RiskCoverage | None:
    """Return risk against coverage: of the error rate, or of the mean cost where costs are given."""
    if found.probabilities is None:
        return None
    costs = workspace.settings.costs
    if costs is None:
        doubt: Floats = 1 - found.probabilities.max(axis=1)
        paid = wrong.astype(np.float64)
    else:
        matrix = np.asarray(costs)
        doubt = expected_costs(found.probabilities, matrix).min(axis=1)
        paid = matrix[found.codes, workspace.codes[found.rows]]
    return risk_coverage(paid, doubt).thinned()
