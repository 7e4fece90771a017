"""JSON lines: one flat object in each line.

The standard library parses: faster readers silently lose duplicate keys, integers too large for a float
column, and unpaired surrogates.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import polars as pl

from classica.errors import TableError
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import Doubts, Note, RawTable
from classica.tables.reading.reader_options import ENCODED, LIMITED, Progress
from classica.tables.reading.table_format import TableFormat, TextHead
from classica.tables.reading.text_encoding import as_utf8, numbered_lines
from classica.tables.reading.values import column_of, tag_of, type_of

_SILENT = Progress()


def read(source: OpenSource, options: dict[str, Any]) -> RawTable:
    """Read a whole table."""
    return next(batches(source, options, None))


def batches(source: OpenSource, options: dict[str, Any], rows: int | None) -> Iterator[RawTable]:
    """Read a table in batches (None: all at once), with the types of the whole table."""
    file = as_utf8(source, options["encoding"], options["limit"])
    tags: dict[str, set[str]] = {}
    height = 0
    for line, record in _records(file, options["progress"]):
        height += 1
        _note_tags(tags, record, file.name, line)
        if height * len(tags) * 8 > options["limit"]:
            rule = f"at most {options['limit']:,} bytes of cells (the option limit)"
            sentence = f"the table must have {rule}, got {len(tags):,} columns"
            raise TableError.at(file.name, "too large", sentence, line=line)
    types = {name: type_of(seen) for name, seen in tags.items()}
    doubts: Doubts = {name: (doubt,) for name, (_, doubt) in types.items() if doubt is not None}
    notes = [*file.notes, Note("format", "JSON lines")]
    for records in _grouped(file, rows or max(height, 1)):
        columns = [
            column_of(name, [record.get(name) for record in records], dtype)
            for name, (dtype, _) in types.items()
        ]
        yield RawTable(pl.DataFrame(columns), file.name, "jsonl", notes, doubts=doubts)


def _grouped(file: OpenSource, rows: int) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    for _, record in _records(file):
        group.append(record)
        if len(group) == rows:
            yield group
            group = []
    if group:
        yield group


def _records(file: OpenSource, progress: Progress = _SILENT) -> Iterator[tuple[int, dict[str, Any]]]:
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_finite)
    for line, text in numbered_lines(file.text, progress=progress):
        if not text.strip():
            continue
        try:
            record = decoder.decode(text.decode())
        except (ValueError, RecursionError) as error:
            reason = "nesting without end" if isinstance(error, RecursionError) else str(error)
            sentence = f"a line must be one JSON object, got: {reason}"
            raise TableError.at(file.name, "invalid JSON", sentence, line=line) from None
        if not isinstance(record, dict):
            sentence = f"a line must be one JSON object, got {type(record).__name__}"
            raise TableError.at(file.name, "invalid JSON", sentence, line=line)
        yield line, record


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} twice")
    return record


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number) or (
        number == 0 and any(digit in "123456789" for digit in text.lower().partition("e")[0])
    ):
        raise ValueError(f"the number {text[:40]}, which is beyond the range of double precision")
    return number


def _note_tags(tags: dict[str, set[str]], record: dict[str, Any], source: str, line: int) -> None:
    for name, value in record.items():
        tag = tag_of(value)
        if tag is None:
            sentence = f"a cell must be a number, text, true, false or null, got {type(value).__name__}"
            raise TableError.at(source, "nested value", sentence, line=line, column=name)
        if not _is_text(name) or (tag == "text" and not _is_text(value)):
            sentence = "text must be Unicode, got half of a surrogate pair"
            raise TableError.at(source, "invalid text", sentence, line=line, column=ascii(name))
        tags.setdefault(name, set()).add(tag)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_json_lines(head: TextHead) -> bool:
    if head.first.startswith("{") and _is_object(head.first, whole=len(head.lines) > 1):
        return True
    if head.first.startswith(("[", "{")) and head.suffix == ".json":
        rule = "JSON lines, one object in each line"
        raise TableError.at(head.source, "wrong content", f"the content must be {rule}, got other JSON")
    return False


def _is_object(line: str, *, whole: bool) -> bool:
    if not whole:
        return line.lstrip("{ ").startswith(('"', "}"))
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


FORMAT = TableFormat(
    "jsonl",
    "JSON lines",
    read,
    batches,
    options={**ENCODED, **LIMITED},
    suffixes=(".jsonl", ".ndjson", ".json"),
    looks_like=_is_json_lines,
    priority=20,
)
