"""Databases: SQLite through the standard library, others through SQLAlchemy.

SQLite files are opened read-only, queries may call nothing but built-in functions, and are interrupted if
they yield no row for too long or too many rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import polars as pl

from classica.errors import ParameterError, TableError, must
from classica.params import Nothing, Real
from classica.tables.reading.column_names import column_names
from classica.tables.reading.formats.database_rows import other_rows, sqlite_rows
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Doubts, Note, RawTable
from classica.tables.reading.reader_options import LIMITED, ReaderOption, Text
from classica.tables.reading.table_format import TableFormat
from classica.tables.reading.values import column_of, tag_of, type_of


def read(source: OpenSource | str, options: dict[str, Any]) -> RawTable:
    """Read a whole table, or all rows of a query."""
    with _rows(source, options) as (name, header, rows, notes):
        names, name_notes = column_names(header)
        checked = list(_within(rows, options, name))
    types = _types(names, checked, name)
    return _table(names, checked, types, name, [*notes, *name_notes])


def batches(source: OpenSource | str, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read rows in batches; the query runs twice, the first time for the types."""
    with _rows(source, options) as (name, header, all_rows, _):
        names, name_notes = column_names(header)
        types = _types(names, _within(all_rows, options, name), name)
    with _rows(source, options) as (name, _, all_rows, notes):
        group: list[tuple[Any, ...]] = []
        count = 0
        for row in _within(all_rows, options, name):
            group.append(row)
            if len(group) == rows:
                yield _table(names, group, types, name, [*notes, *name_notes])
                group, count = [], count + 1
        if group or not count:
            yield _table(names, group, types, name, [*notes, *name_notes])


#: URL schemes of files, which are not databases.
_ELSEWHERE = ("http", "https", "ftp", "ftps", "sftp", "s3", "gs", "gcs", "az", "abfs", "abfss", "hdfs", "hf")

#: The source as errors name it, the names of the columns, the rows, notes.
_Result = tuple[str, list[str | None], Iterator[tuple[Any, ...]], list[Note]]


@contextmanager
def _rows(source: OpenSource | str, options: dict[str, Any]) -> Iterator[_Result]:
    address, options = _address(source, options)
    if isinstance(source, OpenSource) or address.startswith("sqlite:"):
        opening = sqlite_rows(address, options)
    else:
        opening = other_rows(address, options)
    with closing(opening) as result:
        name, header, notes = next(result)
        yield name, header, result, notes


def _address(source: OpenSource | str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the URL without our own parameters, which are moved to the options."""
    if isinstance(source, OpenSource):
        if source.path is None:
            raise TableError.at(source.name, "no file", "a database must be a file, got bytes")
        return str(source.path), options
    parts = urlsplit(source)
    words = parse_qs(parts.query, keep_blank_values=True)
    given: dict[str, Any] = {word: words.pop(word)[-1] for word in ("table", "query") if word in words}
    options = options | given
    if options["table"] is not None and options["query"] is not None:
        raise ParameterError(must("query", "left out where a table is given", options["query"]))
    left = "&".join(f"{word}={value}" for word, values in words.items() for value in values)
    return source.partition("?")[0] + (f"?{left}" if left else ""), options


def _within(
    rows: Iterator[tuple[Any, ...]], options: dict[str, Any], source: str
) -> Iterator[tuple[Any, ...]]:
    """Yield rows; raise if they exceed the limit."""
    size, limit = 0, options["limit"]
    for number, row in enumerate(rows, 1):
        size += sum(8 + (len(value) if isinstance(value, str | bytes) else 0) for value in row)
        if size > limit:
            rule = f"at most {limit:,} bytes of cells (the option limit)"
            raise TableError.at(
                source, "too large", f"the table must have {rule}, got more in row {number:,}"
            )
        if number % 1000 == 0:
            options["progress"](number, None, "rows")
        yield row


def _types(names: list[str], rows: Any, source: str) -> list[tuple[Any, Any]]:
    tags: list[set[str]] = [set() for _ in names]
    for number, row in enumerate(rows, 1):
        for name, seen, value in zip(names, tags, row, strict=True):
            tag = tag_of(value)
            if tag is None:
                sentence = f"row {number} must have a number, text or a time, got {type(value).__name__}"
                raise TableError.at(source, "nested value", sentence, column=name)
            seen.add(tag)
    return [type_of(seen) for seen in tags]


def _table(names: list[str], rows: Any, types: Any, source: str, notes: list[Note]) -> RawTable:
    columns = []
    for index, (name, (dtype, _)) in enumerate(zip(names, types, strict=True)):
        try:
            columns.append(column_of(name, [row[index] for row in rows], dtype))
        except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
            sentence = f"a query must give the same rows twice, got a value that is not {dtype}"
            raise TableError.at(source, "changed table", sentence, column=name) from None
    doubts: Doubts = {
        name: (doubt,) for name, (_, doubt) in zip(names, types, strict=True) if doubt is not None
    }
    return RawTable(pl.DataFrame(columns), source, "sql", notes, doubts=doubts)


def _is_address(source: object) -> bool:
    """Return whether a source is the URL of a database; raise for the URL of a remote file."""
    if not isinstance(source, str) or "://" not in source:
        return False
    scheme = source.partition("://")[0].lower()
    if scheme in _ELSEWHERE:
        sentence = "cannot read a table from a URL; download the file first"
        raise TableError.at(source[:100], "no file", sentence)
    if scheme == "file":
        sentence = "cannot read a file:// URL; give the path alone"
        raise TableError.at(source[:100], "no file", sentence)
    return True


FORMAT = TableFormat(
    "sql",
    "SQLite",
    read,
    batches,
    options={
        "table": ReaderOption(Text() | Nothing(), None, "Table of a database.", metavar="NAME"),
        "query": ReaderOption(
            Text() | Nothing(), None, "SELECT statement that returns the rows of a database."
        ),
        "seconds": ReaderOption(Real(above=0), 30.0),
        **LIMITED,
    },
    suffixes=(".sqlite", ".sqlite3", ".db"),
    mark=lambda head: head.startswith(b"SQLite format 3\0"),
    takes=_is_address,
)
