"""A typed table: cells, schema, and what was decided on the way."""

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
        The columns that the schema knows, in its order: numbers, Booleans, dates, and categories as Enum
        with the declared levels (levels that are not declared stand behind them). Columns that are not used
        are as they were read.
    schema : Schema
        What the columns hold and are for.
    source : str
        Where the table came from.
    decisions : list of Finding
        What was decided, and what did not fit.
    unseen : dict
        Column → level that the schema does not know → how many cells.
    notes : list of str
        What was found when it was read.
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
        """The columns an estimator learns from; dates are expanded into their parts."""
        return self.schema.features(self.frame)

    @property
    def y(self) -> NDArray[Any]:
        """The target: labels as they are (text as objects), or numbers."""
        cells = self.labels()
        if not isinstance(cells.dtype, pl.Enum):
            return cells.to_numpy().copy()
        # Equal labels are one text object, not one each.
        levels = pl.Series(cells.dtype.categories).to_numpy()
        labels: NDArray[Any] = levels[cells.to_physical().to_numpy()]
        return labels

    def class_codes(self) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """Return the code of the class of each row, and the classes that occur, sorted.

        ``classes[codes]`` equals `y`, and ``classes`` equals ``np.unique(y)``, without a text object for each
        row and without sorting them.
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
        """The weight of each row, or None if no column is for that."""
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
        """Return the numbers, from 0, of the rows that have a label; all of them where there is no target."""
        name = self.schema.target
        if name is None:
            return pl.Series(range(len(self)), dtype=pl.UInt32)
        return unnamed(self.frame[name]).is_not_null().arg_true()

    def take_rows(self, rows: NDArray[Any]) -> Table:
        """Return the rows of these numbers, in this order."""
        return replace(self, frame=self.frame[rows])

    def fingerprint(self) -> str:
        """Return the SHA-256 of what is in the table, whatever kind of file it came from."""
        return self._fingerprint

    @functools.cached_property
    def _fingerprint(self) -> str:
        # Kept, since whoever writes, profiles and compares a table asks for it each time.
        kinds = {column.name: column.kind for column in self.schema.columns}
        return fingerprint(self.frame, kinds)
