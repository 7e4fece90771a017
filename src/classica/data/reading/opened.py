"""A source whose bytes can be looked at: a file, standard input, or bytes in memory."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from classica.data.reading.note import Note
from classica.data.reading.options import LIMIT
from classica.data.reading.progress import Progress
from classica.data.reading.spool import as_bytes, mapped, spooled
from classica.errors import TableError
from classica.native.tables import Bytes

_CHUNK = 2**20
_GZIP = b"\x1f\x8b"
#: What may come out of a compressed file of any size.
_SMALL = 2**28


@dataclass(frozen=True)
class Opened:
    """A source whose bytes can be looked at.

    Attributes
    ----------
    name : str
        As errors name it.
    text : array of uint8
        All bytes; those of a file are read when looked at.
    path : Path or None
        The file that holds exactly these bytes, if there is one.
    suffix : str
        The extension, without that of the compression.
    notes : tuple of Note
        What happened on the way.
    """

    name: str
    text: Bytes
    path: Path | None = None
    suffix: str = ""
    notes: tuple[Note, ...] = field(default=())

    def head(self, size: int = 4096) -> bytes:
        """Return the first bytes."""
        return self.text[:size].tobytes()


def open_source(source: Any, limit: int, progress: Progress) -> Opened:
    """Return a file (by its path), standard input ("-"), a binary stream or bytes, ready to be looked at."""
    if isinstance(source, bytes):
        opened = Opened("bytes", as_bytes(source))
    elif hasattr(source, "read"):
        opened = Opened(str(getattr(source, "name", "stream")), _from_stream(source, limit, progress))
    elif source == "-":
        opened = Opened("standard input", _from_stream(sys.stdin.buffer, limit, progress))
    else:
        opened = _from_path(Path(source))
    return _inflated(opened, limit, progress) if opened.head(2) == _GZIP else opened


def _from_path(path: Path) -> Opened:
    try:
        with path.open("rb") as file:
            text = mapped(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TableError.at(str(path), "no file", f"the file must be readable, got: {reason}") from None
    return Opened(str(path), text, path, path.suffix.lower())


def _from_stream(stream: IO[bytes], limit: int, progress: Progress) -> Bytes:
    name = str(getattr(stream, "name", "stream"))
    return spooled(_chunks(stream, name, progress), limit, name)


def _chunks(stream: IO[bytes], name: str, progress: Progress) -> Iterator[bytes]:
    done = 0
    while chunk := _binary(stream.read(_CHUNK), name):
        done += len(chunk)
        progress(done, None)
        yield chunk


def _binary(chunk: Any, name: str) -> bytes:
    if not isinstance(chunk, bytes):
        raise TableError.at(name, "text stream", f"a stream must give bytes, got {type(chunk).__name__}")
    return chunk


def _inflated(opened: Opened, limit: int, progress: Progress) -> Opened:
    if limit == LIMIT:  # nobody asked for more: what grows two hundred times is no table
        limit = min(limit, max(_SMALL, 200 * opened.text.size))
    text = spooled(_members(opened, progress), limit, opened.name)
    stem = opened.name.lower().removesuffix(".gz")
    note = Note("compression", f"unpacked with gzip: {opened.text.size:,} bytes became {text.size:,}")
    return replace(opened, text=text, path=None, suffix=Path(stem).suffix, notes=(*opened.notes, note))


def _members(opened: Opened, progress: Progress) -> Iterator[bytes]:
    try:
        with _packed(opened) as packed, gzip.open(packed, "rb") as file:
            while chunk := file.read(_CHUNK):
                progress(packed.tell(), opened.text.size)
                yield chunk
    except (OSError, EOFError, zlib.error) as error:
        sentence = f"the file must be whole gzip data, got: {str(error).lower()}"
        raise TableError.at(opened.name, "damaged gzip", sentence) from None


def _packed(opened: Opened) -> IO[bytes]:
    return opened.path.open("rb") if opened.path is not None else io.BytesIO(opened.text.tobytes())
