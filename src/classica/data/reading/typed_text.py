"""A column of cells that are text, in the type that keeps them all: the rules are those of delimited text."""

from __future__ import annotations

import polars as pl

from classica.data.reading.column_types import column_type
from classica.data.reading.spool import as_bytes
from classica.native import tables
from classica.native.tables import Dialect


def typed_column(name: str, cells: list[str]) -> pl.Series:
    """Return cells without line ends as integers or decimals if that keeps all of them, else as text."""
    text = as_bytes("".join(f"{cell}\n" for cell in cells).encode())
    facts = tables.scan_table(text, 0, Dialect("\t", "\t"), 1, 1)
    kind = column_type(
        int(facts.kinds[0]), int(facts.empties[0]), int(facts.texts[0]), decimal=".", comma_splits=True
    )
    return pl.Series(name, cells, dtype=pl.String).cast(kind.dtype, strict=True)
