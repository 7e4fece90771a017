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
    "models": "List the classifiers, or show one: rule, parameters, cost.",
    "data": "List the built-in datasets, or show or write one.",
    "profile": "Look at a table: kinds of columns, classes, leaks, duplicates.",
    "compare": "Compare classifiers on a table: which to use, how accurate it is.",
    "codes": "List the codes of findings, or explain one: its rule, and what to do.",
    "resume": "Continue a comparison that was stopped.",
    "report": "Write the HTML report of a comparison.",
    "train": "Train a classifier on a table and write a model file.",
    "predict": "Predict the class of every row of a table with a model.",
    "evaluate": "Compare the predictions of a model with the true classes.",
    "explain": "Show what a model has learned, or why it predicts a class.",
    "trace": "Show the lecture's computation on a small table, step by step.",
    "export": "Turn a model into text, a picture, rules, SQL, Python or ONNX.",
    "inspect": "Show what is in a model file, without loading the model.",
    "config": "Print how this installation is built and what it runs on.",
    "completion": "Print the script that lets your shell complete commands.",
}


#: What shells expect of a program that was stopped by Ctrl-C.
INTERRUPTED = 130


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
        """Run a command; an error of ours is one line, not a traceback, and so is Ctrl-C."""
        try:
            return super().invoke(ctx)
        except ClassicaError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            click.echo("\nInterrupted.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


_EPILOG = """\b
Results go to standard output, notes to standard error (--quiet: none).
Exit codes: 0 fine, 1 an error (in one line), 2 wrong usage, 130 Ctrl-C.
Completion in your shell: classica completion bash (or zsh, fish)."""


@click.group(cls=LazyGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="classica")
def main() -> None:
    """Classical classifiers, complete, exact and fast: from a table to a model you can trust and hand on.

    A TABLE is a file (CSV, Parquet, ARFF, JSON lines, Excel, LIBSVM; also gzipped), the address of a database
    such as "sqlite:///file.db?table=name", "-" for standard input, or a built-in dataset. To find out
    which classifier to use, compare them (classica compare TABLE --target COLUMN). Options of a command:
    classica COMMAND --help.

    \b
    A first session:
      classica data iris --out iris.csv           a table, if you have none
      classica profile iris.csv --target class    look at it
      classica train iris.csv --target class --model knn --out iris.classica
      classica evaluate iris.classica iris.csv    how good is the model?
      classica predict iris.classica iris.csv --out predictions.csv
      classica explain iris.classica --rows iris.csv 1    why this class?
      classica export iris.classica --to json --out iris.json
    """  # noqa: D301  (click reads \b)
