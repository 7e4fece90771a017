"""Read a table: detect the format, check the options, call its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from classica.arrays import TableSource
from classica.errors import ParameterError, TableError, must
from classica.tables.reading.content import format_of, require_format
from classica.tables.reading.open_source import OpenSource, open_source
from classica.tables.reading.raw_table import RawTable
from classica.tables.reading.reader_options import LIMIT, LIMITED, Progress, Tell, checked_options
from classica.tables.reading.table_format import Source, TableFormat, by_priority, table_formats
from classica.tables.typing.cells import unnamed


def read_table(
    source: Any, *, format: str | None = None, progress: Tell | None = None, **options: Any
) -> RawTable:
    r"""Read a table from any source, without loss and without silent decisions.

    Parameters
    ----------
    source : path, address, "-", bytes, binary stream or frame
        A file in any supported format, optionally compressed by gzip; a folder or glob pattern of Parquet
        files; ``sqlite:///file?table=name`` or another database URL; "-" for standard input; a frame of
        pandas, polars or Arrow.
    format : str or None
        The file format: "csv", "parquet" or another one of `table_formats`. None detects it by the content
        first and by the extension second.
    progress : callable, optional
        Called periodically with the amount done, the total (None if unknown), and the unit of both, "bytes"
        or "rows".
    **options
        For text: ``encoding``. For delimited text: ``delimiter``, ``quote`` ("" for none), ``header`` (True
        or False), ``decimal`` ("." or ","), ``skip_ragged`` (True skips rows with another number of cells,
        and adds a note). For Excel: ``sheet`` (name, or number from 1), ``header``. For databases: ``table``,
        ``query``, ``seconds`` (the time limit between two rows of a query). For all but frames: ``limit``,
        the bytes that a compressed, sparse or declared table may take (4 GiB).

    Returns
    -------
    RawTable
        The cells, with notes about what was detected.

    Raises
    ------
    TableError
        If the table cannot be read without loss. The message names the file, line, column and kind of
        problem.

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
    reader, reader_input, checked = _prepared(source, format, options, Progress(progress), whole=True)
    return reader.read(reader_input, checked)


def scan_table(
    source: TableSource,
    *,
    batch_rows: int = 100_000,
    types: Mapping[str, Any] | None = None,
    format: str | None = None,
    progress: Tell | None = None,
    **options: object,
) -> Iterator[RawTable]:
    """Read a table in batches, in order and in bounded memory.

    All batches have the same columns and types, which keep every cell of the whole table.

    Parameters
    ----------
    source, format, progress, **options
        As in `read_table`.
    batch_rows : int
        Number of rows of a batch; the last one may have fewer.
    types : mapping of str to polars type, optional
        Columns to cast, for example to the types of an earlier table.

    Yields
    ------
    RawTable
        The next rows; at least one batch, even if the table has no rows.
    """
    if not isinstance(batch_rows, int) or isinstance(batch_rows, bool) or batch_rows < 1:
        raise ParameterError(must("batch_rows", "an integer of at least 1", batch_rows))
    reader, reader_input, checked = _prepared(source, format, options, Progress(progress), whole=False)
    first = 1
    for batch in reader.batches(reader_input, checked, batch_rows):
        table = replace(batch, first_row=first)
        yield table if types is None else _cast(table, types)
        first += table.frame.height


def _prepared(
    source: TableSource, format: str | None, options: Mapping[str, Any], progress: Progress, *, whole: bool
) -> tuple[TableFormat, Source, dict[str, Any]]:
    """Return the format, the input of its reader, and the options."""
    formats = table_formats()
    if format is not None and format not in formats:
        shown = ", ".join(repr(each.name) for each in formats.values() if each.is_file)
        raise ParameterError(must("format", f"None or one of {shown}", format))
    limit = options.get("limit", LIMIT)
    checked_options({"limit": limit}, LIMITED, "any")
    wanted = None if format is None else formats[format]
    reader_input, detected = _reader_input(
        source, wanted, lambda: open_source(source, limit, progress, whole=whole)
    )
    if wanted is not None and detected is not wanted:
        raise ParameterError(must("format", f"None or {detected.name!r} for this source", format))
    return (
        detected,
        reader_input,
        checked_options(options, detected.options, detected.name) | {"progress": progress},
    )


def _reader_input(
    source: Any, wanted: TableFormat | None, opening: Callable[[], OpenSource]
) -> tuple[Source, TableFormat]:
    """Return the input of the reader, and the format."""
    for each in by_priority():
        if each.takes is not None and each.takes(source):
            return str(source) if isinstance(source, Path) else source, each
    if not isinstance(source, str | Path | bytes) and not hasattr(source, "read"):
        raise ParameterError(must("source", "a path, a URL, bytes, a stream or a frame", source))
    reader_input = opening()
    if not reader_input.head(1):
        raise TableError.at(reader_input.name, "empty file", "cannot read a table: the file is empty")
    if wanted is None:
        return reader_input, format_of(reader_input)
    require_format(reader_input, wanted)
    return reader_input, wanted


def _cast(table: RawTable, types: Mapping[str, Any]) -> RawTable:
    frame = table.frame
    for name, dtype in types.items():
        if name not in frame.columns:
            raise TableError.at(
                table.source,
                "missing column",
                "cannot cast the column: the table does not have it",
                column=name,
            )
        cells = unnamed(frame[name])
        cast = cells.cast(dtype, strict=False)
        lost = cells.is_not_null() & cast.is_null()
        if lost.any():
            row = int(lost.arg_true()[0])
            line = None if table.line_of is None else table.line_of(row)
            sentence = f"row {table.first_row + row:,} must be of type {dtype}, got {cells[row]!r}"
            raise TableError.at(table.source, "changed type", sentence, line=line, column=name)
        frame = frame.with_columns(cast.rename(name))
    return replace(table, frame=frame)
