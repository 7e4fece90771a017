"""A table as read from its source, before its columns are typed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from classica.errors import TableError


@dataclass(frozen=True)
class Declared:
    """The declaration of a column in the source (an ARFF header, a categorical dtype of a frame).

    Attributes
    ----------
    kind : str
        "number", "integer", "category", "text" or "date".
    levels : tuple of str or None
        The categories in their order.
    pattern : str or None
        The date format, in the notation of the file.
    """

    kind: str
    levels: tuple[str, ...] | None = None
    pattern: str | None = None


@dataclass(frozen=True)
class Doubt:
    """A doubt about the type of a column, such as why it was read as text although it has numbers.

    Attributes
    ----------
    kind : str
        The kind of doubt: "leading zero", "plus sign", "text among numbers", …
    text : str
        The same as a phrase.
    cells : int or None
        The number of such cells, if counted.
    line : int or None
        The line of the first such cell.
    """

    kind: str
    text: str
    cells: int | None = None
    line: int | None = None


@dataclass(frozen=True)
class Note:
    """A note to the user about what a reader detected or decided.

    Attributes
    ----------
    code : str
        A keyword: "delimiter", "encoding", "header", …
    text : str
        The text to show.
    """

    code: str
    text: str

    def __str__(self) -> str:
        return self.text


#: Column → doubts about its type.
Doubts = dict[str, tuple[Doubt, ...]]


@dataclass(frozen=True)
class RawTable:
    """A table as read from its source, before its columns are typed.

    Attributes
    ----------
    frame : polars.DataFrame
        The cells. A column has another type than text only if that keeps every cell.
    source : str
        The name of the source in errors and reports.
    format : str
        "csv", "arff", "parquet", …
    notes : list of Note
        What the reader detected and decided.
    declared : dict of str to Declared
        Declarations of columns in the source.
    doubts : dict of str to tuple of Doubt
        Doubts about the types of columns.
    first_row : int
        The number of the first row: 1, except for later batches of a table.
    line_of : callable or None
        Maps a row index of the frame to the line of the file in which the row starts.
    decimal : {".", ","} or None
        The decimal separator, if given.
    written : callable or None
        Maps a column and a number of rows (None: all) to its cells as written in the file.
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
        """Return a function that gives the first cells of a column, or all, as written in the file."""
        return None if self.written is None else functools.partial(self.written, name)

    def where(self, row: int) -> str:
        """Describe the position of a row of the frame: its number, and its line if there is one."""
        number = f"row {self.first_row + row:,}"
        return number if self.line_of is None else f"{number}, line {self.line_of(row):,}"


def slices(table: RawTable, rows: int) -> Iterator[RawTable]:
    """Yield the rows of a table in batches; one empty batch if it has none."""
    for begin in range(0, max(table.frame.height, 1), rows):
        yield replace(table, frame=table.frame.slice(begin, rows))


def require_flat(frame: pl.DataFrame | pl.LazyFrame, source: str) -> None:
    """Raise `TableError` for a column of lists, structs, bytes, objects or extension types."""
    # By name, because older versions of polars lack some types.
    extension: Any = getattr(pl, "BaseExtension", ())
    for name, dtype in frame.collect_schema().items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object) or isinstance(dtype, extension):
            sentence = f"a cell must be a number, text, a Boolean or a time, got the type {dtype}"
            raise TableError.at(source, "nested value", sentence, column=name)
