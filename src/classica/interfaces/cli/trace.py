"""``classica trace``: the computation of a lecture, step by step."""

from __future__ import annotations

import json
from typing import Any

import click

from classica import catalog
from classica.errors import ParameterError, must
from classica.explain import trace_model
from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._tables import open_table

_WORDS = {"true": True, "false": False, "none": None}


@click.command()
@click.argument("table")
@click.option("--target", help="The column to predict.")
@click.option("--model", default="id3", show_default=True, help="The classifier; classica models lists them.")
@click.option("--set", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter; may be repeated.")
@click.option("--schema", type=click.Path(), help="A schema file whose decisions about columns hold.")
@click.option(
    "--row", type=click.IntRange(min=1), default=1, show_default=True, help="The row that is asked about."
)
@click.option("--top", type=click.IntRange(min=1), help="Rows shown of each list; all unless told.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--quiet", is_flag=True, help="Print no notes.")
def command(
    table: str,
    target: str | None,
    model: str,
    pairs: tuple[str, ...],
    schema: str | None,
    row: int,
    top: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Learn from the small TABLE and show every step, as a lecture would on the board.

    Trees: what each column gains in each node. Naive Bayes: counts, probabilities, the product for a row.
    Perceptron and Winnow: each mistake and the weights after it. Neighbours: the distances of a row and the
    vote. AdaBoost: weights of the rows, error and vote of each round.

    \b
    Examples:
      classica trace golf --model id3
      classica trace golf --model naive-bayes --set alpha=0 --row 3
      classica trace iris --model knn --set n_neighbors=3 --row 71 --top 10
    """  # noqa: D301  (click reads \b)
    estimator = catalog.card(model).build(**_parameters(model, pairs))
    typed, notes = open_table(table, target=target, schema=schema)
    if notes and not quiet:
        click.echo(f"Note: read with {', '.join(notes)}.", err=True)
    with busy(f"Learning {model} from {table}"):
        found = trace_model(estimator, typed, row=row)
    if as_json:
        click.echo(json.dumps({"table": table, **found.record()}, indent=2, ensure_ascii=False))
    else:
        click.echo(found.text(top), nl=False)


def _parameters(model: str, pairs: tuple[str, ...]) -> dict[str, Any]:
    known = [parameter.name for parameter in catalog.card(model).parameters]
    found: dict[str, Any] = {}
    for pair in pairs:
        name, sign, word = pair.partition("=")
        if not sign:
            raise click.UsageError(f"--set takes NAME=VALUE, got {pair!r}.")
        if name not in known:
            raise ParameterError(must(f"The parameter of {model}", f"one of {', '.join(known)}", name))
        found[name] = _value(word)
    return found


def _value(word: str) -> Any:
    """Return a number, true, false, none, or the word itself."""
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word
