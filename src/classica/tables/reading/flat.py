"""Columns must hold one value in each cell."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.errors import TableError


def require_flat(frame: pl.DataFrame | pl.LazyFrame, source: str) -> None:
    """Raise `TableError` for a column of lists, structures, bytes, objects or types of an extension."""
    # By name, because older versions of polars have no such types.
    extension: Any = getattr(pl, "BaseExtension", ())
    for name, dtype in frame.collect_schema().items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object) or isinstance(dtype, extension):
            sentence = f"a cell must be a number, text, a Boolean or a time, got the type {dtype}"
            raise TableError.at(source, "nested value", sentence, column=name)
