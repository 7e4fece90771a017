"""Convert text to UTF-8, and split it into lines."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import replace

from classica.errors import TableError
from classica.native import tables
from classica.native.tables import Bytes
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note
from classica.tables.reading.reader_options import Progress
from classica.tables.reading.spool import spooled
from classica.threads import threads_for

#: Byte order marks, the longer ones first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 2**20


def as_utf8(file: OpenSource, encoding: str | None, limit: int) -> OpenSource:
    """Return the source in UTF-8 without a byte order mark, with a note about its encoding."""
    head = file.head()
    mark, marked = next(((mark, name) for mark, name in _MARKS if head.startswith(mark)), (b"", None))
    wanted = codecs.lookup(encoding).name if encoding else None
    if mark and wanted in (None, marked, "utf-8-sig", "utf-16", "utf-32"):
        file = replace(file, content=file.text[len(mark) :], path=None)
        file = _with_note(file, f"a byte order mark of {marked}")
        wanted = marked
    wanted = wanted or _wide_without_mark(head)
    if wanted in (None, "utf-8", "utf-8-sig", "ascii"):
        return _checked(file, guess=wanted is None, limit=limit)
    if not mark:
        file = _with_note(file, f"encoding {wanted}")
    return _without_nul(_transcoded(file, str(wanted), limit))


def _with_note(file: OpenSource, text: str) -> OpenSource:
    return replace(file, notes=(*file.notes, Note("encoding", text)))


def _wide_without_mark(head: bytes) -> str | None:
    """Return the UTF-16 variant of a text in which every other byte is zero, as for ASCII characters."""
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.8 and even < 0.2:
        return "utf-16-le"
    return "utf-16-be" if even > 0.8 and odd < 0.2 else None


def _checked(file: OpenSource, *, guess: bool, limit: int) -> OpenSource:
    """Return the source if it is UTF-8; decode text without any multi-byte UTF-8 sequence as cp1252."""
    facts = tables.scan_bytes(file.text, threads_for(None))
    if facts.nul.count:
        raise _nul_error(file, facts.nul.place)
    if not facts.not_utf8.count:
        return file
    if guess and not facts.utf8.count:
        text = (
            "encoding cp1252, because the text is not valid utf-8 (set the option encoding for another one)"
        )
        return _transcoded(_with_note(file, text), "cp1252", limit)
    line = tables.line_at(file.text, facts.not_utf8.place)
    byte = int(file.text[facts.not_utf8.place])
    sentence = f"the text must be utf-8 (or the option encoding given), got the byte 0x{byte:02x}"
    raise TableError.at(file.name, "invalid utf-8", sentence, line=line)


def _without_nul(file: OpenSource) -> OpenSource:
    facts = tables.scan_bytes(file.text, threads_for(None))
    if facts.nul.count:
        raise _nul_error(file, facts.nul.place)
    return file


def _nul_error(file: OpenSource, offset: int) -> TableError:
    line = tables.line_at(file.text, offset)
    return TableError.at(file.name, "binary data", "the text must have no zero bytes, got one", line=line)


def _transcoded(file: OpenSource, encoding: str, limit: int) -> OpenSource:
    # UTF-8 is at most three times as long as any other encoding.
    text = spooled(_recoded(file.text, encoding, file.name), 3 * max(limit, file.text.size), file.name)
    return replace(file, content=text, path=None)


def _recoded(text: Bytes, encoding: str, name: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    line = 1
    for begin in range(0, text.size + 1, _CHUNK):
        chunk = text[begin : begin + _CHUNK].tobytes()
        try:
            piece = decoder.decode(chunk, final=begin + _CHUNK > text.size)
            recoded = piece.encode("utf-8")
        except UnicodeError as error:
            bad = (
                error.object[error.start : error.end].hex(" ")
                if isinstance(error, UnicodeDecodeError)
                else ""
            )
            before = chunk[: getattr(error, "start", 0)].decode(encoding, "replace")
            sentence = f"the text must be {encoding} (or the option encoding given), got the bytes {bad}"
            raise TableError.at(
                name, f"invalid {encoding}", sentence, line=line + before.count("\n")
            ) from None
        line += piece.count("\n")
        yield recoded


_SILENT = Progress()


def numbered_lines(text: Bytes, first: int = 1, progress: Progress = _SILENT) -> Iterator[tuple[int, bytes]]:
    """Yield each line, without its line break, and its number."""
    number = first
    rest: list[bytes] = []
    for begin in range(0, text.size, _CHUNK):
        progress(begin, text.size)
        *lines, last = text[begin : begin + _CHUNK].tobytes().split(b"\n")
        for line in lines:
            yield number, b"".join([*rest, line]).removesuffix(b"\r")
            number, rest = number + 1, []
        rest.append(last)
    if any(rest):
        yield number, b"".join(rest).removesuffix(b"\r")
