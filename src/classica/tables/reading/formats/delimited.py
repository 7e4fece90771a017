"""Delimited text: CSV, TSV and their relatives.

A native scan of all bytes finds the number of records and cells, and the type of each column that keeps all
its cells; polars then parses with exactly these types, and the result is compared with the scan.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.native import tables
from classica.native.tables import TableFacts, kind_bits
from classica.params import Boolean, Nothing, OneOf
from classica.tables.reading.column_types import ColumnType, column_doubts, column_types
from classica.tables.reading.file_copy import unreadable
from classica.tables.reading.formats.delimited_layout import Layout, find_layout, kept_mark
from classica.tables.reading.formats.left_out import NOTHING, LeftOut, without_odd_records
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note, RawTable
from classica.tables.reading.reader_options import ENCODED, HEADED, LIMITED, Character, NoQuotes, ReaderOption
from classica.tables.reading.spool import behind, release
from classica.tables.reading.table_format import ANY_TEXT, TableFormat
from classica.tables.reading.text_encoding import as_utf8
from classica.tables.typing.cells import unnamed
from classica.threads import threads_for
from classica.wording import counted

#: Bytes of a long text that are parsed together; larger pieces take more memory and are no faster.
_PIECE = 2**26


def read(source: OpenSource, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    text = scanned(source, options)
    # Scanning takes about a quarter of the time of parsing.
    size = text.file.text.size
    options["progress"](size // 5, size)
    frame = text.parse_whole()
    text.compare(frame.height, null_counts(frame))
    options["progress"](size, size)
    return text.raw(frame, text.layout.body)


def batches(source: OpenSource, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read a table in batches, with the types of the whole table."""
    text = scanned(source, options)
    height, nulls = 0, dict.fromkeys(text.layout.names, 0)
    for begin, end in text.pieces(rows):
        frame = text.parse(text.piece(begin, end))
        for name, count in null_counts(frame).items():
            nulls[name] += count
        yield text.raw(frame, begin)
        height += frame.height
        options["progress"](end, text.file.text.size)
    text.compare(height, nulls)


def null_counts(frame: pl.DataFrame) -> dict[str, int]:
    """Return the number of missing cells of each column."""
    return dict(zip(frame.columns, frame.null_count().row(0), strict=True)) if frame.width else {}


