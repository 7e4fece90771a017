"""A table as it was read, before anybody decided what its columns mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from classica.errors import TableError


@dataclass(frozen=True)
class Declared:
    """What a file itself says about a column (the header of an ARFF file, a categorical type of a frame).

    Attributes
    ----------
    kind : str
        "number", "integer", "category", "text" or "date".
    levels : tuple of str or None
        The categories in their order.
    pattern : str or None
        How dates are written, in the words of the file.
    """

    kind: str
    levels: tuple[str, ...] | None = None
    pattern: str | None = None


@dataclass(frozen=True)
class Doubt:
    """Why a column was read as text though it has numbers, or what else to know before giving it a type.

    Attributes
    ----------
    kind : str
        What was seen: "leading zero", "plus sign", "text among numbers", …
    text : str
        The same as a phrase.
    cells : int or None
        How many cells, where that was counted.
    line : int or None
        The line of the first of them.
    """

    kind: str
    text: str
    cells: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class Note:
    """Something a reader found or decided, for the user to see.

    Attributes
    ----------
    code : str
        A word for programs: "delimiter", "encoding", "header", …
    text : str
        A phrase for people.
    """

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


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


def slices(table: RawTable, rows: int) -> Iterator[RawTable]:
    """Yield the rows of a table in their order; one batch without rows if it has none."""
    for begin in range(0, max(table.frame.height, 1), rows):
        yield replace(table, frame=table.frame.slice(begin, rows))


def require_flat(frame: pl.DataFrame | pl.LazyFrame, source: str) -> None:
    """Raise `TableError` for a column of lists, structures, bytes, objects or types of an extension."""
    # By name, because older versions of polars have no such types.
    extension: Any = getattr(pl, "BaseExtension", ())
    for name, dtype in frame.collect_schema().items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object) or isinstance(dtype, extension):
            sentence = f"a cell must be a number, text, a Boolean or a time, got the type {dtype}"
            raise TableError.at(source, "nested value", sentence, column=name)
