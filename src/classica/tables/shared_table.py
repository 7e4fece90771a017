"""A typed table in a memory-mapped file, shared by the processes of a run.

The file is memory-mapped: its pages are in memory once, however many processes open it, and `SharedTable`
copies only the requested cells. The columns are stored one after another as plain arrays, with integers and
level codes in the narrowest type; a JSON footer lists them::

    magic | values | missing | values | ... | footer | length of the footer

This is a format for the processes of one run, not for exchange. A mapped Arrow file would do the same, but
polars 2.1 copies it into the memory of every process that reads it.

The writer of the file keeps its `FileStamp`, without which the file cannot be opened. The footer gives the
offsets and types of the arrays, so it is trusted only if it is the one that was written; and accessing a
mapped file that has been truncated kills the process. Therefore open a file only in a folder that nobody else
has written to since. Folders of unknown origin are read by `read_table`, which validates Parquet in another
process first, and by comparing the fingerprint of the table.
"""

from __future__ import annotations

import functools
import hashlib
import json
import mmap
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.errors import DataError, must
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.tables.typing.cells import unnamed
from classica.whole_file import whole_file

_MAGIC = b"classica shared table 1\n"
#: The alignment of arrays, so that no number crosses a cache line.
_ALIGNMENT = 64
_CHUNK = 2**22
#: Roles of the columns that training needs.
_USED = ("feature", "target", "weight")

#: The name of a type in the footer → the type; categories are an Enum with levels of their own.
_TYPES: dict[str, Any] = {
    str(dtype): dtype
    for dtype in (
        *(pl.Int8(), pl.Int16(), pl.Int32(), pl.Int64(), pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.UInt64()),
        *(pl.Float32(), pl.Float64(), pl.Boolean(), pl.Date(), pl.Datetime("us"), pl.Time(), pl.String()),
    )
}


@dataclass(frozen=True)
class FileStamp:
    """The stamp by which the writer of a shared table recognises its file.

    Attributes
    ----------
    size : int
        Size of the file in bytes.
    footer : str
        The SHA-256 of the footer, which is checked whenever the file is opened.
    whole : str
        The SHA-256 of all bytes, which is checked on request.
    """

    size: int
    footer: str
    whole: str


def write_shared_table(table: Table, path: str | Path, columns: Iterable[str] | None = None) -> FileStamp:
    """Write columns of a typed table to a file for `open_shared_table`, atomically.

    Parameters
    ----------
    table : Table
        The rows.
    path : path
        The file.
    columns : iterable of str, optional
        The columns to write; by default features, target and weights. Numbers, Booleans, categories, dates,
        times and text can be written.

    Returns
    -------
    stamp : FileStamp
        The stamp, required to open the file.
    """
    used = [column.name for column in table.schema.columns if column.role in _USED]
    wanted = [name for name in used if name in table.frame.columns] if columns is None else [*columns]
    with whole_file(path, DataError) as file:
        out = _Writer(file)
        listed = [_written(out, unnamed(table.frame[name]), name) for name in wanted]
        footer = {
            "rows": len(table),
            "source": table.source,
            "schema": table.schema.record(),
            "columns": listed,
        }
        return out.finish(json.dumps(footer, ensure_ascii=False).encode())


