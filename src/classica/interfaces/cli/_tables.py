"""What commands share that take a table: where it comes from, how it is read, what is told of that."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from classica.data import RawTable, Table, builtin_tables, decide_types, load_table, read_table
from classica.errors import ParameterError, must
from classica.interfaces.cli._busy import busy

_FORMATS = ("csv", "arff", "jsonl", "libsvm", "parquet", "excel", "sql")

#: How signs that a shell does not like are written.
_SIGNS = {"tab": "\t", "\\t": "\t", "space": " ", "none": ""}


class _Sign(click.ParamType[str]):
    """One character, or the word for one."""

    name = "sign"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return _SIGNS.get(str(value).lower(), str(value))


#: Options of reading, by the name that `read_table` gives them.
_OPTIONS = {
    "format": click.option(
        "--format", type=click.Choice(_FORMATS), help="The format, if the content does not show it."
    ),
    "delimiter": click.option(
        "--delimiter", type=_Sign(), help="What divides cells: a character, tab or space."
    ),
    "quote": click.option("--quote", type=_Sign(), help="What encloses cells: a character, or none."),
    "encoding": click.option("--encoding", help="The encoding of the text, such as utf-8 or cp1252."),
    "decimal": click.option("--decimal", type=click.Choice([".", ","]), help="The decimal sign of numbers."),
    "header": click.option("--header/--no-header", default=None, help="Whether the first row has the names."),
    "sheet": click.option("--sheet", help="The sheet of a workbook: its name, or its number from 1."),
    "table": click.option("--table", "table_", metavar="NAME", help="The table of a database."),
    "query": click.option("--query", help="The rows of a database: a SELECT."),
    "limit": click.option(
        "--limit", type=int, metavar="BYTES", help="What an unpacked table may need (4 GiB)."
    ),
}


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of reading; it gets those that were used as the dict ``reading``."""

    @functools.wraps(command)
    def with_reading(*args: Any, table_: str | None, **given: Any) -> Any:
        found = {"table": table_} | {name: given.pop(name) for name in _OPTIONS if name != "table"}
        return command(*args, reading={k: v for k, v in found.items() if v is not None}, **given)

    wrapped: Callable[..., Any] = with_reading
    for option in reversed(_OPTIONS.values()):
        wrapped = option(wrapped)
    return wrapped


def open_table(
    source: str,
    *,
    target: str | None = None,
    schema: str | None = None,
    reading: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> tuple[Table, list[str]]:
    """Return the typed table of a source, and what was found on the way of reading it.

    A source is a file, the address of a database, "-" for standard input, or the name of a table that
    comes along where there is no file of that name. What was found is also one line on standard error,
    unless it shall be quiet.
    """
    if is_builtin(source):
        if reading:
            raise ParameterError(must("Options of reading", f"left out for the table {source}", [*reading]))
        known = load_table(source)
        if target is None and schema is None:
            return known, []
        raw = RawTable(known.frame, source, "frame")
        return decide_types(raw, target=target, schema=schema or known.schema), []
    with busy(f"Reading {source}") as tell:
        raw = read_table(source, progress=tell, **(reading or {}))
        table = decide_types(raw, target=target, schema=schema)
    notes = [str(note) for note in raw.notes]
    if notes and not quiet:
        click.echo(f"{source}: {', '.join(notes)}", err=True)
    return table, notes


def is_builtin(source: str) -> bool:
    """Return whether a source is the name of a table that comes along, and no file."""
    return source in [entry.name for entry in builtin_tables()] and not Path(source).exists()


def table_source(source: str) -> Any:
    """Return what can be read some rows at a time: a source as it is, or the table that comes along."""
    return load_table(source) if is_builtin(source) else source
