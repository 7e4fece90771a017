"""Rows of an ARFF file, word by word: comments, quotes of both kinds, backslashes, sparse pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.tables.reading.declared import Declared
from classica.tables.reading.formats.arff_words import Words
from classica.tables.reading.lines import numbered_lines
from classica.tables.reading.open_source import Opened

#: A row: its line, and the cells that are written, by column.
_Row = tuple[int, dict[int, str | None]]


#: Cells of each column as text, missing ones as null; and the line of each row.
WordRows = tuple[dict[str, pl.Series], list[int]]


def row_groups(
    body: Opened, first_line: int, columns: dict[str, Declared], options: dict[str, Any], rows: int | None
) -> Iterator[WordRows]:
    """Yield some rows at a time (None: all at once); one group without rows if there are none."""
    group: list[_Row] = []
    told, limit, source = False, options["limit"], body.name
    for row in _rows(numbered_lines(body.text, first_line, options["progress"]), list(columns), source):
        group.append(row)
        if len(group) * len(columns) * 8 > limit:
            rule = f"at most {limit:,} bytes of cells (the option limit)"
            sentence = f"the table must have {rule}, got {len(columns):,} columns"
            raise TableError.at(source, "too large", sentence, line=row[0])
        if len(group) == rows:
            yield _as_columns(group, columns, source)
            group, told = [], True
    if group or not told:
        yield _as_columns(group, columns, source)


def _as_columns(rows: list[_Row], columns: dict[str, Declared], source: str) -> WordRows:
    cells = {}
    for place, (name, declared) in enumerate(columns.items()):
        default = _default(declared)
        values = [written.get(place, default) for _, written in rows]
        if default is None:
            _require_written(rows, place, name, source)
        cells[name] = pl.Series(name, values, dtype=pl.String)
    return cells, [line for line, _ in rows]


def _default(declared: Declared) -> str | None:
    """Return what a sparse row means by leaving a column out: zero, or the first category."""
    if declared.levels:
        return declared.levels[0]
    return "0" if declared.kind in ("number", "integer") else None


def _require_written(rows: list[_Row], place: int, name: str, source: str) -> None:
    for line, written in rows:
        if place not in written:
            sentence = "text and dates must be written in every sparse row, got none"
            raise TableError.at(source, "sparse text", sentence, line=line, column=name)


def _rows(lines: Iterator[tuple[int, bytes]], names: list[str], source: str) -> Iterator[_Row]:
    for line, text in lines:
        words = Words(text.decode(), source, line)
        if words.at_end():
            continue
        if words.take("{"):
            yield line, dict(_sparse_cells(words, names))
        else:
            cells = list(_dense_cells(words))
            if len(cells) != len(names):
                raise words.error("ragged row", f"a row must have {len(names)} cells, got {len(cells)}")
            yield line, dict(enumerate(cells))
        if not words.at_end():
            raise words.error(
                "text after a row", f"a row must end its line, got {words.rest()[:40]!r} behind it"
            )


def _dense_cells(words: Words) -> Iterator[str | None]:
    more = True
    while more:
        if words.at("{"):
            raise words.error("instance weight", "a cell must be a value, got a brace")
        yield _cell(words, ",")
        more = words.take(",")


def _sparse_cells(words: Words, names: list[str]) -> Iterator[tuple[int, str | None]]:
    last = -1
    if words.take("}"):
        return
    while True:
        place = words.index()
        if place is None or not last < place < len(names):
            rule = f"pairs of an ascending number below {len(names)} and a value"
            raise words.error("invalid pair", f"a sparse row must be {rule}, got something else")
        yield place, _cell(words, ",}")
        last = place
        if words.take("}"):
            return
        if not words.take(","):
            raise words.error("invalid pair", "a sparse row must end with a brace, got the end of the line")


def _cell(words: Words, ends: str) -> str | None:
    value, quoted = words.value(ends)
    if value == "" and not quoted:
        raise words.error("empty cell", "a missing cell must be written '?', got nothing")
    return None if value == "?" and not quoted else value
