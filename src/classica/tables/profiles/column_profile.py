"""The profile of one column, and how well it alone predicts the class."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.tables.column_schema import ColumnSchema
from classica.tables.typing.cells import as_text, cell_counts


@dataclass(frozen=True)
class ColumnProfile:
    """The profile of one column.

    Attributes
    ----------
    name, kind, role, reason : str
        As in the schema.
    missing, different : int
        Number of missing values, and of distinct other values.
    counts : list of (value, count)
        For categories and Booleans, every level with its count, in the order of the schema.
    low, mean, high : float, text or None
        The range and mean of finite numbers; the first and the last of dates.
    infinite : int
        Number of infinite values.
    alone : float or None
        The share of rows whose class this column alone predicts.
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
    """Return the profile of a typed column."""
    present = cells.drop_nulls()
    text = as_text(present) if present.dtype.is_nested() or present.dtype == pl.Object else present
    shared = (column.name, column.kind, column.role, column.reason, cells.null_count(), text.n_unique())
    if column.kind in ("categorical", "ordinal", "boolean"):
        return ColumnProfile(*shared, _counts(present, column), alone=alone)
    if column.kind == "numeric" and len(present):
        finite = present.filter(present.is_finite()) if present.dtype.is_float() else present
        low, mean, high = (_plain(value) for value in (finite.min(), finite.mean(), finite.max()))
        infinite = len(present) - len(finite)
        return ColumnProfile(*shared, [], low, mean, high, infinite, alone)
    if column.kind == "date" and len(present):
        return ColumnProfile(*shared, [], str(present.min()), None, str(present.max()), alone=alone)
    return ColumnProfile(*shared, [], alone=alone)


def _plain(value: Any) -> Any:
    return None if value is None else float(value)


def _counts(present: pl.Series, column: ColumnSchema) -> list[tuple[str, int]]:
    """Return every level with its count, those of the schema first."""
    by_level = cell_counts(present if isinstance(present.dtype, pl.Enum) else as_text(present))
    levels = [False, True] if column.kind == "boolean" else list(column.levels or ())
    declared = as_text(pl.Series(levels)).to_list() if levels else []
    return [(level, by_level.get(level, 0)) for level in dict.fromkeys([*declared, *by_level])]


#: Numbers with up to this many distinct values are grouped by value, others into this many ranges.
_RANGES = 100
#: ... unless values have fewer rows than this on average.
_ROWS_OF_A_VALUE = 3
#: The largest table of counts by value and class; beyond, classes are counted one at a time.
_COUNTS = 2**20


def column_accuracy(cells: pl.Series, labels: NDArray[np.intp], classes: int) -> float:
    """Return the share of rows whose class one column predicts.

    A row is predicted correctly if its class is the most frequent one among the *other* rows of the same
    category or range, so values that occur once predict nothing. For numbers, the best single threshold is
    also tried. Missing values are a category of their own.
    """
    if not len(labels):
        return 0.0
    if cells.dtype.is_numeric():
        return _correct_by_numbers(cells, labels, classes) / len(labels)
    return _correct_by_groups(_groups(cells), labels, classes) / len(labels)


def _groups(cells: pl.Series) -> NDArray[np.int64]:
    """Return the group of each row, one group per value; missing values have their own group."""
    if isinstance(cells.dtype, pl.Enum):
        codes = cells.to_physical().cast(pl.Int64).fill_null(len(cells.dtype.categories))
    else:
        codes = (as_text(cells) if cells.dtype.is_nested() else cells).rank("dense").cast(pl.Int64)
        codes = codes.fill_null(0)
    return codes.to_numpy()


def _correct_by_groups(groups: NDArray[np.int64], labels: NDArray[np.intp], classes: int) -> int:
    # A group of one row predicts nothing; columns of distinct values leave no group to count.
    shared = np.bincount(groups) > 1
    kept = shared[groups]
    if not kept.any():
        return 0
    indices = (np.cumsum(shared) - 1)[groups[kept]]
    return _correct_by_others(_counted(indices, labels[kept], classes))


def _counted(groups: NDArray[np.int64], labels: NDArray[np.intp], classes: int) -> NDArray[np.intp]:
    """Return the number of rows of each class in each group."""
    size = (int(groups.max()) + 1) * classes
    return np.bincount(groups * classes + labels, minlength=size).reshape(-1, classes)


def _correct_by_others(table: NDArray[np.intp]) -> int:
    """Return how many rows are predicted correctly by the other rows of their group."""
    first = table.argmax(axis=1)
    most = table.max(axis=1)
    rest = table.copy()
    rest[np.arange(len(table)), first] = 0
    second = rest.max(axis=1)
    # Without the row itself, its class must still be in the lead; rows of other classes are never correct.
    return int(most[most - 1 > second].sum())


def _correct_by_numbers(cells: pl.Series, labels: NDArray[np.intp], classes: int) -> int:
    """Return how many rows values, ranges or the best threshold predict; the numbers are sorted once."""
    values, is_present = _present_numbers(cells)
    missing = np.bincount(labels[~is_present], minlength=classes)
    if not len(values):
        return _correct_by_others(missing.reshape(1, -1))
    order = _order(values)
    values, classes_in_order = values[order], labels[is_present][order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    runs = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(values)))
    different = len(starts) + bool(missing.any())
    # With values that occur once or twice, duplicate rows would predict one another.
    if different > min(_RANGES, len(labels) / _ROWS_OF_A_VALUE):
        parts = max(min(_RANGES, len(labels) // 10), 1)
        groups = (starts * parts // len(labels))[runs]
    else:
        groups = runs
    by_groups = _correct_by_others(np.vstack([_counted(groups, classes_in_order, classes), missing]))
    # Two integers beyond 2**53 may be the same double, with no threshold between them.
    ends = starts[1:][values[starts[1:]].astype(np.float64) > values[starts[1:] - 1].astype(np.float64)]
    if not len(ends):
        return by_groups
    return max(by_groups, _correct_by_threshold(runs, classes_in_order, ends, classes) + int(missing.max()))


def _present_numbers(cells: pl.Series) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the non-missing numbers, and a mask of their cells."""
    if not cells.dtype.is_integer() or cells.dtype == pl.Int128:
        cells = cells.cast(pl.Float64).fill_nan(None)
    return cells.drop_nulls().to_numpy(), cells.is_not_null().to_numpy()


def _order(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the rows in the order of their numbers; integers of a small range are sorted by counting."""
    if values.dtype.kind in "iu":
        low, high = int(values.min()), int(values.max())
        if high - low < 2**16:
            # NumPy sorts 16-bit integers by radix sort.
            return np.argsort((values - values.dtype.type(low)).astype(np.uint16), kind="stable")
    return np.argsort(values)


def _correct_by_threshold(
    runs: NDArray[np.int64], labels: NDArray[np.intp], ends: NDArray[np.intp], classes: int
) -> int:
    """Return how many rows the best threshold predicts, by the most frequent class on either side.

    ``ends`` are the rows before which a threshold may be, ``runs`` the index of each row's value.
    """
    if (int(runs[-1]) + 1) * classes <= _COUNTS:
        counts = _counted(runs, labels, classes)
        sums = np.cumsum(counts, axis=0)[runs[ends - 1]]
        return int((sums.max(axis=1) + (counts.sum(axis=0) - sums).max(axis=1)).max())
    below, above = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.intp)
    # One class at a time, so that memory does not grow with the number of classes.
    for label in range(classes):
        count = np.cumsum(labels == label)
        below = np.maximum(below, count[ends - 1])
        above = np.maximum(above, count[-1] - count[ends - 1])
    return int((below + above).max())
