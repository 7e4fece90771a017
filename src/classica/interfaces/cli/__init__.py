"""The command ``classica``.

A subcommand is a module of this package with an object named ``command`` and a line in `COMMANDS`.
Only the one that is called is imported, so ``classica --help`` is fast.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from classica.errors import ClassicaError
from classica.wording import did_you_mean

#: Subcommand → its line in ``classica --help``.
COMMANDS = {
    "models": "List the classifiers, or show one: rule, parameters, cost.",
    "data": "List the built-in datasets, or show or write one.",
    "profile": "Profile a table: columns, classes, leakage, duplicates.",
    "compare": "Compare classifiers on a table and recommend one.",
    "codes": "List the finding codes, or explain one.",
    "resume": "Continue a comparison that was stopped.",
    "report": "Write the HTML report of a comparison.",
    "train": "Train a model on a table and write it to a file.",
    "predict": "Predict the class of every row of a table.",
    "evaluate": "Evaluate a model on a table with known classes.",
    "explain": "Show what a model has learned, or why it predicts a class.",
    "trace": "Show a computation step by step on a small table.",
    "export": "Export a model as text, picture, rules, SQL, Python or ONNX.",
    "card": "Print the model card of a model: data, performance, limits.",
    "inspect": "Show the contents of a model file without loading the model.",
    "config": "Print build, hardware and library versions for a bug report.",
    "completion": "Print the completion script for your shell.",
}


#: What shells expect of a program that was stopped by Ctrl-C.
INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that lists its commands by name and imports one when it is called."""

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run; a misspelt one is an error that suggests the right one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"No such command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the command list from the table alone, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error of this package is one line, not a traceback, and so is Ctrl-C."""
        try:
            return super().invoke(ctx)
        except ClassicaError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt:
            click.echo("\nInterrupted.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


_EPILOG = """\b
Results go to standard output, notes to standard error (--quiet: no notes).
Exit codes: 0 success, 1 error, 2 wrong usage, 130 Ctrl-C."""


@click.group(cls=LazyGroup, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="classica")
def main() -> None:
    """Classify the rows of a table: compare, train, predict, explain and export classical classifiers.

    To find out which classifier to use: classica compare TABLE --target COLUMN. TABLE is a file (CSV,
    Parquet, ARFF, JSON lines, Excel, LIBSVM; also gzipped), the address of a database such as
    "sqlite:///file.db?table=name", "-" for standard input, or a built-in dataset.

    \b
    From a table to predictions:
      classica data iris --out iris.csv           a table to start with
      classica profile iris.csv --target class    what is in it?
      classica train iris.csv --target class --model knn --out iris.classica
      classica evaluate iris.classica iris.csv    how good is the model?
      classica predict iris.classica iris.csv --out predictions.csv
      classica explain iris.classica --rows iris.csv 1    why this class?
      classica export iris.classica --to json --out iris.json
    """  # noqa: D301  (click reads \b)
