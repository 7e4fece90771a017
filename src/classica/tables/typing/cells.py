"""Convert whole columns to text, numbers, Booleans or dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import polars as pl

from classica.tables.typing.number_format import PLAIN, NumberFormat

#: Default missing-value markers; "none" and "-" are more often categories.
MISSING_WORDS = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")

#: Up to this limit, every integer is exact as a double.
_EXACT = 2**53

#: Spellings of Booleans. The first pair is recognised by default.
TRUE_WORDS = ("true", "yes", "y", "t", "1")
FALSE_WORDS = ("false", "no", "n", "f", "0")

#: Date formats; only the numbers distinguish the last two.
DATE_FORMATS = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M",
    "%d/%m/%Y",
    "%m/%d/%Y",
)


def unnamed(column: pl.Series) -> pl.Series:
    """Return a column without its name, because polars interprets some names as patterns."""
    return column.rename("cells")


def is_text(column: pl.Series) -> bool:
    """Return whether cells are text, with or without declared levels."""
    return column.dtype in (pl.String, pl.Categorical, pl.Enum)


def is_unusable(column: pl.Series) -> bool:
    """Return whether cells are lists, records, bytes or unknown objects."""
    return column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object)


def as_text(column: pl.Series) -> pl.Series:
    """Return cells as text; integers are written without a fraction."""
    if is_unusable(column):
        return pl.Series(
            column.name, [None if cell is None else repr(cell) for cell in column.to_list()], pl.String
        )
    if column.dtype.is_float():
        whole = column.cast(pl.Int64, strict=False)
        same = (whole.cast(column.dtype) == column).fill_null(False)
        # Beyond 2**53, not every integer is exact as a float, and the digits would be wrong.
        same &= (column.abs() <= float(_EXACT)).fill_null(False)
        return whole.cast(pl.String).zip_with(same, column.cast(pl.String)).rename(column.name)
    if column.dtype == pl.Duration:
        return column.dt.total_microseconds().cast(pl.String)
    return column.cast(pl.String)


def beyond_doubles(column: pl.Series) -> bool:
    """Return whether an integer or decimal is too large to be exact as a double."""
    low, high = column.min(), column.max()
    # As Python numbers, because polars compares within the width of the column's type.
    return low is not None and not (int(low) >= -_EXACT and int(high) <= _EXACT)  # type: ignore[arg-type]


def cell_counts(text: pl.Series) -> dict[str, int]:
    """Return the count of each text or level, sorted by text; missing values are not counted."""
    # Both names are set explicitly, because a column may be called "count".
    counts = unnamed(text.drop_nulls()).value_counts(name="count")
    return dict(sorted(zip(counts["cells"].cast(pl.String), counts["count"], strict=True)))


def with_gaps(column: pl.Series, words: Sequence[str]) -> pl.Series:
    """Return the column with null for NaN and missing-value markers."""
    if column.dtype.is_float() and column.is_nan().any():  # otherwise no copy is needed
        column = column.fill_nan(None)
    if is_unusable(column) or column.dtype == pl.Null:
        return column
    if is_text(column):
        text = column.cast(pl.String)
        missing = text.str.strip_chars().is_in(list(words)).fill_null(False)
        return text.set(missing, None) if missing.any() else text
    written = [word for word in words if word not in MISSING_WORDS]
    if not written:
        return column
    missing = as_text(column).is_in(written).fill_null(False)
    return pl.select(pl.when(~missing).then(column)).to_series().rename(column.name)


def as_numbers(column: pl.Series, written: NumberFormat = PLAIN) -> pl.Series:
    """Return cells as numbers, integers if all are; null for other cells.

    ``written`` is the format of numbers stored as text.
    """
    if column.dtype.is_decimal():
        return column.cast(pl.Float64)
    if column.dtype.is_integer():
        small = column.cast(pl.Int64, strict=False)
        return small if small.null_count() == column.null_count() else column.cast(pl.Float64)
    if column.dtype.is_float():
        return column
    if column.dtype == pl.Duration:
        return column.dt.total_microseconds() / 1e6
    if not is_text(column):
        return pl.Series(column.name, [None] * len(column), pl.Float64)
    text = written.plain(column.cast(pl.String))
    whole = text.cast(pl.Int64, strict=False)
    if whole.null_count() == text.null_count():
        return whole
    return text.cast(pl.Float64, strict=False)


def as_booleans(column: pl.Series, words: int | None = None) -> pl.Series:
    """Return cells as Booleans; null for cells outside the first ``words`` pairs of spellings."""
    if column.dtype == pl.Boolean:
        return column
    text = as_text(column).str.strip_chars().str.to_lowercase()
    true, false = text.is_in(list(TRUE_WORDS[:words])), text.is_in(list(FALSE_WORDS[:words]))
    return pl.select(pl.when(true).then(True).when(false).then(False)).to_series().rename(column.name)


def as_dates(column: pl.Series, written: str | None) -> pl.Series:
    """Return cells as dates or times; null for cells in another format."""
    if column.dtype == pl.Datetime:
        return column.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    if column.dtype in (pl.Date, pl.Time):
        return column
    if not is_text(column) or written is None:
        return pl.Series(column.name, [None] * len(column), pl.Date)
    dtype = pl.Datetime("us") if "%H" in written else pl.Date()
    return column.cast(pl.String).str.strip_chars().str.strptime(dtype, written, strict=False, exact=True)


def can_write_dates(written: str) -> bool:
    """Return whether dates in this format can be read back and stay distinct."""
    moments = pl.Series([datetime(2001, 12, 25, 13, 14, 15), datetime(2012, 1, 6, 5, 6, 7)])
    try:
        read = as_dates(moments.dt.replace_time_zone("UTC").dt.strftime(written), written)
    except pl.exceptions.PolarsError:
        return False
    return not read.null_count() and read[0] != read[1]
