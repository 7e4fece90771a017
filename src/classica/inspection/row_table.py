"""Rows as a model takes them, array or frame, with the few operations that inspecting a model needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
import polars as pl
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.row_taking import is_frame, take_rows

#: A column of an array or of a frame.
Cells: TypeAlias = Any


@dataclass(frozen=True)
class RowTable:
    """The features of some rows, as an array or a frame of any library.

    Attributes
    ----------
    rows : array or frame
        As a model takes it.
    """

    rows: Any

    @classmethod
    def of(cls, X: MatrixLike) -> RowTable:
        """Return what a model is to be asked about; lists become an array."""
        if sp.issparse(X):
            raise DataError("X must be an array or a frame, got a sparse matrix.")
        rows: Any = X if is_frame(X) else np.asarray(X)
        if np.ndim(rows) != 2 or not len(rows):
            raise DataError(must("X", "a table of at least one row", np.shape(rows)))
        return cls(rows)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def names(self) -> list[str]:
        """The columns: their names, or x0, x1 and so on."""
        if isinstance(self.rows, np.ndarray):
            return [f"x{index}" for index in range(self.rows.shape[1])]
        return [str(name) for name in self._frame.columns]

    @property
    def _frame(self) -> nw.DataFrame[Any]:
        return nw.from_native(self.rows, eager_only=True)

    def index(self, column: str | int) -> int:
        """Return which column is meant, by name or by number."""
        if isinstance(column, int | np.integer) and 0 <= column < len(self.names):
            return int(column)
        if column not in self.names:
            raise DataError(must("column", f"one of {', '.join(self.names[:20])}", column))
        return self.names.index(str(column))

    def take(self, rows: NDArray[np.intp]) -> RowTable:
        """Return some rows, in the order given and as often as given."""
        return RowTable(take_rows(self.rows, rows))

    def cells(self, column: int, rows: NDArray[np.intp]) -> Cells:
        """Return the cells of a column, of some rows in the order given."""
        if isinstance(self.rows, np.ndarray):
            return self.rows[rows, column]
        return self._frame[self._frame.columns[column]][rows]

    def with_cells(self, columns: Mapping[int, Cells]) -> Any:
        """Return the rows, for the model, with other cells in some columns."""
        if isinstance(self.rows, np.ndarray):
            copy = self.rows.copy()
            for place, cells in columns.items():
                copy[:, place] = cells
            return copy
        names = self._frame.columns
        return self._frame.with_columns(
            cells.alias(names[place]) for place, cells in columns.items()
        ).to_native()

    def series(self, column: int) -> pl.Series:
        """Return a column to be looked at, not for the model: NaN is missing, and it has no name."""
        if isinstance(self.rows, np.ndarray):
            found = pl.Series("", self.rows[:, column])
        elif isinstance(self.rows, pl.DataFrame):
            found = self.rows.to_series(column).alias("")
        else:
            found = pl.Series("", self._frame[self._frame.columns[column]].to_list(), strict=False)
        return found.fill_nan(None) if found.dtype.is_float() else found
