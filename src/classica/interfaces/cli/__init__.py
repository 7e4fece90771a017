"""The command ``classica``.

A subcommand is a module of this package with an object named ``command`` and a line in `COMMANDS`.
Only the one that is called is imported, so ``classica --help`` answers at once.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from classica.errors import ClassicaError

#: Subcommand → its line in ``classica --help``.
COMMANDS = {
    "models": "List the classifiers, or show one: its rule, parameters and cost.",
    "profile": "Look at a table: kinds of columns, classes, leaks, duplicates.",
    "data": "List the tables that come along, or show or write one.",
    "compare": "Compare classifiers on a table: which to trust, how good, how sure.",
    "resume": "Go on with a comparison that was stopped.",
    "report": "Write the HTML report of a comparison.",
    "inspect": "Show what is in a model file, without loading the model.",
    "config": "Print how this installation is built and what it runs on.",
}


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports them when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__name__}.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command list from the table alone, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error of ours is one line, not a traceback."""
        try:
            return super().invoke(ctx)
        except ClassicaError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="classica")
def main() -> None:
    """Classical classifiers, complete, exact and fast.

    \b
    Examples:
      classica models                 which classifiers there are
      classica models nearest-mean    what one of them does
    """  # noqa: D301  (click reads \b)
