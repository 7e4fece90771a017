"""Bytes that come as a stream, kept where they can be looked at again."""

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


def mapped(file: IO[bytes]) -> Bytes:
    """Return the content of a file as an array that is read from it when looked at."""
    if file.seek(0, 2) == 0:
        return np.empty(0, dtype=np.uint8)
    return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8)


def spooled(chunks: Iterable[bytes], limit: int, source: str) -> Bytes:
    """Return the chunks in one piece: in memory if they are few, else in an unnamed temporary file."""
    size = 0
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as spool:
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                rule = f"at most {limit:,} bytes when unpacked (the option limit)"
                raise TableError.at(source, "too large", f"the table must have {rule}, got more")
            spool.write(chunk)
        if size > _IN_MEMORY:
            spool.flush()
            return mapped(spool)
        spool.seek(0)
        return as_bytes(spool.read())


def has_any(text: Bytes, *words: bytes) -> bool:
    """Return whether one of some short words is in a text, which need not fit into memory."""
    overlap = max(map(len, words)) - 1
    for begin in range(0, text.size, _CHUNK):
        chunk = text[begin : begin + _CHUNK + overlap].tobytes()
        if any(word in chunk for word in words):
            return True
    return False
