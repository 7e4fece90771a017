"""``classica explain``: what a model has learned, and why it predicts a class."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.text import Text

from classica.explain import explain_model
from classica.interfaces.cli._options import json_option, model_file, quiet_option, top_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, grid, print_notes
from classica.interfaces.cli._tables import load_model, rows_for, table_source, training_rows
from classica.training import TableImportances, table_importances

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@click.command(cls=TableCommand)
@model_file
@click.argument("numbers", metavar="[ROW]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--rows", "table", metavar="TABLE", help="Table with the rows to explain.")
@click.option(
    "--importance",
    "importance",
    metavar="TABLE",
    help="Table with known classes, to show how much worse the model predicts without each column.",
)
@top_option(20)
@reading_options
@json_option
@quiet_option
def command(
    file: str,
    numbers: tuple[int, ...],
    table: str | None,
    importance: str | None,
    top: int,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what the model in FILE has learned or, for rows of a table, why it predicts their classes.

    Without --rows: the splits of a tree, the rules, the weights of a linear model, the probability tables of
    naive Bayes, the members of an ensemble. With --rows: for each ROW (counted from 1) the path through the
    tree, the rule that applies, the nearest neighbours, or the contribution of each column to the score. With
    --importance: the loss of accuracy when a column is permuted; use rows that the model was not trained on.

    \b
    Examples:
      classica explain golf.classica
      classica explain golf.classica --rows golf 1 3
      classica explain golf.classica --rows golf 1 --json
      classica explain golf.classica --importance golf
    """  # noqa: D301  (click reads \b)
    if importance is not None and table is not None:
        raise click.UsageError("--importance and --rows cannot be used together.")
    if bool(numbers) != (table is not None):
        raise click.UsageError(
            "To explain rows, give --rows TABLE and the numbers of the rows, such as: --rows TABLE 1 3"
        )
    model = load_model(file)
    if importance is not None:
        _importance(file, model, importance, top, reading, as_json=as_json, quiet=quiet)
        return
    rows, notes = (None, []) if table is None else rows_for(model, table, reading)
    with busy(f"Explaining {file}"):
        found = explain_model(model, rows, numbers, top=top)
    if as_json:
        click.echo(json.dumps({"file": file, **found.record(), "notes": notes}, indent=2, ensure_ascii=False))
    else:
        print_notes(notes, quiet=quiet)
        click.echo(found.text(), nl=False)


def _importance(
    file: str,
    model: BaseEstimator,
    table: str,
    top: int,
    reading: dict[str, Any],
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    source = table_source(table, reading)
    with busy(f"Permuting the columns of {table}") as progress:
        found = table_importances(
            model, source, reading={**reading, "progress": progress}, trained_on=training_rows(file)
        )
    if as_json:
        record = {
            "file": file,
            "source": found.source,
            "trained_on_these_rows": found.trained_on,
            **found.importances.record(),
            "notes": found.notes,
        }
        click.echo(json.dumps(record, indent=2, ensure_ascii=False))
        return
    print_notes(found.notes, quiet=quiet)
    _print_importances(found, top)


def _print_importances(found: TableImportances, top: int) -> None:
    console, importances = Console(highlight=False), found.importances
    sample = "" if importances.rows == found.rows else f" of {found.rows:,}"
    console.print(Text.assemble((found.source, "bold"), f"  {importances.rows:,}{sample} rows"))
    score = f"accuracy {100 * importances.score:.1f}%, and its loss when a column is permuted, in points"
    console.print(score, style="dim")
    shown = grid("column", "loss", "95% CI", right=(1, 2))
    for each in importances.columns[:top]:
        low, mean, high = (100 * value for value in (each.drop.low, each.drop.mean, each.drop.high))
        style = "" if each.matters else "dim"
        shown.add_row(Text(each.column, style), f"{mean:.1f}", f"{low:.1f} to {high:.1f}", style=style)
    console.print(shown)
    left = len(importances.columns) - top
    if left > 0:
        console.print(f"... and {left} more: --top {len(importances.columns)}", style="dim")
    if found.trained_on:
        console.print("Optimistic: the model was trained on these rows.", style="yellow")
