"""Private copies of bytes that others might modify or truncate."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable
from typing import IO

import numpy as np

from classica.errors import TableError
from classica.native.tables import Bytes

#: Longer data is kept in a temporary file.
_IN_MEMORY = 2**26
_CHUNK = 2**20


def as_bytes(data: bytes) -> Bytes:
    """Return bytes as an array over the same memory."""
    return np.frombuffer(data, dtype=np.uint8) if data else np.empty(0, dtype=np.uint8)


def behind(text: Bytes) -> bytes | None:
    """Return the bytes object behind an array; None if the array is a part of it or of a file."""
    holder = _holder(text)
    return holder if isinstance(holder, bytes) and len(holder) == text.size else None


def _holder(text: Bytes) -> object:
    """Return the owner of the memory of an array."""
    holder: object = text
    while isinstance(holder, np.ndarray | memoryview):
        holder = holder.base if isinstance(holder, np.ndarray) else holder.obj
    return holder


def release(text: Bytes) -> None:
    """Release the memory of a text in a temporary file; it is read again on access."""
    holder = _holder(text)
    if isinstance(holder, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        holder.madvise(mmap.MADV_DONTNEED)


def spooled(chunks: Iterable[bytes], limit: int, source: str, in_memory: int = _IN_MEMORY) -> Bytes:
    """Concatenate chunks: in memory if they are short, otherwise in an unnamed temporary file.

    Nobody else can truncate that file, so it can safely be memory-mapped; accessing the lost end of a
    truncated mapped file would kill the process.
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
    """Return a file as a memory-mapped array."""
    return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)


def has_any(text: Bytes, *words: bytes) -> bool:
    """Return whether a text, which may exceed the memory, contains one of some short byte strings."""
    overlap = max(map(len, words)) - 1
    for begin in range(0, text.size, _CHUNK):
        chunk = text[begin : begin + _CHUNK + overlap].tobytes()
        if any(word in chunk for word in words):
            return True
    return False
