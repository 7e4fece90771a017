"""Which format a source has: by its content first, by its extension second."""

from __future__ import annotations

import json

from classica.errors import TableError
from classica.tables.reading.open_source import Opened

#: Extension → format.
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".libsvm": "libsvm",
    ".svm": "libsvm",
    ".svmlight": "libsvm",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".sqlite": "sql",
    ".sqlite3": "sql",
    ".db": "sql",
}

#: How files of formats with a mark begin.
_MARKED = (
    (b"PAR1", "parquet"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "excel"),
    (b"SQLite format 3\0", "sql"),
)

#: Schemes of addresses at which there are files, not databases.
_ELSEWHERE = ("http", "https", "ftp", "ftps", "sftp", "s3", "gs", "gcs", "az", "abfs", "abfss", "hdfs", "hf")

#: How files begin that are no tables we read, and what they are.
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


def format_of(opened: Opened) -> str:
    """Return the format of a source; raise `TableError` that names what it is if that is no table."""
    head = opened.head()
    named = SUFFIXES.get(opened.suffix)
    found = _marked_format(head) or _foreign_or_text(opened, head)
    if found is not None:
        return found
    if named not in (None, "csv"):
        rule = f"{named}, as its extension {opened.suffix} says (or the option format given)"
        raise TableError.at(opened.name, "wrong content", f"the content must be {rule}, got plain text")
    return "csv"


def require_database(address: str) -> None:
    """Raise `TableError` for an address that leads to a file somewhere else, not to a database."""
    scheme = address.partition("://")[0].lower()
    if scheme in _ELSEWHERE:
        sentence = "a table must be a file here or a database, got an address elsewhere; download it first"
        raise TableError.at(address[:100], "no file", sentence)
    if scheme == "file":
        sentence = "a file must be named by its path alone, got an address; leave out file://"
        raise TableError.at(address[:100], "no file", sentence)


def require_format(opened: Opened, format: str) -> None:
    """Raise `TableError` unless the content may be of the format that was asked for."""
    head = opened.head()
    marked = _marked_format(head)
    has_mark = format in ("parquet", "excel", "sql")
    if marked == format or (marked is None and not has_mark and _foreign(head) is None):
        return
    shown = marked or _foreign(head) or "something else"
    raise TableError.at(opened.name, "wrong content", f"the content must be {format}, got {shown}")


def _marked_format(head: bytes) -> str | None:
    for mark, format in _MARKED:
        if head.startswith(mark):
            return format
    # Workbooks are archives; their first entries say so.
    office = (b"[Content_Types].xml", b"xl/", b"_rels/", b"docProps/")
    is_book = head.startswith(b"PK\x03\x04") and any(word in head for word in office)
    return "excel" if is_book else None


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


def _foreign_or_text(opened: Opened, head: bytes) -> str | None:
    """Return the format of text that shows it, or None for text that may be anything."""
    foreign = _foreign(head)
    if foreign is not None:
        rule = "a table (CSV, ARFF, JSON lines, LIBSVM, Parquet, Excel or SQLite)"
        raise TableError.at(opened.name, "foreign content", f"the content must be {rule}, got {foreign}")
    text = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines()]
    told = next((line for line in lines if line and not line.startswith("%")), "")
    # Some headers begin with pages of comments: no other format has those.
    if told.lower().startswith(("@relation", "@attribute")) or (not told and any(lines)):
        return "arff"
    first = next((line for line in lines if line), "")
    if first.startswith("{") and _is_json_object(first, whole=len(lines) > 1):
        return "jsonl"
    if first.startswith(("[", "{")) and opened.suffix == ".json":
        rule = "JSON lines, one object in each line"
        raise TableError.at(opened.name, "wrong content", f"the content must be {rule}, got other JSON")
    return "libsvm" if _is_libsvm(first) else None


def _is_json_object(line: str, *, whole: bool) -> bool:
    if not whole:
        return line.lstrip("{ ").startswith(('"', "}"))
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_libsvm(line: str) -> bool:
    label, *pairs = line.partition("#")[0].split() or [""]
    if not pairs or ":" in label:
        return False
    halves = [pair.partition(":") for pair in pairs]
    return all(
        index.isascii() and index.isdigit() and _is_number(value) for index, _, value in halves[:-1]
    ) and (halves[-1][0].isdigit() and halves[-1][1] == ":")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
