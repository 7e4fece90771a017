"""The fingerprint of the rows a model learns from: features and labels, whatever else the table has.

Unlike that of a table it can be taken some rows at a time, so that a table of any length can be compared with
the rows a model was trained on.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import polars as pl

from classica.tables.table import Table


class RowFingerprint:
    """Adds up rows; equal rows in the same order have the same fingerprint, however they are cut."""

    def __init__(self) -> None:
        self._columns: dict[str, Any] = {}
        self._labels = hashlib.sha256()

    def add(self, table: Table) -> None:
        """Add rows that have a label.

        Parameters
        ----------
        table : Table
            Typed as the model wants it.
        """
        for cells in table.X.get_columns():
            self._columns.setdefault(cells.name, hashlib.sha256()).update(_bytes(cells))
        labels = table.labels()
        # As doubles, which are written the same however wide the column is.
        plain = labels.cast(pl.Float64) if labels.dtype.is_float() else labels
        self._labels.update(_bytes(plain if isinstance(plain.dtype, pl.Enum) else plain.cast(pl.String)))

    def hexdigest(self) -> str:
        """Return the fingerprint of all rows so far."""
        whole = hashlib.sha256(self._labels.digest())
        for name in sorted(self._columns):
            whole.update(hashlib.sha256(name.encode()).digest() + self._columns[name].digest())
        return whole.hexdigest()


def row_fingerprint(table: Table) -> str:
    """Return the fingerprint of the rows of a table, each with a label."""
    found = RowFingerprint()
    found.add(table)
    return found.hexdigest()


def _bytes(cells: pl.Series) -> bytes:
    """Return cells as bytes that do not depend on how wide their type is."""
    if cells.dtype.is_numeric() or cells.dtype == pl.Boolean:
        numbers = cells.cast(pl.Float64).fill_null(np.nan).to_numpy() + 0.0
        return np.where(np.isnan(numbers), np.nan, numbers).astype("<f8").tobytes()
    # A length before each text, so that no two lists of texts look alike; -1 for a missing one.
    if isinstance(cells.dtype, pl.Enum):
        # Written once per level; the last one is for missing cells.
        levels = _with_lengths(pl.Series([*cells.dtype.categories, None], dtype=pl.String))
        places = cells.to_physical().cast(pl.UInt32).fill_null(len(levels) - 1)
        written = levels.gather(places)
    else:
        written = _with_lengths(cells.cast(pl.String))
    return (written.str.join("").item() or "").encode()


def _with_lengths(texts: pl.Series) -> pl.Series:
    lengths = texts.str.len_chars().cast(pl.Int64).fill_null(-1).cast(pl.String)
    return lengths + ":" + texts.fill_null("")
