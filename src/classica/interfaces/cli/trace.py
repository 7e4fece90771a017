"""``classica trace``: a computation step by step, as a lecture shows it."""

from __future__ import annotations

import json
from typing import Any

import click

from classica.explain import trace_model
from classica.interfaces.cli._options import (
    json_option,
    model_option,
    parameter_pairs,
    quiet_option,
    schema_option,
    set_option,
    target_option,
    top_option,
)
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, print_notes, read_notes
from classica.interfaces.cli._tables import open_table
from classica.training import Recipe, parameter_values


@click.command(cls=TableCommand)
@click.argument("table")
@target_option
@model_option("id3")
@set_option
@schema_option
@click.option(
    "--row", type=click.IntRange(min=1), metavar="N", default=1, show_default=True, help="Row to predict."
)
@top_option(None)
@reading_options
@json_option
@quiet_option
def command(
    table: str,
    target: str | None,
    model: str,
    pairs: tuple[str, ...],
    schema: str | None,
    row: int,
    top: int | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a model on the small TABLE and show every step of the computation.

    Trees: the gain of each column at each node. Naive Bayes: counts, probabilities, and their product for a
    row. Perceptron and Winnow: each mistake and the updated weights. Nearest neighbours: the distances of a
    row and the vote. AdaBoost: row weights, error and vote of each round.

    \b
    Examples:
      classica trace golf --model id3
      classica trace golf --model naive-bayes --set alpha=0 --row 3
      classica trace iris --model knn --set n_neighbors=3 --row 71 --top 10
    """  # noqa: D301  (click reads \b)
    estimator = Recipe(model, parameter_values(model, parameter_pairs(pairs))).classifier()
    typed, notes = open_table(table, target=target, schema=schema, reading=reading)
    with busy(f"Training {model} on {table}"):
        trace = trace_model(estimator, typed, row=row)
    if as_json:
        click.echo(
            json.dumps({"table": table, **trace.record(), "notes": notes}, indent=2, ensure_ascii=False)
        )
    else:
        print_notes(read_notes(notes), quiet=quiet)
        click.echo(trace.text(top), nl=False)
