"""``classica models``: the catalog as a table, or one card in full."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from classica import catalog
from classica.interfaces.cli._options import json_option
from classica.interfaces.cli._screen import facts_grid, grid
from classica.registry import Card
from classica.wording import sentence_start


@click.command()
@click.argument("slug", required=False)
@json_option
def command(slug: str | None, as_json: bool) -> None:
    """List the classifiers, or show the classifier SLUG.

    \b
    Examples:
      classica models
      classica models nearest-mean
      classica models --json
    """  # noqa: D301  (click reads \b)
    chosen = catalog.cards() if slug is None else [catalog.card(slug)]
    records = [card.record() for card in chosen]
    if as_json:
        click.echo(json.dumps(records if slug is None else records[0], indent=2, ensure_ascii=False))
    elif slug is None:
        _print_table(list(chosen))
    else:
        _print_card(chosen[0])


def _print_table(cards: list[Card]) -> None:
    shown = grid("slug", "family", "description", wrapped=(2,))
    for card in cards:
        shown.add_row(card.slug, card.family, Text(card.summary))
    console = Console(highlight=False)
    console.print(shown)
    console.print("\nRule, parameters and cost of a classifier: classica models SLUG", style="dim")


def _print_card(card: Card) -> None:
    console = Console(highlight=False)
    console.print(Text.assemble((sentence_start(card.title), "bold"), f"  {card.slug}, {card.name}"))
    console.print(card.summary, markup=False)
    facts = {
        "family": card.family,
        "rule": card.plain_rule,
        "source": card.source,
        "training time": card.fit_cost,
        "prediction time": card.predict_cost,
        "accepts": ", ".join(card.takes),
        "incremental": ", ".join(card.learns_online) or "no, trains on the whole table at once",
    }
    console.print(Padding(facts_grid(facts), (1, 0)))
    console.print("[bold]parameters[/bold]")
    for parameter in card.parameters:
        console.print(f"  [bold]{parameter.name}[/bold] = {parameter.default!r}")
        console.print(Padding(f"{parameter.rule}", (0, 0, 0, 6)), style="cyan")
        console.print(Padding(parameter.description, (0, 0, 0, 6)), markup=False)
