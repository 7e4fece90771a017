"""``journal.jsonl``: the events of a run, one line with a checksum per record.

A line is ``{"crc":"0123abcd","record":{"number":0,...}}``: the checksum (CRC-32, which detects every change
of up to 32 adjacent bits) is that of the text of the record, and records are numbered, so that missing lines
are detected, too. Each line is synced before the next is written, so only the last can be torn; a torn line
never counted and is truncated. Any other mismatch is damage and rejected.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any

from classica.children.messages import encode
from classica.errors import RunError
from classica.whole_file import whole_file

NAME = "journal.jsonl"
Record = dict[str, Any]
_HEAD = b'{"crc":"'
_LINE = re.compile(rb'\{"crc":"([0-9a-f]{8})","record":(.*)\}', re.DOTALL)


class Journal:
    """The journal of a run, open for writing; the caller holds the lock of the folder.

    Parameters
    ----------
    folder : Path
        The folder of the run.
    start : dict
        The first record of a new journal, which is created atomically with it.

    Attributes
    ----------
    records : list of dict
        The records at the time of opening.
    """

    def __init__(self, folder: Path, start: Record) -> None:
        self._path = folder / NAME
        if not read_journal(folder):
            with whole_file(self._path, RunError) as file:
                file.write(write_line({"number": 0, **start}))
        try:
            self.records, self._size = parse(self._path.read_bytes(), self._path)
            self._handle = os.open(self._path, os.O_RDWR | os.O_CLOEXEC)
            os.ftruncate(self._handle, self._size)
        except OSError as error:
            raise RunError(f"Cannot write the journal {self._path}: {error.strerror}.") from error
        self._number = len(self.records)

    def append(self, record: Record) -> None:
        """Append a record; it is synced when this returns, and not in the file if this raises."""
        line = write_line({"number": self._number, **record})
        try:
            _write_at(self._handle, line, self._size)
            os.fsync(self._handle)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self._size)
            if isinstance(error, OSError):
                raise RunError(f"Cannot write the journal {self._path}: {error.strerror}.") from error
            raise
        self._size += len(line)
        self._number += 1

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_journal(folder: Path) -> list[Record]:
    """Return the records of a journal, read-only; a run may be writing to it."""
    path = folder / NAME
    return parse(path.read_bytes(), path)[0] if path.exists() else []


def write_line(record: Record) -> bytes:
    """Return a record as a line."""
    text = encode(record)
    return b'%s%08x","record":%s}\n' % (_HEAD, zlib.crc32(text), text)


def parse(data: bytes, path: Path) -> tuple[list[Record], int]:
    """Return the records of a journal and their size in bytes; the rest is a torn line."""
    records: list[Record] = []
    good = 0
    while good < len(data):
        end = data.find(b"\n", good)
        record = None if end < 0 else _read_line(data[good:end])
        if record is None and _is_torn(data[good:]):
            break
        if record is None or record.get("number") != len(records):
            raise RunError(f"Cannot read the journal {path}: line {len(records) + 1} is damaged.")
        records.append(record)
        good = end + 1
    return records, good


def _read_line(line: bytes) -> Record | None:
    match = _LINE.fullmatch(line)
    if match is None or zlib.crc32(match[2]) != int(match[1], 16):
        return None
    try:
        record = json.loads(match[2])
    except (ValueError, RecursionError):  # anyone who modifies a line can recompute its checksum
        return None
    return record if isinstance(record, dict) else None


def _is_torn(rest: bytes) -> bool:
    # The last line, without a complete line in it: an overwritten line end would join two.
    line, _, more = rest.partition(b"\n")
    starts = (match.start() for match in re.finditer(re.escape(_HEAD), line))
    return not more and all(_read_line(line[start:]) is None for start in starts if start)


def _write_at(handle: int, data: bytes, offset: int) -> None:
    while data:
        written = os.pwrite(handle, data, offset)
        data, offset = data[written:], offset + written
