"""Cells that are text, in the type that a file declares for their column."""

from __future__ import annotations

import polars as pl

from classica.data.reading.declared import Declared
from classica.data.reading.doubt import Doubt
from classica.data.reading.typed_text import typed_column


class BadCellError(Exception):
    """A cell that is not what its column is declared to be: its row, what is wrong, the sentence."""

    def __init__(self, row: int, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.row, self.kind, self.sentence = row, kind, sentence


def declared_cells(cells: pl.Series, declared: Declared) -> tuple[pl.Series, Doubt | None]:
    """Return cells in their declared type; as text, and why, where that would not keep them."""
    if declared.levels is not None:
        levels = pl.Enum(list(declared.levels))
        return _cast(cells, levels, "unknown category", "one of the declared categories"), None
    if declared.kind not in ("number", "integer") or cells.dtype != pl.String:
        return cells, None
    numbers = _cast(cells, pl.Float64, "no number", "a number")
    known = cells.drop_nulls()
    kind = typed_column(cells.name, [_plain(cell) for cell in known.to_list()]).dtype
    if kind == pl.String and len(known):
        return cells, Doubt("many digits", "has numbers that no double can stand for")
    return (_cast(cells, pl.Int64, "no number", "an integer"), None) if kind == pl.Int64 else (numbers, None)


def _cast(cells: pl.Series, dtype: pl.DataType | type[pl.DataType], kind: str, rule: str) -> pl.Series:
    cast = cells.cast(dtype, strict=False)
    lost = cells.is_not_null() & cast.is_null()
    if lost.any():
        row = int(lost.arg_true()[0])
        raise BadCellError(row, kind, f"a cell must be {rule}, got {cells[row][:40]!r}")
    return cast


def _plain(cell: str) -> str:
    """Return a number without what makes an id of it elsewhere: a plus sign, zeros in front."""
    sign = "-" if cell.startswith("-") else ""
    digits = cell.lstrip("+-").lstrip("0")
    return sign + (digits if digits[:1].isdigit() else f"0{digits}")
