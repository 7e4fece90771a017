"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from classica.errors import ModelFileError


def write_whole(path: Path, pieces: Iterable[bytes | memoryview]) -> None:
    """Write the pieces under the name, or leave what was there.

    They go to a temporary file in the same folder, down to the disk, and only then take the name. Whoever
    opens the name at any moment, also after a crash, finds the old file or the new one.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        _write(temporary, pieces)
        os.replace(temporary, path)
    except OSError as error:
        _remove(temporary)
        raise ModelFileError(f"{path} must be writable, got: {error.strerror or error}.") from error
    except BaseException:
        _remove(temporary)
        raise
    _sync_folder(path.parent)


def _write(temporary: Path, pieces: Iterable[bytes | memoryview]) -> None:
    with open(temporary, "xb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())


def _remove(temporary: Path) -> None:
    with contextlib.suppress(OSError):
        os.unlink(temporary)


def _sync_folder(folder: Path) -> None:
    """Make the new name last; some file systems cannot, and need not be told."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
