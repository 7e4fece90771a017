"""``classica inspect``: what is in a model file, without building the model."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from classica import persist
from classica.interfaces.cli._options import json_option, model_file
from classica.interfaces.cli._screen import facts_grid

#: Kinds that only wrap the classifier that learns.
_WRAPPERS = ("table", "bayes-decision", "frozen")


@click.command()
@model_file
@json_option
def command(file: str, as_json: bool) -> None:
    """Show the contents of the model file FILE: kind, parameters, classes, columns, metadata.

    The hash of the file is verified; the model is not loaded.

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
    layers = _layers(found)
    inside = layers[-1]
    console.print(Text(f"{inside['kind']}  {inside['class']}", style="bold"), end="  ")
    console.print("hash verified", style="green")
    if not found["known"]:
        console.print(
            "Cannot load this model: the plug-in with its classifier is not installed.", style="red"
        )
    _print_facts(console, _facts(found))
    _print_facts(console, inside["parameters"], "parameters")
    for layer in layers[:-1]:
        terms = {name: value for name, value in layer["parameters"].items() if _is_term(name, value)}
        if terms:
            _print_facts(console, terms, f"wrapped by {layer['class']}")
    if found["metadata"]:
        _print_facts(console, _flat(found["metadata"]), "metadata")


def _layers(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the model and what it is wrapped around, down to the classifier that learns."""
    layers = [found]
    while layers[-1].get("kind") in _WRAPPERS:
        parameters = layers[-1].get("parameters")
        inner = parameters.get("estimator") if isinstance(parameters, dict) else None
        if not isinstance(inner, dict) or not {"kind", "class", "parameters"} <= inner.keys():
            break
        layers.append(inner)
    return layers


def _is_term(name: str, value: object) -> bool:
    return value is not None and name not in ("estimator", "schema", "cv")


def _columns(found: dict[str, Any]) -> Any:
    """Return the features, with what they hold where there is a schema."""
    schema = found["parameters"].get("schema")
    if found["kind"] != "table" or not isinstance(schema, dict):
        return found["columns"] if found["features"] is None else found["features"]
    used = [column for column in schema.get("columns", []) if column.get("role") == "feature"]
    return [f"{column.get('name')} ({column.get('kind')})" for column in used]


def _flat(values: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested metadata as one list of names and values."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= _flat(value, f"{before}{name} ") if isinstance(value, dict) else {f"{before}{name}": value}
    return flat


def _facts(found: dict[str, Any]) -> dict[str, Any]:
    versions = found["versions"].items()
    written = ", ".join(f"{name} {number}" for name, number in versions if name != "format")
    return {
        "classes": found["classes"],
        "columns": _columns(found),
        "free parameters": found["model_parameters"],
        "size": f"{found['file_bytes']:,} bytes, {found['arrays']} arrays of {found['array_bytes']:,} bytes",
        "written by": f"{written} (format {found['format']})",
        "sha256": found["sha256"],
    }


def _print_facts(console: Console, facts: dict[str, Any], title: str | None = None) -> None:
    shown = {n: _cell(value) for n, value in facts.items() if value is not None or title is not None}
    table = facts_grid(shown)
    if title is not None:
        console.print(f"[bold]{title}[/bold]")
    console.print(Padding(table, (0, 0, 1, 0 if title is None else 2)), markup=False)


def _cell(value: object) -> Text:
    """Return a value as the text of a cell; text from a file is never read as markup."""
    if isinstance(value, list):
        value = ", ".join(str(item) for item in value)
    elif isinstance(value, dict):
        value = json.dumps(value, ensure_ascii=False)
    return Text("".join(letter if letter.isprintable() else "�" for letter in str(value)))
