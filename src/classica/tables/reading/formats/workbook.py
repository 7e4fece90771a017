"""Check the size of a workbook before reading it, and count its error cells.

Readers allocate all cells up to the last one, so a single cell in the last corner of an otherwise empty sheet
would take hundreds of gigabytes.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from xml.etree import ElementTree
from xml.parsers import expat

from classica.errors import TableError
from classica.tables.reading.open_source import OpenSource

_CHUNK = 2**20
#: Matches a cell or row and its reference; bounded, so that no text takes long.
_PLACED = re.compile(
    rb"""<(?:\w{1,9}:)?(?:c|row)\s(?:[^<>]{0,999}?\s)?r\s{0,9}=\s{0,9}(["'][^<>]{0,20}?["']|)"""
)
_REFERENCE = re.compile(rb"""["']([A-Za-z]{0,3})([0-9]{1,7})["']""")
#: The last row and column of a sheet.
_ROWS, _COLUMNS = 2**20, 2**14
_LONGEST = 1100
#: Memory that a reader needs per cell.
_CELL_BYTES = 32
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass(frozen=True)
class SheetSize:
    """The number of cells of a sheet, and of those with errors such as #N/A."""

    cells: int
    errors: int


_FAULTS = (
    zipfile.BadZipFile,
    ElementTree.ParseError,
    expat.ExpatError,
    zlib.error,
    KeyError,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


def require_small(workbook: OpenSource, limit: int) -> None:
    """Raise `TableError` for a workbook that is not an archive or is too large when unpacked."""
    with _archive(workbook) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > limit:
            raise _too_large(workbook, limit, f"{unpacked:,} bytes")


def sheet_size(workbook: OpenSource, sheet: str, limit: int) -> SheetSize:
    """Return the size of a sheet; raise `TableError` if it is damaged or too large."""
    with _archive(workbook) as archive:
        size = _measured(archive, _member(archive, sheet))
    if size.cells * _CELL_BYTES > limit:
        raise _too_large(workbook, limit, f"{size.cells:,} cells")
    return size


@contextmanager
def _archive(workbook: OpenSource) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(workbook.path or BytesIO(workbook.text.tobytes())) as archive:
            yield archive
    except _FAULTS as error:
        sentence = f"cannot read the workbook: {' '.join(str(error).split())[:200]}"
        raise TableError.at(workbook.name, "damaged file", sentence) from None


def _too_large(workbook: OpenSource, limit: int, got: str) -> TableError:
    rule = f"at most {limit:,} bytes after decompression (the option limit)"
    return TableError.at(workbook.name, "too large", f"the workbook must have {rule}, got {got}")


def _member(archive: zipfile.ZipFile, sheet: str) -> str:
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {item.get("Id"): str(item.get("Target")) for item in relations}
    for item in book.iter():
        if item.tag.endswith("}sheet") and item.get("name") == sheet:
            target = targets.get(item.get(_RELATION), "")
            return target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    raise KeyError(f"no sheet {sheet!r}")


def _measured(archive: zipfile.ZipFile, member: str) -> SheetSize:
    rows, errors = 1, 0
    seen: dict[bytes, None] = {}
    before = b""
    parser = expat.ParserCreate()  # the reader silently reads part of a sheet that is not XML
    with archive.open(member) as file:
        while chunk := file.read(_CHUNK):
            parser.Parse(chunk)
            text = before + chunk
            for reference in set(_PLACED.findall(text)):
                letters, row = _reference(reference)
                rows = max(rows, row)
                seen[letters] = None
            errors += text.count(b' t="e"') - before.count(b' t="e"')
            before = text[-_LONGEST:]
    parser.Parse(b"", True)
    columns = max((_number(letters) for letters in seen), default=1)
    if columns > _COLUMNS:
        raise ValueError(f"a cell in column {columns:,}, where a sheet has {_COLUMNS:,}")
    return SheetSize(rows * max(columns, 1), errors)


def _reference(reference: bytes) -> tuple[bytes, int]:
    """Split a cell reference into column letters and row; raise for anything else."""
    match = _REFERENCE.fullmatch(reference)
    if match is None or not 1 <= int(match[2]) <= _ROWS:
        raise ValueError(f"the reference {reference.decode(errors='replace')} of a cell")
    return match[1].upper(), int(match[2])


def _number(letters: bytes) -> int:
    """Return the number of a column: A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number
