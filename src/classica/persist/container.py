"""The bytes of a model file: a fixed start, a header in JSON, blocks of array data, a hash of all that.

::

    0    16  magic
    16    4  version of the layout and the header
    20    4  zero
    24    8  length of the header
    32    8  length of the whole file
    40   24  zero
    64       header: canonical JSON in ASCII
    …        blocks, in the order in which the header describes them
    -32  32  SHA-256 of everything before

All numbers are little-endian. The header and every block begin at a multiple of 64 bytes, filled up with
zeros, so that arrays can be used where they lie in the file.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import ModelFileError
from classica.persist.foreign import kind_of

MAGIC = b"\x89CLASSICA\r\n\x1a\n\x00\x00\x00"
VERSION = 1
ALIGNMENT = 64
#: How much of a file tells what it is.
START_BYTES = 4096
_START = struct.Struct("<16sIIQQ24x")
_HASH_BYTES = hashlib.sha256().digest_size
#: Nothing is larger; sums and products of such numbers are exact in Python and in NumPy.
_MOST_BYTES = 2**53

#: Fixed-size kinds of elements, and text, bytes and times.
_DTYPE = re.compile(
    r"[|<](b1|[iu][1248]|f[248]|[US]\d{1,7}|[mM]8(\[\d{0,4}(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?)"
)


@dataclass(frozen=True)
class Block:
    """What the header says about the data of one array."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: str

    @classmethod
    def of(cls, array: NDArray[Any]) -> Block:
        """Describe an array as it will be stored."""
        by_columns = array.flags.f_contiguous and not array.flags.c_contiguous
        return cls(array.dtype.newbyteorder("<"), array.shape, "F" if by_columns else "C")

    @classmethod
    def read(cls, record: Any) -> Block:
        """Return the description in a header, or refuse it."""
        whole = isinstance(record, list) and len(record) == 3 and isinstance(record[1], list)
        if not whole or not isinstance(record[0], str) or not _DTYPE.fullmatch(record[0]):
            raise damaged("a block of known type")
        dtype, shape, order = record
        if len(shape) > 8 or not all(type(size) is int and 0 <= size < _MOST_BYTES for size in shape):
            raise damaged("a block of a possible shape")
        # NumPy multiplies the sizes of an empty array, too.
        items, kind = math.prod(max(size, 1) for size in shape), np.dtype(dtype)
        if order not in ("C", "F") or items * max(kind.itemsize, 1) >= _MOST_BYTES:
            raise damaged("a block of a possible shape")
        return cls(kind, tuple(shape), order)

    def record(self) -> list[Any]:
        """Return what the header says."""
        return [self.dtype.str, list(self.shape), self.order]

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return math.prod(self.shape) * self.dtype.itemsize

    def view(self, data: memoryview) -> NDArray[Any]:
        """Return the array in its bytes, without a copy."""
        flat = np.frombuffer(data, dtype=np.uint8)
        by_columns = self.order == "F"
        return np.ndarray(self.shape, dtype=self.dtype, buffer=flat, order="F" if by_columns else "C")


@dataclass(frozen=True)
class Contents:
    """A header and the arrays behind it."""

    version: int
    header: dict[str, Any]
    arrays: Sequence[NDArray[Any]]
    digest: str


