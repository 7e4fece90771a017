"""``classica predict``: from a model file and a table to predictions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from classica.interfaces.cli._busy import busy
from classica.interfaces.cli._models import load_model
from classica.interfaces.cli._notes import misfits, read_notes, tell
from classica.interfaces.cli._options import batch_rows_option, model_file, quiet_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._tables import table_source, taken_instead
from classica.tables.writing.batches_out import format_of_ending, stream_batches, write_batches
from classica.training import Predictions, predict_batches
from classica.wording import counted

if TYPE_CHECKING:
    import polars as pl


@click.command(cls=TableCommand)
@model_file
@click.argument("table")
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option("--scores", is_flag=True, help="Add the scores behind the decision.")
@click.option(
    "--id", "ids", multiple=True, metavar="COLUMN", help="Column to copy to the output; may be repeated."
)
@batch_rows_option
@click.option("--out", type=click.Path(), help="File to write: .csv, .jsonl or .parquet.")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one line per row.")
@quiet_option
def command(
    file: str,
    table: str,
    proba: bool,
    scores: bool,
    ids: tuple[str, ...],
    batch_rows: int,
    out: str | None,
    reading: dict[str, Any],
    as_json: bool,
    quiet: bool,
) -> None:
    """Predict the class of every row of TABLE with the model in FILE.

    Columns are matched by name; their order is free, and others are ignored. Rows keep their order; tables
    larger than memory are read some rows at a time. Each row comes with its ids (--id, or columns whose role
    in the schema is id) or with its number. Where the model rejects a row (train --reject-cost, or the
    reject_distance of nearest-mean), the prediction is empty and the column "rejected" is true. Text that a
    spreadsheet would run as a formula gets an apostrophe.

    \b
    Examples:
      classica predict golf.classica golf
      classica predict golf.classica golf --proba --out predictions.csv
      classica predict vote.classica vote --json
    """  # noqa: D301  (click reads \b)
    to_stream = out is None or out == "-"
    if not to_stream:
        format_of_ending(str(out))  # a wrong ending is told before anything is read
    model, source = load_model(file), table_source(table, reading)
    with busy(f"Predicting {table}", shown=not (to_stream and sys.stdout.isatty())) as progress:
        options = {**reading, "progress": progress}
        answers = predict_batches(
            model, source, batch_rows, ids=ids, probabilities=proba, scores=scores, reading=options
        )
        if to_stream:
            stream_batches(answers, sys.stdout.buffer, "jsonl" if as_json else "csv")
        else:
            write_batches(_all(answers), str(out))
    notes = read_notes([*answers.notes, *taken_instead(table)])
    tell([*notes, *_notes(answers, None if to_stream else out)], quiet=quiet)


def _all(answers: Predictions) -> Iterator[pl.DataFrame]:
    yield from answers


def _notes(answers: Predictions, out: str | None) -> Iterator[str]:
    yield from misfits(answers.extra, answers.unseen)
    if answers.rejected:
        rows = counted(answers.rows, "row")
        part = f"{100 * answers.rejected / answers.rows:.1f}%"
        yield f"{answers.rejected:,} of {rows} ({part}) rejected: their predictions are empty."
    if out is not None:
        yield f"{counted(answers.rows, 'prediction is', 'predictions are')} in {out}."
