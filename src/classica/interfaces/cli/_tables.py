"""What commands share that take a table: a file, or one that comes along."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from classica.data import RawTable, Table, builtin_tables, decide_types, load_table


def open_table(source: str, *, target: str | None = None, schema: str | None = None) -> Table:
    """Return the typed table of a file; a name that is no file may be that of a table that comes along."""
    names = [entry.name for entry in builtin_tables()]
    if source in names and not Path(source).exists():
        known = load_table(source)
        if target is None and schema is None:
            return known
        raw = RawTable(known.frame, source)
        return decide_types(raw, target=target, schema=schema or known.schema)
    return decide_types(
        RawTable(pl.read_csv(source, infer_schema_length=None), source), target=target, schema=schema
    )
