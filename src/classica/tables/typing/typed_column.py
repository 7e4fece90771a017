"""Type a column of a raw table by its schema; cells that do not fit raise an error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from classica.errors import DataError, TableError
from classica.tables.column_schema import ColumnSchema
from classica.tables.reading import RawTable
from classica.tables.typing.cells import (
    as_booleans,
    as_dates,
    as_numbers,
    as_text,
    cell_counts,
    is_text,
    unnamed,
    with_gaps,
)
from classica.tables.typing.number_format import NumberFormat


@dataclass(frozen=True)
class TypedColumn:
    """The typed cells, and the counts of levels that the schema does not list."""

    cells: pl.Series
    unseen: dict[str, int]


def typed_column(
    raw: pl.Series, column: ColumnSchema, missing: Sequence[str], table: RawTable
) -> TypedColumn:
    """Convert the cells of a column to the type of its schema.

    Parameters
    ----------
    raw : polars Series
        The column as it was read.
    column : ColumnSchema
        Its schema.
    missing : sequence of str
        The missing-value markers of the table; a level is never missing.
    table : RawTable
        The table, for error messages.
    """
    if column.kind in ("identifier", "constant", "text"):
        return TypedColumn(raw, {})
    raw = unnamed(raw)
    written = table.written_cells(column.name) if column.thousands and raw.dtype.is_float() else None
    if written is not None:
        raw = unnamed(written(None))  # 1.234 was read as a fraction, but the point separates thousands
    words = missing_words(column, missing)
    levels = _levels_of_text(raw, column, words)
    if levels is not None:
        return levels
    gapped = with_gaps(raw, words)
    if gapped.null_count() == len(gapped) and not is_text(gapped):
        gapped = gapped.cast(pl.String, strict=False)
    if column.has_levels:
        return _with_levels(gapped, column, table)
    return _plain(raw, gapped, column, table)


def _plain(raw: pl.Series, gapped: pl.Series, column: ColumnSchema, table: RawTable) -> TypedColumn:
    """Return cells as numbers, Booleans or dates."""
    if column.kind == "numeric":
        cells = as_numbers(gapped, column.number_format)
    elif column.kind == "boolean":
        cells = as_booleans(gapped)
    else:
        cells = as_dates(gapped, column.format)
    _require_all_read(raw, gapped, cells, column, table)
    return TypedColumn(cells, {})


def missing_words(column: ColumnSchema, missing: Sequence[str]) -> list[str]:
    """Return the missing-value markers of a column; in the target, they are classes."""
    general = [""] if column.role == "target" else list(missing)
    levels = set(column.levels or ())
    return [word for word in [*general, *column.missing] if word not in levels]


def _levels_of_text(raw: pl.Series, column: ColumnSchema, words: Sequence[str]) -> TypedColumn | None:
    """Convert text to levels, checking only the cells that are not levels.

    None if all cells must be checked: for labels that are not text, and levels that look like missing values.
    """
    levels = column.levels or ()
    if not (column.has_levels and is_text(raw) and all(isinstance(level, str) for level in levels)):
        return None
    if pl.Series(levels, dtype=pl.String).str.strip_chars().is_in(list(words)).any():
        return None
    wanted = pl.Enum(levels)
    if raw.dtype == wanted:
        return TypedColumn(raw, {})
    text = raw.cast(pl.String)
    coded = text.cast(wanted, strict=False)
    if coded.null_count() == text.null_count():
        return TypedColumn(coded, {})
    unseen = cell_counts(with_gaps(text.filter(coded.is_null()), words))
    return TypedColumn(text.cast(pl.Enum([*levels, *unseen]), strict=False) if unseen else coded, unseen)


def _with_levels(gapped: pl.Series, column: ColumnSchema, table: RawTable) -> TypedColumn:
    if column.role == "target" and not all(isinstance(level, str) for level in column.levels or ()):
        return _labels(gapped, column, table)
    levels = [str(level) for level in column.levels or ()]
    if not is_text(gapped) and levels and as_numbers(pl.Series(levels)).null_count() == len(levels):
        rule = f"{column.kind}, with levels such as {levels[0]!r}"
        raise DataError(_changed(column, rule, table, f"numbers ({gapped.dtype})"))
    text = as_text(gapped)
    unseen = cell_counts(text.filter(~text.is_in(levels).fill_null(True)))
    return TypedColumn(text.cast(pl.Enum([*levels, *unseen])), unseen)


def _labels(gapped: pl.Series, column: ColumnSchema, table: RawTable) -> TypedColumn:
    """Return class labels that are not text, with their type."""
    if all(isinstance(level, bool) for level in column.levels or ()):
        cells = as_booleans(gapped)
        kind = "Booleans"
    else:
        cells, kind = as_numbers(gapped), "numbers"
    if cells.null_count() > gapped.null_count():
        raise _bad_cell(column, f"labels that are {kind}", table, gapped, cells)
    levels = pl.Series(list(column.levels or ()), dtype=cells.dtype, strict=False)
    new = cell_counts(as_text(cells.filter(~cells.is_in(levels.to_list()).fill_null(True))))
    return TypedColumn(cells, new)


def _require_all_read(
    raw: pl.Series, gapped: pl.Series, cells: pl.Series, column: ColumnSchema, table: RawTable
) -> None:
    if cells.null_count() == gapped.null_count():
        return
    rules = {
        "numeric": "numeric",
        "boolean": "true or false",
        "date": f"a date in the format {column.format}" if is_text(raw) and column.format else "a date",
    }
    raise _bad_cell(column, rules[column.kind], table, gapped, cells)


def _bad_cell(
    column: ColumnSchema, rule: str, table: RawTable, gapped: pl.Series, cells: pl.Series
) -> TableError:
    """Return the error about the first invalid cell, with file, line, column and value."""
    if column.kind == "numeric" and is_text(gapped):
        # Numbers with decimal commas that were read as text are valid.
        commas = as_numbers(gapped, NumberFormat(","))
        cells = min(cells, commas, key=pl.Series.null_count) if _unread(gapped, commas).any() else cells
    row = int(_unread(gapped, cells).arg_max() or 0)
    text = _changed(column, rule, table, f"{gapped[row]!r} in {table.where(row)}")
    line = None if table.line_of is None else table.line_of(row)
    return TableError(text, source=table.source, kind="changed type", line=line, column=column.name)


def _unread(gapped: pl.Series, cells: pl.Series) -> pl.Series:
    return gapped.is_not_null() & cells.is_null()


def _changed(column: ColumnSchema, rule: str, table: RawTable, got: str) -> str:
    return (
        f"The column {column.name!r} of {table.source} must be {rule}, as declared in the schema, got {got}."
    )
