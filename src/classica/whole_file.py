"""Atomic file writes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from classica.errors import ClassicaError

_TEMPORARY = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{16}\.tmp", re.DOTALL)


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str], refusal: type[ClassicaError]) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces ``path`` when the block ends without an error.

    Data is written and synced to a temporary file in the same folder, which is then renamed. At any moment,
    even after a crash, the path holds the complete old or the complete new file. Symbolic links are kept, as
    are the permissions of a replaced file. Temporary files left behind by killed writers of the same file are
    removed.

    Parameters
    ----------
    path : path
        The file to write or replace.
    refusal : type
        The exception to raise if the file cannot be written.
    """
    name = shown_path(path)
    try:
        wanted = Path(os.path.realpath(os.fsdecode(path)))
        _require_file(wanted, name, refusal)
    except ValueError as error:
        if isinstance(error, refusal):
            raise
        raise refusal(f"Cannot write {name}: {error}.") from None
    _remove_leftovers(wanted)
    try:
        with _temporary(wanted) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            _take_rights(Path(file.name), wanted)
            os.replace(file.name, wanted)
    except OSError as error:
        raise refusal(f"Cannot write {name}: {error.strerror or error}.") from error
    _sync_folder(wanted.parent)


def leftover_of(name: str) -> str | None:
    """Return the target name of one of our temporary files; None for other files."""
    match = _TEMPORARY.fullmatch(name)
    return None if match is None else match["name"]


def shown_path(path: str | bytes | os.PathLike[Any]) -> str:
    """Return a path for an error message, in one line."""
    text = os.fsdecode(path)
    return text if text.isprintable() else repr(text)


@contextlib.contextmanager
def _temporary(wanted: Path) -> Iterator[BinaryIO]:
    """Open a temporary file in the same folder, locked while its writer lives and removed in the end."""
    while True:
        path = wanted.with_name(f".{wanted.name}.{secrets.token_hex(8)}.tmp")
        with open(path, "xb") as file:
            # Some file systems have no locks; there, leftovers are not removed.
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            # Another writer may have removed it as a leftover before it was locked.
            if os.fstat(file.fileno()).st_nlink:
                try:
                    yield file
                finally:
                    with contextlib.suppress(OSError):
                        os.unlink(path)
                return


def _remove_leftovers(wanted: Path) -> None:
    """Remove temporary files of the same target without a living writer."""
    with contextlib.suppress(OSError):
        for name in os.listdir(wanted.parent):
            if leftover_of(name) == wanted.name:
                _remove_unless_locked(wanted.with_name(name))


def _remove_unless_locked(path: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
        finally:
            os.close(handle)


def _require_file(wanted: Path, name: str, refusal: type[ClassicaError]) -> None:
    """Raise if the path is something a file must not replace: a device, pipe, folder or circular link."""
    if wanted.is_symlink():
        raise refusal(f"Cannot write {name}: it is a symbolic link to itself.")
    if wanted.exists() and not wanted.is_file():
        kind = "a folder" if wanted.is_dir() else "a device, pipe or socket"
        raise refusal(f"Cannot write {name}: it is {kind}.")


def _take_rights(temporary: Path, wanted: Path) -> None:
    """Copy the permissions of the file that is replaced."""
    if wanted.exists():
        temporary.chmod(wanted.stat().st_mode & 0o777)


def _sync_folder(folder: Path) -> None:
    """Sync the folder, so that the new name survives a crash; ignored where it is not supported."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
