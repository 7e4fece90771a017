"""Cells that are text, in the type that a file declares for their column."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.tables.reading.declared import Declared
from classica.tables.reading.doubt import Doubt
from classica.tables.reading.typed_text import TextKinds
from classica.tables.typing.cells import unnamed


class BadCellError(Exception):
    """A cell that is not what its column is declared to be: its row, what is wrong, the sentence."""

    def __init__(self, row: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.row, self.kind, self.sentence = row, kind, sentence


class DeclaredColumn:
    """A declared column: looks at all of its cells first, then gives them the type that keeps them.

    Parameters
    ----------
    declared : Declared
        What the file says about the column.
    """

    def __init__(self, declared: Declared) -> None:
        self._is_number = declared.kind in ("number", "integer")
        self._levels = None if declared.levels is None else pl.Enum(list(declared.levels))
        self._kinds = TextKinds()

    def look(self, cells: pl.Series) -> None:
        """Look at some cells; raise `BadCellError` for one that is not as declared."""
        if self._levels is not None:
            cast_cells(cells, self._levels, "unknown category", "one of the declared categories")
        elif self._is_number:
            cast_cells(cells, pl.Float64, "no number", "a number")
            self._kinds.add([_plain(cell) for cell in unnamed(cells).drop_nulls().to_list()])

    @property
    def dtype(self) -> Any:
        """The type that keeps all cells that were looked at."""
        if self._levels is not None:
            return self._levels
        if not self._is_number:
            return pl.String
        return self._kinds.dtype if self._kinds.any else pl.Float64

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Why numbers are text."""
        lost = self._is_number and self.dtype == pl.String
        return (Doubt("many digits", "has numbers that no double can stand for"),) if lost else ()


def cast_cells(cells: pl.Series, dtype: Any, kind: str, rule: str) -> pl.Series:
    """Return cells in another type; raise `BadCellError` for one that has no place there."""
    cast = cells.cast(dtype, strict=False)
    lost = unnamed(cells).is_not_null() & unnamed(cast).is_null()
    if lost.any():
        row = int(lost.arg_true()[0])
        raise BadCellError(row, kind, f"a cell must be {rule}, got {cells[row][:40]!r}")
    return cast


def _plain(cell: str) -> str:
    """Return a number without what makes an id of it elsewhere: a plus sign, zeros in front."""
    sign = "-" if cell.startswith("-") else ""
    digits = cell.lstrip("+-").lstrip("0")
    return sign + (digits if digits[:1].isdigit() else f"0{digits}")
