"""The options for reading a table, which every command that takes one has."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable
from typing import Any

import click

from classica.interfaces.cli._options import CompactCommand, write_options
from classica.params import AnyOf, Boolean, Integer, OneOf
from classica.tables.reading.reader_options import LIMITED, Character, ReaderOption
from classica.tables.reading.table_format import table_formats

#: Words for characters that are hard to type in a shell.
_SIGNS = {"tab": "\t", "\\t": "\t", "space": " ", "none": ""}


class _Sign(click.ParamType[str]):
    """One character, or the word for one."""

    name = "char"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return _SIGNS.get(str(value).lower(), str(value))


def _click_type(option: ReaderOption) -> dict[str, Any]:
    """Return how an option is declared to click, by the rule of its values; any other rule takes text."""
    rules = option.rule.rules if isinstance(option.rule, AnyOf) else (option.rule,)
    first = rules[0]
    if isinstance(first, Boolean):
        return {"is_flag": True, "default": None} if option.default is False else {"default": None}
    if isinstance(first, OneOf):
        return {"type": click.Choice(first.words)}
    if isinstance(first, Integer):
        return {"type": int}
    return {"type": _Sign()} if isinstance(first, Character) else {}


@functools.cache
def _options() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return how each option for reading is declared, by the name that `read_table` gives it."""
    formats = table_formats().values()
    names = [each.name for each in formats if each.is_file]
    found: dict[str, tuple[str, dict[str, Any]]] = {
        "format": (
            "--format",
            {"type": click.Choice(names), "metavar": "FORMAT", "help": "Format of the table"},
        )
    }
    options = {name: option for each in formats for name, option in each.options.items() if option.help}
    for name, option in sorted(options.items(), key=lambda item: item[0] in LIMITED):
        flag = option.flag or f"--{name.replace('_', '-')}"
        settings = _click_type(option)
        if settings == {"default": None}:  # it may be left open
            flag = f"{flag}/--no-{name}"
        found[name] = (flag, {**settings, "metavar": option.metavar, "help": option.help})
    return found


#: What the name of an option for reading begins with inside, apart from arguments of the command.
_PREFIX = "reading_"
_READING_TITLE = "Options for reading the table"


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for reading; it receives those that were used as the dict ``reading``."""

    @functools.wraps(command)
    def with_reading(*args: object, **given: object) -> Any:
        values = {name: given.pop(f"{_PREFIX}{name}") for name in _options()}
        return command(*args, reading={k: v for k, v in values.items() if v is not None}, **given)

    wrapped: Callable[..., Any] = with_reading
    for name, (flag, settings) in reversed(_options().items()):
        wrapped = click.option(flag, f"{_PREFIX}{name}", **settings)(wrapped)
    return wrapped


class TableCommand(CompactCommand):
    """A command whose help names the options for reading after its own; that of profile explains them."""

    explains_reading = False

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both lists of options."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        reading = [each for each in options if (each.name or "").startswith(_PREFIX)]
        write_options(formatter, "Options", [each for each in options if each not in reading], ctx)
        if self.explains_reading:
            write_options(formatter, _READING_TITLE, reading, ctx)
            return
        names = ", ".join(each.opts[0] for each in reading)
        text = f"{names} (see classica profile --help)."
        with formatter.section(_READING_TITLE):
            for line in textwrap.wrap(text, formatter.width - 2, break_on_hyphens=False):
                formatter.write(f"  {line}\n")
