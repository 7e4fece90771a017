"""Tables drawn at random, the same for the same seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.tables.column_schema import ColumnSchema
from classica.tables.schema import Schema
from classica.tables.table import Table

Points = tuple[NDArray[np.float64], NDArray[np.int64]]


def rings(outer: int, inner: int, seed: int) -> Points:
    """Return points about circles of radius 1 (class 0) and 0.5 (class 1), with noise of 0.05."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.array([0, 1]), [outer, inner])
    angles = random.uniform(0, 2 * np.pi, outer + inner)
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * np.where(y == 0, 1.0, 0.5)[:, None]
    return circle + 0.05 * random.normal(size=circle.shape), y


def two_gaussians(first: int, second: int, seed: int) -> Points:
    """Return numbers of variance 1 about 4 (class 1) and about 7 (class 2)."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.array([1, 2]), [first, second])
    return (random.normal(size=len(y)) + np.where(y == 1, 4.0, 7.0))[:, None], y


#: Name → how points are drawn, the names of their columns, and how many there are unless told.
GENERATED: dict[str, tuple[Any, tuple[str, ...], int]] = {
    "ring": (rings, ("x1", "x2"), 300),
    "two-gaussians": (two_gaussians, ("x",), 200),
}


def generated_table(name: str, rows: int | None, seed: int) -> Table:
    """Return a table of so many rows, half of each class, drawn with a seed."""
    draw, names, usual = GENERATED[name]
    count = usual if rows is None else rows
    X, y = draw(count - count // 2, count // 2, seed)
    labels = tuple(np.unique(y).tolist())
    columns = [ColumnSchema(column, "numeric") for column in names]
    columns.append(ColumnSchema("class", "categorical", "target", levels=labels))
    cells = [pl.Series(column, X[:, place]) for place, column in enumerate(names)]
    return Table(pl.DataFrame([*cells, pl.Series("class", y)]), Schema(tuple(columns)), name)
