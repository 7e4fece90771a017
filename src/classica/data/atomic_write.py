"""Write a file so that it is there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from classica.errors import DataError


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """Give a file to write to, which takes the place of ``path`` when the block ends without an error."""
    wanted = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=wanted.parent, prefix=f".{wanted.name}.", suffix=".part")
    except OSError as error:
        raise DataError(f"The file {path} must be one that can be written, got: {error.strerror}.") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_usual_mode(wanted))
        temporary.replace(wanted)
    except OSError as error:
        raise DataError(f"The file {path} must be one that can be written, got: {error.strerror}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _usual_mode(path: Path) -> int:
    """Return the rights of the file that is replaced, or those of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
