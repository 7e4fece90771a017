"""An export is run against its model before anybody gets it, on rows at the edges of its decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from classica.errors import ExportError
from classica.explain.input_column import InputColumn
from classica.explain.model_layers import ModelLayers


@dataclass(frozen=True)
class Verified:
    """How many answers were compared, and how many of them are ties that rounding broke another way."""

    rows: int = 0
    ties: int = 0

    def __add__(self, other: Verified) -> Verified:
        return Verified(self.rows + other.rows, self.ties + other.ties)


#: Scores of two answers that differ by no more, relative to their size, are equal up to rounding.
ROUNDING = 1e-9


def check_export(
    layers: ModelLayers, features: pl.DataFrame, run: Callable[[pl.DataFrame], Sequence[Any]], what: str
) -> Verified:
    """Compare the answers of an export with those of its model.

    Where they differ, and not only because rounding breaks a tie of the model's own scores another way, that
    is an error that names the row and both answers.
    """
    if not features.height:
        return Verified()
    expected = layers.answers(features).tolist()
    actual = list(run(features))
    if len(actual) != len(expected):
        raise ExportError(
            f"The {what} export must predict {len(expected)} rows, got {len(actual)} predictions."
        )
    differing = [at for at, pair in enumerate(zip(expected, actual, strict=True)) if not _same(*pair)]
    tied = _are_tied(layers, features, differing, expected, actual)
    wrong = [at for at, tie in zip(differing, tied, strict=True) if not tie]
    if wrong:
        at = wrong[0]
        row = features.row(at, named=True)
        raise ExportError(
            f"The {what} export must predict what the model predicts, got {actual[at]!r} instead of "
            f"{expected[at]!r} for the row {_short(row)}."
        )
    return Verified(len(expected), len(differing))


def _same(expected: object, actual: object) -> bool:
    if isinstance(expected, bool) and isinstance(actual, int):  # SQLite has no Booleans
        return expected == bool(actual)
    if isinstance(expected, float) and isinstance(actual, int | float):
        return bool(np.isclose(actual, expected, rtol=1e-12, atol=0.0))
    return type(expected) is type(actual) and bool(expected == actual)


def _are_tied(
    layers: ModelLayers, features: pl.DataFrame, rows: list[int], expected: list[Any], actual: list[Any]
) -> list[bool]:
    """Return where the model itself holds both answers for equally good, but for rounding."""
    labels = layers.classes
    if not rows or labels is None:
        return [False] * len(rows)
    scores = _class_scores(layers, features[rows])
    if scores is None:
        return [False] * len(rows)
    tied = []
    for at, own in zip(rows, scores, strict=True):
        if actual[at] not in labels:
            tied.append(False)
            continue
        best, other = own[labels.index(expected[at])], own[labels.index(actual[at])]
        tied.append(bool(abs(best - other) <= ROUNDING * max(1.0, abs(best))))
    return tied


def _class_scores(layers: ModelLayers, features: pl.DataFrame) -> Any:
    """Return a score per class: expected savings, probabilities or margins."""
    seen, model = layers.seen(features), layers.decides
    if hasattr(model, "expected_costs"):
        return -model.expected_costs(seen)
    if hasattr(model, "predict_proba"):
        return model.predict_proba(seen)
    if hasattr(model, "decision_function"):
        margins = model.decision_function(seen)
        return np.column_stack([np.zeros(len(margins)), margins]) if margins.ndim == 1 else margins
    return None


def _short(row: dict[str, Any]) -> str:
    text = repr(row)
    return text if len(text) <= 300 else text[:297] + "..."


#: At most so many numbers at which an answer may change are tried per column.
_MOST_EDGES = 40
#: Rows drawn at random from all cells that are tried.
_DRAWN = 200
#: Text that quoting must get right, as a level that nobody has seen.
_ODD_LEVEL = "never 'seen' \"before\"; -- é\\n"


def edge_rows(columns: Sequence[InputColumn], edges: dict[int, list[float]]) -> pl.DataFrame:
    """Return rows of every kind of cell: each level, gaps, unseen levels, cuts exactly and next to them.

    First each cell in a row of common ones, then rows drawn at random from all cells, always the same.
    """
    pools = [_cells(column, edges.get(index, [])) for index, column in enumerate(columns)]
    common = [pool[0] for pool in pools]
    rows = [common]
    for index, pool in enumerate(pools):
        rows += [[*common[:index], cell, *common[index + 1 :]] for cell in pool[1:]]
    random = np.random.default_rng(0)
    draws = random.random((_DRAWN, len(pools)))
    rows += [
        [pool[int(draw * len(pool))] for pool, draw in zip(pools, drawn, strict=True)]
        for drawn in draws.tolist()
    ]
    cells = {
        column.name: pl.Series([row[index] for row in rows], dtype=_dtype(column), strict=False)
        for index, column in enumerate(columns)
    }
    return pl.DataFrame(cells)


def _cells(column: InputColumn, edges: list[float]) -> list[Any]:
    """Return the cells that are tried in a column, a common one first."""
    gap = [None] if column.takes_missing else []
    if column.levels is None:
        return [*_numbers(edges), *gap]
    texts = all(isinstance(level, str) for level in column.levels)
    numbers = not texts and not any(isinstance(level, bool) for level in column.levels)
    unseen: list[Any] = [_ODD_LEVEL, "'"] if texts else [-987654.5] if numbers else []
    return [*column.levels, *unseen, *gap]


def _numbers(edges: list[float]) -> list[float]:
    cuts = np.unique([edge for edge in edges if np.isfinite(edge)])
    if len(cuts) > _MOST_EDGES:
        cuts = cuts[np.linspace(0, len(cuts) - 1, _MOST_EDGES).astype(int)]
    near = np.concatenate([cuts, np.nextafter(cuts, -np.inf), np.nextafter(cuts, np.inf)])
    width = float(np.ptp(cuts)) if len(cuts) > 1 else abs(float(cuts[0])) if len(cuts) else 1.0
    low, high = (float(cuts[0]), float(cuts[-1])) if len(cuts) else (0.0, 1.0)
    wide = np.linspace(low - (width or 1.0), high + (width or 1.0), 9)
    middle = (low + high) / 2
    candidates = [middle, *near.tolist(), *wide.tolist(), 0.0, 1.0, -1.0]
    return [number for number in dict.fromkeys(candidates) if abs(number) < 1e100]


def _dtype(column: InputColumn) -> Any:
    if column.levels is None:
        return pl.Float64
    if column.levels and all(isinstance(level, bool) for level in column.levels):
        return pl.Boolean
    return pl.String if all(isinstance(level, str) for level in column.levels) else pl.Float64
