"""What commands share that take a table: a file, or one that comes along."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from classica.data import RawTable, Table, builtin_tables, decide_types, load_table, read_table
from classica.interfaces.cli._busy import busy


def open_table(
    source: str, *, target: str | None = None, schema: str | None = None
) -> tuple[Table, list[str]]:
    """Return the typed table of a source, and what was found on the way of reading it.

    A source is a file, the address of a database, "-" for standard input, or the name of a table that
    comes along where there is no file of that name.
    """
    if source in [entry.name for entry in builtin_tables()] and not Path(source).exists():
        known = load_table(source)
        if target is None and schema is None:
            return known, []
        raw = RawTable(known.frame, source, "frame")
        return decide_types(raw, target=target, schema=schema or known.schema), []
    with busy(f"Reading {source}"):
        raw = read_table(source)
        return decide_types(raw, target=target, schema=schema), [str(note) for note in raw.notes]


def table_source(source: str) -> Any:
    """Return what can be read some rows at a time: a source as it is, or the table that comes along."""
    known = source in [entry.name for entry in builtin_tables()] and not Path(source).exists()
    return load_table(source) if known else source
