"""``classica predict``: from a model file and a table to predictions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from classica.interfaces.cli._options import batch_rows_option, model_file, out_option, quiet_option
from classica.interfaces.cli._reading import TableCommand, reading_options
from classica.interfaces.cli._screen import busy, misfits, print_notes, read_notes
from classica.interfaces.cli._tables import ambiguity_notes, load_model, table_source
from classica.tables.writing.batches_out import format_of_ending, stream_batches, write_batches
from classica.training import Predictions, predict_batches
from classica.wording import counted

if TYPE_CHECKING:
    import polars as pl


@click.command(cls=TableCommand)
@model_file
@click.argument("table")
@click.option("--proba", is_flag=True, help="Add the probability of each class.")
@click.option("--scores", is_flag=True, help="Add the decision scores.")
@click.option(
    "--id", "ids", multiple=True, metavar="COLUMN", help="Column to copy to the output; may be repeated."
)
@batch_rows_option
@out_option("File to write (.csv, .jsonl or .parquet). [default: standard output]")
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text, one line per row.")
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

    Columns are matched by name, in any order; additional columns are ignored. Each prediction is listed with
    the ids of its row (--id, or columns with the role id in the schema) or with the row number. If the model
    rejects a row (classica train --reject-cost), its prediction is empty and the column "rejected" is true.
    Tables larger than memory are read in batches. Text that a spreadsheet would evaluate as a formula is
    prefixed by an apostrophe.

    \b
    Examples:
      classica predict golf.classica golf
      classica predict golf.classica golf --proba --out predictions.csv
      classica predict vote.classica vote --json
    """  # noqa: D301  (click reads \b)
    to_stream = out is None or out == "-"
    if not to_stream:
        format_of_ending(str(out))  # a wrong suffix is an error before anything is read
    model, source = load_model(file), table_source(table, reading)
    with busy(f"Predicting {table}", shown=not (to_stream and sys.stdout.isatty())) as progress:
        options = {**reading, "progress": progress}
        predictions = predict_batches(
            model, source, batch_rows, ids=ids, probabilities=proba, scores=scores, reading=options
        )
        if to_stream:
            stream_batches(predictions, sys.stdout.buffer, "jsonl" if as_json else "csv")
        else:
            write_batches(_all(predictions), str(out))
    notes = read_notes([*predictions.notes, *ambiguity_notes(table)])
    print_notes([*notes, *_notes(predictions, None if to_stream else out)], quiet=quiet)


def _all(predictions: Predictions) -> Iterator[pl.DataFrame]:
    yield from predictions


def _notes(predictions: Predictions, out: str | None) -> Iterator[str]:
    yield from misfits(predictions.extra, predictions.unseen)
    if predictions.rejected:
        rows = counted(predictions.rows, "row")
        percent = f"{100 * predictions.rejected / predictions.rows:.1f}%"
        yield f"{predictions.rejected:,} of {rows} ({percent}) rejected: their predictions are empty."
    if out is not None:
        yield f"wrote {counted(predictions.rows, 'prediction')} to {out}."
