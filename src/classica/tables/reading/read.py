"""From a source to a table: find the format, check the options, call its reader."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import narwhals as nw
import polars as pl

from classica.errors import ParameterError, TableError, must
from classica.tables.reading.content import format_of, require_database, require_format
from classica.tables.reading.file_copy import no_file
from classica.tables.reading.open_source import Opened, open_source
from classica.tables.reading.raw_table import RawTable
from classica.tables.reading.reader_options import LIMIT, checked_options
from classica.tables.reading.reading_progress import Progress, Tell
from classica.tables.typing.cells import unnamed

#: Format → the module of its reader.
_READERS = {
    "csv": "delimited",
    "arff": "arff",
    "jsonl": "json_lines",
    "libsvm": "libsvm",
    "parquet": "parquet",
    "excel": "excel",
    "sql": "databases",
    "frame": "frames",
}


def read_table(
    source: Any, *, format: str | None = None, progress: Tell | None = None, **options: Any
) -> RawTable:
    r"""Read a table from anywhere; nothing is lost and nothing decided silently.

    Parameters
    ----------
    source : path, address, "-", bytes, binary stream or frame
        A file of any format below, perhaps compressed by gzip; a folder or pattern of Parquet files;
        ``sqlite:///file?table=name`` or another address of a database; "-" for standard input; a frame of
        pandas, polars or Arrow.
    format : {"csv", "arff", "jsonl", "libsvm", "parquet", "excel", "sql"} or None
        None finds the format by the content first and by the extension second.
    progress : callable, optional
        Called now and then with what is done, all there is to do (None if that is not known), and the unit
        of both, "bytes" or "rows".
    **options
        For text: ``encoding``. For delimited text: ``delimiter``, ``quote`` ("" for none), ``header``
        (True or False), ``decimal`` ("." or ","), ``skip_ragged`` (True leaves out rows with another number
        of cells, and says how many). For Excel: ``sheet`` (name, or number from 1), ``header``.
        For databases: ``table``, ``query``, ``seconds`` (between two rows of a query). For all but frames:
        ``limit``, the bytes a compressed, sparse or declared table may need (4 GiB).

    Returns
    -------
    RawTable
        The cells, and what was found on the way.

    Raises
    ------
    TableError
        For a table that cannot be read without loss. It names file, line, column and kind.

    Examples
    --------
    >>> table = read_table(b"id;x\n007;1,5\n008;2,5\n")
    >>> table.frame["id"].to_list(), table.frame["x"].to_list()
    (['007', '008'], [1.5, 2.5])
    >>> for note in table.notes:
    ...     print(note)
    delimiter ';'
    column names in the first row
    decimal comma in 'x'
    """
    reader, opened, checked = _prepared(source, format, options, Progress(progress), whole=True)
    table: RawTable = reader.read(opened, checked)
    return table


def scan_table(
    source: Any,
    *,
    batch_rows: int = 100_000,
    types: Mapping[str, Any] | None = None,
    format: str | None = None,
    progress: Tell | None = None,
    **options: Any,
) -> Iterator[RawTable]:
    """Read a table some rows at a time, in its order, within bounded memory.

    All batches have the same columns and types: those that keep every cell of the whole table.

    Parameters
    ----------
    source, format, progress, **options
        As in `read_table`.
    batch_rows : int
        Rows of a batch; the last one may have fewer.
    types : mapping of str to polars type, optional
        Columns to cast, as when an earlier table has decided about them.

    Yields
    ------
    RawTable
        The next rows; at least one batch, even of a table without rows.
    """
    if not isinstance(batch_rows, int) or isinstance(batch_rows, bool) or batch_rows < 1:
        raise ParameterError(must("batch_rows", "an integer of at least 1", batch_rows))
    reader, opened, checked = _prepared(source, format, options, Progress(progress), whole=False)
    first = 1
    for found in reader.batches(opened, checked, batch_rows):
        table = replace(found, first_row=first)
        yield table if types is None else _cast(table, types)
        first += table.frame.height


def _prepared(
    source: Any, format: str | None, options: Mapping[str, Any], progress: Progress, *, whole: bool
) -> tuple[Any, Any, dict[str, Any]]:
    """Return the reader, what it reads from, and its options."""
    if format is not None and format not in _READERS:
        known = ", ".join(repr(name) for name in _READERS if name != "frame")
        raise ParameterError(must("format", f"None or one of {known}", format))
    limit = options.get("limit", LIMIT)
    checked_options({"limit": limit}, ("limit",), "any")
    opened, found = _opened(source, format, lambda: open_source(source, limit, progress, whole=whole))
    if format is not None and found != format:
        raise ParameterError(must("format", f"None or {found!r} for this source", format))
    reader = importlib.import_module(f"classica.tables.reading.formats.{_READERS[found]}")
    return reader, opened, checked_options(options, reader.OPTIONS, found) | {"progress": progress}


def _opened(source: Any, format: str | None, opening: Callable[[], Opened]) -> tuple[Any, str]:
    """Return what a reader reads from, and the format."""
    if isinstance(source, pl.LazyFrame) or nw.dependencies.is_into_dataframe(source):
        return source, "frame"
    if isinstance(source, str) and "://" in source:
        require_database(source)
        return source, "sql"
    if isinstance(source, str | Path) and _is_many(source):
        return str(source), "parquet"
    if not isinstance(source, str | Path | bytes) and not hasattr(source, "read"):
        raise ParameterError(must("source", "a path, an address, bytes, a stream or a frame", source))
    opened = opening()
    if not opened.head(1):
        raise TableError.at(opened.name, "empty file", "the file must have a table, got nothing")
    if format is None:
        return opened, format_of(opened)
    require_format(opened, format)
    return opened, format


def _is_many(source: str | Path) -> bool:
    path = Path(source)
    try:
        return path.is_dir() or (any(sign in str(source) for sign in "*?[") and not path.exists())
    except (OSError, ValueError) as error:
        raise no_file(path, error) from None


def _cast(table: RawTable, types: Mapping[str, Any]) -> RawTable:
    frame = table.frame
    for name, dtype in types.items():
        if name not in frame.columns:
            raise TableError.at(
                table.source, "missing column", "the table must have it, got none", column=name
            )
        cells = unnamed(frame[name])
        cast = cells.cast(dtype, strict=False)
        lost = cells.is_not_null() & cast.is_null()
        if lost.any():
            place = int(lost.arg_true()[0])
            line = None if table.line_of is None else table.line_of(place)
            sentence = f"row {table.first_row + place:,} must be of type {dtype}, got {cells[place]!r}"
            raise TableError.at(table.source, "changed type", sentence, line=line, column=name)
        frame = frame.with_columns(cast.rename(name))
    return replace(table, frame=frame)
