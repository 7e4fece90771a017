"""Options that several commands share, amounts of time and memory, and how help lists options."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import click

#: Characters of the longest option that has its help text on the same line.
_OPTION_WIDTH = 21


class CompactCommand(click.Command):
    """A command whose help needs one line for most options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of options."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        write_options(formatter, "Options", options, ctx)


def write_options(
    formatter: click.HelpFormatter, title: str, options: Iterable[click.Option], ctx: click.Context
) -> None:
    """Write one section of options."""
    with formatter.section(title):
        formatter.write_dl([_option_record(option, ctx) for option in options], col_max=_OPTION_WIDTH)


def _option_record(option: click.Option, ctx: click.Context) -> tuple[str, str]:
    """Return how an option is typed, and its help with choices and default.

    Of a pair such as ``--tune/--no-tune`` only the one that changes the default is listed.
    """
    is_on = option.default is True and option.secondary_opts
    names = ", ".join(option.secondary_opts if is_on else option.opts)
    if option.secondary_opts and not is_on:
        names = f"{names}, {', '.join(option.secondary_opts)}"
    choices = getattr(option.type, "choices", ())
    metavar = "" if option.is_flag else f" {option.metavar or '|'.join(choices) or option.type.name.upper()}"
    text = " ".join((option.help or "").split())
    if choices and option.metavar:
        text = f"{text.removesuffix('.')}: {', '.join(choices)}."
    if option.show_default:
        text = f"{text} [default: {option.get_default(ctx)}]"
    return f"{names}{metavar}", text


class Amount(click.ParamType[float]):
    """A number with a unit."""

    units: ClassVar[dict[str, float]] = {}
    example = ""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the amount in its smallest unit."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip().lower()
        unit = next((name for name in sorted(self.units, key=len, reverse=True) if text.endswith(name)), "")
        try:
            amount = float(text.removesuffix(unit)) * self.units[unit]
        except ValueError:
            amount = float("nan")
        if not 0 < amount < float("inf"):
            self.fail(f"The {self.name} must be an amount such as {self.example}, got {value!r}.", param, ctx)
        return amount


class Seconds(Amount):
    """A time: 90, 90s, 10m, 2h."""

    name = "time"
    units: ClassVar[dict[str, float]] = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
    example = "60s, 10m or 2h"


class Budget(Seconds):
    """A time, or none: infinite."""

    example = "30s, 10m or 2h, or none"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds."""
        if str(value).strip().lower() == "none":
            return float("inf")
        return super().convert(value, param, ctx)


class Bytes(Amount):
    """A size: 500MB, 2GB."""

    name = "size"
    units: ClassVar[dict[str, float]] = {"": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9}
    example = "500MB or 2GB"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the size in bytes."""
        return int(super().convert(value, param, ctx))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
quiet_option = click.option("--quiet", is_flag=True, help="Print no notes.")
all_option = click.option("--all", "everything", is_flag=True, help="Print all models, metrics and findings.")
positive_option = click.option(
    "--positive", metavar="CLASS", help="Class whose precision, recall, F1 and curves to show."
)
target_option = click.option("--target", metavar="COLUMN", help="Column to predict.")
schema_option = click.option(
    "--schema", type=click.Path(), metavar="FILE", help="Schema file with the kind and role of each column."
)
ignore_option = click.option(
    "--ignore", multiple=True, metavar="COLUMN", help="Column to leave out; may be repeated."
)
write_schema_option = click.option(
    "--write-schema",
    type=click.Path(),
    metavar="FILE",
    help="Write the kind and role of each column to this file.",
)
set_option = click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter of the model; may be repeated.",
)
costs_option = click.option(
    "--costs",
    type=click.Path(),
    metavar="FILE",
    help="CSV cost matrix (rows: predicted, columns: true class).",
)
reject_cost_option = click.option(
    "--reject-cost",
    type=float,
    metavar="COST",
    help="Reject rows whose expected cost exceeds COST.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), metavar="N", default=0, show_default=True, help="Random seed."
)
batch_rows_option = click.option(
    "--batch-rows",
    type=int,
    metavar="N",
    default=100_000,
    show_default=True,
    help="Rows to predict at a time.",
)
MODEL_HELP = "Model to train (see classica models)."
model_file = click.argument("file", type=click.Path(exists=True, dir_okay=False))


def model_option(default: str) -> Any:
    """Return the option that names a classifier."""
    return click.option("--model", metavar="MODEL", default=default, show_default=True, help=MODEL_HELP)


def top_option(default: int | None) -> Any:
    """Return the option that shortens lists."""
    shown = "all" if default is None else default
    help_text = f"Rows to show of each list. [default: {shown}]"
    return click.option("--top", type=click.IntRange(min=1), metavar="N", default=default, help=help_text)


def out_option(help_text: str, metavar: str = "FILE") -> Any:
    """Return the option that names where results are written."""
    return click.option("--out", type=click.Path(), metavar=metavar, help=help_text)


def parameter_pairs(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return parameters and their values as text, from the arguments of ``--set``."""
    for pair in pairs:
        if "=" not in pair:
            raise click.UsageError(f"--set must be NAME=VALUE, got {pair!r}.")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}
