"""Detect the layout of delimited text: delimiter, header and column names."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from classica.errors import TableError
from classica.native import tables
from classica.native.tables import Bytes, Dialect, TableFacts, kind_bits
from classica.tables.reading.column_names import column_names
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note

#: The size of the sample for detecting the layout; always several lines.
_SAMPLE = 2**18
_SAMPLE_LINES = 5
#: The memory of a column without cells.
_COLUMN_BYTES = 1200
#: Delimiters in order of preference; a comma may be a decimal comma.
_DELIMITERS = ("\t", ";", "|", ",")
_SHOWN = {"\t": "tab", " ": "space"}
_NUMBER = kind_bits("integer", "decimal", "comma", "leading zero", "plus", "not finite")
_WORD = kind_bits("text")


@dataclass(frozen=True)
class Layout:
    """The layout of delimited text."""

    dialect: Dialect
    names: list[str]
    body: int  # the byte at which the first row starts
    skipped_lines: int | None  # plain lines before it; None if they are not plain
    notes: tuple[Note, ...]


def find_layout(file: OpenSource, options: dict[str, Any]) -> Layout:
    """Return the layout of delimited text in UTF-8, from the options and otherwise from the content."""
    text = file.text
    sample = _sample(text)
    dialect, notes = _dialect(sample, sample.size == text.size, file.suffix, options)
    begin = _first_record(text)
    end, records, columns = tables.skip_records(text, begin, dialect, 1, keep_blank=False)
    if not records:
        raise TableError.at(file.name, "empty file", "cannot read a table: the file has no rows")
    _require_few(columns, options["limit"], file.name)
    odd_quotes = _require_sound(file, text[begin:end], dialect, columns, begin)
    has_header, reason = _header(text[begin:end], sample[end:], dialect, columns, options["header"])
    if has_header:
        cells = text_cells(text[begin:end], dialect, columns).row(0)
        names, name_notes = column_names(list(cells))
        notes += (Note("header", "column names in the first row"), *name_notes)
    else:
        names = [f"column_{index + 1}" for index in range(columns)]
        notes += (Note("header", f"no header ({reason}): columns are named {names[0]} to {names[-1]}"),)
    body = end if has_header else begin
    first = text[:end].tobytes()
    plain = begin == 0 and first.endswith(b"\n") and first.count(b"\n") == 1 and not odd_quotes
    return Layout(dialect, names, body, int(has_header) if plain or body == 0 else None, notes)


def _require_few(columns: int, limit: int, source: str) -> None:
    if columns * _COLUMN_BYTES > limit:
        rule = f"columns for at most {limit:,} bytes (the option limit)"
        raise TableError.at(source, "too large", f"the table must have {rule}, got {columns:,} columns")


def _require_sound(file: OpenSource, first: Bytes, dialect: Dialect, columns: int, begin: int) -> bool:
    """Raise `TableError` if the first record has ambiguous quotes.

    Return whether it has quotes within cells, on which parsers disagree.
    """
    facts = tables.scan_table(first, 0, dialect, columns, 1)
    for seen, kind, sentence in (
        (facts.open_quote, "unclosed quote", "a cell that starts with a quote must end with one, got none"),
        (facts.after_quote, "quote in a cell", "a closing quote must end its cell, got text after it"),
    ):
        if seen.count:
            line = tables.line_at(file.text, begin + seen.place)
            raise TableError.at(file.name, kind, sentence, line=line, column=f"column_{seen.detail + 1}")
    return facts.inner_quotes.count > 0


def kept_mark(text: bytes) -> bytes:
    """Protect a leading byte order mark that belongs to the first cell, because polars drops it."""
    return codecs.BOM_UTF8 + text if text.startswith(codecs.BOM_UTF8) else text


def text_cells(text: Bytes, dialect: Dialect, columns: int) -> pl.DataFrame:
    """Return the cells of a few records as text."""
    return pl.read_csv(
        kept_mark(tables.clean_records(text, dialect, keep_blank=columns == 1)),
        has_header=False,
        schema={str(index): pl.String for index in range(columns)},
        separator=dialect.delimiter,
        quote_char=None if dialect.quote == dialect.delimiter else dialect.quote,
        truncate_ragged_lines=True,
    )


def _sample(text: Bytes) -> Bytes:
    size, lines = min(_SAMPLE, text.size), 0
    while size < text.size and lines < _SAMPLE_LINES:
        lines = int(np.count_nonzero(text[:size] == ord("\n")))
        size = size if lines >= _SAMPLE_LINES else min(2 * size, text.size)
    return text[:size]


def _first_record(text: Bytes) -> int:
    """Return the end of leading empty lines."""
    offset = 0
    while offset < text.size and text[offset] in b"\r\n":
        offset += 1
    return offset


def _dialect(
    sample: Bytes, is_all: bool, suffix: str, options: dict[str, Any]
) -> tuple[Dialect, tuple[Note, ...]]:
    given = options["delimiter"]
    if given is not None:
        return Dialect(given, options["quote"] or given), ()
    preferred = ("\t",) if suffix in (".tsv", ".tab") else ()
    judged = []
    for rank, delimiter in enumerate((*preferred, *_DELIMITERS, " ")):
        if delimiter == options["quote"]:
            continue
        dialect = Dialect(delimiter, options["quote"] or delimiter)
        cells, misfits = _fit(sample, dialect, is_all)
        if cells > 1 and not (delimiter == " " and misfits > 0):
            judged.append((misfits, rank, dialect, cells))
    if not judged:
        comma = Dialect(",", options["quote"] or ",")
        return comma, (Note("delimiter", "no delimiter detected: one column"),)
    best = min(judged)[2]
    shown = _SHOWN.get(best.delimiter, repr(best.delimiter))
    return best, (Note("delimiter", f"delimiter {shown}"),)


def _fit(sample: Bytes, dialect: Dialect, is_all: bool) -> tuple[int, float]:
    """Return the cells of the first record, and the share of records with another number of cells."""
    begin = _first_record(sample)
    _, _, cells = tables.skip_records(sample, begin, dialect, 1, keep_blank=False)
    if cells < 2:
        return cells, 1.0
    facts = tables.scan_table(sample, begin, dialect, cells, 1)
    if dialect.delimiter == " " and (facts.kinds & (_WORD | kind_bits("empty"))).any():
        return cells, 1.0  # spaces occur between words of text, too
    cut = 0 if is_all else 1  # the last record of a sample may be truncated
    return cells, max(facts.ragged.count - cut, 0) / max(facts.records, 1)


def _header(
    first: Bytes, rest: Bytes, dialect: Dialect, columns: int, wanted: bool | None
) -> tuple[bool, str]:
    """Return whether the first record is a header, and the reason if not."""
    if wanted is not None:
        return wanted, "as requested"
    top = tables.scan_table(first, 0, dialect, columns, 1).kinds
    facts = tables.scan_table(rest, 0, dialect, columns, 1)
    below = facts.kinds
    is_number, is_word = (top & _NUMBER) != 0, (top & _WORD) != 0
    numbers_below = ((below & _NUMBER) != 0) & ((below & _WORD) == 0)
    if (is_word & numbers_below).any():
        return True, ""
    if is_number.any():
        return False, f"the first row has a number in column {int(np.argmax(is_number)) + 1}"
    if (below != 0).any() and _occurs_again(
        first, _sound_part(rest, facts, dialect, columns), dialect, columns
    ):
        return False, "the values of the first row occur again below it"
    return True, ""


def _sound_part(text: Bytes, facts: TableFacts, dialect: Dialect, columns: int) -> Bytes:
    """Return the records before the first with another number of cells or an open quote."""
    end = text.size
    if facts.after_quote.count:
        return text[:0]
    if facts.open_quote.count:
        count = facts.records - 1
        end, _, _ = tables.skip_records(text, 0, dialect, count, keep_blank=columns == 1)
    return text[: min(end, facts.ragged.place)] if facts.ragged.count else text[:end]


def _occurs_again(first: Bytes, rest: Bytes, dialect: Dialect, columns: int) -> bool:
    if rest.size == 0:
        return False
    cells = text_cells(first, dialect, columns).row(0)
    frame = text_cells(rest, dialect, columns)
    same = frame.select(pl.col(name) == pl.lit(cell) for name, cell in zip(frame.columns, cells, strict=True))
    # A repeated header, as in concatenated files, does not count.
    return bool(same.filter(~pl.all_horizontal(pl.all())).select(pl.all().any()).row(0).count(True))
