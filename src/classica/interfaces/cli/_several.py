"""Compare the classifiers on each of several tables, and show the results side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import click

from classica.comparison import ComparisonResult
from classica.comparison.results.several_runs import RunsSummary, board_lines, summarise_runs
from classica.errors import ClassicaError, DataError
from classica.interfaces.cli import INTERRUPTED
from classica.interfaces.cli._answer import REPORT
from classica.interfaces.cli._comparison import (
    Output,
    end_if_interrupted,
    print_result,
    write_page,
)
from classica.interfaces.cli._progress_view import print_json_line
from classica.tables import Table
from classica.whole_file import whole_file
from classica.wording import column_hint

#: The results side by side, in the folder that has the runs.
RUNS = "runs.json"
#: Groups that a table is divided into at most.
_MOST_GROUPS = 50

#: Runs the comparison of a table in a folder; the table is a name, or typed already.
Run = Callable[[str | Table, Path, Output], ComparisonResult]


def groups_of(table: Table, column: str) -> list[Table]:
    """Return the rows of each value of a column as a table of its own, in the order of the values."""
    if column not in table.frame.columns:
        hint = column_hint(column, table.frame.columns)
        raise DataError(f"--by must name a column of {table.source}, got {column!r}.{hint}")
    values = table.frame[column]
    levels = values.drop_nulls().unique().sort().to_list()
    if not 2 <= len(levels) <= _MOST_GROUPS:
        raise DataError(
            f"--by must name a column of 2 to {_MOST_GROUPS} values, got {column!r} with {len(levels):,}."
        )
    name = Path(table.source).name
    return [
        replace(
            table.take_rows((values == level).fill_null(False).arg_true().to_numpy()),
            source=f"{name} [{column}={level}]",
        )
        for level in levels
    ]


def compare_each(
    tables: Sequence[str | Table],
    parent: Path,
    output: Output,
    run: Run,
    ahead: Callable[[Path], AbstractContextManager[None]],
) -> None:
    """Compare on one table after the other, each in a folder of its own, and show the results side by side.

    A table that cannot be compared is reported and left out. ``ahead`` starts the workers of a run while its
    table is read.
    """
    results: dict[str, ComparisonResult] = {}
    failed, is_interrupted = 0, False
    for number, (table, folder) in enumerate(zip(tables, _folders(parent, tables), strict=True), start=1):
        name = _name(table)
        if output.is_for_people:
            click.echo(f"\n{name} ({number} of {len(tables)})", err=True)
        try:
            with ahead(folder):
                result = run(table, folder, output)
        except ClassicaError as error:
            failed += 1
            click.echo(f"{name} is left out. {error}", err=True)
            continue
        results[folder.name] = result
        try:
            _show_one(result, output)
        except click.exceptions.Exit:  # Ctrl-C: the answer so far was shown
            is_interrupted = True
            break
    _show_together(results, parent, output)
    if is_interrupted:
        raise click.exceptions.Exit(INTERRUPTED)
    if failed:
        raise click.exceptions.Exit(1)


def show_runs(runs: RunsSummary, path: Path | None) -> None:
    """Print the results side by side."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(runs.answer, style="bold"))
    console.print()
    for line in board_lines(runs):
        console.print(Text(line), soft_wrap=True)
    if path is not None:
        console.print()
        console.print(Text(f"Report: {path}", style="dim"), soft_wrap=True)


def _show_one(result: ComparisonResult, output: Output) -> None:
    """Write the report of one table, and print its answer."""
    write_page(result, output)
    if not output.as_json:  # one document for all
        print_result(result, replace(output, quiet=not output.everything))
    end_if_interrupted(result)


def _show_together(results: Mapping[str, ComparisonResult], parent: Path, output: Output) -> None:
    if len(results) < 2:
        for result in results.values() if output.as_json else ():
            print_result(result, output)  # nothing to compare it with
        return
    runs = summarise_runs({name: result.summary for name, result in results.items()})
    with whole_file(parent / RUNS, DataError) as file:
        file.write(json.dumps(runs.record(), indent=1, ensure_ascii=False, allow_nan=False).encode())
    path = None
    if output.report:
        from classica.interfaces.report import write_runs_report

        links = {line.name: f"{folder}/{REPORT}" for line, folder in zip(runs.runs, results, strict=True)}
        path = write_runs_report(runs, parent / REPORT, links=links)
    if output.json_lines:
        print_json_line("runs", {"runs": runs.record()})
    elif output.as_json:
        click.echo(json.dumps(runs.record(), indent=2, ensure_ascii=False))
    else:
        click.echo()
        show_runs(runs, None if output.quiet else path)


def _name(table: str | Table) -> str:
    return Path(table).name if isinstance(table, str) else table.source


def _folders(parent: Path, tables: Sequence[str | Table]) -> Iterator[Path]:
    """Yield a folder for each table, named after it; no two are the same."""
    taken: set[str] = set()
    for table in tables:
        name = _name(table)
        stem = name.split(".")[0] if isinstance(table, str) else name
        plain = re.sub(r"[^\w.=-]+", "-", stem).strip("-.") or "table"
        numbers = (f"{plain}-{number}" for number in range(2, len(tables) + 2))
        chosen = next(each for each in (plain, *numbers) if each.lower() not in taken)
        taken.add(chosen.lower())
        yield parent / chosen
