"""The fingerprint of a typed table, independent of the file format.

SHA-256 of: a line with version and number of rows; then for each column its name and its cells in one of
six forms, each part preceded by its length as a little-endian 64-bit integer.

- numbers: float64, or decimal text where an integer has no float64 of its own; missing is one NaN, and
  0 has no sign;
- categories: the levels that occur, sorted, then the code of each cell as int32; missing is -1 (the order
  and the unused levels of a declaration are not in every kind of file, so they do not count; of ordinal
  columns they do);
- Booleans: one byte, 0, 1 or 2 for missing;
- dates and times: microseconds as int64, then one byte for missing cells;
- columns without any value: nothing;
- text: the length of each cell in bytes as int64, -1 for missing, then all cells in UTF-8.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from classica.categories import enum_codes
from classica.tables.typing.cells import as_text, beyond_doubles, is_text, unnamed

if TYPE_CHECKING:
    from classica.tables.table import Table

_VERSION = "classica table 1"


def fingerprint(frame: pl.DataFrame, kinds: Mapping[str, str]) -> str:
    """Return the SHA-256 of names, kinds, levels and cells as hexadecimal digits.

    Parameters
    ----------
    frame : polars DataFrame
        Typed columns.
    kinds : mapping
        The kind of each column.
    """
    digest = hashlib.sha256()

    def add(part: bytes | memoryview) -> None:
        digest.update(memoryview(part).nbytes.to_bytes(8, "little"))
        digest.update(part)

    add(f"{_VERSION}, {frame.height} rows".encode())
    for cells in frame.get_columns():
        add(cells.name.encode())
        for part in _parts(_comparable(unnamed(cells), kinds[cells.name]), kinds[cells.name] == "ordinal"):
            add(part)
    return digest.hexdigest()


def _comparable(cells: pl.Series, kind: str) -> pl.Series:
    """Return unused columns, which have their original types, in a type common to all file formats."""
    return cells.cast(pl.String) if kind in ("identifier", "constant", "text") and is_text(cells) else cells


def _parts(cells: pl.Series, ordered: bool) -> Iterator[Any]:
    dtype = cells.dtype
    if cells.null_count() == len(cells) and not ordered:
        yield b"missing"
    elif isinstance(dtype, pl.Enum):
        yield from _category_parts(cells, ordered)
    elif dtype == pl.Boolean:
        yield b"boolean"
        yield _bytes(cells.cast(pl.UInt8).fill_null(2).to_numpy())
    elif dtype.is_temporal() and dtype != pl.Duration:
        yield b"date"
        moments = (
            cells.cast(pl.Int64) // 1000 if dtype == pl.Time else cells.cast(pl.Datetime("us")).cast(pl.Int64)
        )
        yield _bytes(moments.fill_null(0).to_numpy())
        yield _bytes(cells.is_null().cast(pl.UInt8).to_numpy())
    elif dtype.is_numeric() and _is_exact(cells):
        yield b"numeric"
        numbers = cells.cast(pl.Float64).to_numpy() + 0.0
        yield _bytes(np.where(np.isnan(numbers), np.nan, numbers))
    else:
        yield from _text_parts(as_text(cells))


def _is_exact(cells: pl.Series) -> bool:
    if not (cells.dtype.is_integer() or cells.dtype.is_decimal()):
        return True
    return not beyond_doubles(cells)


def _category_parts(cells: pl.Series, ordered: bool) -> Iterator[Any]:
    assert isinstance(cells.dtype, pl.Enum)
    yield b"ordinal" if ordered else b"categorical"
    levels = (
        pl.Series(cells.dtype.categories) if ordered else cells.drop_nulls().unique().cast(pl.String).sort()
    )
    yield from _text_parts(levels)
    yield _bytes(enum_codes(cells, levels.to_list(), missing=-1).astype(np.int32))


def _text_parts(cells: pl.Series) -> Iterator[Any]:
    text = cells.cast(pl.String) if is_text(cells) else cells
    yield b"text"
    yield _bytes(text.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy())
    yield (text.str.join("").item() or "").encode()


def _bytes(array: Any) -> Any:
    little = array.dtype.newbyteorder("<")
    return np.ascontiguousarray(array, dtype=little).view(np.uint8).data


class RowFingerprint:
    """The fingerprint of a sequence of rows, independent of how they are batched."""

    def __init__(self) -> None:
        self._columns: dict[str, Any] = {}
        self._labels = hashlib.sha256()

    def add(self, table: Table) -> None:
        """Add labelled rows.

        Parameters
        ----------
        table : Table
            A table typed by the model's schema.
        """
        for cells in table.X.get_columns():
            self._columns.setdefault(cells.name, hashlib.sha256()).update(_cell_bytes(cells))
        labels = table.labels()
        # As float64, so that the width of the column's type does not matter.
        plain = labels.cast(pl.Float64) if labels.dtype.is_float() else labels
        self._labels.update(_cell_bytes(plain if isinstance(plain.dtype, pl.Enum) else plain.cast(pl.String)))

    def hexdigest(self) -> str:
        """Return the fingerprint of all rows so far."""
        whole = hashlib.sha256(self._labels.digest())
        for name in sorted(self._columns):
            whole.update(hashlib.sha256(name.encode()).digest() + self._columns[name].digest())
        return whole.hexdigest()


def row_fingerprint(table: Table) -> str:
    """Return the fingerprint of the rows of a table, each with a label."""
    fingerprint = RowFingerprint()
    fingerprint.add(table)
    return fingerprint.hexdigest()


def _cell_bytes(cells: pl.Series) -> bytes:
    """Return cells as bytes that do not depend on the width of their type."""
    if cells.dtype.is_numeric() or cells.dtype == pl.Boolean:
        numbers = cells.cast(pl.Float64).fill_null(np.nan).to_numpy() + 0.0
        return np.where(np.isnan(numbers), np.nan, numbers).astype("<f8").tobytes()
    # The length precedes each text, so that the encoding is unambiguous; -1 for a missing value.
    if isinstance(cells.dtype, pl.Enum):
        # Encoded once per level; the last entry is for missing values.
        levels = _with_lengths(pl.Series([*cells.dtype.categories, None], dtype=pl.String))
        codes = cells.to_physical().cast(pl.UInt32).fill_null(len(levels) - 1)
        written = levels.gather(codes)
    else:
        written = _with_lengths(cells.cast(pl.String))
    return (written.str.join("").item() or "").encode()


def _with_lengths(texts: pl.Series) -> pl.Series:
    lengths = texts.str.len_chars().cast(pl.Int64).fill_null(-1).cast(pl.String)
    return lengths + ":" + texts.fill_null("")
