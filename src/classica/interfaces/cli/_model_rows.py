"""Rows of a table for a model in a file, typed as the model wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from classica.data import RawTable, Table, builtin_tables, load_table, read_table
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._tables import open_table
from classica.table_classifier import TableClassifier


def rows_for(model: Any, source: str) -> Table:
    """Return the rows of a source: typed by the schema of the model or, where it has none, on their own."""
    if not isinstance(model, TableClassifier):
        return open_table(source)[0]
    if source in [entry.name for entry in builtin_tables()] and not Path(source).exists():
        return model.schema.apply(RawTable(load_table(source).frame, source, "frame"))
    with busy(f"Reading {source}"):
        return model.schema.apply(read_table(source))
