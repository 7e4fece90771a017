"""What one column looks like, in a line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from classica.tables.column_schema import ColumnSchema
from classica.tables.typing.cells import as_text, cell_counts


@dataclass(frozen=True)
class ColumnProfile:
    """What one column looks like.

    Attributes
    ----------
    name, kind, role, reason : str
        As in the schema.
    missing, different : int
        Missing cells, and how many different values the others have.
    counts : list of (value, count)
        Of categories and Booleans: every level with its count, in the order of the schema.
    low, mean, high : float, text or None
        Of finite numbers; of dates the first and the last.
    infinite : int
        Infinite numbers.
    alone : float or None
        The share of rows whose class this column alone tells.
    """

    name: str
    kind: str
    role: str
    reason: str
    missing: int
    different: int
    counts: list[tuple[str, int]]
    low: Any = None
    mean: float | None = None
    high: Any = None
    infinite: int = 0
    alone: float | None = None

    def record(self) -> dict[str, Any]:
        """Return the profile as plain values."""
        return asdict(self) | {"counts": [list(pair) for pair in self.counts]}

    def values(self) -> str:
        """Return levels with counts, or the range, as one line."""
        if self.counts:
            ordered = sorted(self.counts, key=lambda pair: -pair[1])
            return ", ".join(f"{value} {count:,}" for value, count in ordered)
        if self.mean is not None:
            return f"{self.low:.6g} to {self.high:.6g}, mean {self.mean:.6g}"
        if self.low is not None:
            return f"{self.low} to {self.high}"
        return f"{self.different:,} different"


def column_profile(cells: pl.Series, column: ColumnSchema, alone: float | None) -> ColumnProfile:
    """Return what a typed column looks like."""
    known = cells.drop_nulls()
    text = as_text(known) if known.dtype.is_nested() or known.dtype == pl.Object else known
    shared = (column.name, column.kind, column.role, column.reason, cells.null_count(), text.n_unique())
    if column.kind in ("categorical", "ordinal", "boolean"):
        return ColumnProfile(*shared, _counts(known, column), alone=alone)
    if column.kind == "numeric" and len(known):
        finite = known.filter(known.is_finite()) if known.dtype.is_float() else known
        low, mean, high = (_plain(value) for value in (finite.min(), finite.mean(), finite.max()))
        infinite = len(known) - len(finite)
        return ColumnProfile(*shared, [], low, mean, high, infinite, alone)
    if column.kind == "date" and len(known):
        return ColumnProfile(*shared, [], str(known.min()), None, str(known.max()), alone=alone)
    return ColumnProfile(*shared, [], alone=alone)


def _plain(value: Any) -> Any:
    return None if value is None else float(value)


def _counts(known: pl.Series, column: ColumnSchema) -> list[tuple[str, int]]:
    """Return every level with its count, those of the schema first."""
    by_level = cell_counts(known if isinstance(known.dtype, pl.Enum) else as_text(known))
    levels = [False, True] if column.kind == "boolean" else list(column.levels or ())
    declared = as_text(pl.Series(levels)).to_list() if levels else []
    return [(level, by_level.get(level, 0)) for level in dict.fromkeys([*declared, *by_level])]
