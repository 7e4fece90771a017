"""``classica codes``: what the codes of findings mean."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from classica.finding_rule import FindingRule
from classica.interfaces.cli._options import json_option
from classica.interfaces.cli._screen import facts_grid, grid
from classica.interfaces.finding_codes import CODES, explained_code


@click.command()
@click.argument("code", required=False)
@json_option
def command(code: str | None, as_json: bool) -> None:
    """List the finding codes, or explain the code CODE.

    Codes that start with E are findings of a comparison, those with D findings about a table.

    \b
    Examples:
      classica codes
      classica codes E303
      classica codes D301 --json
    """  # noqa: D301  (click reads \b)
    chosen = list(CODES.values()) if code is None else [explained_code(code)]
    if as_json:
        records = [each.record() for each in chosen]
        click.echo(json.dumps(records if code is None else records[0], indent=2, ensure_ascii=False))
    elif code is None:
        _print_table(chosen)
    else:
        _print_code(chosen[0])


def _print_table(codes: list[FindingRule]) -> None:
    shown = grid("code", "finding", wrapped=(1,))
    for each in codes:
        shown.add_row(each.code, Text(each.title))
    console = Console(highlight=False)
    console.print(shown)
    console.print("\nExplain a code: classica codes CODE", style="dim")


def _print_code(code: FindingRule) -> None:
    console = Console(highlight=False)
    console.print(Text.assemble((code.code, "bold"), f"  {code.title}"))
    facts = {
        "meaning": code.meaning,
        "rule": code.rule,
        "what to do": code.remedy,
        "in Python": "\n".join(code.shown_by),
        "source": code.source,
    }
    given = {name: text for name, text in facts.items() if text}
    console.print(Padding(facts_grid(given), (1, 0, 0, 0)))
