"""``classica config``: build, machine and versions, for bug reports."""

from __future__ import annotations

import json

import click

from classica.build_config import configuration, show_config
from classica.interfaces.cli._options import json_option


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Print the compiler, instruction set, threads and library versions.

    \b
    Example:
      classica config
    """  # noqa: D301  (click reads \b)
    if as_json:
        click.echo(json.dumps(configuration(), indent=2))
    else:
        show_config()
