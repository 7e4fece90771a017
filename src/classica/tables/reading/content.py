"""Detect the format of a source, by its content first and its extension second."""

from __future__ import annotations

from classica.errors import TableError
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.table_format import ANY_TEXT, TableFormat, TextHead, by_priority, table_formats

#: The first bytes of files that are not supported, and their kind.
_FOREIGN = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x89HDF\r\n", "an HDF5 file"),
    (b"ARROW1", "an Arrow file"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"RDX2\n", "an R workspace"),
    (b"RDX3\n", "an R workspace"),
    (b"$FL2", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"{\\rtf", "an RTF document"),
    (b"\x1f\x8b", "gzip data inside gzip data"),
)
_MARKUP = ((b"<!doctype html", "an HTML page"), (b"<html", "an HTML page"), (b"<?xml", "an XML document"))


def format_of(file: OpenSource) -> TableFormat:
    """Return the format of a source; raise `TableError` if it is not a supported table."""
    head = file.head()
    return _marked(head) or _text_format(file, head)


def require_format(file: OpenSource, wanted: TableFormat) -> None:
    """Raise `TableError` if the content contradicts the requested format."""
    head = file.head()
    marked = _marked(head)
    if marked is wanted or (marked is None and wanted.mark is None and _foreign(head) is None):
        return
    shown = marked.name if marked is not None else _foreign(head) or "something else"
    raise TableError.at(file.name, "wrong content", f"the content must be {wanted.name}, got {shown}")


def _marked(head: bytes) -> TableFormat | None:
    return next((each for each in by_priority() if each.mark is not None and each.mark(head)), None)


def _foreign(head: bytes) -> str | None:
    for mark, what in _FOREIGN:
        if head.startswith(mark):
            return what
    if head.startswith(b"PK\x03\x04"):
        sheet = b"opendocument.spreadsheet" in head
        return "an OpenDocument spreadsheet" if sheet else "a zip archive"
    if head[257:262] == b"ustar":
        return "a tar archive"
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05" and head[1:2]:
        return "a Python pickle"
    start = head.lstrip().lower()
    return next((what for mark, what in _MARKUP if start.startswith(mark)), None)


def _text_format(file: OpenSource, head: bytes) -> TableFormat:
    """Return the format of a text: the first that recognises it, or the one that accepts any text."""
    foreign = _foreign(head)
    if foreign is not None:
        *others, last = [each.title for each in table_formats().values() if each.is_file]
        formats = f"{', '.join(others)} or {last}"
        raise TableError.at(
            file.name, "foreign content", f"the content must be a table ({formats}), got {foreign}"
        )
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    start = TextHead(file.name, file.suffix, [line.strip() for line in text.splitlines()])
    format = next(each for each in by_priority() if each.looks_like is not None and each.looks_like(start))
    named = next((each for each in by_priority() if file.suffix in each.suffixes), format)
    if format.priority == ANY_TEXT and named is not format:
        rule = f"{named.name}, as its extension {file.suffix} suggests (or set the option format)"
        raise TableError.at(file.name, "wrong content", f"the content must be {rule}, got plain text")
    return format
