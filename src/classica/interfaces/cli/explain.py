"""``classica explain``: what a model has learned, and why it predicts a class."""

from __future__ import annotations

import json
from typing import Any

import click

from classica.explain import explain_model
from classica.interfaces.cli._options import json_option, model_file, quiet_option, top_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, print_notes
from classica.interfaces.cli._tables import load_model, rows_for


@click.command(cls=TableCommand)
@model_file
@click.argument("numbers", metavar="[ROW]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--rows", "table", metavar="TABLE", help="Table with the rows to explain.")
@top_option(20)
@reading_options
@json_option
@quiet_option
def command(
    file: str,
    numbers: tuple[int, ...],
    table: str | None,
    top: int,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what the model in FILE has learned or, for rows of a table, why it predicts their classes.

    Without --rows: the splits of a tree, the rules, the weights of a linear model, the probability tables of
    naive Bayes, the members of an ensemble. With --rows: for each ROW (counted from 1) the path through the
    tree, the rule that applies, the nearest neighbours, or the contribution of each column to the score.

    \b
    Examples:
      classica explain golf.classica
      classica explain golf.classica --rows golf 1 3
      classica explain golf.classica --rows golf 1 --json
    """  # noqa: D301  (click reads \b)
    if bool(numbers) != (table is not None):
        raise click.UsageError(
            "To explain rows, give --rows TABLE and the numbers of the rows, such as: --rows TABLE 1 3"
        )
    model = load_model(file)
    rows, notes = (None, []) if table is None else rows_for(model, table, reading)
    with busy(f"Explaining {file}"):
        found = explain_model(model, rows, numbers, top=top)
    if as_json:
        click.echo(json.dumps({"file": file, **found.record(), "notes": notes}, indent=2, ensure_ascii=False))
    else:
        print_notes(notes, quiet=quiet)
        click.echo(found.text(), nl=False)
