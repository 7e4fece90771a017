"""Delimited text: what is in it, before somebody parses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import classica._core as _core

#: A text as bytes; from a file it is memory-mapped.
Bytes = NDArray[np.uint8]

#: What a cell may look like; the index in this list is the bit.
CELL_KINDS: tuple[str, ...] = _core.CELL_KINDS


def kind_bits(*names: str) -> int:
    """Return the bits of some kinds of cells."""
    return sum(1 << CELL_KINDS.index(name) for name in names)


class Dialect(NamedTuple):
    """How cells are divided: the delimiter, and the quote (the delimiter again where nothing is quoted)."""

    delimiter: str
    quote: str

    @property
    def codes(self) -> tuple[int, int]:
        """The two characters as numbers."""
        return ord(self.delimiter), ord(self.quote)


@dataclass(frozen=True)
class Sighting:
    """Where something was first seen (a byte, -1 for nowhere), how often, and a number that says more."""

    place: int
    count: int
    detail: int


@dataclass(frozen=True)
class TableFacts:
    """What a scan found; see ``native/include/classica/tables.hpp``."""

    records: int
    ragged: Sighting
    blank_lines: Sighting
    open_quote: Sighting
    after_quote: Sighting
    inner_quotes: Sighting
    carriage_returns: Sighting
    #: Per column: the kinds of its cells as bits, empty cells, cells that are no numbers, the first of them.
    kinds: NDArray[np.uint32]
    empties: NDArray[np.int64]
    texts: NDArray[np.int64]
    first_text: NDArray[np.int64]


#: What the core tells behind the number of records, in its order.
_SEEN = ("ragged", "blank_lines", "open_quote", "after_quote", "inner_quotes", "carriage_returns")


class ByteFacts(NamedTuple):
    """Zero bytes, bytes that are not UTF-8, and well-formed sequences of several bytes."""

    nul: Sighting
    not_utf8: Sighting
    utf8: Sighting


def scan_bytes(text: Bytes, threads: int) -> ByteFacts:
    """Return what bytes a text has."""
    return ByteFacts(*(Sighting(*what) for what in _core.scan_bytes(text, threads)))


def scan_table(text: Bytes, begin: int, dialect: Dialect, columns: int, threads: int) -> TableFacts:
    """Return what is known of the records of ``text[begin:]``."""
    kinds = np.zeros(columns, dtype=np.uint32)
    empties, texts = (np.zeros(columns, dtype=np.int64) for _ in range(2))
    first_text = np.full(columns, -1, dtype=np.int64)
    counts = _core.scan_table(text, begin, *dialect.codes, kinds, empties, texts, first_text, threads)
    seen: dict[str, Any] = {name: Sighting(*what) for name, what in zip(_SEEN, counts[1:], strict=True)}
    return TableFacts(
        records=counts[0], **seen, kinds=kinds, empties=empties, texts=texts, first_text=first_text
    )


def skip_records(
    text: Bytes, begin: int, dialect: Dialect, count: int, *, keep_blank: bool
) -> tuple[int, int, int]:
    """Go over some records: return where the next one starts, how many there were, the cells of the last."""
    offset, records, cells = _core.skip_records(text, begin, *dialect.codes, count, keep_blank)
    return int(offset), int(records), int(cells)


def clean_records(text: Bytes, dialect: Dialect, *, keep_blank: bool) -> bytes:
    """Return the same records with plain line ends and quotes around every cell that has some inside."""
    cleaned: bytes = _core.clean_records(text, *dialect.codes, keep_blank)
    return cleaned


def odd_records(
    text: Bytes, begin: int, dialect: Dialect, columns: int, *, ragged: bool
) -> NDArray[np.int64]:
    """Return records of ``text[begin:]`` to leave out: where each starts and ends, and whether it has a cell.

    Those of several cells that are all empty, and with ``ragged`` those of another number of cells.
    """
    records = _core.odd_records(text, begin, *dialect.codes, columns, ragged)
    return np.frombuffer(records, dtype=np.int64).reshape(-1, 3)


def line_at(text: Bytes, offset: int) -> int:
    """Return the line, from 1, that a byte is in."""
    return int(_core.line_at(text, offset))