class _Writer:
    """A file to which arrays are appended, with their offsets and the hash of all bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self._size = 0
        self._add(_MAGIC)

    def _add(self, part: Any) -> None:
        self._digest.update(part)
        self._file.write(part)
        self._size += memoryview(part).nbytes

    def add(self, array: NDArray[Any]) -> list[Any]:
        """Append an array; return its offset, length and type."""
        self._add(bytes(-self._size % _ALIGNMENT))
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        entry = [self._size, len(little), little.dtype.str]
        self._add(little.view(np.uint8).data)
        return entry

    def finish(self, footer: bytes) -> FileStamp:
        """Append the footer; return the stamp of the file."""
        self._add(footer)
        self._add(len(footer).to_bytes(8, "little"))
        return FileStamp(self._size, hashlib.sha256(footer).hexdigest(), self._digest.hexdigest())


def _written(out: _Writer, cells: pl.Series, name: str) -> dict[str, Any]:
    """Append the arrays of a column; return its entry in the footer."""
    dtype = cells.dtype
    entry: dict[str, Any] = {"name": name, "type": str(dtype)}
    if isinstance(dtype, pl.Enum):
        levels = dtype.categories.to_list()
        codes = cells.to_physical().cast(pl.UInt32).fill_null(len(levels)).to_numpy()
        return entry | {"type": "Enum", "levels": levels, "values": out.add(_narrowed(codes))}
    if dtype == pl.String:
        lengths = cells.str.len_bytes().cast(pl.Int64).fill_null(0).to_numpy()
        entry["ends"] = out.add(np.cumsum(lengths))
        text = (cells.str.join("").item() or "").encode()
        entry["values"] = out.add(np.frombuffer(text, dtype=np.uint8))
    elif entry["type"] in _TYPES:
        entry["values"] = out.add(_narrowed(_filled(cells)))
    else:
        rule = "of numbers, Booleans, categories, dates, times or text to be shared"
        raise DataError(must(f"The column {name!r}", rule, str(dtype)))
    if cells.null_count():
        entry["missing"] = out.add(cells.is_null().cast(pl.UInt8).to_numpy())
    return entry


def _filled(cells: pl.Series) -> NDArray[Any]:
    """Return cells as numbers, with 0 for missing values."""
    physical = cells.cast(pl.UInt8) if cells.dtype == pl.Boolean else cells.to_physical()
    return physical.fill_null(0).to_numpy()


def _narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """Return integers in the narrowest type that holds them all."""
    if values.dtype.kind not in "iu" or not len(values):
        return values
    low, high = int(values.min()), int(values.max())
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return values.astype(dtype)
    return values


def open_shared_table(path: str | Path, stamp: FileStamp, *, is_whole: bool = False) -> SharedTable:
    """Open a file written by `write_shared_table`.

    Parameters
    ----------
    path : path
        The file, in a folder that nobody else has written to since.
    stamp : FileStamp
        The stamp returned by `write_shared_table`; size and footer must match.
    is_whole : bool, default=False
        Whether to check the hash of all bytes as well, which reads the whole file.

    Raises
    ------
    DataError
        If the file cannot be read or does not match the stamp.
    """
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size != stamp.size:
                raise DataError(
                    f"Cannot use the table {path}: it has {size:,} bytes instead of {stamp.size:,}."
                )
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise DataError(f"Cannot read the table {path}: {error.strerror}.") from None
    end = size - 8
    length = int.from_bytes(mapped[end : end + 8], "little")
    footer = mapped[max(end - length, 0) : end]
    if hashlib.sha256(footer).hexdigest() != stamp.footer or (is_whole and _hash(mapped) != stamp.whole):
        raise DataError(f"Cannot use the table {path}: its content has changed since it was written.")
    return SharedTable(mapped, json.loads(footer))


def _hash(mapped: mmap.mmap) -> str:
    digest, view = hashlib.sha256(), memoryview(mapped)
    for begin in range(0, len(view), _CHUNK):
        digest.update(view[begin : begin + _CHUNK])
    return digest.hexdigest()


class SharedTable:
    """A typed table whose cells stay in a memory-mapped file until they are used.

    Attributes
    ----------
    schema : Schema
        The schema of the table.
    source : str
        Where that table came from.
    columns : list of str
        The columns in the file.
    """

    def __init__(self, mapped: mmap.mmap, footer: dict[str, Any]) -> None:
        self._mapped = mapped
        self._rows: int = footer["rows"]
        self._columns: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in footer["columns"]}
        self._record = footer["schema"]
        self.source: str = footer["source"]

    @functools.cached_property
    def schema(self) -> Schema:
        """The schema of the table."""
        return Schema.from_record(self._record)

    @property
    def columns(self) -> list[str]:
        """The columns in the file."""
        return list(self._columns)

    def __len__(self) -> int:
        return self._rows

    def frame(
        self, rows: NDArray[np.integer[Any]] | None = None, columns: Sequence[str] | None = None
    ) -> pl.DataFrame:
        """Return cells as a frame.

        Parameters
        ----------
        rows : array of int, optional
            The rows to take, from 0, in this order; by default all.
        columns : sequence of str, optional
            The columns to take; by default all in the file.
        """
        if rows is not None and len(rows) and not (rows.min() >= 0 and rows.max() < self._rows):
            raise DataError(must("rows", f"from 0 to {self._rows - 1}", [int(rows.min()), int(rows.max())]))
        # From a dict, because polars would rename columns without a name.
        cells = {name: self._cells(name, rows) for name in columns or self._columns}
        if hasattr(mmap, "MADV_DONTNEED"):
            # The pages stay in memory but no longer count towards the memory limit of this process.
            self._mapped.madvise(mmap.MADV_DONTNEED)
        return pl.DataFrame(cells)

    def X(self, rows: NDArray[np.integer[Any]] | None = None) -> pl.DataFrame:  # noqa: N802  (as in Table)
        """Return the features of some rows, as `Table.X` has them."""
        return self.schema.features(self.frame(rows, self.schema.names("feature")))

    def y(self, rows: NDArray[np.integer[Any]] | None = None) -> NDArray[Any]:
        """Return the labels of some rows, as `Table.y` has them."""
        return self.take_rows(rows, [self._target]).y

    def class_codes(
        self, rows: NDArray[np.integer[Any]] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Return the codes of the classes of some rows, and the classes that occur in them, sorted."""
        return self.take_rows(rows, [self._target]).class_codes()

    def take_rows(
        self, rows: NDArray[np.integer[Any]] | None = None, columns: Sequence[str] | None = None
    ) -> Table:
        """Return some rows as a table in memory, by default with all columns in the file."""
        return Table(self.frame(rows, columns), self.schema, self.source)

    @property
    def _target(self) -> str:
        target = self.schema.target
        if target is None or target not in self._columns:
            raise DataError(f"Cannot return labels: {self.source} has no target.")
        return target

    def _cells(self, name: str, rows: NDArray[np.integer[Any]] | None) -> pl.Series:
        if name not in self._columns:
            raise DataError(must("The column", f"one of {', '.join(self._columns)}", name))
        entry = self._columns[name]
        if entry["type"] == "String":
            return self._text(entry, rows)
        values = self._array(entry["values"], rows)
        if entry["type"] == "Enum":
            # Missing values have the code after the last level.
            levels = pl.Series([*entry["levels"], None], dtype=pl.Enum(entry["levels"]))
            return levels.gather(pl.Series(values).cast(pl.UInt32))
        cells = pl.Series(values)
        if "missing" in entry:
            cells = cells.set(pl.Series(self._array(entry["missing"], rows)).cast(pl.Boolean), None)
        return cells.cast(_TYPES[entry["type"]])

    def _text(self, entry: dict[str, Any], rows: NDArray[np.integer[Any]] | None) -> pl.Series:
        ends, indices = self._array(entry["ends"]), np.arange(self._rows) if rows is None else rows
        begins = np.where(indices > 0, ends[indices - 1], 0)
        begin, _, _ = entry["values"]
        bounds = zip((begins + begin).tolist(), (ends[indices] + begin).tolist(), strict=True)
        texts = [self._mapped[low:high].decode() for low, high in bounds]
        cells = pl.Series(texts, dtype=pl.String)
        if "missing" in entry:
            cells = cells.set(pl.Series(self._array(entry["missing"], rows)).cast(pl.Boolean), None)
        return cells

    def _array(self, entry: list[Any], rows: NDArray[np.integer[Any]] | None = None) -> NDArray[Any]:
        """Return an array of the file; a copy for a subset of rows."""
        begin, length, dtype = entry
        whole = np.frombuffer(self._mapped, dtype=dtype, count=length, offset=begin)
        # Always a copy, because a frame may outlive the file.
        return whole.copy() if rows is None else whole[rows]
