"""Parquet: a file, or a folder or pattern of files with the same columns."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.tables.reading.file_copy import no_file, require_file, unreadable
from classica.tables.reading.formats.parquet_trial import try_parquet
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note, RawTable, require_flat
from classica.tables.reading.table_format import TableFormat


def read(source: OpenSource | str, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    return next(batches(source, options, None))


def batches(source: OpenSource | str, options: dict[str, Any], rows: int | None) -> Iterator[RawTable]:
    """Read a table in batches (None: all at once)."""
    name = source if isinstance(source, str) else source.name
    with _files(source) as (files, notes), unreadable(name, "Parquet"):
        height = _tried(files, options["limit"], name)
        lazy = pl.scan_parquet(files, glob=False)
        require_flat(lazy, name)
        done = 0
        for begin in range(0, max(height, 1), rows or max(height, 1)):
            frame = lazy.slice(begin, rows).collect()
            done += frame.height
            options["progress"](done, height, "rows")
            yield RawTable(frame, name, "parquet", notes)
        if done != height:
            raise TableError.at(name, "rows lost", f"all {height} rows must be read, got {done}")


@contextmanager
def _files(source: OpenSource | str) -> Iterator[tuple[list[str], list[Note]]]:
    """Yield the files to read; bytes are written to a temporary file."""
    if isinstance(source, str):
        yield _matching(source)
    elif source.path is not None:
        yield [str(source.path)], list(source.notes)
    else:
        with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
            file.write(source.text.data)
            file.flush()
            yield [file.name], list(source.notes)


def _matching(pattern: str) -> tuple[list[str], list[Note]]:
    path = Path(pattern)
    try:
        if path.is_dir():
            files = sorted(path.rglob("*.parquet"))
        else:
            anchor = Path(path.anchor) if path.is_absolute() else Path()
            files = sorted(anchor.glob(str(path.relative_to(path.anchor) if path.is_absolute() else path)))
    except (OSError, ValueError, NotImplementedError) as error:
        raise no_file(path, error) from None
    for file in files:
        require_file(file)
    if not files:
        raise TableError.at(pattern, "no file", "there must be Parquet files, got none")
    shown = f"{len(files)} files, from {files[0].name} to {files[-1].name}" if files[1:] else files[0].name
    return [str(file) for file in files], [Note("files", shown)]


def _tried(files: list[str], limit: int, source: str) -> int:
    """Return the number of rows, after checking that they can be read and fit the limit."""
    size = try_parquet(files, limit)
    if "error" in size:
        reason = " ".join(size["error"].split())[:200]
        sentence = f"cannot read the content as Parquet: {reason}"
        raise TableError.at(source, "damaged file", sentence)
    height, width = size["height"], size["width"]
    if height * width * 8 > limit:
        rule = f"at most {limit:,} bytes of cells (the option limit)"
        got = f"{height:,} rows of {width:,} columns"
        raise TableError.at(source, "too large", f"the table must have {rule}, got {got}")
    return int(height)


def _is_many(source: object) -> bool:
    """Return whether a source is a folder or a pattern of files."""
    if not isinstance(source, str | Path):
        return False
    path = Path(source)
    try:
        return path.is_dir() or (any(sign in str(source) for sign in "*?[") and not path.exists())
    except (OSError, ValueError) as error:
        raise no_file(path, error) from None


FORMAT = TableFormat(
    "parquet",
    "Parquet",
    read,
    batches,
    suffixes=(".parquet", ".pq"),
    mark=lambda head: head.startswith(b"PAR1"),
    takes=_is_many,
    # A pattern is searched on disk, the URL of a database is not.
    priority=60,
)
