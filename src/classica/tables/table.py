"""Typed tables: cells, schema and decisions."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.categories import enum_codes
from classica.errors import DataError
from classica.tables.fingerprint import fingerprint
from classica.tables.table_finding import Finding
from classica.tables.typing.cells import unnamed

if TYPE_CHECKING:
    from classica.tables.schema import Schema


@dataclass(frozen=True)
class Table:
    """A typed table.

    Attributes
    ----------
    frame : polars DataFrame
        The columns of the schema, in its order: numbers, Booleans, dates, and categories as Enum with the
        declared levels (followed by undeclared ones). Unused columns keep their original types.
    schema : Schema
        The kinds and roles of the columns.
    source : str
        Where the table came from.
    decisions : list of Finding
        What was decided, and what did not fit.
    unseen : dict
        Column → level that the schema does not know → how many cells.
    notes : list of str
        Notes from reading the source.
    """

    frame: pl.DataFrame
    schema: Schema
    source: str
    decisions: list[Finding] = field(default_factory=list)
    unseen: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return self.frame.height

    @property
    def X(self) -> pl.DataFrame:  # noqa: N802  (the field's name for a matrix)
        """The features, with dates expanded into their parts."""
        return self.schema.features(self.frame)

    @property
    def y(self) -> NDArray[Any]:
        """The target: labels (text as objects), or numbers."""
        cells = self.labels()
        if not isinstance(cells.dtype, pl.Enum):
            return cells.to_numpy().copy()
        # Equal labels share one string object.
        levels = pl.Series(cells.dtype.categories).to_numpy()
        labels: NDArray[Any] = levels[cells.to_physical().to_numpy()]
        return labels

    def class_codes(self) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Return the class code of each row, and the sorted classes that occur.

        ``classes[codes]`` equals `y`, and ``classes`` equals ``np.unique(y)``, without creating a string for
        each row and without sorting the rows.
        """
        cells = self.labels()
        if not isinstance(cells.dtype, pl.Enum):
            classes, codes = np.unique(cells.to_numpy(), return_inverse=True)
            return codes.astype(np.int32), classes
        used = cells.unique().cast(pl.String).sort()
        return enum_codes(cells, used.to_list()).astype(np.int32), used.to_numpy()

    def labels(self) -> pl.Series:
        """Return the cells of the target; raise `DataError` if one is missing."""
        name = self.schema.target
        if name is None or name not in self.frame.columns:
            raise DataError(f"Cannot return labels: {self.source} has no target.")
        cells = unnamed(self.frame[name])
        if cells.null_count():
            row = int(cells.is_null().arg_max() or 0) + 1
            raise DataError(
                f"The target {name!r} of {self.source} must have a label in every row, got none in row {row}."
            )
        return cells

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The weight of each row, or None without a weight column."""
        name = self.schema.weight
        if name is None or name not in self.frame.columns:
            return None
        return unnamed(self.frame[name]).cast(pl.Float64).fill_null(np.nan).to_numpy().copy()

    def labelled(self) -> Table:
        """Return the rows that have a label."""
        name = self.schema.target
        if name is None or not self.frame[name].null_count():
            return self
        kept = self.frame.filter(unnamed(self.frame[name]).is_not_null())
        return replace(self, frame=kept)

    def labelled_rows(self) -> pl.Series:
        """Return the indices of the labelled rows; all rows if there is no target."""
        name = self.schema.target
        if name is None:
            return pl.Series(range(len(self)), dtype=pl.UInt32)
        return unnamed(self.frame[name]).is_not_null().arg_true()

    def take_rows(self, rows: NDArray[Any]) -> Table:
        """Return the rows with these indices, in this order."""
        return replace(self, frame=self.frame[rows])

    def fingerprint(self) -> str:
        """Return the SHA-256 of the content of the table, independent of its file format."""
        return self._fingerprint

    @functools.cached_property
    def _fingerprint(self) -> str:
        # Cached, because writing, profiling and comparing each need it.
        kinds = {column.name: column.kind for column in self.schema.columns}
        return fingerprint(self.frame, kinds)
