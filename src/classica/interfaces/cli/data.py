"""``classica data``: the built-in datasets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
import polars as pl
from rich.console import Console
from rich.text import Text

from classica.interfaces.cli._options import CompactCommand, json_option, out_option
from classica.interfaces.cli._screen import grid
from classica.tables import BuiltinTable, builtin_tables, load_table, write_csv
from classica.wording import counted

if TYPE_CHECKING:
    from classica.tables import Table

#: How many rows of a table are printed.
_SHOWN = 20


@click.command(cls=CompactCommand)
@click.argument("name", required=False)
@click.option("--rows", type=int, metavar="N", help="Number of rows (synthetic datasets).")
@click.option("--seed", type=int, metavar="N", help="Random seed (synthetic datasets).")
@out_option("CSV file to write.")
@json_option
def command(name: str | None, rows: int | None, seed: int | None, out: str | None, as_json: bool) -> None:
    """List the built-in datasets, or show the dataset NAME.

    \b
    Examples:
      classica data
      classica data golf
      classica data ring --rows 100 --seed 1 --json
    """  # noqa: D301  (click reads \b)
    if name is None:
        if rows is not None or seed is not None or out is not None:
            raise click.UsageError("--rows, --seed and --out need the NAME of a dataset.")
        _list(as_json)
        return
    table = load_table(name, rows=rows, seed=seed)
    if out is not None:
        write_csv(table.frame, out)
    about = next(entry for entry in builtin_tables() if entry.name == name)
    if as_json:
        click.echo(json.dumps(_record(about, table), indent=2, ensure_ascii=False))
    elif out is not None:
        click.echo(f"Wrote {counted(len(table), 'row')} of {name} to {out}.")
    else:
        _print(about, table)


def _list(as_json: bool) -> None:
    tables = [(entry, load_table(entry.name)) for entry in builtin_tables()]
    if as_json:
        records = [vars(entry) | _size(table) for entry, table in tables]
        click.echo(json.dumps(records, indent=2, ensure_ascii=False))
        return
    shown = grid("name", "rows", "features", "missing", "description", right=(1, 2, 3), wrapped=(4,))
    for entry, table in tables:
        size = _size(table)
        numbers = (f"{size[key]:,}" if size[key] else "" for key in ("rows", "features", "missing"))
        shown.add_row(entry.name, *numbers, Text(entry.title))
    console = Console(highlight=False)
    console.print(shown)
    console.print("\nShow a dataset: classica data NAME, or classica profile NAME", style="dim")


def _size(table: Table) -> dict[str, Any]:
    missing = table.frame.null_count().sum_horizontal().sum()
    return {"rows": len(table), "features": table.X.width, "missing": missing, "target": table.schema.target}


def _print(about: BuiltinTable, table: Table) -> None:
    console = Console(highlight=False)
    console.print(Text.assemble((about.name, "bold"), f"  {about.title}"))
    console.print(f"{about.source}. {about.note}", style="dim", markup=False)
    console.print()
    cells = {name: _texts(table.frame[name].head(_SHOWN)) for name in table.frame.columns}
    fitting = _fitting(cells, table.schema.target, console.width)
    shown = grid(*fitting)
    for row in zip(*(cells[name] for name in fitting), strict=True):
        shown.add_row(*map(Text, row))
    console.print(shown)
    left = [counted(len(table) - _SHOWN, "more row")] if len(table) > _SHOWN else []
    left += [counted(len(cells) - len(fitting), "more column")] if len(cells) > len(fitting) else []
    if left:
        console.print(f"... and {' and '.join(left)}: --out FILE or --json", style="dim")


def _texts(cells: pl.Series) -> list[str]:
    if cells.dtype.is_float():
        return ["" if cell is None else f"{cell:.6g}" for cell in cells]
    return cells.cast(pl.String).fill_null("").to_list()


def _fitting(cells: dict[str, list[str]], target: str | None, width: int) -> list[str]:
    """Return the first columns that fit side by side, and the target."""
    widths = {name: max(map(len, [name, *texts])) + 2 for name, texts in cells.items()}
    left = width - (widths[target] if target else 0)
    shown: list[str] = []
    for name in (name for name in cells if name != target):
        left -= widths[name]
        if left < 0 and shown:
            break
        shown.append(name)
    return [*shown, target] if target else shown


def _record(about: BuiltinTable, table: Table) -> dict[str, Any]:
    return {
        **vars(about),
        **_size(table),
        "schema": table.schema.record(),
        "fingerprint": table.fingerprint(),
        "cells": table.frame.to_dict(as_series=False),
    }