@dataclass(frozen=True)
class ScannedText:
    """Delimited text after the scan, before parsing."""

    file: OpenSource
    layout: Layout
    facts: TableFacts
    types: dict[str, ColumnType]
    null_values: tuple[str, ...] = ()
    decimal: str | None = None
    left_out: LeftOut = NOTHING

    @property
    def needs_cleaning(self) -> bool:
        """Whether parsers disagree on how to read it."""
        odd = self.facts.blank_lines, self.facts.inner_quotes, self.facts.carriage_returns
        return any(sighting.count for sighting in odd)

    @property
    def _quote(self) -> str | None:
        """The quote character for polars: none if the scan has seen none, which is faster."""
        dialect, facts = self.layout.dialect, self.facts
        seen = facts.inner_quotes.count or (facts.kinds & kind_bits("quoted")).any()
        return dialect.quote if seen and dialect.quote != dialect.delimiter else None

    @property
    def _keeps_blank(self) -> bool:
        """Whether an empty line is a missing value."""
        return len(self.layout.names) == 1

    def pieces(self, rows: int | None) -> Iterator[tuple[int, int]]:
        """Yield the start and end of batches of rows (None: all rows), at least once."""
        text, start, left = self.file.text, self.layout.body, self.facts.records
        if rows is None or left == 0:
            yield start, text.size
            return
        while left > 0:
            begin = start
            start = self.index_of(rows, begin)
            left -= rows
            yield begin, start

    def index_of(self, row: int, begin: int) -> int:
        """Return the byte after some rows."""
        dialect = self.layout.dialect
        return tables.skip_records(self.file.text, begin, dialect, row, keep_blank=self._keeps_blank)[0]

    def piece(self, begin: int, end: int) -> bytes:
        """Return some records in an unambiguous form."""
        piece = self.file.text[begin:end]
        if not self.needs_cleaning:
            return kept_mark(piece.tobytes())
        return kept_mark(tables.clean_records(piece, self.layout.dialect, keep_blank=self._keeps_blank))

    def parse_whole(self) -> pl.DataFrame:
        """Return the cells of all records; a long text is parsed in pieces to save memory."""
        text, skipped = self.file.text, self.layout.skipped_lines
        as_it_is = skipped is not None and self.facts.records and not self.needs_cleaning
        whole = behind(text) if as_it_is else None
        if whole is not None and kept_mark(whole) is whole:
            return self.parse(whole, skipped or 0)
        rows = _PIECE * self.facts.records // max(text.size, 1) + 1
        return pl.concat(self._parsed(begin, end) for begin, end in self.pieces(rows))

    def _parsed(self, begin: int, end: int) -> pl.DataFrame:
        frame = self.parse(self.piece(begin, end))
        release(self.file.text)
        return frame

    def parse(self, source: bytes, skipped_lines: int = 0) -> pl.DataFrame:
        """Parse the records after some lines."""
        dialect = self.layout.dialect
        commas = dialect.delimiter != "," and any(column.comma for column in self.types.values())
        casts = {name: column for name, column in self.types.items() if _is_cast(column, commas)}
        schema = {name: pl.String if name in casts else column.dtype for name, column in self.types.items()}
        if not source:
            return pl.DataFrame(schema={name: column.dtype for name, column in self.types.items()})
        with unreadable(self.file.name, "delimited text"):
            frame = pl.read_csv(
                source,
                has_header=False,
                skip_rows=skipped_lines,
                schema=schema,
                separator=dialect.delimiter,
                quote_char=self._quote,
                decimal_comma=commas,
                null_values=list(self.null_values) or None,
                glob=False,
            )
            return frame.with_columns(_cast(frame[name], column) for name, column in casts.items())

    def compare(self, height: int, nulls: dict[str, int]) -> None:
        """Raise `TableError` unless the numbers of rows and missing values agree with the scan."""
        if height != self.facts.records:
            sentence = f"all {self.facts.records} rows must be read, got {height}"
            raise TableError.at(self.file.name, "rows lost", sentence)
        for name, column in self.types.items():
            if column.nulls is not None and nulls[name] != column.nulls:
                sentence = f"{column.nulls} cells must be empty, got {nulls[name]}"
                raise TableError.at(self.file.name, "cells lost", sentence, column=name)

    def raw(self, frame: pl.DataFrame, begin: int) -> RawTable:
        """Return the rows from a byte on as a raw table."""
        doubts = column_doubts(self.facts, self.layout, self.types, self._line_at)
        notes = [*self.file.notes, *self.layout.notes, *self._notes()]
        lines = functools.partial(self.line_of, begin)
        written = functools.partial(self.written, begin, frame.height)
        return RawTable(
            frame,
            self.file.name,
            "csv",
            notes,
            doubts=doubts,
            line_of=lines,
            decimal=self.decimal,
            written=written,
        )

    def written(self, begin: int, height: int, name: str, rows: int | None) -> pl.Series:
        """Return the first cells of a column, from a byte on, as written in the file."""
        end = self.index_of(height if rows is None else min(rows, height), begin)
        dialect, index = self.layout.dialect, self.layout.names.index(name)
        with unreadable(self.file.name, "delimited text"):
            frame = pl.read_csv(
                self.piece(begin, end) or b"\n",
                has_header=False,
                columns=[index],
                schema={f"c{number}": pl.String for number in range(len(self.layout.names))},
                separator=dialect.delimiter,
                quote_char=self._quote,
                glob=False,
            )
        return frame.to_series().head(height).rename(name)

    def line_of(self, begin: int, row: int) -> int:
        """Return the line of the file in which a row starts, counting rows from a byte on."""
        offset = self.index_of(row, begin)
        if not self._keeps_blank:
            # Empty lines precede the row.
            while offset < self.file.text.size and self.file.text[offset] in b"\r\n":
                offset += 1
        return self._line_at(offset)

    def _line_at(self, offset: int) -> int:
        return self.left_out.line_at(self.file.text, offset)

    def _notes(self) -> Iterator[Note]:
        facts = self.facts
        if commas := [name for name, column in self.types.items() if column.comma]:
            yield Note("decimal", f"decimal comma in {_shown(commas)}")
        if spaces := [name for name, column in self.types.items() if column.by_text]:
            yield Note("spaces", f"spaces around numbers are ignored in {_shown(spaces)}")
        if facts.blank_lines.count:
            yield Note("lines", f"{counted(facts.blank_lines.count, 'empty line')} skipped")
        if facts.inner_quotes.count:
            yield Note(
                "quotes", f"cells with inner quotes are kept as they are: {facts.inner_quotes.count:,}"
            )
        if facts.carriage_returns.count:
            yield Note(
                "lines", f"lines that end with only a carriage return: {facts.carriage_returns.count:,}"
            )


