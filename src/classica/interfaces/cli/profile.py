"""``classica profile``: one screen about a table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from classica.interfaces.cli._options import (
    ignore_option,
    json_option,
    quiet_option,
    schema_option,
    target_option,
    write_schema_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, grid, print_notes, read_notes
from classica.interfaces.cli._tables import open_table
from classica.tables import Profile, profile
from classica.wording import counted, share

if TYPE_CHECKING:
    from classica.tables.profiles.column_profile import ColumnProfile

#: More columns than this do not fit a screen.
_SHOWN = 30

_HEADINGS = ("column", "kind", "role", "missing", "values")


class _ProfileCommand(TableCommand):
    explains_reading = True


@click.command(cls=_ProfileCommand)
@click.argument("table")
@target_option
@schema_option
@ignore_option
@write_schema_option
@reading_options
@json_option
@quiet_option
def command(
    table: str,
    target: str | None,
    schema: str | None,
    ignore: tuple[str, ...],
    write_schema: str | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Profile TABLE: a file, the address of a database, "-" for standard input, or a built-in dataset.

    Prints the kind and role of each column, missing values, categories or ranges, class frequencies,
    duplicate rows, and columns that may leak the target.

    \b
    Examples:
      classica profile golf
      classica profile vote --target Class
      classica data golf --out golf.csv
      classica profile golf.csv --delimiter , --header --quiet
      classica profile iris --json
    """  # noqa: D301  (click reads \b)
    typed, notes = open_table(table, target=target, schema=schema, ignore=ignore, reading=reading)
    with busy(f"Profiling {table}"):
        profiled = profile(typed)
    if write_schema is not None:
        typed.schema.save(write_schema)
    if as_json:
        click.echo(json.dumps(profiled.record() | {"notes": notes}, indent=2, ensure_ascii=False))
        return
    print_notes(read_notes(notes), quiet=quiet)
    _print(profiled)
    if write_schema is not None:
        print_notes([f"wrote the schema to {write_schema}."], quiet=quiet)


def _print(found: Profile) -> None:
    console = Console(highlight=False)
    used = sum(column.role == "feature" for column in found.columns)
    size = f"{counted(found.rows, 'row')}, {counted(len(found.columns), 'column')}"
    console.print(Text.assemble((found.source, "bold"), f"  {size}, {counted(used, 'feature')}"))
    console.print(f"fingerprint {found.fingerprint[:16]}", style="dim")
    console.print()
    console.print(_grid(found.columns[:_SHOWN], console.width))
    if len(found.columns) > _SHOWN:
        more = counted(len(found.columns) - _SHOWN, "more column")
        console.print(f"... and {more}; use --json to see all.", style="dim")
    _print_classes(console, found)
    if found.findings:
        console.print("\nfindings", style="bold")
        console.print(_findings(found))
        console.print(f"\nExplain a code: classica codes {found.findings[0].code}", style="dim")


def _grid(columns: list[ColumnProfile], width: int) -> Grid:
    rows = [_cells(column) for column in columns]
    # Levels and ranges get what the other columns leave.
    rest = width - sum(
        max([len(_HEADINGS[index]), *(len(row[index]) for row in rows)]) + 2 for index in range(4)
    )
    shown = grid(*_HEADINGS, right=[_HEADINGS.index("missing")])
    for column, row in zip(columns, rows, strict=True):
        style = {"target": "cyan", "feature": ""}.get(column.role, "dim")
        shown.add_row(*map(Text, row[:4]), Text(_shortened(row[4], max(rest - 2, 16))), style=style)
    return shown


def _cells(column: ColumnProfile) -> list[str]:
    missing = f"{column.missing:,}" if column.missing else ""
    cells = (_shortened(column.name, 24), column.kind, column.role, missing, column.values())
    return [" ".join(cell.split()) for cell in cells]


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _print_classes(console: Console, found: Profile) -> None:
    target = next((column for column in found.columns if column.role == "target"), None)
    if target is None or found.majority is None:
        if target is None:
            console.print("\nNo target column: use --target COLUMN to set one.", style="dim")
        return
    present = sorted((pair for pair in target.counts if pair[1]), key=lambda pair: -pair[1])
    total = sum(count for _, count in present)
    shown = ", ".join(f"{level} {share(count, total)}" for level, count in present[:6])
    more = f" and {len(present) - 6} more" if len(present) > 6 else ""
    console.print(Text(f"\n{counted(len(present), 'class', 'classes')}: {shown}{more}"))


def _findings(found: Profile) -> Grid:
    grid = Grid(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(no_wrap=True, max_width=20, overflow="ellipsis")
    grid.add_column(ratio=1)
    for finding in found.findings:
        grid.add_row(finding.code, Text(finding.column or ""), Text(finding.text))
    return grid
