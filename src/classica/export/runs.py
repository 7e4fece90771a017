"""Running exports: in SQLite, in a fresh Python, in ONNX Runtime."""

from __future__ import annotations

import json
import math
import sqlite3
import subprocess
import sys
from typing import Any

import polars as pl

from classica.errors import ExportError

#: Runs a source that comes with its rows through standard input, and nothing else.
_DRIVER = """
import json, sys
task = json.load(sys.stdin)
space = {"__name__": "exported"}
exec(compile(task["source"], "export", "exec"), space)
print(json.dumps([space["predict"](row) for row in task["rows"]]))
"""

#: Seconds a fresh Python may take.
_PATIENCE = 120


def run_python(source: str, features: pl.DataFrame) -> list[Any]:
    """Return what the function ``predict`` of a source answers, in a Python without any packages."""
    task = json.dumps({"source": source, "rows": [_plain(row) for row in features.to_dicts()]})
    command = [sys.executable, "-I", "-S", "-c", _DRIVER]
    try:
        done = subprocess.run(
            command,
            input=task,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ExportError(f"The export must run in a fresh Python, got: {error}.") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ExportError(f"The export must run in a fresh Python, got: {last}.")
    answers: list[Any] = json.loads(done.stdout)
    return answers


def run_sql(query: str, table: str, features: pl.DataFrame) -> list[Any]:
    """Return the last column of a query over rows in an SQLite database of their own."""
    order = _free_name(features.columns)
    names = ", ".join(_quoted(name) for name in [order, *features.columns])
    marks = ", ".join("?" for _ in range(features.width + 1))
    try:
        with sqlite3.connect(":memory:") as database:
            database.execute(f"CREATE TABLE {_quoted(table)} ({names})")
            rows = ([place, *map(_cell, row)] for place, row in enumerate(features.iter_rows()))
            database.executemany(f"INSERT INTO {_quoted(table)} VALUES ({marks})", rows)
            found = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise ExportError(f"The export must run in SQLite, got: {error}.") from None
    finally:
        database.close()
    return [row[-1] for row in sorted(found, key=lambda row: row[0])]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _cell(cell) for name, cell in row.items()}


def _cell(cell: Any) -> Any:
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _free_name(taken: list[str]) -> str:
    name = "row"
    while any(other.lower() == name for other in taken):
        name += "_"
    return name
