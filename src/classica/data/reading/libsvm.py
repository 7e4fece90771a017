"""LIBSVM text: a label and pairs ``index:value`` in each line; what is not written is zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from classica.data.reading.encoding import as_utf8
from classica.data.reading.lines import numbered_lines
from classica.data.reading.note import Note
from classica.data.reading.opened import Opened
from classica.data.reading.raw_table import RawTable
from classica.data.reading.slices import slices
from classica.data.reading.typed_text import typed_column
from classica.errors import TableError

OPTIONS = ("encoding", "limit")
_EXACT = 2**53


@dataclass
class _Rows:
    """What was read so far: sparse rows, labels, query numbers."""

    labels: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


def read(source: Opened, options: dict[str, Any]) -> RawTable:
    """Read a whole table: the column "class", "qid" if there is one, and "x1", "x2", … by index."""
    opened = as_utf8(source, options["encoding"], options["limit"])
    rows = _Rows()
    widest = 0
    for line, text in numbered_lines(opened.text):
        tokens = text.partition(b"#")[0].decode().split()
        if tokens:
            _add(rows, tokens, opened.name, line)
            widest = max(widest, rows.indices[-1] if rows.counts[-1] else 0)
            _require_size(len(rows.labels), widest, options["limit"], opened.name, line)
    if not rows.labels:
        raise TableError.at(opened.name, "empty file", "the file must have a row, got none")
    labels, notes = _labels(rows.labels)
    columns = [typed_column("class", labels)]
    if rows.queries:
        columns.append(typed_column("qid", rows.queries))
    first = min(1, *rows.indices) if rows.indices else 1
    frame = pl.DataFrame(columns).hstack(_dense(rows, first, widest))
    notes = [*opened.notes, Note("format", "LIBSVM text: what is not written is zero"), *notes]
    return RawTable(frame, opened.name, "libsvm", notes)


def batches(source: Opened, options: dict[str, Any], rows: int) -> Iterator[RawTable]:
    """Read a table, and give some rows at a time."""
    yield from slices(read(source, options), rows)


def _add(rows: _Rows, tokens: list[str], source: str, line: int) -> None:
    label, *pairs = tokens
    if ":" in label:
        raise TableError.at(source, "no label", f"a line must start with a label, got {label!r}", line=line)
    if pairs and pairs[0].startswith("qid:"):
        rows.queries.append(pairs.pop(0).removeprefix("qid:"))
    if len(rows.queries) not in (0, len(rows.labels) + 1):
        raise TableError.at(source, "ragged row", "all lines or none must have a qid, got some", line=line)
    last = -1
    for pair in pairs:
        index, value = _pair(pair, source, line)
        if index <= last:
            sentence = f"indices must ascend, got {index} after {last}"
            raise TableError.at(source, "index order", sentence, line=line, column=f"x{index}")
        rows.indices.append(index)
        rows.values.append(value)
        last = index
    rows.labels.append(label)
    rows.counts.append(len(pairs))


def _pair(pair: str, source: str, line: int) -> tuple[int, float]:
    index, colon, value = pair.partition(":")
    if not (colon and index.isascii() and index.isdigit() and len(index) < 16):
        sentence = f"a line must be a label and pairs index:value, got {pair[:40]!r}"
        raise TableError.at(source, "invalid pair", sentence, line=line)
    try:
        number = float(value)
    except ValueError:
        number = float("nan") if value == "" else None  # type: ignore[assignment]
    whole = value.lstrip("+-").isdigit()
    if number is None or value == "" or "_" in value or (whole and abs(int(value[:400])) > _EXACT):
        sentence = f"a value must be a number that a double can stand for, got {value[:40]!r}"
        raise TableError.at(source, "invalid number", sentence, line=line, column=f"x{int(index)}")
    return int(index), number


def _require_size(height: int, width: int, limit: int, source: str, line: int) -> None:
    if height * width * 8 > limit:
        sentence = f"the table must have at most {limit:,} bytes of cells (the option limit)"
        got = f"{height:,} rows of {width:,} columns"
        raise TableError.at(source, "too large", f"{sentence}, got {got}", line=line)


def _labels(labels: list[str]) -> tuple[list[str], list[Note]]:
    plain = [label.removeprefix("+") if label[1:2].isdigit() else label for label in labels]
    return plain, [Note("labels", "labels such as +1 are read as 1")] if plain != labels else []


def _dense(rows: _Rows, first: int, widest: int) -> pl.DataFrame:
    width = widest - first + 1 if rows.indices else 0
    cells = np.zeros((len(rows.labels), width), order="F")
    places = np.repeat(np.arange(len(rows.labels)), rows.counts)
    cells[places, np.array(rows.indices, dtype=np.int64) - first] = rows.values
    return pl.DataFrame([pl.Series(f"x{first + place}", cells[:, place]) for place in range(width)])
