"""ARFF: declared columns, then rows as delimited text or sparse pairs.

Plain rows go through the native scan and polars. Rows with comments, both kinds of quotes, backslashes or
braces are read word by word, and so is every file in which something is wrong: that way knows the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from classica.data.reading.arff_header import read_header
from classica.data.reading.arff_rows import read_rows
from classica.data.reading.column_types import ColumnType
from classica.data.reading.declared import Declared
from classica.data.reading.declared_cells import BadCellError, declared_cells
from classica.data.reading.delimited import ScannedText
from classica.data.reading.encoding import as_utf8
from classica.data.reading.layout import Layout
from classica.data.reading.names import column_names
from classica.data.reading.note import Note
from classica.data.reading.opened import Opened
from classica.data.reading.raw_table import Doubts, RawTable
from classica.data.reading.slices import slices
from classica.errors import TableError
from classica.native import tables
from classica.native.tables import Dialect, TableFacts, kind_bits
from classica.threads import threads_for

OPTIONS = ("encoding", "limit")

#: Kinds of cells that a double or an integer of 64 bits keeps; "?" is one of text.
_KEPT = kind_bits("integer", "decimal", "text", "above 2**53", "quoted", "spaces")
_DOUBLE = kind_bits("decimal")


def read(source: Opened, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    opened = as_utf8(source, options["encoding"], options["limit"])
    header = read_header(opened)
    names, told = column_names(list(header.names))
    columns = dict(zip(names, header.declared, strict=True))
    body = replace(opened, text=opened.text[_line_start(opened, header.body_line) :], path=None)
    found = _plain_table(body, columns)
    if found is None:
        found = _table_by_words(body, header.body_line, columns, options["limit"])
    frame, doubts = found
    notes = [*opened.notes, Note("format", f"ARFF, relation {header.relation!r}"), *told]
    return RawTable(frame, opened.name, "arff", notes, columns, doubts)


def batches(source: Opened, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read a table, and give some rows at a time."""
    yield from slices(read(source, options), rows)


def _line_start(opened: Opened, line: int) -> int:
    ends = np.flatnonzero(opened.text[: 2**26 + 2] == ord("\n"))
    return int(ends[line - 2]) + 1 if len(ends) >= line - 1 else opened.text.size


#: Columns in their types, and doubts.
_Table = tuple[pl.DataFrame, Doubts]


def _table_by_words(body: Opened, first_line: int, columns: dict[str, Declared], limit: int) -> _Table:
    cells, lines = read_rows(body.text, first_line, columns, limit, body.name)
    series: list[pl.Series] = []
    doubts: Doubts = {}
    for name, declared in columns.items():
        try:
            column, doubt = declared_cells(cells[name], declared)
        except BadCellError as bad:
            raise TableError.at(body.name, bad.kind, bad.sentence, line=lines[bad.row], column=name) from None
        series.append(column)
        if doubt is not None:
            doubts[name] = (doubt,)
    return pl.DataFrame(series), doubts


def _plain_table(body: Opened, columns: dict[str, Declared]) -> _Table | None:
    """Return the table if its rows are plain delimited text in which all is right, else None."""
    dialect = _plain_dialect(body)
    if dialect is None or body.text.size == 0:
        return None
    facts = tables.scan_table(body.text, 0, dialect, len(columns), threads_for(None))
    if not _is_plain(facts, quotes=dialect.quote != ","):
        return None
    types = {
        name: _column_type(int(kinds), declared)
        for (name, declared), kinds in zip(columns.items(), facts.kinds, strict=True)
    }
    layout = Layout(dialect, list(columns), 0, None, ())
    text = ScannedText(body, layout, facts, types, null_values=("?",))
    try:
        frame = text.parse(text.piece(0, body.text.size))
        return pl.DataFrame([_declared(frame[name], declared) for name, declared in columns.items()]), {}
    except (TableError, BadCellError):
        return None


def _plain_dialect(body: Opened) -> Dialect | None:
    """Return how cells are divided, or None if some need a closer look."""
    has = {letter: bool((body.text == ord(letter)).any()) for letter in "%\\{'\""}
    if has["%"] or has["\\"] or has["{"] or (has["'"] and has['"']):
        return None
    quote = next((letter for letter in "'\"" if has[letter]), ",")
    text = body.text.tobytes() if quote != "," else b""
    strange = (f"{quote}?{quote}".encode(), f"{quote}{quote}".encode())
    return None if any(word in text for word in strange) else Dialect(",", quote)


def _is_plain(facts: TableFacts, *, quotes: bool) -> bool:
    faults = facts.ragged, facts.open_quote, facts.after_quote, facts.inner_quotes
    spaces = bool((facts.kinds & kind_bits("spaces")).any())
    return not (any(fault.count for fault in faults) or facts.empties.any() or (spaces and quotes))


def _column_type(kinds: int, declared: Declared) -> ColumnType:
    is_number = declared.kind in ("number", "integer") and not kinds & ~_KEPT
    if not is_number or kinds & kind_bits("spaces") or (kinds & _DOUBLE and kinds & kind_bits("above 2**53")):
        return ColumnType(pl.String)
    return ColumnType(pl.Float64 if kinds & _DOUBLE else pl.Int64)


def _declared(cells: pl.Series, declared: Declared) -> pl.Series:
    if cells.dtype == pl.String:
        cells = cells.str.strip_chars(" \t")
        cells = cells.set(cells == "?", None)
    column, doubt = declared_cells(cells, declared)
    if doubt is not None:
        raise BadCellError(0, doubt.kind, doubt.text)
    return column
