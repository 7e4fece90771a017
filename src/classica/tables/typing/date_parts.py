"""Expand dates into numeric parts: year, month, day, weekday, hour, minute."""

from __future__ import annotations

import polars as pl

from classica.tables.column_schema import PARTS, ColumnSchema


def possible_parts(cells: pl.Series) -> tuple[str, ...]:
    """Return the parts that a column of dates or times can have."""
    if cells.dtype == pl.Date:
        return PARTS[:4]
    return PARTS[4:] if cells.dtype == pl.Time else PARTS


def varying_parts(cells: pl.Series) -> tuple[str, ...]:
    """Return the parts that vary."""
    return tuple(part for part in possible_parts(cells) if _part(cells, part).drop_nulls().n_unique() > 1)


def part_names(column: ColumnSchema) -> list[str]:
    """Return the feature names of a column."""
    return [f"{column.name}.{part}" for part in column.parts] if column.kind == "date" else [column.name]


def date_parts(cells: pl.Series, column: ColumnSchema) -> list[pl.Series]:
    """Return the date parts listed in the schema; weekday 1 is Monday."""
    had = possible_parts(cells)
    names = zip(column.parts, part_names(column), strict=True)
    midnight = pl.Series([0], dtype=pl.Int64)
    return [
        (_part(cells, part) if part in had else midnight.new_from_index(0, len(cells))).rename(name)
        for part, name in names
    ]


#: Letters of Java date patterns, as in ARFF files → ``strptime`` directives.
_SIGNS = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


def strptime_signs(pattern: str) -> str:
    """Convert a Java date pattern, as in ARFF files, to a ``strptime`` format.

    Examples
    --------
    >>> strptime_signs("yyyy-MM-dd'T'HH:mm:ss")
    '%Y-%m-%dT%H:%M:%S'
    """
    for letters, sign in _SIGNS.items():
        pattern = pattern.replace(letters, sign)
    return pattern.replace("'", "")


def _part(cells: pl.Series, part: str) -> pl.Series:
    values: pl.Series = getattr(cells.dt, part)()
    return values.cast(pl.Int64)
