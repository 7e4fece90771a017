"""Rows on which an export is most likely to go wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from classica.explain.input_column import InputColumn

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
    pools = [_cells(column, edges.get(place, [])) for place, column in enumerate(columns)]
    common = [pool[0] for pool in pools]
    rows = [common]
    for place, pool in enumerate(pools):
        rows += [[*common[:place], cell, *common[place + 1 :]] for cell in pool[1:]]
    random = np.random.default_rng(0)
    draws = random.random((_DRAWN, len(pools)))
    rows += [
        [pool[int(draw * len(pool))] for pool, draw in zip(pools, drawn, strict=True)]
        for drawn in draws.tolist()
    ]
    cells = {
        column.name: pl.Series([row[place] for row in rows], dtype=_dtype(column), strict=False)
        for place, column in enumerate(columns)
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
    found = [middle, *near.tolist(), *wide.tolist(), 0.0, 1.0, -1.0]
    return [number for number in dict.fromkeys(found) if abs(number) < 1e100]


def _dtype(column: InputColumn) -> Any:
    if column.levels is None:
        return pl.Float64
    if column.levels and all(isinstance(level, bool) for level in column.levels):
        return pl.Boolean
    return pl.String if all(isinstance(level, str) for level in column.levels) else pl.Float64
