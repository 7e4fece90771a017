"""The built-in datasets: those of the lectures, a few well-known ones, and some that are generated."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.errors import ParameterError, must
from classica.params import Integer
from classica.tables.column_schema import ColumnSchema
from classica.tables.reading import RawTable
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.wording import did_you_mean

Points = tuple[NDArray[np.float64], NDArray[np.int64]]


def rings(outer: int, inner: int, seed: int) -> Points:
    """Generate points around circles of radius 1 (class 0) and 0.5 (class 1), with noise of 0.05."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.array([0, 1]), [outer, inner])
    angles = random.uniform(0, 2 * np.pi, outer + inner)
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * np.where(y == 0, 1.0, 0.5)[:, None]
    return circle + 0.05 * random.normal(size=circle.shape), y


def two_gaussians(first: int, second: int, seed: int) -> Points:
    """Generate numbers with variance 1 and mean 4 (class 1) or 7 (class 2)."""
    random = np.random.default_rng(seed)
    y = np.repeat(np.array([1, 2]), [first, second])
    return (random.normal(size=len(y)) + np.where(y == 1, 4.0, 7.0))[:, None], y


#: Name → generator, column names, and default number of rows.
GENERATED: dict[str, tuple[Any, tuple[str, ...], int]] = {
    "ring": (rings, ("x1", "x2"), 300),
    "two-gaussians": (two_gaussians, ("x",), 200),
}


def generated_table(name: str, rows: int | None, seed: int) -> Table:
    """Generate a table with a given number of rows, half of each class."""
    draw, names, usual = GENERATED[name]
    count = usual if rows is None else rows
    X, y = draw(count - count // 2, count // 2, seed)
    labels = tuple(np.unique(y).tolist())
    columns = [ColumnSchema(column, "numeric") for column in names]
    columns.append(ColumnSchema("class", "categorical", "target", levels=labels))
    cells = [pl.Series(column, X[:, index]) for index, column in enumerate(names)]
    return Table(pl.DataFrame([*cells, pl.Series("class", y)]), Schema(tuple(columns)), name)


_FOLDER = Path(__file__).parent / "files"


@dataclass(frozen=True)
class BuiltinTable:
    """A built-in dataset: description, source and licence."""

    name: str
    title: str
    source: str
    note: str


@functools.cache
def builtin_tables() -> tuple[BuiltinTable, ...]:
    """Return the descriptions of the built-in datasets, without loading them."""
    return tuple(BuiltinTable(**entry) for entry in json.loads((_FOLDER / "index.json").read_bytes()))


def load_table(name: str, *, rows: int | None = None, seed: int | None = None) -> Table:
    """Load a built-in dataset as a typed table with its target.

    Parameters
    ----------
    name : str
        The name of a dataset in `builtin_tables`.
    rows, seed : int, optional
        The number of rows to generate (half of each class) and the random seed, 0 by default; for generated
        datasets only.

    Examples
    --------
    >>> from classica.tables import load_table
    >>> golf = load_table("golf")
    >>> golf.X.columns, golf.y.tolist()
    (['outlook', 'temperature', 'humidity', 'windy'], [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0])
    """
    names = [entry.name for entry in builtin_tables()]
    if name not in names:
        rule = f"a built-in dataset ({', '.join(names)})"
        raise ParameterError(must("The table", rule, name) + did_you_mean(str(name), names))
    for option, value, least in (("rows", rows, 2), ("seed", seed, 0)):
        if value is not None and name not in GENERATED:
            raise ParameterError(
                must(option, f"left out for {name!r}, which is not a generated dataset", value)
            )
        if value is not None and not Integer(at_least=least).accepts(value):
            raise ParameterError(must(option, str(Integer(at_least=least)), value))
    if name in GENERATED:
        return generated_table(name, rows, seed or 0)
    return _stored_table(name)


def _stored_table(name: str) -> Table:
    frame = pl.read_csv(_FOLDER / f"{name}.csv", infer_schema=False)
    return Schema.load(_FOLDER / f"{name}.schema.json").apply(RawTable(frame, name, "csv"))
