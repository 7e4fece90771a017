"""What drives the recommended model: importances fold by fold, then curves of the most important columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from classica import persist
from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_encoder
from classica.comparison.plan.splits import Rows
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.stages import Stage
from classica.comparison.results.summary import ModelResult
from classica.comparison.work.judging import final_model, scoring_of
from classica.comparison.work.units import grid_values, model_path
from classica.displays.canvas import shown_rows
from classica.inspection import Drivers, coefficient_intervals, interactions, partial_dependence
from classica.inspection.dependence import most_varied
from classica.inspection.importances import FoldImportance, Importances, pooled_importances
from classica.inspection.permuting import fold_importance, permutations_of
from classica.inspection.row_table import RowTable
from classica.native import Floats
from classica.recorded import Recorded, from_record
from classica.runs import Outcome, Unit
from classica.tables.typing.date_parts import part_names

#: What the units of the closer look are called together.
LOOK = "a closer look"

#: Seconds of work on importances, and as much on the rest: for each cell of the table, at least, and at most.
#: Of a table of 50,000 rows and 14 columns that is 7 seconds, of iris 3, which only slow models need.
_PER_CELL, _LEAST, _MOST = 1e-5, 3.0, 10.0
#: Seconds that predicting a row counts as under ``effort``, where no clock may decide.
_NOMINAL_ROW = 2e-5
_LEAST_TIME = 1e-9
#: Permutations of a column in a fold at most, folds at least, and rows of a fold and of training at least.
_REPEATS, _FOLDS, _FEWEST, _FEWEST_LEARNED = 5, 5, 50, 1000
#: The power by which a fit takes longer with more rows.
_GROWTH = 1.5
#: Columns whose curves are drawn, grid values of each, and rows and single curves behind them.
_COLUMNS, _GRID, _CURVE_ROWS, _CURVES = 4, 20, (50, 300), 25
#: Values of a column and rows of interactions, and what a row then costs in predictions, of 6 pairs.
_PAIR_GRID, _PAIR_ROWS, _PAIR_CALLS = 8, (30, 200), 6 * 8**2
#: Rows that the intervals of coefficients are computed from, and coefficients that are kept.
_COEFFICIENT_ROWS, _COEFFICIENTS = 20_000, 400

_IMPORTANCE = "importance"


@dataclass(frozen=True)
class LookSizes:
    """How much is looked at, so that it takes little of the time of the comparison.

    Attributes
    ----------
    folds : tuple of int
        The folds whose models are fitted again.
    learned_rows : int or None
        The training rows of each; None: as many as the model was judged with.
    test_rows, repeats : int
        The rows that are predicted in a fold, and how often each column is permuted.
    curve_rows, pair_rows : int
        The rows behind partial dependences, and behind interactions.
    """

    folds: tuple[int, ...]
    learned_rows: int | None
    test_rows: int
    repeats: int
    curve_rows: int
    pair_rows: int

    @classmethod
    def of(cls, used: ModelResult, rows: int, columns: int, nominal_fit: float | None = None) -> LookSizes:
        """Return the sizes for a model, from the times of its folds or, under ``effort``, nominal ones."""
        patience = float(np.clip(_PER_CELL * rows * columns, _LEAST, _MOST))
        # The shortest times: the others were longer because something else ran on the machine.
        per_row, fit = _NOMINAL_ROW, nominal_fit
        if fit is None:
            per_row = float(np.min(used.values("predict_seconds") / used.values("test_rows")))
            fit = float(np.min(used.values("fit_seconds")))
        per_row, fit = max(per_row, _LEAST_TIME), max(fit, _LEAST_TIME)
        count = int(np.clip(patience / 2 / fit, min(_FOLDS, len(used.folds)), len(used.folds)))
        learned = None
        if count * fit > patience:
            share = (patience / count / fit) ** (1 / _GROWTH)
            learned = max(int(share * (used.learned_rows or rows)), _FEWEST_LEARNED)
        # Predictions of permuted rows that there is time for, in one fold and of one column.
        room = patience / 2 / (count * columns * per_row)
        tested = min(fold.test_rows for fold in used.folds)
        repeats = int(np.clip(room / tested, 1, _REPEATS))
        test_rows = int(np.clip(room / repeats, min(_FEWEST, tested), tested))
        curves = patience / 4 / (_COLUMNS * _GRID * per_row)
        return cls(
            tuple(fold.fold for fold in used.folds[:count]),
            learned,
            test_rows,
            repeats,
            int(np.clip(curves, *_CURVE_ROWS)),
            int(np.clip(patience / 4 / (_PAIR_CALLS * per_row), *_PAIR_ROWS)),
        )


def importance_units(used: ModelResult, sizes: LookSizes) -> list[Unit]:
    """Return a unit for every fold whose model is fitted again."""
    wanted = {*sizes.folds}
    return [
        Unit(
            f"{_IMPORTANCE} {fold.fold + 1}",
            LOOK,
            {
                "kind": "importance",
                "model": used.name,
                "fold": fold.fold,
                "parameters": fold.parameters,
                "learned": min(learned, sizes.learned_rows or learned),
                "rows": sizes.test_rows,
                "repeats": sizes.repeats,
            },
        )
        for fold in used.folds
        if fold.fold in wanted
        for learned in [fold.learned_rows]
    ]


def is_importance(key: str) -> bool:
    """Return whether a unit computes the importances of a fold."""
    return key.startswith(f"{_IMPORTANCE} ")


def driver_units(used: ModelResult, sizes: LookSizes, columns: Sequence[str], seed: int) -> list[Unit]:
    """Return the units for the most important columns, and for what the model itself consists of."""
    about = {"model": used.name, "columns": list(columns)}
    units = []
    if columns:
        rows = sizes.curve_rows
        units.append(Unit("partial dependence", LOOK, {"kind": "dependence", **about, "rows": rows}))
    if len(columns) > 1:
        rows = sizes.pair_rows
        units.append(Unit("interactions", LOOK, {"kind": "interactions", **about, "rows": rows}))
    if hasattr(Contender(used.name).build(seed), "coefficient_covariance"):
        units.append(Unit("coefficients", LOOK, {"kind": "coefficients", "model": used.name}))
    return units


@dataclass(frozen=True)
class _FoldResult(Recorded):
    """What a unit of importances returns."""

    model: str
    metric: str
    repeats: int
    confidence: float
    names: tuple[str, ...]
    importance: FoldImportance


def importances_of(looks: Mapping[str, Outcome]) -> Importances | None:
    """Return the importances of all folds that were finished; None for none."""
    found = []
    for key, outcome in looks.items():
        if is_importance(key) and outcome.status == "done" and outcome.result is not None:
            fold = from_record(_FoldResult, outcome.result["fold_result"], key)
            # A metric may not be defined on a sample that lacks a class.
            found += [fold] if np.isfinite(fold.importance.drops).all() else []
    if not found:
        return None
    first = found[0]
    folds = [fold.importance for fold in found]
    return pooled_importances(first.metric, first.names, folds, first.repeats, first.confidence)


def top_columns(looks: Mapping[str, Outcome]) -> list[str]:
    """Return the columns whose curves are worth drawing."""
    found = importances_of(looks)
    return [] if found is None else [each.column for each in found.columns if each.drop.mean > 0][:_COLUMNS]


def drivers_of(looks: Mapping[str, Outcome]) -> Drivers | None:
    """Return what drives the model, as far as it was found out."""
    known = {key: look.result for key, look in looks.items() if look.status == "done" and look.result}
    models = [result["of_model"] for result in known.values() if "of_model" in result]
    if not models:
        return None
    # A run that went on may have looked at another model before: the last one counts.
    model = models[-1]
    own = {key: looks[key] for key, result in known.items() if result.get("of_model") == model}
    found: dict[str, Any] = {}
    for outcome in own.values():
        found |= (outcome.result or {}).get("driver_parts", {})
    importances = importances_of(own)
    if importances is None and not found:
        return None
    return replace(
        from_record(Drivers, {**found, "model": model}, "The closer look"), importances=importances
    )


def importance(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Fit a model on a fold as it was judged, and permute the columns of its test rows."""
    fold, settings = arguments["fold"], workspace.settings
    train, test = _rows(workspace, fold, arguments["learned"])
    test = test[shown_rows(len(test), arguments["rows"])]
    pipeline = _pipeline(workspace, arguments["model"], arguments["parameters"])
    y, steps, model = workspace.y, pipeline[:-1], pipeline[-1]
    model.fit(steps.fit_transform(workspace.features(train), y[train]), y[train])
    groups = pipeline[0].column_groups()
    found = fold_importance(
        model,
        RowTable.of(steps.transform(workspace.features(test))),
        y[test],
        [*groups.values()],
        scoring_of(workspace),
        permutations_of(len(test), arguments["repeats"], settings.seed + fold),
        len(train),
    )
    result = _FoldResult(
        arguments["model"], settings.metric, arguments["repeats"], settings.confidence, tuple(groups), found
    )
    return {"of_model": arguments["model"], "fold_result": result.record()}


