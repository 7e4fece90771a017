"""Writing a table that comes some rows at a time, to a file or a stream."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, BinaryIO

import polars as pl

from classica.errors import DataError, ParameterError, must
from classica.tables.writing.csv_out import neutralised
from classica.whole_file import whole_file

#: Ending → format; another ending is refused.
ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def write_batches(batches: Iterable[pl.DataFrame], path: str | Path) -> None:
    """Write frames of the same columns to one file, which is there as a whole or not at all.

    Parameters
    ----------
    batches : iterable of polars DataFrame
        The rows in their order; only one batch is held at a time.
    path : path
        The file to write or replace. Its ending says how: ``.csv`` (text that a spreadsheet would run as a
        formula gets an apostrophe), ``.jsonl`` or ``.parquet``.
    """
    form = format_of_ending(path)
    with whole_file(path, DataError) as file:
        if form == "parquet":
            _write_parquet(batches, file, Path(path).parent)
        else:
            stream_batches(batches, file, form)


def format_of_ending(path: str | Path) -> str:
    """Return the format that the ending of a file asks for."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ParameterError(must("The file to write", f"one that ends with {', '.join(ENDINGS)}", str(path)))
    return ENDINGS[ending]


def stream_batches(batches: Iterable[pl.DataFrame], stream: IO[bytes], form: str) -> None:
    """Write frames to a stream as "csv" or "jsonl"."""
    for number, frame in enumerate(batches):
        # As text first: a stream that is closed by its reader is then told apart from one that fails.
        text = (
            frame.write_ndjson()
            if form == "jsonl"
            else neutralised(frame).write_csv(include_header=number == 0)
        )
        stream.write(text.encode())


def _write_parquet(batches: Iterable[pl.DataFrame], file: BinaryIO, folder: Path) -> None:
    """Write each batch to a file of its own, then stream all of them into one."""
    with tempfile.TemporaryDirectory(prefix=".classica-", dir=folder) as place:
        parts = []
        for number, frame in enumerate(batches):
            parts.append(Path(place) / f"{number}.parquet")
            frame.write_parquet(parts[-1])
        pl.scan_parquet(parts).sink_parquet(Path(file.name))
