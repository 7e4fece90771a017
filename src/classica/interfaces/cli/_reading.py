"""The options of reading a table, which every command that takes one has."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

_FORMATS = ("csv", "arff", "jsonl", "libsvm", "parquet", "excel", "sql")

#: How signs that a shell does not like are written.
_SIGNS = {"tab": "\t", "\\t": "\t", "space": " ", "none": ""}


class _Sign(click.ParamType[str]):
    """One character, or the word for one."""

    name = "sign"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return _SIGNS.get(str(value).lower(), str(value))


#: Option → how it is declared, by the name that `read_table` gives it.
_OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "format": (
        "--format",
        {"type": click.Choice(_FORMATS), "help": "The format, if the content does not show it."},
    ),
    "delimiter": (
        "--delimiter",
        {"type": _Sign(), "help": "What divides cells: a character, tab or space."},
    ),
    "quote": ("--quote", {"type": _Sign(), "help": "What encloses cells: a character, or none."}),
    "encoding": ("--encoding", {"help": "The encoding of the text, such as utf-8 or cp1252."}),
    "decimal": ("--decimal", {"type": click.Choice([".", ","]), "help": "The decimal sign of numbers."}),
    "header": (
        "--header/--no-header",
        {"default": None, "help": "Whether the first row has the names."},
    ),
    "skip_ragged": (
        "--skip-ragged",
        {"is_flag": True, "default": None, "help": "Leave out rows with another number of cells."},
    ),
    "sheet": ("--sheet", {"help": "The sheet of a workbook: its name, or its number from 1."}),
    "table": ("--table", {"metavar": "NAME", "help": "The table of a database."}),
    "query": ("--query", {"help": "The rows of a database: a SELECT."}),
    "limit": (
        "--unpacked",
        {"type": int, "metavar": "BYTES", "help": "What an unpacked table may need (4 GiB)."},
    ),
}

#: What the option of reading is called inside, apart from arguments of the command.
_PREFIX = "reading_"


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of reading; it gets those that were used as the dict ``reading``."""

    @functools.wraps(command)
    def with_reading(*args: Any, **given: Any) -> Any:
        found = {name: given.pop(f"{_PREFIX}{name}") for name in _OPTIONS}
        return command(*args, reading={k: v for k, v in found.items() if v is not None}, **given)

    wrapped: Callable[..., Any] = with_reading
    for name, (flag, settings) in reversed(_OPTIONS.items()):
        wrapped = click.option(flag, f"{_PREFIX}{name}", **settings)(wrapped)
    return wrapped


class TableCommand(click.Command):
    """A command whose help shows the options of reading apart from its own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both lists of options."""
        own: list[tuple[str, str]] = []
        reading: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                (reading if (parameter.name or "").startswith(_PREFIX) else own).append(record)
        for title, records in (("Options", own), ("If the table is not read as it should be", reading)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
