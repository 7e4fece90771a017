"""Bytes of our own: what others may change or cut short is copied before it is looked at."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable
from typing import IO

import numpy as np

from classica.errors import TableError
from classica.native.tables import Bytes

#: What is longer lies in a temporary file.
_IN_MEMORY = 2**26
_CHUNK = 2**20


def as_bytes(data: bytes) -> Bytes:
    """Return bytes as an array over the same memory."""
    return np.frombuffer(data, dtype=np.uint8) if data else np.empty(0, dtype=np.uint8)


def behind(text: Bytes) -> bytes | None:
    """Return the bytes that an array stands for as they are, None if it is a part of them or of a file."""
    holder = _holder(text)
    return holder if isinstance(holder, bytes) and len(holder) == text.size else None


def _holder(text: Bytes) -> object:
    """Return what holds the memory of an array."""
    holder: object = text
    while isinstance(holder, np.ndarray | memoryview):
        holder = holder.base if isinstance(holder, np.ndarray) else holder.obj
    return holder


def release(text: Bytes) -> None:
    """Give the memory of a text in a temporary file back; what is looked at again is read again."""
    holder = _holder(text)
    if isinstance(holder, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        holder.madvise(mmap.MADV_DONTNEED)


def spooled(chunks: Iterable[bytes], limit: int, source: str, in_memory: int = _IN_MEMORY) -> Bytes:
    """Return the chunks in one piece: in memory if they are few, else in an unnamed temporary file.

    Nobody else can cut that file short, so it may be mapped: a mapped file that loses its end ends every
    process that looks there.
    """
    size = 0
    with tempfile.SpooledTemporaryFile(max_size=in_memory) as spool:
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                rule = f"at most {limit:,} bytes after decompression (the option limit)"
                raise TableError.at(source, "too large", f"the table must have {rule}, got more")
            spool.write(chunk)
        if size > in_memory:
            spool.flush()
            return _mapped(spool)
        spool.seek(0)
        return as_bytes(spool.read())


def _mapped(file: IO[bytes]) -> Bytes:
    """Return the content of a file as an array that is read from it when looked at."""
    return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)


def has_any(text: Bytes, *words: bytes) -> bool:
    """Return whether one of some short words is in a text, which need not fit into memory."""
    overlap = max(map(len, words)) - 1
    for begin in range(0, text.size, _CHUNK):
        chunk = text[begin : begin + _CHUNK + overlap].tobytes()
        if any(word in chunk for word in words):
            return True
    return False
