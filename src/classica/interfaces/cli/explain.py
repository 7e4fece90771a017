"""``classica explain``: a model as a person reads it, and why rows get their classes."""

from __future__ import annotations

import json

import click

from classica import load
from classica.explain import explain_model
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._model_rows import rows_for


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.argument("numbers", metavar="[ROW]...", nargs=-1, type=click.IntRange(min=1))
@click.option("--rows", "table", metavar="TABLE", help="The table whose rows are asked about.")
@click.option(
    "--top", type=click.IntRange(min=1), default=20, show_default=True, help="Rows shown of each list."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--quiet", is_flag=True, help="Print no notes.")
def command(
    file: str, numbers: tuple[int, ...], table: str | None, top: int, as_json: bool, quiet: bool
) -> None:
    """Tell what the model in FILE has learned or, for rows of a table, why they get their classes.

    A tree is shown with its questions, rules one by one, linear machines by their weights, naive Bayes by its
    tables, neighbours by who they are, ensembles by their members. ROW is a number from 1 in the table of
    --rows: the way through the tree, the rule that fired, or what each column adds to the score.

    \b
    Examples:
      classica explain golf.classica
      classica explain golf.classica --rows golf 1 3
      classica explain golf.classica --rows golf 1 --json
    """  # noqa: D301  (click reads \b)
    if bool(numbers) != (table is not None):
        raise click.UsageError("Rows are asked about by --rows TABLE and their numbers, both of them.")
    model = load(file)
    rows = None if table is None else rows_for(model, table)
    if rows is not None and not quiet:
        for note in rows.decisions:
            click.echo(f"Note: {' '.join(str(note.text).split())}", err=True)
    with busy(f"Explaining {file}"):
        found = explain_model(model, rows, numbers, top=top)
    if as_json:
        click.echo(json.dumps({"file": file, **found.record()}, indent=2, ensure_ascii=False))
    else:
        click.echo(found.text(), nl=False)
