"""Rows of databases: SQLite through the standard library, others through SQLAlchemy."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from classica.errors import ParameterError, TableError, must
from classica.tables.reading.file_copy import require_file
from classica.tables.reading.raw_table import Note

#: Permitted operations of a query: select, read, call functions, recurse.
_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
_FORBIDDEN_FUNCTIONS = {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
#: SQLite instructions between two checks of the clock.
_STEPS = 10_000
#: The maximum length of a cell.
_LONGEST = 10**8


class _Clock:
    """Interrupts a query that yields no row for too long."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.restart()

    def restart(self) -> None:
        self._start = time.monotonic()

    def is_over(self) -> bool:
        return time.monotonic() - self._start > self._seconds


def sqlite_rows(address: str, options: dict[str, Any]) -> Generator[Any]:
    """Yield the name of the source, the columns and notes, then the rows."""
    path = (
        Path(unquote(address.removeprefix("sqlite:///"))) if address.startswith("sqlite:") else Path(address)
    )
    require_file(path)
    clock = _Clock(options["seconds"])
    try:
        uri = f"file:{quote(str(path.absolute()))}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            _lock_down(connection, clock, options["limit"])
            query, notes = _query(connection, options, str(path))
            cursor = connection.execute(query)
            yield str(path), [column[0] for column in cursor.description or ()], notes
            for row in cursor:
                clock.restart()
                yield row
                clock.restart()
    except UnicodeError:
        sentence = "names and text of the database must be utf-8, got other bytes"
        raise TableError.at(str(path), "invalid utf-8", sentence) from None
    except (sqlite3.Error, sqlite3.Warning) as error:
        if clock.is_over():
            sentence = f"a query must give a row within {options['seconds']:g} seconds (the option seconds)"
            raise TableError.at(str(path), "too slow", f"{sentence}, got none") from None
        sentence = f"cannot read from the database: {str(error).rstrip('.')}"
        raise TableError.at(str(path), "database error", sentence) from None


def _lock_down(connection: sqlite3.Connection, clock: _Clock, limit: int) -> None:
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(limit, _LONGEST))
    connection.set_progress_handler(lambda: int(clock.is_over()), _STEPS)
    connection.set_authorizer(_authorize)


def _authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    forbidden = action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FORBIDDEN_FUNCTIONS
    return sqlite3.SQLITE_OK if action in _ALLOWED and not forbidden else sqlite3.SQLITE_DENY


def _query(connection: sqlite3.Connection, options: dict[str, Any], source: str) -> tuple[str, list[Note]]:
    if options["query"] is not None:
        return options["query"], []
    listed = (
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    )
    kinds = dict(connection.execute(listed).fetchall())
    table = options["table"]
    if table is None:
        names = [name for name, kind in kinds.items() if kind == "table"]
        if len(names) != 1:
            shown = ", ".join(repr(name) for name in kinds) or "none"
            sentence = f"cannot choose a table: the database has {shown}; set the option table"
            raise TableError.at(source, "no table named", sentence)
        table = names[0]
    elif table not in kinds:
        shown = ", ".join(repr(name) for name in kinds) or "none"
        raise TableError.at(source, "no such table", f"the table must be one of {shown}, got {table!r}")
    quoted = '"' + table.replace('"', '""') + '"'
    return f"SELECT * FROM {quoted}", [Note("table", f"the {kinds[table]} {table!r}")]


def other_rows(address: str, options: dict[str, Any]) -> Generator[Any]:
    """Yield the name of the source, the columns and notes, then the rows. Nothing is committed."""
    try:
        import sqlalchemy as sa
    except ImportError:
        rule = "the address of a SQLite file, or SQLAlchemy installed (pip install sqlalchemy)"
        raise ParameterError(must("source", rule, address.partition(":")[0])) from None
    if options["table"] is None and options["query"] is None:
        raise ParameterError(must("table", "given, or a query, for a database", None))
    try:
        url = sa.make_url(address)
        name = url.render_as_string(hide_password=True)
        engine = sa.create_engine(url)
    except (sa.exc.SQLAlchemyError, ImportError) as error:
        raise ParameterError(must("source", f"a URL that SQLAlchemy accepts ({error})", "another")) from None
    try:
        with engine.connect() as connection:
            streaming = connection.execution_options(stream_results=True, yield_per=10_000)
            result = streaming.execute(_statement(sa, options))
            yield name, list(result.keys()), [Note("table", options["table"] or "the rows of a query")]
            for row in result:
                yield tuple(row)
            connection.rollback()
    except sa.exc.SQLAlchemyError as error:
        reason = " ".join(str(error).split())[:200]
        raise TableError.at(name, "database error", f"cannot read from the database: {reason}") from None
    finally:
        engine.dispose()


def _statement(sa: Any, options: dict[str, Any]) -> Any:
    if options["query"] is not None:
        return sa.text(options["query"])
    schema, _, table = options["table"].rpartition(".")
    return sa.select(sa.text("*")).select_from(sa.table(table, schema=schema or None))
