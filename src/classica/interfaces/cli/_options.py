"""Options that mean the same in every command that has them."""

from __future__ import annotations

from typing import Any

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
quiet_option = click.option("--quiet", is_flag=True, help="Print no notes.")
target_option = click.option("--target", help="Column to predict.")
schema_option = click.option(
    "--schema", type=click.Path(), help="Schema file with decisions about columns that are to hold."
)
ignore_option = click.option(
    "--ignore", multiple=True, metavar="COLUMN", help="Leave a column out; may be repeated."
)
write_schema_option = click.option(
    "--write-schema", type=click.Path(), help="Write all decisions about columns to this file."
)
set_option = click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set a parameter of the model; may be repeated.",
)
costs_option = click.option(
    "--costs",
    type=click.Path(),
    metavar="FILE",
    help="Cost matrix, a CSV file: a row for each predicted class, a column for each true class.",
)
batch_rows_option = click.option(
    "--batch-rows", type=int, default=100_000, show_default=True, help="Rows predicted at a time."
)
#: Every command that names a classifier says the same.
MODEL_HELP = "Classifier to train; classica models lists them."
model_file = click.argument("file", type=click.Path(exists=True, dir_okay=False))


def model_option(default: str) -> Any:
    """Return the option that names a classifier."""
    return click.option("--model", default=default, show_default=True, help=MODEL_HELP)


def words_of(pairs: tuple[str, ...]) -> dict[str, str]:
    """Return parameters and their words, from what was given to ``--set``."""
    for pair in pairs:
        if "=" not in pair:
            raise click.UsageError(f"--set takes NAME=VALUE, got {pair!r}.")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}