def _rows(workspace: Workspace, fold: int, learned: int) -> tuple[Rows, Rows]:
    """Return the training and test rows of a fold, as the model was judged or with fewer training rows."""
    train, test = workspace.splits[fold]
    if learned >= len(train):
        return train, test
    stage = Stage(0, learned, (fold,), is_last=False)
    return workspace.stages.rows(stage, fold, all_tests=True)


def _pipeline(workspace: Workspace, name: str, parameters: Mapping[str, Any]) -> Pipeline:
    contender = Contender(name)
    model = final_model(contender, workspace.settings, grid_values(contender, parameters))
    return with_encoder(model, workspace.schema)


def dependence(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the partial dependence on the most important columns; of a date, on its most telling part."""
    model, rows = _fitted(folder, workspace, arguments), _some(workspace, arguments["rows"])
    found = []
    for name in arguments["columns"]:
        parts = part_names(workspace.schema[name])
        each = most_varied(
            [partial_dependence(model, rows, part, grid_size=_GRID, curves=_CURVES) for part in parts]
        )
        found.append(replace(each, average=_rounded(each.average), individual=_rounded(each.individual)))
    return _driver(arguments, {"dependences": [each.record() for each in found]})


def pair_interactions(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the interactions of the most important columns, a date by its first part."""
    model, rows = _fitted(folder, workspace, arguments), _some(workspace, arguments["rows"])
    columns = [part_names(workspace.schema[name])[0] for name in arguments["columns"]]
    found = interactions(model, rows, columns, grid_size=_PAIR_GRID)
    return _driver(arguments, {"interactions": replace(found, average=_rounded(found.average)).record()})


def coefficients(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the coefficients of the model fitted on all rows, with intervals."""
    path = model_path(folder, arguments["model"])
    rows = shown_rows(len(workspace.y), _COEFFICIENT_ROWS)
    found = coefficient_intervals(
        persist.load(path),
        workspace.features(rows),
        workspace.y[rows],
        confidence=workspace.settings.confidence,
        counts_as=len(workspace.y),
    )
    kept = {id(term) for term in found.largest(_COEFFICIENTS)}
    terms = tuple(term for term in found.terms if id(term) in kept)
    short = replace(found, terms=terms, left_out=len(found.terms) - len(terms))
    return _driver(arguments, {"coefficients": short.record()})


def _driver(arguments: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    return {"of_model": arguments["model"], "driver_parts": found}


def _rounded(shares: Floats) -> Floats:
    """Return probabilities as they are drawn: the summary keeps hundreds of them."""
    return np.round(shares, 4)


def _some(workspace: Workspace, rows: int) -> Any:
    return workspace.features(shown_rows(len(workspace.y), rows))


def _fitted(folder: Path, workspace: Workspace, arguments: Mapping[str, Any]) -> Pipeline:
    """Return the model that was fitted on all rows, or a fit on a sample where it has no file."""
    path = model_path(folder, arguments["model"])
    if path.exists():
        model = persist.load(path)
        return Pipeline([("table", model.encoder_), ("model", model.estimator_)])
    rows = workspace.sample(min(len(workspace.y), _COEFFICIENT_ROWS))
    pipeline = _pipeline(workspace, arguments["model"], arguments.get("parameters", {}))
    return pipeline.fit(workspace.features(rows), workspace.y[rows])
