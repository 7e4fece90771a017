"""Open a file, standard input or bytes in memory for reading."""

from __future__ import annotations

import functools
import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from classica.errors import TableError
from classica.native.tables import Bytes
from classica.tables.reading.file_copy import copied, first_bytes, require_file
from classica.tables.reading.raw_table import Note
from classica.tables.reading.reader_options import LIMIT, Progress
from classica.tables.reading.spool import as_bytes, spooled

_CHUNK = 2**20
_GZIP = b"\x1f\x8b"
#: The permitted decompressed size of any compressed file.
_SMALL = 2**28


@dataclass(frozen=True)
class OpenSource:
    """An open source of bytes.

    Attributes
    ----------
    name : str
        Its name in error messages.
    content : array of uint8, or callable that returns it
        All bytes; a file is read on first access.
    path : Path or None
        The file, if it contains exactly these bytes.
    suffix : str
        The extension, without that of the compression.
    notes : tuple of Note
        Notes from opening the source.
    """

    name: str
    content: Bytes | Callable[[], Bytes]
    path: Path | None = None
    suffix: str = ""
    notes: tuple[Note, ...] = field(default=())

    @functools.cached_property
    def text(self) -> Bytes:
        """All bytes, as a private copy."""
        return self.content() if callable(self.content) else self.content

    def head(self, size: int = 4096) -> bytes:
        """Return the first bytes."""
        if self.path is not None and "text" not in vars(self):
            return first_bytes(self.path, size)
        return self.text[:size].tobytes()


def open_source(source: Any, limit: int, progress: Progress, *, whole: bool) -> OpenSource:
    """Open a file (by its path), standard input ("-"), a binary stream or bytes.

    ``whole`` says that the table is read at once, not in batches.
    """
    if isinstance(source, bytes):
        file = OpenSource("bytes", as_bytes(source))
    elif hasattr(source, "read"):
        file = OpenSource(str(getattr(source, "name", "stream")), _from_stream(source, limit, progress))
    elif source == "-":
        file = OpenSource("standard input", _from_stream(sys.stdin.buffer, limit, progress))
    else:
        path = Path(source)
        require_file(path)
        load = functools.cache(functools.partial(copied, path, whole=whole))
        file = OpenSource(str(path), load, path, path.suffix.lower())
    return _inflated(file, limit, progress) if file.head(2) == _GZIP else file


def _from_stream(stream: IO[bytes], limit: int, progress: Progress) -> Bytes:
    name = str(getattr(stream, "name", "stream"))
    return spooled(_chunks(stream, name, progress), limit, name)


def _chunks(stream: IO[bytes], name: str, progress: Progress) -> Iterator[bytes]:
    done = 0
    while chunk := _binary(stream.read(_CHUNK), name):
        done += len(chunk)
        progress(done, None)
        yield chunk


def _binary(chunk: object, name: str) -> bytes:
    if not isinstance(chunk, bytes):
        raise TableError.at(name, "text stream", f"the stream must be binary, got {type(chunk).__name__}")
    return chunk


def _inflated(file: OpenSource, limit: int, progress: Progress) -> OpenSource:
    size = file.text.size if file.path is None else file.path.stat().st_size
    if limit == LIMIT:  # by default: a table does not grow two hundred times in decompression
        limit = min(limit, max(_SMALL, 200 * size))
    text = spooled(_members(file, size, progress), limit, file.name)
    stem = file.name.lower().removesuffix(".gz")
    note = Note("compression", f"decompressed with gzip ({size:,} to {text.size:,} bytes)")
    return replace(file, content=text, path=None, suffix=Path(stem).suffix, notes=(*file.notes, note))


def _members(source: OpenSource, size: int, progress: Progress) -> Iterator[bytes]:
    try:
        with _packed(source) as packed, gzip.open(packed, "rb") as file:
            while chunk := file.read(_CHUNK):
                progress(packed.tell(), size)
                yield chunk
    except (OSError, EOFError, zlib.error) as error:
        sentence = f"the file must be whole gzip data, got: {str(error).lower()}"
        raise TableError.at(source.name, "damaged gzip", sentence) from None


def _packed(file: OpenSource) -> IO[bytes]:
    return file.path.open("rb") if file.path is not None else io.BytesIO(file.text.tobytes())


#: Deprecated: the former name of `OpenSource`, kept for plug-ins.
Opened = OpenSource
