"""The lines of a text that need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator

from classica.native.tables import Bytes
from classica.tables.reading.reading_progress import Progress

_CHUNK = 2**20
_SILENT = Progress()


def numbered_lines(text: Bytes, first: int = 1, progress: Progress = _SILENT) -> Iterator[tuple[int, bytes]]:
    """Yield each line without its end, and its number."""
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
