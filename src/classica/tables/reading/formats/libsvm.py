"""LIBSVM text: a label and pairs ``index:value`` in each line; other values are zero."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from classica.errors import TableError
from classica.tables.reading.column_types import TextKinds, cast_text
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Note, RawTable
from classica.tables.reading.reader_options import ENCODED, LIMITED, Progress
from classica.tables.reading.table_format import TableFormat, TextHead
from classica.tables.reading.text_encoding import as_utf8, numbered_lines

_EXACT = 2**53
#: Rows whose types are inferred together.
_GROUP = 10_000
_SILENT = Progress()


@dataclass
class _Rows:
    """A batch of rows: labels, query ids, and explicit cells."""

    labels: list[str] = field(default_factory=list)
    queries: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    indices: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


@dataclass
class _Shape:
    """The combined properties of all rows."""

    height: int = 0
    first: int = 1
    widest: int = 0
    plus: bool = False
    labels: TextKinds = field(default_factory=TextKinds)
    queries: TextKinds = field(default_factory=TextKinds)

    def add(self, rows: _Rows) -> None:
        """Add more rows."""
        self.height += len(rows.labels)
        plain = [_without_plus(label) for label in rows.labels]
        self.plus = self.plus or plain != rows.labels
        self.labels.add(plain)
        if rows.queries:
            self.queries.add(rows.queries)
        if rows.indices:
            self.first = min(self.first, *rows.indices)
            self.widest = max(self.widest, *rows.indices)


def read(source: OpenSource, options: dict[str, Any]) -> RawTable:
    """Read a whole table: the column "class", "qid" if there is one, and "x1", "x2", … by index."""
    return next(batches(source, options, None))


def batches(source: OpenSource, options: dict[str, Any], rows: int | None) -> Iterator[RawTable]:
    """Read a table in batches (None: all at once), with the columns and types of the whole table."""
    file = as_utf8(source, options["encoding"], options["limit"])
    shape = _Shape()
    for group in _groups(file, _GROUP, options["progress"]):
        shape.add(group)
        _require_size(min(shape.height, rows or shape.height), shape, options["limit"], file.name)
    if not shape.height:
        raise TableError.at(file.name, "empty file", "cannot read a table: the file has no rows")
    notes = [*file.notes, Note("format", "LIBSVM format: features that are not listed are zero")]
    if shape.plus:
        notes.append(Note("labels", "labels such as +1 are read as 1"))
    for group in _groups(file, rows or shape.height):
        yield RawTable(_frame(group, shape), file.name, "libsvm", notes)


def _groups(file: OpenSource, rows: int, progress: Progress = _SILENT) -> Iterator[_Rows]:
    group = _Rows()
    queries = None
    for line, text in numbered_lines(file.text, progress=progress):
        tokens = text.partition(b"#")[0].decode().split()
        if not tokens:
            continue
        has_query = _add(group, tokens, file.name, line)
        if queries not in (None, has_query):
            sentence = "all lines or none must have a qid, got some"
            raise TableError.at(file.name, "ragged row", sentence, line=line)
        queries = has_query
        if len(group.labels) == rows:
            yield group
            group = _Rows()
    if group.labels:
        yield group


def _add(rows: _Rows, tokens: list[str], source: str, line: int) -> bool:
    """Parse a line; return whether it has a query id."""
    label, *pairs = tokens
    if ":" in label:
        raise TableError.at(source, "no label", f"a line must start with a label, got {label!r}", line=line)
    has_query = bool(pairs) and pairs[0].startswith("qid:")
    if has_query:
        rows.queries.append(pairs.pop(0).removeprefix("qid:"))
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
    return has_query


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
        sentence = f"a value must be a number within the range of double precision, got {value[:40]!r}"
        raise TableError.at(source, "invalid number", sentence, line=line, column=f"x{int(index)}")
    return int(index), number


def _require_size(height: int, shape: _Shape, limit: int, source: str) -> None:
    if height * shape.widest * 8 > limit:
        sentence = f"the table must have at most {limit:,} bytes of cells (the option limit)"
        got = f"{height:,} rows of {shape.widest:,} columns"
        raise TableError.at(source, "too large", f"{sentence}, got {got}")


def _without_plus(label: str) -> str:
    return label.removeprefix("+") if label[1:2].isdigit() else label


def _frame(rows: _Rows, shape: _Shape) -> pl.DataFrame:
    columns = [cast_text("class", [_without_plus(label) for label in rows.labels], shape.labels.dtype)]
    if rows.queries:
        columns.append(cast_text("qid", rows.queries, shape.queries.dtype))
    width = shape.widest - shape.first + 1 if shape.widest or shape.first == 0 else 0
    cells = np.zeros((len(rows.labels), width), order="F")
    indices = np.repeat(np.arange(len(rows.labels)), rows.counts)
    cells[indices, np.array(rows.indices, dtype=np.int64) - shape.first] = rows.values
    numbers = [pl.Series(f"x{shape.first + index}", cells[:, index]) for index in range(width)]
    return pl.DataFrame(columns + numbers)


def _is_libsvm(head: TextHead) -> bool:
    label, *pairs = head.first.partition("#")[0].split() or [""]
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


FORMAT = TableFormat(
    "libsvm",
    "LIBSVM",
    read,
    batches,
    options={**ENCODED, **LIMITED},
    suffixes=(".libsvm", ".svm", ".svmlight"),
    looks_like=_is_libsvm,
    priority=30,
)
