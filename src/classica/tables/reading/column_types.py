"""The type of each text column: the declared one, or the narrowest that keeps every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.native import tables
from classica.native.tables import Dialect, TableFacts, kind_bits
from classica.tables.reading.formats.delimited_layout import Layout
from classica.tables.reading.raw_table import Declared, Doubt
from classica.tables.reading.spool import as_bytes
from classica.tables.typing.cells import unnamed

_NUMBER = kind_bits("integer", "decimal", "comma")
_FLOAT = kind_bits("decimal", "comma", "not finite")
_SPACES = kind_bits("spaces")

#: Why a column with numbers is read as text: bits, kind of doubt, phrase.
_AGAINST = (
    (kind_bits("text"), "text among numbers", "has numbers and text"),
    (kind_bits("leading zero"), "leading zero", "has numbers with leading zeros, as identifiers do"),
    (kind_bits("plus"), "plus sign", "has numbers with a leading plus sign, as telephone numbers do"),
    (kind_bits("above int64"), "many digits", "has integers of more than 64 bits"),
    (kind_bits("inexact"), "many digits", "has numbers beyond the range of double precision"),
)


@dataclass(frozen=True)
class ColumnType:
    """How a column is read.

    Attributes
    ----------
    dtype : polars type
        The type of the column.
    by_text : bool
        Whether it is read as text first, and cast after stripping spaces.
    comma : bool
        Whether its numbers have a decimal comma.
    nulls : int or None
        The expected number of missing values, if known.
    """

    dtype: type[pl.DataType]
    by_text: bool = False
    comma: bool = False
    nulls: int | None = None


def column_type(
    kinds: int, empties: int, texts: int, *, decimal: str | None, comma_splits: bool
) -> ColumnType:
    """Return how to read a column with cells of these kinds."""
    comma = bool(kinds & kind_bits("comma"))
    keeps = bool(kinds & _NUMBER) and not any(kinds & bits for bits, _, _ in _AGAINST)
    if comma and (decimal == "." or (decimal is None and comma_splits) or kinds & kind_bits("decimal")):
        keeps = False
    if decimal == "," and kinds & kind_bits("decimal"):
        keeps = False  # a point is not the decimal separator here, but most likely separates thousands
    if kinds & _FLOAT and kinds & kind_bits("above 2**53"):
        keeps = False
    if not keeps:
        return ColumnType(pl.String, nulls=None if kinds & kind_bits("quoted empty") else empties)
    nulls = empties + (texts if kinds & kind_bits("blank") else 0)
    is_countable = not (kinds & kind_bits("blank") and kinds & kind_bits("not finite"))
    dtype = pl.Float64 if kinds & _FLOAT else pl.Int64
    return ColumnType(dtype, bool(kinds & _SPACES), comma, nulls if is_countable else None)


def column_types(facts: TableFacts, layout: Layout, decimal: str | None) -> dict[str, ColumnType]:
    """Return how to read each column."""
    splits = layout.dialect.delimiter == ","
    columns = zip(facts.kinds.tolist(), facts.empties.tolist(), facts.texts.tolist(), strict=True)
    return {
        name: column_type(kinds, empties, texts, decimal=decimal, comma_splits=splits)
        for name, (kinds, empties, texts) in zip(layout.names, columns, strict=True)
    }


def column_doubts(
    facts: TableFacts, layout: Layout, types: dict[str, ColumnType], line_at: Callable[[int], int]
) -> dict[str, tuple[Doubt, ...]]:
    """Return why columns with numbers are read as text."""
    doubts = {}
    for index, name in enumerate(layout.names):
        kinds = int(facts.kinds[index])
        if types[name].dtype is not pl.String or not kinds & (_NUMBER | kind_bits("leading zero", "plus")):
            continue
        own = [Doubt(kind, phrase) for bits, kind, phrase in _AGAINST if kinds & bits]
        if kinds & kind_bits("text"):
            line = line_at(int(facts.first_text[index]))
            own[0] = Doubt(own[0].kind, own[0].text, int(facts.texts[index]), line)
        if not own and kinds & kind_bits("comma"):
            own = [Doubt("decimal comma", "has numbers with a comma that may not be a decimal comma")]
        doubts[name] = tuple(
            own or [Doubt("many digits", "has integers that are not exact in double precision")]
        )
    return doubts


class TextKinds:
    """The kinds of the cells of a column seen so far."""

    def __init__(self) -> None:
        self._kinds = self._empties = self._texts = 0

    def add(self, cells: list[str]) -> None:
        """Scan more cells, none of which contains a line break."""
        text = as_bytes("".join(f"{cell}\n" for cell in cells).encode())
        facts = tables.scan_table(text, 0, Dialect("\t", "\t"), 1, 1)
        self._kinds |= int(facts.kinds[0])
        self._empties += int(facts.empties[0])
        self._texts += int(facts.texts[0])

    @property
    def any(self) -> bool:
        """Whether any cell was seen."""
        return self._kinds != 0

    @property
    def dtype(self) -> Any:
        """The type that keeps all of them: integers, decimals or text."""
        return column_type(self._kinds, self._empties, self._texts, decimal=".", comma_splits=True).dtype


def cast_text(name: str, cells: list[str], dtype: Any) -> pl.Series:
    """Return cells in a type that keeps them."""
    return pl.Series(name, cells, dtype=pl.String).cast(dtype, strict=True)


class BadCellError(Exception):
    """A cell that contradicts the declared type of its column: row, kind and message."""

    def __init__(self, row: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.row, self.kind, self.sentence = row, kind, sentence


class DeclaredColumn:
    """A declared column: scans all cells first, then casts them to a type that keeps them.

    Parameters
    ----------
    declared : Declared
        The declaration of the column in the file.
    """

    def __init__(self, declared: Declared) -> None:
        self._is_number = declared.kind in ("number", "integer")
        self._levels = None if declared.levels is None else pl.Enum(list(declared.levels))
        self._kinds = TextKinds()

    def look(self, cells: pl.Series) -> None:
        """Scan some cells; raise `BadCellError` for one that contradicts the declaration."""
        if self._levels is not None:
            cast_cells(cells, self._levels, "unknown category", "one of the declared categories")
        elif self._is_number:
            cast_cells(cells, pl.Float64, "no number", "a number")
            self._kinds.add([_plain(cell) for cell in unnamed(cells).drop_nulls().to_list()])

    @property
    def dtype(self) -> Any:
        """The type that keeps all scanned cells."""
        if self._levels is not None:
            return self._levels
        if not self._is_number:
            return pl.String
        return self._kinds.dtype if self._kinds.any else pl.Float64

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Why numbers are read as text."""
        lost = self._is_number and self.dtype == pl.String
        return (Doubt("many digits", "has numbers beyond the range of double precision"),) if lost else ()


def cast_cells(cells: pl.Series, dtype: Any, kind: str, rule: str) -> pl.Series:
    """Cast cells to another type; raise `BadCellError` for one that does not fit."""
    cast = cells.cast(dtype, strict=False)
    lost = unnamed(cells).is_not_null() & unnamed(cast).is_null()
    if lost.any():
        row = int(lost.arg_true()[0])
        raise BadCellError(row, kind, f"a cell must be {rule}, got {cells[row][:40]!r}")
    return cast


def _plain(cell: str) -> str:
    """Return a number without a plus sign and leading zeros."""
    sign = "-" if cell.startswith("-") else ""
    digits = cell.lstrip("+-").lstrip("0")
    return sign + (digits if digits[:1].isdigit() else f"0{digits}")
