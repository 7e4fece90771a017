"""``classica completion``: the completion script for a shell."""

from __future__ import annotations

import json

import click
from click.shell_completion import get_completion_class

_FILES = {"bash": "~/.bashrc", "zsh": "~/.zshrc", "fish": "~/.config/fish/completions/classica.fish"}


@click.command()
@click.argument("shell", type=click.Choice(list(_FILES)))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the script.")
@click.pass_context
def command(context: click.Context, shell: str, as_json: bool) -> None:
    """Print the script with which SHELL completes the commands and options of classica.

    Append the output to ~/.bashrc or ~/.zshrc, or write it to ~/.config/fish/completions/classica.fish.

    \b
    Examples:
      classica completion bash
      classica completion zsh
    """  # noqa: D301  (click reads \b)
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "classica", "_CLASSICA_COMPLETE").source()
    click.echo(json.dumps({"shell": shell, "file": _FILES[shell], "script": script}) if as_json else script)
