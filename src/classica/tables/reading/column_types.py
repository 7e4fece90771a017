"""The type each column of delimited text is read as: the narrowest that keeps every cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from classica.native.tables import TableFacts, kind_bits
from classica.tables.reading.doubt import Doubt
from classica.tables.reading.formats.delimited_layout import Layout

_NUMBER = kind_bits("integer", "decimal", "comma")
_FLOAT = kind_bits("decimal", "comma", "not finite")
_SPACES = kind_bits("spaces")

#: What makes text of a column that has numbers too: bits, kind of doubt, phrase.
_AGAINST = (
    (kind_bits("text"), "text among numbers", "has numbers and text"),
    (kind_bits("leading zero"), "leading zero", "has numbers with zeros in front, as ids do"),
    (kind_bits("plus"), "plus sign", "has numbers with a plus sign in front, as telephone numbers do"),
    (kind_bits("above int64"), "many digits", "has integers of more than 64 bits"),
    (kind_bits("inexact"), "many digits", "has numbers that no double can stand for"),
)


@dataclass(frozen=True)
class ColumnType:
    """How a column is read.

    Attributes
    ----------
    dtype : polars type
        What it becomes.
    by_text : bool
        Whether it is read as text first and cast after spaces are dropped.
    comma : bool
        Whether its numbers have a decimal comma.
    nulls : int or None
        How many missing cells there must be, if that is known.
    """

    dtype: type[pl.DataType]
    by_text: bool = False
    comma: bool = False
    nulls: int | None = None


def column_type(
    kinds: int, empties: int, texts: int, *, decimal: str | None, comma_splits: bool
) -> ColumnType:
    """Return how to read a column whose cells are of these kinds."""
    comma = bool(kinds & kind_bits("comma"))
    keeps = bool(kinds & _NUMBER) and not any(kinds & bits for bits, _, _ in _AGAINST)
    if comma and (decimal == "." or (decimal is None and comma_splits) or kinds & kind_bits("decimal")):
        keeps = False
    if decimal == "," and kinds & kind_bits("decimal"):
        keeps = False  # a point is no decimal sign here: thousands, most likely
    if kinds & _FLOAT and kinds & kind_bits("above 2**53"):
        keeps = False
    if not keeps:
        return ColumnType(pl.String, nulls=None if kinds & kind_bits("quoted empty") else empties)
    nulls = empties + (texts if kinds & kind_bits("blank") else 0)
    known = not (kinds & kind_bits("blank") and kinds & kind_bits("not finite"))
    dtype = pl.Float64 if kinds & _FLOAT else pl.Int64
    return ColumnType(dtype, bool(kinds & _SPACES), comma, nulls if known else None)


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
    """Return why columns that have numbers are text."""
    doubts = {}
    for place, name in enumerate(layout.names):
        kinds = int(facts.kinds[place])
        if types[name].dtype is not pl.String or not kinds & (_NUMBER | kind_bits("leading zero", "plus")):
            continue
        found = [Doubt(kind, phrase) for bits, kind, phrase in _AGAINST if kinds & bits]
        if kinds & kind_bits("text"):
            line = line_at(int(facts.first_text[place]))
            found[0] = Doubt(found[0].kind, found[0].text, int(facts.texts[place]), line)
        if not found and kinds & kind_bits("comma"):
            found = [
                Doubt("decimal comma", "has numbers with a comma inside that need not be a decimal comma")
            ]
        doubts[name] = tuple(found or [Doubt("many digits", "has integers that no double can stand for")])
    return doubts
