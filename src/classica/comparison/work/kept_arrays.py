"""Arrays in the files of a run folder: written whole or not at all, and checked when they are read back."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from classica.errors import DataError
from classica.kinds import Kind, Scope
from classica.whole_file import whole_file


def save_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write named arrays to a file; the folder around it is made if it is not there."""
    path.parent.mkdir(exist_ok=True)
    with whole_file(path, DataError) as file:
        np.savez(file, **arrays)


def load_arrays(path: Path, kind: Kind) -> dict[str, Any]:
    """Read arrays back that are of a kind; what was not written by `save_arrays` is refused."""
    scope = Scope(str(path), error=DataError)
    try:
        _require_stored(path, scope)
        with np.load(path, allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile) as error:
        raise DataError(f"Cannot read {path}: {error}.") from None
    kind.check(found, scope)
    return found


def _require_stored(path: Path, scope: Scope) -> None:
    """Refuse an archive that unpacks to more than it takes: `save_arrays` compresses nothing."""
    with zipfile.ZipFile(path) as archive:
        stored = all(entry.compress_type == zipfile.ZIP_STORED for entry in archive.infolist())
    scope.require(stored, "as it was written, with nothing compressed", "something else")
