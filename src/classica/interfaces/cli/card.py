"""``classica card``: the model card of a model file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from classica.interfaces.cli._options import CompactCommand, json_option, model_file, out_option


@click.command(cls=CompactCommand)
@model_file
@click.option("--html", "as_html", is_flag=True, help="Print a page of HTML instead of Markdown.")
@json_option
@out_option("File to write. [default: standard output]")
def command(file: str, as_html: bool, as_json: bool, out: str | None) -> None:
    """Print the model card of the model in FILE.

    The card says what the model is for, which data it was trained on, how well it performs on new rows and
    on each class, whether its probabilities are calibrated, which limits were found, and how it was chosen.
    Models that classica compare delivers have all of it in their file; for others, the card has what the
    file says.

    \b
    Examples:
      classica card iris-run/best.classica
      classica card iris-run/best.classica --html --out card.html
      classica card golf.classica --json
    """  # noqa: D301  (click reads \b)
    if as_html and as_json:
        raise click.UsageError("--html and --json cannot be combined; choose one.")
    from classica import persist
    from classica.comparison.results.model_card import ENTRY, card_in
    from classica.errors import DataError
    from classica.interfaces.card_forms import card_html, card_markdown
    from classica.interfaces.card_sections import card_sections, card_title
    from classica.whole_file import whole_file

    found = persist.inspect(file)
    card = card_in(found["metadata"])
    if as_json:
        plain = {name: value for name, value in found["metadata"].items() if name != ENTRY}
        record = {**found, "metadata": plain, ENTRY: None if card is None else card.record()}
        text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    else:
        form = card_html if as_html else card_markdown
        text = form(card_title(found, card), card_sections(found, card))
    if out is None:
        click.echo(text, nl=False)
        return
    with whole_file(Path(out), DataError) as written:
        written.write(text.encode())
    click.echo(f"Wrote the model card to {out}.")
