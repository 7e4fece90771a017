"""Writing tables: CSV for spreadsheets, and batches of rows to a file or a stream."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, BinaryIO

import polars as pl

from classica.errors import DataError, ParameterError, must
from classica.tables.typing.cells import is_text, unnamed
from classica.whole_file import whole_file

#: Characters that begin a formula; East Asian spreadsheets also accept the full-width ones.
_STARTS = r"^[=+\-@\t\r\n＝＋－＠]"

#: Plain numbers and single signs, which are not formulas.
_HARMLESS = r"^(?:[+-]?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?|[+-])$"


def write_csv(frame: pl.DataFrame, path: str | Path, *, neutralise: bool = True) -> None:
    """Write a frame as CSV in UTF-8, atomically.

    Parameters
    ----------
    frame : polars DataFrame
        Missing values become empty cells.
    path : path
        The file to write or replace.
    neutralise : bool, default=True
        Put an apostrophe before text, and before names of columns, that a spreadsheet would run as a formula
        (beginning with =, +, -, @, a tab or a line break). Numbers are not touched, nor is text that is a
        number or a lone sign. False: write text as it is.
    """
    with whole_file(path, DataError) as file:
        (neutralised(frame) if neutralise else frame).write_csv(file)


def neutralised(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with an apostrophe before text that a spreadsheet would run."""
    names = _harmless(pl.Series("names", frame.columns, dtype=pl.String)).to_list()
    cells = [_harmless(cells) if is_text(cells) else cells for cells in frame.get_columns()]
    return pl.DataFrame(dict(zip(names, cells, strict=True)))


def _harmless(cells: pl.Series) -> pl.Series:
    text = unnamed(cells.cast(pl.String))
    runs = text.str.contains(_STARTS) & ~text.str.contains(_HARMLESS)
    return ("'" + text).zip_with(runs.fill_null(False), text)


#: Extension → format; other extensions are rejected.
ENDINGS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


def write_batches(batches: Iterable[pl.DataFrame], path: str | Path) -> None:
    """Write frames with the same columns to one file, atomically.

    Parameters
    ----------
    batches : iterable of polars DataFrame
        The rows in order; only one batch is in memory at a time.
    path : path
        The file to write or replace. Its extension selects the format: ``.csv`` (text that a spreadsheet
        would run as a formula gets an apostrophe), ``.jsonl`` or ``.parquet``.
    """
    form = format_of_ending(path)
    with whole_file(path, DataError) as file:
        if form == "parquet":
            _write_parquet(batches, file, Path(path).parent)
        else:
            stream_batches(batches, file, form)


def format_of_ending(path: str | Path) -> str:
    """Return the format for the extension of a file."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise ParameterError(must("The file to write", f"one that ends with {', '.join(ENDINGS)}", str(path)))
    return ENDINGS[ending]


def stream_batches(batches: Iterable[pl.DataFrame], stream: IO[bytes], form: str) -> None:
    """Write frames to a stream as "csv" or "jsonl"."""
    for number, frame in enumerate(batches):
        # As text first, to distinguish a stream closed by its reader from one that fails.
        text = (
            frame.write_ndjson()
            if form == "jsonl"
            else neutralised(frame).write_csv(include_header=number == 0)
        )
        stream.write(text.encode())


def _write_parquet(batches: Iterable[pl.DataFrame], file: BinaryIO, folder: Path) -> None:
    """Write each batch to a temporary file, then combine them into one."""
    with tempfile.TemporaryDirectory(prefix=".classica-", dir=folder) as temporary:
        parts = []
        for number, frame in enumerate(batches):
            parts.append(Path(temporary) / f"{number}.parquet")
            frame.write_parquet(parts[-1])
        pl.scan_parquet(parts).sink_parquet(Path(file.name))
