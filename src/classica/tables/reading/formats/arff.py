"""ARFF: declared columns, then rows as delimited text or sparse pairs.

Plain rows go through the native scan and polars. Rows with comments, both kinds of quotes, backslashes or
braces are read token by token, and so are invalid rows, because that reader knows the line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.native import tables
from classica.native.tables import Bytes, Dialect, TableFacts, kind_bits
from classica.tables.reading.column_names import column_names
from classica.tables.reading.column_types import BadCellError, ColumnType, DeclaredColumn, cast_cells
from classica.tables.reading.formats.arff_parts import WordRows, read_header, row_groups
from classica.tables.reading.formats.delimited import ScannedText
from classica.tables.reading.formats.delimited_layout import Layout
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Declared, Doubts, Note, RawTable
from classica.tables.reading.reader_options import ENCODED, LIMITED
from classica.tables.reading.spool import has_any, spooled
from classica.tables.reading.table_format import TableFormat, TextHead
from classica.tables.reading.text_encoding import as_utf8
from classica.tables.typing.cells import unnamed
from classica.threads import threads_for

#: Kinds of cells that a double or a 64-bit integer keeps; "?" is text.
_KEPT = kind_bits("integer", "decimal", "text", "above 2**53", "quoted")
_DOUBLE = kind_bits("decimal")
#: Rows that are scanned together before their types are known.
_GROUP = 10_000
_CHUNK = 2**20

#: Typed rows, and doubts about the columns.
_Frames = Iterator[tuple[pl.DataFrame, Doubts]]


def read(source: OpenSource, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    return next(batches(source, options, None))


def batches(source: OpenSource, options: dict[str, Any], rows: int | None) -> Iterator[RawTable]:
    """Read a table in batches (None: all at once), with the types of the whole table."""
    file = _with_newlines(as_utf8(source, options["encoding"], options["limit"]))
    header = read_header(file)
    names, name_notes = column_names(list(header.names))
    columns = dict(zip(names, header.declared, strict=True))
    body = replace(file, content=file.text[header.body :], path=None)
    notes = [*file.notes, Note("format", f"ARFF, relation {header.relation!r}"), *name_notes]
    text = _plain_text(body, columns)
    if text is not None:
        frames = _plain_frames(text, header.body_line, columns, options, rows)
    else:
        frames = _word_frames(body, header.body_line, columns, options, rows)
    for frame, doubts in frames:
        yield RawTable(frame, file.name, "arff", notes, columns, doubts)


def _with_newlines(file: OpenSource) -> OpenSource:
    """Normalise line ends to newlines; no cell contains a line break."""
    if not has_any(file.text, b"\r"):
        return file
    text = spooled(_newlines(file.text), file.text.size + 1, file.name)
    return replace(file, content=text, path=None)


def _newlines(text: Bytes) -> Iterator[bytes]:
    held = b""
    for begin in range(0, text.size, _CHUNK):
        chunk = held + text[begin : begin + _CHUNK].tobytes()
        # The newline after a final carriage return may be in the next chunk.
        held = b"\r" if chunk.endswith(b"\r") else b""
        yield chunk.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    yield b"\n" if held else b""


def _word_frames(
    body: OpenSource, first_line: int, columns: dict[str, Declared], options: dict[str, Any], rows: int | None
) -> _Frames:
    def groups(count: int | None) -> Iterator[WordRows]:
        return row_groups(body, first_line, columns, options, count)

    looked = {name: DeclaredColumn(declared) for name, declared in columns.items()}
    kept = []
    for cells, lines in groups(None if rows is None else _GROUP):
        for name, column in looked.items():
            try:
                column.look(cells[name])
            except BadCellError as bad:
                line = lines[bad.row]
                raise TableError.at(body.name, bad.kind, bad.sentence, line=line, column=name) from None
        if rows is None:
            kept.append((cells, lines))
    doubts: Doubts = {name: column.doubts for name, column in looked.items() if column.doubts}
    for cells, _ in groups(rows) if rows is not None else kept:
        yield pl.DataFrame([cells[name].cast(column.dtype) for name, column in looked.items()]), doubts


def _plain_text(body: OpenSource, columns: dict[str, Declared]) -> ScannedText | None:
    """Return rows that are plain delimited text of the declared types, else None."""
    dialect = _plain_dialect(body)
    if dialect is None or body.text.size == 0:
        return None
    facts = tables.scan_table(body.text, 0, dialect, len(columns), threads_for(None))
    if not _is_plain(facts, quotes=dialect.quote != ","):
        return None
    types = {}
    for (name, declared), kinds in zip(columns.items(), facts.kinds.tolist(), strict=True):
        types[name] = _column_type(kinds, declared)
        if declared.kind in ("number", "integer") and types[name].dtype is pl.String:
            return None
    layout = Layout(dialect, list(columns), 0, None, ())
    return ScannedText(body, layout, facts, types, null_values=("?",))


def _plain_frames(
    text: ScannedText,
    first_line: int,
    columns: dict[str, Declared],
    options: dict[str, Any],
    rows: int | None,
) -> _Frames:
    whole = text.file.text
    for begin, end in text.pieces(rows):
        try:
            frame = text.parse(text.piece(begin, end))
            yield pl.DataFrame([_declared(frame[name], columns[name]) for name in columns]), {}
        except (TableError, BadCellError):
            line = first_line + tables.line_at(whole, begin) - 1
            body = replace(text.file, content=whole[begin:end])
            list(_word_frames(body, line, columns, options, None))
            raise
        options["progress"](end, whole.size)


def _plain_dialect(body: OpenSource) -> Dialect | None:
    """Return the delimiter, or None if the rows need the token reader."""
    single, double = has_any(body.text, b"'"), has_any(body.text, b'"')
    if has_any(body.text, b"%", b"\\", b"{") or (single and double):
        return None
    quote = b"'" if single else b'"'
    if (single or double) and has_any(body.text, quote + b"?" + quote, quote * 2):
        return None
    return Dialect(",", quote.decode() if single or double else ",")


def _is_plain(facts: TableFacts, *, quotes: bool) -> bool:
    faults = facts.ragged, facts.open_quote, facts.after_quote, facts.inner_quotes
    spaces = bool((facts.kinds & kind_bits("spaces")).any())
    return not (any(fault.count for fault in faults) or facts.empties.any() or (spaces and quotes))


def _column_type(kinds: int, declared: Declared) -> ColumnType:
    is_number = declared.kind in ("number", "integer") and not kinds & ~_KEPT
    if not is_number or (kinds & _DOUBLE and kinds & kind_bits("above 2**53")):
        return ColumnType(pl.String)
    numeric = kinds & kind_bits("integer", "decimal")
    return ColumnType(pl.Int64 if numeric and not kinds & _DOUBLE else pl.Float64)


def _declared(cells: pl.Series, declared: Declared) -> pl.Series:
    if cells.dtype != pl.String:
        return cells
    text = unnamed(cells).str.strip_chars(" \t")
    text = text.set(text == "?", None)
    if declared.levels is not None:
        levels = pl.Enum(list(declared.levels))
        text = cast_cells(text, levels, "unknown category", "one of the declared categories")
    return text.rename(cells.name)


def _is_arff(head: TextHead) -> bool:
    start = next((line for line in head.lines if line and not line.startswith("%")), "")
    # Some headers begin with pages of comments, which no other format has.
    return start.lower().startswith(("@relation", "@attribute")) or (not start and any(head.lines))


FORMAT = TableFormat(
    "arff",
    "ARFF",
    read,
    batches,
    options={**ENCODED, **LIMITED},
    suffixes=(".arff",),
    looks_like=_is_arff,
    priority=10,
)
