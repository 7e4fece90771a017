"""Read a consistent copy of a file, and report files that cannot be read."""

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
#: Files up to this size are copied to memory, longer ones to a temporary file: with half a gigabyte of CSV,
#: reading then takes about a second longer, and 0.9 GB of memory instead of 1.4 GB.
_WHOLE = 2**28
#: The limit for tables that are read in batches.
_PART = 2**22

#: Kinds of paths that are not regular files.
_SPECIAL = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def require_file(path: Path) -> None:
    """Raise `TableError` for a path that is not a regular file; reading a pipe could block forever."""
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
    """Return the first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise no_file(path, error) from None


def copied(path: Path, *, whole: bool) -> Bytes:
    """Return the content of a file, read once; raise `TableError` if it changed while reading.

    Parameters
    ----------
    path : Path
        The file.
    whole : bool
        Whether the whole table is read at once; otherwise a long file is copied to a temporary one.
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
        sentence = "cannot read the file: it changed while it was read; try again"
        raise TableError.at(str(path), "changed file", sentence)
    return text


def _state(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def no_file(path: Path, error: Exception) -> TableError:
    """Return the error about a path that cannot be read."""
    reason = ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
    shown = str(path) if len(str(path)) <= 100 else f"{str(path)[:97]}..."
    return TableError.at(shown.replace("\0", "\\0"), "no file", f"cannot read the file: {reason}")


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


_FAULTS = (pl.exceptions.PolarsError, OSError, ValueError, OverflowError)


@contextmanager
def unreadable(source: str, format: str, *faults: type[Exception]) -> Iterator[None]:
    """Convert errors of a library to `TableError` inside a ``with``."""
    try:
        yield
    except TableError:
        raise
    except BaseException as error:
        # A Rust panic is not an Exception, and each library has its own class; here it means that the file
        # is damaged.
        if not isinstance(error, (*_FAULTS, *faults)) and type(error).__name__ != "PanicException":
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        shown = reason if len(reason) <= 200 else reason[:197] + "..."
        sentence = f"cannot read the content as {format}: {shown}"
        raise TableError.at(source, "damaged file", sentence) from None
