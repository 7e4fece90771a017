"""Cells of a column as text, numbers, Booleans or dates; whole columns at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import polars as pl

from classica.tables.typing.number_format import PLAIN, NumberFormat

#: Cells that count as missing unless a schema says otherwise; "none" and "-" are categories more often.
MISSING_WORDS = ("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")

#: Up to here every integer has a double of its own.
_EXACT = 2**53

#: Written booleans. The first two are taken for Booleans without being told.
TRUE_WORDS = ("true", "yes", "y", "t", "1")
FALSE_WORDS = ("false", "no", "n", "f", "0")

#: How dates are written; between the last two only the numbers can tell.
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
    """Return a column without its name: polars takes some names for patterns, even of a single column."""
    return column.rename("cells")


def is_text(column: pl.Series) -> bool:
    """Return whether cells are text, declared levels or not."""
    return column.dtype in (pl.String, pl.Categorical, pl.Enum)


def is_unusable(column: pl.Series) -> bool:
    """Return whether cells are lists, records, bytes or unknown objects."""
    return column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object)


def as_text(column: pl.Series) -> pl.Series:
    """Return cells as text; whole numbers are written without a fraction."""
    if is_unusable(column):
        return pl.Series(
            column.name, [None if cell is None else repr(cell) for cell in column.to_list()], pl.String
        )
    if column.dtype.is_float():
        whole = column.cast(pl.Int64, strict=False)
        same = (whole.cast(column.dtype) == column).fill_null(False)
        # Beyond 2**53 not every integer is a float, and the digits would be made up.
        same &= (column.abs() <= float(_EXACT)).fill_null(False)
        return whole.cast(pl.String).zip_with(same, column.cast(pl.String)).rename(column.name)
    if column.dtype == pl.Duration:
        return column.dt.total_microseconds().cast(pl.String)
    return column.cast(pl.String)


def beyond_doubles(column: pl.Series) -> bool:
    """Return whether an integer or decimal is too large to have a double of its own."""
    low, high = column.min(), column.max()
    # As Python's numbers: polars compares within the width of the column.
    return low is not None and not (int(low) >= -_EXACT and int(high) <= _EXACT)  # type: ignore[arg-type]


def cell_counts(text: pl.Series) -> dict[str, int]:
    """Return how many cells have each text or level, sorted by text; missing cells are not counted."""
    # A column may be called "count", so neither name is left to polars.
    found = unnamed(text.drop_nulls()).value_counts(name="count")
    return dict(sorted(zip(found["cells"].cast(pl.String), found["count"], strict=True)))


def with_gaps(column: pl.Series, words: Sequence[str]) -> pl.Series:
    """Return the column with null where a cell is NaN or one of the words."""
    if column.dtype.is_float() and column.is_nan().any():  # otherwise the cells need not be copied
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
    """Return cells as numbers, integers where all are; null where a cell is none.

    ``written`` says how numbers are written that are text.
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
    """Return cells as Booleans; null where a cell is neither of the first ``words`` pairs of words."""
    if column.dtype == pl.Boolean:
        return column
    text = as_text(column).str.strip_chars().str.to_lowercase()
    true, false = text.is_in(list(TRUE_WORDS[:words])), text.is_in(list(FALSE_WORDS[:words]))
    return pl.select(pl.when(true).then(True).when(false).then(False)).to_series().rename(column.name)


def as_dates(column: pl.Series, written: str | None) -> pl.Series:
    """Return cells as dates or times of day; null where a cell is none or not written so."""
    if column.dtype == pl.Datetime:
        return column.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    if column.dtype in (pl.Date, pl.Time):
        return column
    if not is_text(column) or written is None:
        return pl.Series(column.name, [None] * len(column), pl.Date)
    dtype = pl.Datetime("us") if "%H" in written else pl.Date()
    return column.cast(pl.String).str.strip_chars().str.strptime(dtype, written, strict=False, exact=True)


def can_write_dates(written: str) -> bool:
    """Return whether dates written so can be read again, and are still different."""
    moments = pl.Series([datetime(2001, 12, 25, 13, 14, 15), datetime(2012, 1, 6, 5, 6, 7)])
    try:
        read = as_dates(moments.dt.replace_time_zone("UTC").dt.strftime(written), written)
    except pl.exceptions.PolarsError:
        return False
    return not read.null_count() and read[0] != read[1]
