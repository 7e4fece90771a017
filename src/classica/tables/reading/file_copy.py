"""A file as it was at one moment, and errors for files that cannot be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import polars as pl

from classica.errors import TableError
from classica.native.tables import Bytes
from classica.tables.reading.spool import as_bytes, spooled

_CHUNK = 2**20
#: A whole table needs about as much memory as its file: up to here the file may have it, too. Half a
#: gigabyte of CSV takes about a second longer by a temporary file, and 0.9 GB instead of 1.4 GB.
_WHOLE = 2**28
#: Of a table that is read some rows at a time, no more than this stays in memory.
_PART = 2**22

#: What is no regular file, and what it is.
_SPECIAL = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def require_file(path: Path) -> None:
    """Raise `TableError` for what cannot be read as a file; a pipe would be waited for without end."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise no_file(path, error) from None
    special = next((what for is_that, what in _SPECIAL if is_that(mode)), None)
    if special is not None:
        sentence = (
            f"the table must be a regular file, got {special}; pass it on standard input with the source '-'"
        )
        raise TableError.at(str(path), "no file", sentence)


def first_bytes(path: Path, size: int) -> bytes:
    """Return how a file begins."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise no_file(path, error) from None


def copied(path: Path, *, whole: bool) -> Bytes:
    """Return the content of a file, read once; raise `TableError` if it changed meanwhile.

    Parameters
    ----------
    path : Path
        The file.
    whole : bool
        Whether the whole table is wanted at once; otherwise a longer file is copied to a temporary one.
    """
    most = _WHOLE if whole else _PART
    try:
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            text = (
                as_bytes(file.read())
                if before.st_size <= most
                else spooled(_chunks(file), 2**63, str(path), most)
            )
            after = os.stat(path)
    except OSError as error:
        raise no_file(path, error) from None
    if (before.st_size, before.st_mtime_ns) != (
        after.st_size,
        after.st_mtime_ns,
    ) or text.size != before.st_size:
        sentence = "the file changed while it was read; try again"
        raise TableError.at(str(path), "changed file", sentence)
    return text


def _state(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns


def no_file(path: Path, error: Exception) -> TableError:
    """Return the error about a path that leads to no file."""
    reason = ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
    shown = str(path) if len(str(path)) <= 100 else f"{str(path)[:97]}..."
    return TableError.at(shown.replace("\0", "\\0"), "no file", f"cannot read the file: {reason}")


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


_FAULTS = (pl.exceptions.PolarsError, OSError, ValueError, OverflowError)


@contextmanager
def unreadable(source: str, format: str, *faults: type[Exception]) -> Iterator[None]:
    """Turn faults of a library, and some of its own, into `TableError` inside a ``with``."""
    try:
        yield
    except TableError:
        raise
    except BaseException as error:
        # A panic is no Exception, so that nobody catches it by chance, and every library has its own; here it
        # means that the file is damaged.
        if not isinstance(error, (*_FAULTS, *faults)) and type(error).__name__ != "PanicException":
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        shown = reason if len(reason) <= 200 else reason[:197] + "..."
        sentence = f"cannot read the content as {format}: {shown}"
        raise TableError.at(source, "damaged file", sentence) from None
