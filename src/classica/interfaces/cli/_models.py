"""What commands share that read or write a model file."""

from __future__ import annotations

from pathlib import Path

from classica import TableClassifier, load
from classica.errors import ModelFileError
from classica.interfaces.cli._busy import busy
from classica.persist.container import MAGIC
from classica.persist.foreign import kind_of


def table_model(file: str) -> TableClassifier:
    """Return the model of a table in a file."""
    with busy(f"Loading {file}"):
        model = load(file, mmap=True)
    if not isinstance(model, TableClassifier):
        got = f"a {type(model).__name__} without the schema of a table"
        raise ModelFileError(f"{file} must hold a model that classica train has written, got {got}.")
    return model


def require_place(file: str) -> None:
    """Refuse a place for a model file where something else would be lost, before time is spent."""
    path = Path(file)
    if file == "-":
        raise ModelFileError("A model must be written to a file, got '-' for standard output.")
    if path.is_dir() or not path.parent.is_dir():
        got = "a folder" if path.is_dir() else f"no folder {str(path.parent)!r}"
        raise ModelFileError(f"{file} must be a file that can be written, got {got}.")
    if path.is_file():
        try:
            with path.open("rb") as there:
                start = there.read(4096)
        except OSError as error:
            raise ModelFileError(f"{file} must be a file that can be read, got: {error.strerror}.") from None
        if start and not start.startswith(MAGIC):
            raise ModelFileError(f"{file} must be a new file or a model to replace, got {kind_of(start)}.")
