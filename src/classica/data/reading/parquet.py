"""Parquet: a file, or a folder or pattern of files with the same columns."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from classica.data.reading.flat import require_flat
from classica.data.reading.note import Note
from classica.data.reading.opened import Opened
from classica.data.reading.raw_table import RawTable
from classica.data.reading.unreadable import unreadable
from classica.errors import TableError

OPTIONS = ("limit",)


def read(source: Opened | str, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    return next(batches(source, options, None))


def batches(source: Opened | str, options: dict[str, Any], rows: int | None) -> Iterator[RawTable]:
    """Read a table some rows at a time (None: all at once)."""
    name = source if isinstance(source, str) else source.name
    with unreadable(name, "Parquet"):
        lazy, notes = _scanned(source)
        require_flat(lazy, name)
        height = int(lazy.select(pl.len()).collect().item())
        _require_size(height, len(lazy.collect_schema()), options["limit"], name)
        done = 0
        for begin in range(0, max(height, 1), rows or max(height, 1)):
            frame = lazy.slice(begin, rows).collect()
            done += frame.height
            yield RawTable(frame, name, "parquet", notes)
        if done != height:
            raise TableError.at(name, "rows lost", f"all {height} rows must be read, got {done}")


def _scanned(source: Opened | str) -> tuple[pl.LazyFrame, list[Note]]:
    if isinstance(source, Opened):
        if source.path is not None:
            return pl.scan_parquet(source.path, glob=False), list(source.notes)
        return pl.scan_parquet(io.BytesIO(source.text.tobytes())), list(source.notes)
    path = Path(source)
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else _matching(source)
    if not files:
        raise TableError.at(source, "no file", "there must be Parquet files, got none")
    shown = f"{len(files)} files, from {files[0].name} to {files[-1].name}"
    return pl.scan_parquet(files, glob=False), [Note("files", shown)]


def _matching(pattern: str) -> list[Path]:
    path = Path(pattern)
    anchor = Path(path.anchor) if path.is_absolute() else Path()
    return sorted(anchor.glob(str(path.relative_to(path.anchor) if path.is_absolute() else path)))


def _require_size(height: int, width: int, limit: int, source: str) -> None:
    if height * width * 8 > limit:
        rule = f"at most {limit:,} bytes of cells (the option limit)"
        got = f"{height:,} rows of {width:,} columns"
        raise TableError.at(source, "too large", f"the table must have {rule}, got {got}")
