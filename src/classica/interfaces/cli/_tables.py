"""Open the models and tables that are named on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classica import load
from classica import tables as data
from classica.errors import DataError, ModelFileError, ParameterError
from classica.interfaces.cli._screen import busy, misfits, read_notes
from classica.persist import inspect
from classica.persist.container import MAGIC
from classica.persist.foreign import kind_of
from classica.tables import Table, builtin_tables, load_table
from classica.wording import did_you_mean

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def load_model(file: str) -> Any:
    """Return the model in a file; its arrays are memory-mapped."""
    with busy(f"Loading {file}"):
        return load(file, mmap=True)


def training_rows(file: str) -> str | None:
    """Return the fingerprint of the rows that the model in a file was trained on, if it has it."""
    fingerprint = inspect(file)["metadata"].get("rows_fingerprint")
    return fingerprint if isinstance(fingerprint, str) else None


def require_writable(file: str) -> None:
    """Refuse a path that cannot be written or would overwrite anything but a model, before training."""
    path = Path(file)
    cannot = f"Cannot write the model to {file}"
    if file == "-":
        raise ModelFileError("Cannot write the model to standard output. Name a file with --out.")
    if path.is_dir():
        raise ModelFileError(f"{cannot}: it is a folder.")
    if not path.parent.is_dir():
        raise ModelFileError(f"{cannot}: there is no folder {str(path.parent)!r}.")
    if path.is_file():
        try:
            with path.open("rb") as existing:
                start = existing.read(4096)
        except OSError as error:
            raise ModelFileError(f"{cannot}: {error.strerror}.") from None
        if start and not start.startswith(MAGIC):
            raise ModelFileError(f"{cannot}: it would overwrite {kind_of(start)}. Choose another name.")


def open_table(
    source: str,
    *,
    target: str | None = None,
    schema: str | None = None,
    ignore: Iterable[str] = (),
    reading: Mapping[str, Any] | None = None,
) -> tuple[Table, list[str]]:
    """Return the typed table of a source, and notes on how it was read.

    A source is a file, the address of a database, "-" for standard input, or the name of a built-in dataset
    where no file has that name.
    """
    known = table_source(source, reading)
    with busy(f"Reading {source}") as report:
        table = data.open_table(known, target, schema=schema, ignore=ignore, reading=reading, progress=report)
    return table, [*table.notes, *ambiguity_notes(source)]


def rows_for(
    model: BaseEstimator, source: str, reading: Mapping[str, Any] | None = None
) -> tuple[Table, list[str]]:
    """Return the rows of a source typed by the schema of a model, and notes on them.

    For a model without column names the types are inferred from the table.
    """
    # Here, because these import scikit-learn, which profiling a table does not need.
    from classica.training.typed_batches import TypedBatches, schema_of

    schema = schema_of(model)
    if schema is None:
        table, notes = open_table(source, reading=reading)
        return table, read_notes(notes)
    origin = table_source(source, reading)
    with busy(f"Reading {source}") as report:
        options = {**(reading or {}), "progress": report}
        batches = TypedBatches(schema, ["feature"], origin, sys.maxsize, options)
        [(_, rows)] = batches
    if not len(rows):
        raise DataError(f"{batches.source} must have rows, got none.")
    return rows, [
        *read_notes([*batches.notes, *ambiguity_notes(source)]),
        *misfits(batches.extra, batches.unseen),
    ]


def is_builtin(source: str) -> bool:
    """Return whether a source means a built-in dataset: it has that name, and no file has.

    A folder of that name does not count, unless the source ends with a slash.
    """
    path = Path(source)
    return _is_dataset(source) and (path.is_dir() or not path.exists())


def ambiguity_notes(source: str) -> list[str]:
    """Return a note where a file has the name of a built-in dataset."""
    is_file = _is_dataset(source) and not is_builtin(source)
    return [f"the file {source}, not the built-in dataset {source}"] if is_file else []


def _is_dataset(source: str) -> bool:
    return source in [entry.name for entry in builtin_tables()]


def table_source(source: str, reading: Mapping[str, Any] | None = None) -> Any:
    """Return what can be read in batches: a source as it is, or the built-in dataset of that name."""
    if not is_builtin(source):
        _require_table(source)
        return source
    if reading:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in reading)
        raise ParameterError(f"{flags} cannot be used with the built-in dataset {source}.")
    return load_table(source)


def _require_table(source: str) -> None:
    """Refuse the path of a file that does not exist, and a model file in place of a table."""
    path = Path(source)
    if source == "-" or "://" in source or any(sign in source for sign in "*?["):
        return
    if not path.exists():
        raise DataError(
            f"Cannot read the table {source!r}: there is no such file or built-in dataset.{_suggestion(path)}"
        )
    if path.is_file() and os.access(path, os.R_OK):
        with path.open("rb") as file:
            if file.read(len(MAGIC)) == MAGIC:
                raise DataError(f"Cannot read the table {source!r}: it is a model file.")


def _suggestion(path: Path) -> str:
    """Return the dataset or the file in the same folder whose name is closest."""
    files = {file.name: str(file) for file in path.parent.glob("*")}
    return did_you_mean(path.name, [entry.name for entry in builtin_tables()], files)