def pieces(header: dict[str, Any], arrays: Sequence[NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """Give the bytes of a file, piece by piece."""
    blocks = [Block.of(array) for array in arrays]
    text = canonical({**header, "blocks": [block.record() for block in blocks]}).encode("ascii")
    length = _START.size + _padded(len(text)) + sum(_padded(block.size) for block in blocks) + _HASH_BYTES
    digest = hashlib.sha256()
    for piece in _body(text, length, blocks, arrays):
        digest.update(piece)
        yield piece
    yield digest.digest()


def _body(
    text: bytes, length: int, blocks: Sequence[Block], arrays: Sequence[NDArray[Any]]
) -> Iterator[bytes | memoryview]:
    yield _START.pack(MAGIC, VERSION, 0, len(text), length)
    yield text
    yield _zeros(len(text))
    for block, array in zip(blocks, arrays, strict=True):
        # By columns, the transposed array is the one that lies row by row.
        rows = np.ascontiguousarray(array.T if block.order == "F" else array, dtype=block.dtype)
        yield memoryview(rows.reshape(-1).view(np.uint8).data if block.size else b"")
        yield _zeros(block.size)


def declared_length(start: bytes, name: str) -> int:
    """Return how long a file says it is in its first bytes, or refuse one that does not begin as ours do."""
    if len(start) < _START.size:
        verified(memoryview(start), name)  # which says what it is
    _require_magic(start, name)
    length: int = _START.unpack(start[: _START.size])[4]
    return length


def verified(data: memoryview, name: str) -> Contents:
    """Return what is in the bytes of a file, once they are known to be those that were written."""
    version, text_length = _verified_start(data, name)
    body = data[: len(data) - _HASH_BYTES]
    digest = hashlib.sha256(body).digest()
    if digest != data[len(body) :]:
        raise ModelFileError(f"{name} must be as it was written, got a corrupt file (its hash differs).")
    if version > VERSION:
        rule = f"of format {VERSION} or older"
        raise ModelFileError(
            f"{name} must be {rule}, got {version}: it was written by a newer version. "
            "Upgrade classica to read it."
        )
    header = parsed(bytes(body[_START.size : _START.size + text_length]))
    return Contents(version, header, _arrays(header, body, text_length), digest.hex())


def _verified_start(data: memoryview, name: str) -> tuple[int, int]:
    _require_magic(bytes(data[:START_BYTES]), name)
    if len(data) < _START.size + _HASH_BYTES:
        raise ModelFileError(f"{name} must be complete, got a truncated file.")
    _, version, zero, text_length, length = _START.unpack(data[: _START.size])
    if length != len(data):
        rule = f"{length} bytes long, as it says itself"
        raise ModelFileError(f"{name} must be {rule}, got {len(data)}: it is corrupt.")
    if zero or bytes(data[40 : _START.size]) != bytes(24) or not version:
        raise ModelFileError(f"{name} must start with an intact header, got a corrupt file.")
    if _START.size + _padded(text_length) + _HASH_BYTES > length:
        raise ModelFileError(f"{name} must hold its header, got a corrupt file.")
    return version, text_length


def _require_magic(start: bytes, name: str) -> None:
    if not start.startswith(MAGIC):
        raise ModelFileError(f"{name} must be a classica model file, got {kind_of(start)}.")


def _arrays(header: dict[str, Any], body: memoryview, text_length: int) -> list[NDArray[Any]]:
    """Return views of the blocks, which must fill the file exactly."""
    records = header.get("blocks")
    if not isinstance(records, list):
        raise damaged("a list of blocks")
    at, arrays = _START.size + _padded(text_length), []
    for block in map(Block.read, records):
        end = at + _padded(block.size)
        if end > len(body):
            raise damaged("blocks that lie in the file")
        arrays.append(block.view(body[at : at + block.size]))
        at = end
    if at != len(body):
        raise damaged("blocks that fill the file")
    return arrays


def canonical(value: object) -> str:
    """Return JSON of one possible form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def parsed(text: bytes) -> dict[str, Any]:
    """Return the header, which must be of that form."""
    try:
        value = json.loads(text.decode("ascii"))
        same = canonical(value).encode("ascii") == text
    except (ValueError, RecursionError):
        raise damaged("a header in JSON") from None
    if not isinstance(value, dict) or not same:
        raise damaged("a header in canonical JSON")
    return value


def damaged(rule: str) -> ModelFileError:
    """Return the error about a file whose hash is right and whose contents are not."""
    return ModelFileError(f"Cannot load the model file: it must have {rule}. It was not written by save.")


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _zeros(size: int) -> bytes:
    return bytes(_padded(size) - size)
