"""A table as it was read, before anybody decided what its columns mean."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field

import polars as pl

from classica.tables.reading.declared import Declared
from classica.tables.reading.doubt import Doubt
from classica.tables.reading.note import Note

#: Column → what speaks against the type it seems to have.
Doubts = dict[str, tuple[Doubt, ...]]


@dataclass(frozen=True)
class RawTable:
    """A table as it was read, before anybody decided what its columns mean.

    Attributes
    ----------
    frame : polars.DataFrame
        The cells. A column has a type other than text only if that keeps every cell.
    source : str
        Where the table comes from, as errors and reports name it.
    format : str
        "csv", "arff", "parquet", …
    notes : list of Note
        What was found and decided on the way.
    declared : dict of str to Declared
        What the file itself says about columns.
    doubts : dict of str to tuple of Doubt
        What speaks against the type a column seems to have.
    first_row : int
        The number of the first row: 1, but for later batches of a table.
    line_of : callable or None
        From a row, counted from 0 in the frame, to the line of the file in which it starts.
    decimal : {".", ","} or None
        The decimal sign, if somebody has told it.
    written : callable or None
        From a column and a number of rows (None: all) to its cells as the file has them.
    """

    frame: pl.DataFrame
    source: str
    format: str
    notes: list[Note] = field(default_factory=list)
    declared: dict[str, Declared] = field(default_factory=dict)
    doubts: Doubts = field(default_factory=dict)
    first_row: int = 1
    line_of: Callable[[int], int] | None = field(default=None, compare=False, repr=False)
    decimal: str | None = None
    written: Callable[[str, int | None], pl.Series] | None = field(default=None, compare=False, repr=False)

    def written_cells(self, name: str) -> Callable[[int | None], pl.Series] | None:
        """Return what gives the first so many cells of a column, or all, as the file has them."""
        return None if self.written is None else functools.partial(self.written, name)

    def where(self, row: int) -> str:
        """Return how to find a row, counted from 0 in the frame: its number, and its line if there is one."""
        number = f"row {self.first_row + row:,}"
        return number if self.line_of is None else f"{number}, line {self.line_of(row):,}"