def scanned(source: OpenSource, options: dict[str, Any]) -> ScannedText:
    """Scan all bytes; raise `TableError` where cells would be lost."""
    file = as_utf8(source, options["encoding"], options["limit"])
    layout = find_layout(file, options)
    facts = _facts(file, layout)
    left, left_out = without_odd_records(file, layout, facts, ragged=options["skip_ragged"])
    if left is not file:
        require_sound(file, layout, facts, ragged=False)
        file, facts = left, _facts(left, layout)
    require_sound(file, layout, facts, left_out)
    types = column_types(facts, layout, options["decimal"])
    return ScannedText(file, layout, facts, types, decimal=options["decimal"], left_out=left_out)


def _facts(file: OpenSource, layout: Layout) -> TableFacts:
    threads = threads_for(None)
    facts = tables.scan_table(file.text, layout.body, layout.dialect, len(layout.names), threads)
    release(file.text)
    return facts


def require_sound(
    file: OpenSource, layout: Layout, facts: TableFacts, left_out: LeftOut = NOTHING, *, ragged: bool = True
) -> None:
    """Raise `TableError` at the first position where records are ambiguous.

    ``ragged`` says whether to raise for a row with another number of cells.
    """
    expected = len(layout.names)
    faults = (
        (facts.open_quote, "unclosed quote", "a cell that starts with a quote must end with one, got none"),
        (facts.after_quote, "quote in a cell", "a closing quote must end its cell, got text after it"),
        (facts.ragged, "ragged row", f"a row must have {expected} cells, got {facts.ragged.detail}"),
    )
    sightings = [
        (sighting.place, sighting, kind, sentence)
        for sighting, kind, sentence in faults
        if sighting.count and (ragged or kind != "ragged row")
    ]
    if not sightings:
        return
    offset, sighting, kind, sentence = min(sightings, key=lambda fault: fault[0])
    line = left_out.line_at(file.text, offset)
    column = None
    if kind == "ragged row":
        sentence += f" (with the delimiter {layout.dialect.delimiter!r})"
        sentence += "; skip such rows with skip_ragged=True or --skip-ragged"
    else:
        column = layout.names[min(sighting.detail, expected - 1)]
    raise TableError.at(file.name, kind, sentence, line=line, column=column)


def _is_cast(column: ColumnType, commas: bool) -> bool:
    return column.by_text or (column.dtype is pl.Float64 and column.comma != commas)


def _cast(cells: pl.Series, column: ColumnType) -> pl.Series:
    text = unnamed(cells).str.strip_chars(" \t")
    text = text.set(text == "", None)
    if column.comma:
        text = text.str.replace(",", ".", literal=True)
    return text.cast(column.dtype, strict=True).rename(cells.name)


def _shown(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more columns"


FORMAT = TableFormat(
    "csv",
    "CSV",
    read,
    batches,
    options={
        "delimiter": ReaderOption(
            Character() | Nothing(), None, "Delimiter between cells: a character, tab or space."
        ),
        "quote": ReaderOption(Character() | NoQuotes(), '"', "Quote character around cells, or none."),
        **ENCODED,
        **HEADED,
        "decimal": ReaderOption(OneOf(".", ",") | Nothing(), None, "Decimal separator of numbers."),
        "skip_ragged": ReaderOption(Boolean(), False, "Skip rows with a different number of cells."),
        **LIMITED,
    },
    suffixes=(".csv", ".tsv", ".tab", ".txt", ".data"),
    looks_like=lambda head: True,
    priority=ANY_TEXT,
)
