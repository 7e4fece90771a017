"""The tables that come along: those of the lectures, and a few well-known ones."""

from __future__ import annotations

import difflib
import functools
import json
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from classica.errors import ParameterError, must
from classica.params import Integer
from classica.tables.datasets.generated import GENERATED, generated_table
from classica.tables.reading import RawTable
from classica.tables.schema import Schema
from classica.tables.table import Table

_FOLDER = Path(__file__).parent / "files"


@dataclass(frozen=True)
class BuiltinTable:
    """A table that comes along: what it is about, where it comes from, and on what terms."""

    name: str
    title: str
    source: str
    note: str


@functools.cache
def builtin_tables() -> tuple[BuiltinTable, ...]:
    """Return what is known about the tables that come along; none is read."""
    return tuple(BuiltinTable(**entry) for entry in json.loads((_FOLDER / "index.json").read_bytes()))


def load_table(name: str, *, rows: int | None = None, seed: int | None = None) -> Table:
    """Return a table that comes along, typed, with its target.

    Parameters
    ----------
    name : str
        One of `builtin_tables`.
    rows, seed : int, optional
        How many rows to draw (half of each class) and the seed, 0 unless told; for tables that are drawn at
        random only.

    Examples
    --------
    >>> from classica.tables import load_table
    >>> golf = load_table("golf")
    >>> golf.X.columns, golf.y.tolist()
    (['outlook', 'temperature', 'humidity', 'windy'], [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0])
    """
    names = [entry.name for entry in builtin_tables()]
    if name not in names:
        close = difflib.get_close_matches(str(name), names, n=3) or names
        raise ParameterError(must("The table", f"one that comes along such as {', '.join(close)}", name))
    for option, value, least in (("rows", rows, 2), ("seed", seed, 0)):
        if value is not None and name not in GENERATED:
            raise ParameterError(must(option, f"left out for {name!r}, which is not drawn at random", value))
        if value is not None and not Integer(at_least=least).accepts(value):
            raise ParameterError(must(option, str(Integer(at_least=least)), value))
    if name in GENERATED:
        return generated_table(name, rows, seed or 0)
    return _stored_table(name)


def _stored_table(name: str) -> Table:
    frame = pl.read_csv(_FOLDER / f"{name}.csv", infer_schema=False)
    return Schema.load(_FOLDER / f"{name}.schema.json").apply(RawTable(frame, name, "csv"))
