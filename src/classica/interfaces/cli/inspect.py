"""``classica inspect``: what is in a model file, without building the model."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from classica import persist


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(file: str, as_json: bool) -> None:
    """Show what is in the model file FILE: kind, parameters, classes, columns, metadata.

    The file is read and its hash compared, but the model is not loaded.

    \b
    Examples:
      classica inspect golf.classica
      classica inspect golf.classica --json
    """  # noqa: D301  (click reads \b)
    found = persist.inspect(file)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        _print(found)


def _print(found: dict[str, Any]) -> None:
    console = Console(highlight=False)
    console.print(Text(f"{found['kind']}  {found['class']}", style="bold"), end="  ")
    console.print("the hash is right", style="green")
    if not found["known"]:
        console.print("This installation has no classifier of that kind: a plug-in is missing.", style="red")
    _print_facts(console, _facts(found))
    _print_facts(console, found["parameters"], "parameters")
    if found["metadata"]:
        _print_facts(console, found["metadata"], "metadata")


def _facts(found: dict[str, Any]) -> dict[str, Any]:
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    columns = found["columns"] if found["features"] is None else found["features"]
    return {
        "classes": found["classes"],
        "columns": columns,
        "free parameters": found["model_parameters"],
        "size": f"{found['file_bytes']:,} bytes, {found['arrays']} arrays of {found['array_bytes']:,} bytes",
        "written by": f"{versions} (format {found['format']})",
        "sha256": found["sha256"],
    }


def _print_facts(console: Console, facts: dict[str, Any], title: str | None = None) -> None:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value is not None or title is not None:
            table.add_row(str(name), _words(value))
    if title is not None:
        console.print(f"[bold]{title}[/bold]")
    console.print(Padding(table, (0, 0, 1, 0 if title is None else 2)), markup=False)


def _words(value: Any) -> Text:
    """Return a value as one cell shows it; text from a file is never read as markup."""
    if isinstance(value, list):
        value = ", ".join(str(item) for item in value)
    elif isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False)
    return Text("".join(letter if letter.isprintable() else "�" for letter in str(value)))
