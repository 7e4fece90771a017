"""Excel workbooks (.xlsx, .xlsm, .xls): one sheet."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import polars as pl

from classica.errors import ParameterError, TableError, must
from classica.params import Integer, Nothing
from classica.tables.reading.column_names import column_names
from classica.tables.reading.file_copy import unreadable
from classica.tables.reading.formats.workbook import require_small, sheet_size
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note, RawTable, slices
from classica.tables.reading.reader_options import HEADED, LIMITED, ReaderOption, Text
from classica.tables.reading.table_format import TableFormat

# Empty columns are typed by our rules, so the library's warning about them is suppressed.
logging.getLogger("fastexcel").addHandler(logging.NullHandler())


def read(source: OpenSource, options: dict[str, Any]) -> RawTable:
    """Read a sheet."""
    is_archive = source.head(2) == b"PK"
    if is_archive:
        require_small(source, options["limit"])
    fastexcel = _library()
    with unreadable(source.name, "Excel", fastexcel.FastExcelError):
        book = fastexcel.read_excel(str(source.path) if source.path is not None else source.text.tobytes())
    sheet, notes = _sheet(book.sheet_names, options["sheet"], source.name)
    if is_archive:
        errors = sheet_size(source, sheet, options["limit"]).errors
        if errors:
            notes.append(
                Note("errors", f"cells with errors such as #N/A are read as missing values: {errors:,}")
            )
    with unreadable(source.name, "Excel", fastexcel.FastExcelError):
        top = book.load_sheet(sheet, header_row=None, n_rows=1, schema_sample_rows=None)
        height, first = top.total_height, top.to_polars()
        if first.width == 0 or height == 0:
            raise TableError.at(source.name, "empty sheet", f"the sheet {sheet!r} must have cells, got none")
        has_header, names, name_notes = _names(first, options["header"])
        frame = book.load_sheet(
            sheet,
            header_row=None,
            skip_rows=int(has_header),
            column_names=names,
            schema_sample_rows=None,
        ).to_polars()
    if frame.height != height - has_header:
        sentence = f"all {height - has_header} rows must be read, got {frame.height}"
        raise TableError.at(source.name, "rows lost", sentence)
    return RawTable(frame, f"{source.name}, sheet {sheet!r}", "excel", [*source.notes, *notes, *name_notes])


def batches(source: OpenSource, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read a sheet in batches."""
    yield from slices(read(source, options), rows)


def _library() -> Any:
    try:
        import fastexcel
    except ImportError:
        rule = "another format, or fastexcel installed (pip install fastexcel)"
        raise ParameterError(must("source", rule, "an Excel workbook")) from None
    return fastexcel


def _sheet(names: list[str], wanted: str | int | None, source: str) -> tuple[str, list[Note]]:
    shown = ", ".join(repr(name) for name in names[:10]) or "none"
    if not names:
        raise TableError.at(source, "empty workbook", "the workbook must have a sheet, got none")
    if wanted is None:
        note = Note("sheet", f"the sheet {names[0]!r}, the first of {shown}")
        return names[0], [note] if len(names) > 1 else []
    if wanted in names:
        return str(wanted), []
    # On the command line, a sheet number is text.
    number = int(wanted) if isinstance(wanted, int) or (wanted.isascii() and wanted.isdigit()) else 0
    if 1 <= number <= len(names):
        return names[number - 1], []
    raise TableError.at(source, "no such sheet", f"the sheet must be one of {shown}, got {wanted!r}")


def _names(first: pl.DataFrame, wanted: bool | None) -> tuple[bool, list[str], tuple[Note, ...]]:
    """Return whether the first row is a header, and the column names."""
    has_header = all(dtype in (pl.String, pl.Null) for dtype in first.dtypes) if wanted is None else wanted
    if not has_header:
        names = [f"column_{index + 1}" for index in range(first.width)]
        return False, names, (Note("header", f"no header: columns are named {names[0]} to {names[-1]}"),)
    cells = [None if cell is None else str(cell) for cell in first.row(0)]
    names, notes = column_names(cells)
    return True, names, (Note("header", "column names in the first row"), *notes)


def _is_workbook(head: bytes) -> bool:
    # Workbooks are ZIP archives with typical first entries.
    office = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/")
    is_archive = head.startswith(b"PK\x03\x04") and any(word in head for word in office)
    return is_archive or head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


FORMAT = TableFormat(
    "excel",
    "Excel",
    read,
    batches,
    options={
        "sheet": ReaderOption(
            Text() | Integer(at_least=1) | Nothing(),
            None,
            "Sheet of a workbook: its name, or its number from 1.",
        ),
        **HEADED,
        **LIMITED,
    },
    suffixes=(".xlsx", ".xlsm", ".xls"),
    mark=_is_workbook,
)
