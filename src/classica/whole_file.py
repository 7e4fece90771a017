"""Writing a file whole or not at all."""

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
    """Give a file to write to, which takes the place of ``path`` when the block ends without an error.

    What is written goes to a temporary file in the same folder, down to the disk, and only then takes the
    name. Whoever opens the name at any moment, also after a crash, finds the old file or the new one. A link
    stays a link, and the rights of a file that is replaced stay as they are. What a writer that was killed
    has left of the same file is removed.

    Parameters
    ----------
    path : path
        The file to write or replace.
    refusal : type
        The error to raise, in one sentence, when the system refuses.
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
    """Return the name of the file that a temporary file was to become; None if it is none of ours."""
    match = _TEMPORARY.fullmatch(name)
    return None if match is None else match["name"]


def shown_path(path: str | bytes | os.PathLike[Any]) -> str:
    """Return a path as an error shows it: in one line, whatever is in it."""
    text = os.fsdecode(path)
    return text if text.isprintable() else repr(text)


@contextlib.contextmanager
def _temporary(wanted: Path) -> Iterator[BinaryIO]:
    """Give a file next to the wanted one, locked for as long as its writer lives, and gone in the end."""
    while True:
        path = wanted.with_name(f".{wanted.name}.{secrets.token_hex(8)}.tmp")
        with open(path, "xb") as file:
            with contextlib.suppress(OSError):  # some file systems have no locks: there nothing is removed
                fcntl.flock(file, fcntl.LOCK_EX)
            # Another writer may have taken it for a leftover before it was locked.
            if os.fstat(file.fileno()).st_nlink:
                try:
                    yield file
                finally:
                    with contextlib.suppress(OSError):
                        os.unlink(path)
                return


def _remove_leftovers(wanted: Path) -> None:
    """Remove the temporary files of the wanted one that no living writer holds."""
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
    """Refuse what a file must not take the place of: devices, pipes, folders, links to themselves."""
    if wanted.is_symlink():
        raise refusal(f"Cannot write {name}: it is a symbolic link to itself.")
    if wanted.exists() and not wanted.is_file():
        kind = "a folder" if wanted.is_dir() else "a device, pipe or socket"
        raise refusal(f"Cannot write {name}: it is {kind}.")


def _take_rights(temporary: Path, wanted: Path) -> None:
    """Give the file the rights of the one it replaces; a new file has the usual ones already."""
    if wanted.exists():
        temporary.chmod(wanted.stat().st_mode & 0o777)


def _sync_folder(folder: Path) -> None:
    """Make the new name last; some file systems cannot, and need not be told."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
