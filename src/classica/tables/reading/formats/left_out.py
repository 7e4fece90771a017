"""Skip records of delimited text, keeping track of the lines of the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classica.native import tables
from classica.native.tables import Bytes, TableFacts
from classica.tables.reading.formats.delimited_layout import Layout
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note
from classica.tables.reading.spool import spooled
from classica.wording import counted

_CHUNK = 2**20


@dataclass(frozen=True)
class LeftOut:
    """Where records were skipped: byte offsets in the remaining text, and lines skipped up to each."""

    offsets: NDArray[np.int64]
    lines: NDArray[np.int64]

    def line_at(self, text: Bytes, offset: int) -> int:
        """Return the line of the file for a byte of the remaining text."""
        before = int(np.searchsorted(self.offsets, offset, side="right"))
        return tables.line_at(text, offset) + (int(self.lines[before - 1]) if before else 0)


NOTHING = LeftOut(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


def without_odd_records(
    file: OpenSource, layout: Layout, facts: TableFacts, *, ragged: bool
) -> tuple[OpenSource, LeftOut]:
    """Return the text without rows of only delimiters and, on request, without ragged rows."""
    may_be_hollow = len(layout.names) > 1 and facts.records and facts.empties.min() > 0
    if not (may_be_hollow or facts.ragged.count):
        return file, NOTHING
    text = file.text
    odd = tables.odd_records(text, layout.body, layout.dialect, len(layout.names), ragged=ragged)
    if not len(odd):
        return file, NOTHING
    notes = (*file.notes, *_notes(odd, file))
    kept = spooled(_kept(text, odd), text.size, file.name)
    lengths = odd[:, 1] - odd[:, 0]
    lines = [tables.line_at(text[begin:end], end - begin) - 1 for begin, end, _ in odd.tolist()]
    offsets = odd[:, 0] - (np.cumsum(lengths) - lengths)
    left = replace(file, content=kept, path=None, notes=notes)
    return left, LeftOut(offsets, np.cumsum(lines))


def _kept(text: Bytes, records: NDArray[np.int64]) -> Iterator[bytes]:
    start = 0
    for begin, end, _ in [*records.tolist(), (text.size, text.size, 0)]:
        for offset in range(start, begin, _CHUNK):
            yield text[offset : min(offset + _CHUNK, begin)].tobytes()
        start = end


def _notes(records: NDArray[np.int64], file: OpenSource) -> Iterator[Note]:
    ragged = records[records[:, 2] == 1]
    if len(ragged):
        line = tables.line_at(file.text, int(ragged[0, 0]))
        what = f"{counted(len(ragged), 'row')} with a different number of cells skipped"
        yield Note("rows", f"{what} (the first in line {line:,})")
    if len(records) > len(ragged):
        yield Note("rows", f"{counted(len(records) - len(ragged), 'empty row')} skipped")
