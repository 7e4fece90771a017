"""Programs as one SELECT of standard SQL."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable
from typing import Any

import polars as pl

from classica.errors import ExportError
from classica.explain.additive import Additive
from classica.export.form import running_form
from classica.export.programs import CalibratedSums, Program, RulesProgram, TreeProgram, VotesProgram
from classica.export.sql_sums import calibrated_sql, sums_sql
from classica.export.sql_trees import rules_sql, single_tree_sql, votes_sql

_WRITERS: dict[type[Any], Callable[[Any, str], str]] = {
    Additive: sums_sql,
    CalibratedSums: calibrated_sql,
    TreeProgram: single_tree_sql,
    RulesProgram: rules_sql,
    VotesProgram: votes_sql,
}


def can_be_sql(program: Program) -> bool:
    """Return whether there is a way to write a program as a query."""
    return type(program) in _WRITERS


def program_sql(program: Program, table: str) -> str:
    """Return a query of all columns of a table and the answer for each row, in which gaps are NULL."""
    return _WRITERS[type(program)](program, table)


def run_sql(query: str, table: str, features: pl.DataFrame) -> list[Any]:
    """Return the last column of a query over rows in an SQLite database of their own."""
    order = _free_name(features.columns)
    names = ", ".join(_quoted(name) for name in [order, *features.columns])
    marks = ", ".join("?" for _ in range(features.width + 1))
    try:
        with sqlite3.connect(":memory:") as database:
            database.execute(f"CREATE TABLE {_quoted(table)} ({names})")
            rows = ([index, *map(_cell, row)] for index, row in enumerate(features.iter_rows()))
            database.executemany(f"INSERT INTO {_quoted(table)} VALUES ({marks})", rows)
            records = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise ExportError(f"The export must run in SQLite, got: {error}.") from None
    finally:
        database.close()
    return [row[-1] for row in sorted(records, key=lambda row: row[0])]


def _cell(cell: object) -> Any:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _free_name(taken: list[str]) -> str:
    name = "row"
    while any(other.lower() == name for other in taken):
        name += "_"
    return name


SQL = running_form(
    "sql",
    can_be_sql,
    lambda program, table: program_sql(program, table=table),
    lambda query, opened, table, rows: run_sql(query, table, rows),
    title="SQL",
    order=50,
)
