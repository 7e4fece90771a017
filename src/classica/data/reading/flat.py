"""Columns must hold one value in each cell."""

from __future__ import annotations

import polars as pl

from classica.errors import TableError


def require_flat(frame: pl.DataFrame | pl.LazyFrame, source: str) -> None:
    """Raise `TableError` for a column of lists, structures, bytes or objects."""
    for name, dtype in frame.collect_schema().items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            sentence = f"a cell must be a number, text, a Boolean or a time, got the type {dtype}"
            raise TableError.at(source, "nested value", sentence, column=name)
