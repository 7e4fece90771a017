"""What commands share that take a table: where it comes from, and how it is typed."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from classica import tables as data
from classica.errors import DataError, ParameterError, must
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._notes import misfits, read_notes
from classica.persist.container import MAGIC
from classica.tables import Table, builtin_tables, load_table


def open_table(
    source: str,
    *,
    target: str | None = None,
    schema: str | None = None,
    ignore: Iterable[str] = (),
    reading: Mapping[str, Any] | None = None,
) -> tuple[Table, list[str]]:
    """Return the typed table of a source, and what was found on the way of reading it.

    A source is a file, the address of a database, "-" for standard input, or the name of a table that
    comes along where there is no file of that name.
    """
    known = table_source(source, reading)
    with busy(f"Reading {source}") as tell:
        table = data.open_table(known, target, schema=schema, ignore=ignore, reading=reading, progress=tell)
    return table, [*table.notes, *taken_instead(source)]


def rows_for(model: Any, source: str, reading: Mapping[str, Any] | None = None) -> tuple[Table, list[str]]:
    """Return the rows of a source typed as a model wants them, and what to tell about them.

    Where a model does not know the names of its columns, the table is typed on its own.
    """
    # Here, because these bring scikit-learn along, which a look at a table does not need.
    from classica.training.of_table import schema_of
    from classica.training.typed_batches import TypedBatches

    schema = schema_of(model)
    if schema is None:
        table, notes = open_table(source, reading=reading)
        return table, read_notes(notes)
    known = table_source(source, reading)
    with busy(f"Reading {source}") as tell:
        options = {**(reading or {}), "progress": tell}
        batches = TypedBatches(schema, ["feature"], known, sys.maxsize, options)
        [(_, rows)] = batches
    if not len(rows):
        raise DataError(f"{batches.source} must have rows, got none.")
    return rows, [
        *read_notes([*batches.notes, *taken_instead(source)]),
        *misfits(batches.extra, batches.unseen),
    ]


def is_builtin(source: str) -> bool:
    """Return whether a source is the name of a table that comes along, and no file.

    A folder of that name, such as one with the user's notes, is not meant; with a slash behind it, it is.
    """
    path = Path(source)
    return _comes_along(source) and (path.is_dir() or not path.exists())


def taken_instead(source: str) -> list[str]:
    """Return what to note where a file has the name of a table that comes along."""
    is_file = _comes_along(source) and not is_builtin(source)
    return [f"the file {source}, not the built-in dataset {source}"] if is_file else []


def _comes_along(source: str) -> bool:
    return source in [entry.name for entry in builtin_tables()]


def table_source(source: str, reading: Mapping[str, Any] | None = None) -> Any:
    """Return what can be read some rows at a time: a source as it is, or the table that comes along."""
    if not is_builtin(source):
        _require_table(source)
        return source
    if reading:
        raise ParameterError(must("Options of reading", f"left out for the table {source}", [*reading]))
    return load_table(source)


def _require_table(source: str) -> None:
    """Refuse a name that was mistyped, and a model where a table belongs."""
    path = Path(source)
    if source == "-" or "://" in source or any(sign in source for sign in "*?["):
        return
    if not path.exists():
        got = f"{source!r}{_instead(path)}"
        raise DataError(
            f"The table must be a file or a built-in dataset (classica data lists them), got {got}."
        )
    if path.is_file() and os.access(path, os.R_OK):
        with path.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise DataError(f"The table must hold rows, got the model in {source}.")


def _instead(path: Path) -> str:
    """Return what may have been meant by a name."""
    known = {entry.name: entry.name for entry in builtin_tables()}
    known |= {file.name.lower(): str(file) for file in path.parent.glob("*")}
    close = difflib.get_close_matches(path.name.lower(), known, n=2, cutoff=0.75)
    return f" (there is {' and '.join(known[name] for name in close)})" if close else ""
