"""The ARFF header, and rows that are read token by token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.tables.reading.formats.arff_words import Words
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Declared
from classica.tables.reading.text_encoding import numbered_lines

_NUMBERS = {"numeric": "number", "real": "number", "integer": "integer"}
#: The maximum length of a header.
_LONGEST = 2**25


@dataclass(frozen=True)
class ArffHeader:
    """The columns that an ARFF file declares, and the line and byte at which its rows start."""

    relation: str
    names: list[str]
    declared: list[Declared]
    body_line: int
    body: int


def read_header(file: OpenSource) -> ArffHeader:
    """Return the header; raise `TableError` for an invalid line."""
    relation = ""
    names: list[str] = []
    declared: list[Declared] = []
    offset = 0
    for line, text in numbered_lines(file.text[:_LONGEST]):
        offset += len(text) + 1
        words = Words(text.decode(), file.name, line)
        keyword = words.keyword()
        if keyword == "":
            continue
        if keyword == "@relation":
            relation = words.name() or ""
        elif keyword == "@attribute":
            names.append(words.name())
            declared.append(_declared(words))
        elif keyword == "@data":
            _require_columns(names, file.name, line)
            return ArffHeader(relation, names, declared, line + 1, min(offset, file.text.size))
        else:
            rule = "@relation, @attribute, @data or a comment"
            sentence = f"a line of the header must be {rule}, got {keyword[:40]!r}"
            raise TableError.at(file.name, "invalid header", sentence, line=line)
    sentence = f"the header must end with @data within {_LONGEST:,} bytes, got no such line"
    raise TableError.at(file.name, "invalid header", sentence)


def _declared(words: Words) -> Declared:
    if words.at("{"):
        levels = words.levels()
        if len(set(levels)) < len(levels):
            name = Counter(levels).most_common(1)[0][0]
            raise words.error("duplicate category", f"categories must differ, got {name!r} twice")
        return Declared("category", tuple(levels))
    kind = words.name().lower()
    if kind in _NUMBERS:
        if words.at("["):  # a range, which older files have and no reader holds to
            return Declared(_NUMBERS[kind])
        declared = Declared(_NUMBERS[kind])
    elif kind == "string":
        declared = Declared("text")
    elif kind == "date":
        declared = Declared("date", pattern=words.name() if not words.at_end() else "yyyy-MM-dd'T'HH:mm:ss")
    else:
        rule = "numeric, real, integer, string, date or categories in braces"
        raise words.error("invalid header", f"a type must be {rule}, got {kind[:40]!r}")
    if not words.at_end():
        raise words.error("invalid header", f"a type must end its line, got {words.rest()[:40]!r} behind it")
    return declared


def _require_columns(names: list[str], source: str, line: int) -> None:
    if not names:
        raise TableError.at(
            source, "no columns", "there must be an @attribute before @data, got none", line=line
        )


#: A row: its line, and its explicit cells by column.
_Row = tuple[int, dict[int, str | None]]


#: Cells of each column as text, missing ones as null; and the line of each row.
WordRows = tuple[dict[str, pl.Series], list[int]]


def row_groups(
    body: OpenSource, first_line: int, columns: dict[str, Declared], options: dict[str, Any], rows: int | None
) -> Iterator[WordRows]:
    """Yield rows in groups (None: all at once); one empty group if there are no rows."""
    group: list[_Row] = []
    yielded, limit, source = False, options["limit"], body.name
    for row in _rows(numbered_lines(body.text, first_line, options["progress"]), list(columns), source):
        group.append(row)
        if len(group) * len(columns) * 8 > limit:
            rule = f"at most {limit:,} bytes of cells (the option limit)"
            sentence = f"the table must have {rule}, got {len(columns):,} columns"
            raise TableError.at(source, "too large", sentence, line=row[0])
        if len(group) == rows:
            yield _as_columns(group, columns, source)
            group, yielded = [], True
    if group or not yielded:
        yield _as_columns(group, columns, source)


def _as_columns(rows: list[_Row], columns: dict[str, Declared], source: str) -> WordRows:
    cells = {}
    for index, (name, declared) in enumerate(columns.items()):
        default = _default(declared)
        values = [written.get(index, default) for _, written in rows]
        if default is None:
            _require_written(rows, index, name, source)
        cells[name] = pl.Series(name, values, dtype=pl.String)
    return cells, [line for line, _ in rows]


def _default(declared: Declared) -> str | None:
    """Return the value of a column omitted from a sparse row: zero, or the first category."""
    if declared.levels:
        return declared.levels[0]
    return "0" if declared.kind in ("number", "integer") else None


def _require_written(rows: list[_Row], index: int, name: str, source: str) -> None:
    for line, written in rows:
        if index not in written:
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
        index = words.index()
        if index is None or not last < index < len(names):
            rule = f"pairs of an ascending number below {len(names)} and a value"
            raise words.error("invalid pair", f"a sparse row must be {rule}, got something else")
        yield index, _cell(words, ",}")
        last = index
        if words.take("}"):
            return
        if not words.take(","):
            raise words.error("invalid pair", "a sparse row must end with a brace, got the end of the line")


def _cell(words: Words, ends: str) -> str | None:
    value, quoted = words.value(ends)
    if value == "" and not quoted:
        raise words.error("empty cell", "a missing cell must be written '?', got nothing")
    return None if value == "?" and not quoted else value
