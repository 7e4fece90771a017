"""Columns of cells that are text, in the type that keeps them all: the rules are those of delimited text."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.native import tables
from classica.native.tables import Dialect
from classica.tables.reading.column_types import column_type
from classica.tables.reading.spool import as_bytes


class TextKinds:
    """What the cells of a column look like, as far as they were seen."""

    def __init__(self) -> None:
        self._kinds = self._empties = self._texts = 0

    def add(self, cells: list[str]) -> None:
        """Look at more cells; none of them has a line end."""
        text = as_bytes("".join(f"{cell}\n" for cell in cells).encode())
        facts = tables.scan_table(text, 0, Dialect("\t", "\t"), 1, 1)
        self._kinds |= int(facts.kinds[0])
        self._empties += int(facts.empties[0])
        self._texts += int(facts.texts[0])

    @property
    def any(self) -> bool:
        """Whether there was a cell."""
        return self._kinds != 0

    @property
    def dtype(self) -> Any:
        """The type that keeps all of them: integers, decimals or text."""
        return column_type(self._kinds, self._empties, self._texts, decimal=".", comma_splits=True).dtype


def cast_text(name: str, cells: list[str], dtype: Any) -> pl.Series:
    """Return cells in a type that keeps them."""
    return pl.Series(name, cells, dtype=pl.String).cast(dtype, strict=True)
