"""The target: class labels stay what they are, or it is a number to predict."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.errors import DataError
from classica.tables.column_schema import ColumnSchema
from classica.tables.reading import Declared
from classica.tables.table_finding import Finding
from classica.tables.table_thresholds import MANY_CLASSES, ROWS_PER_CLASS
from classica.tables.typing.cells import MISSING_WORDS, as_text, is_text, is_unusable, with_gaps
from classica.wording import counted, listed


def decide_target(name: str, raw: pl.Series, declared: Declared | None, source: str) -> ColumnSchema:
    """Return the schema of a target column; no label is changed.

    Text and Booleans are classes, however many. Numbers are classes if they are whole and few of them differ,
    or if the file says so; a schema says it otherwise.
    """
    levels = label_levels(name, raw, declared, source)
    if declared is not None and declared.levels:
        return _classes(name, levels, "Classes declared in the file")
    if raw.dtype == pl.Boolean:
        return _classes(name, levels, "Classes are Booleans, kept as they are")
    if is_text(raw):
        return _classes(name, levels, "Classes are text, kept as it is")
    known = with_gaps(raw, [""]).drop_nulls()
    if not raw.dtype.is_integer() and (not known.is_finite().all() or (known != known.round()).any()):
        reason = "Numbers with fractions: a quantity to predict, not classes."
        return ColumnSchema(name, "numeric", "target", reason=reason)
    if len(levels) > max(MANY_CLASSES, len(known) // ROWS_PER_CLASS):
        reason = f"{len(levels):,} different whole numbers in {len(known):,} rows: a quantity, not classes."
        return ColumnSchema(name, "numeric", "target", reason=reason)
    what = "integers" if raw.dtype.is_integer() else "whole numbers"
    return _classes(name, levels, f"Classes are {what}, kept as they are")


def label_levels(name: str, raw: pl.Series, declared: Declared | None, source: str) -> tuple[Any, ...]:
    """Return the labels that a target has as classes, whatever they are."""
    # The different labels are all that counts, and there are few of them.
    known = with_gaps(raw.unique() if is_text(raw) else raw, [""]).drop_nulls()
    if is_unusable(raw) or raw.dtype.is_temporal() or not len(known):
        got = f"{raw.dtype}" if len(known) else "no label at all"
        rule = "text, numbers or Booleans"
        raise DataError(f"The target {name!r} of {source} must hold {rule}, got {got}.")
    if declared is not None and declared.levels:
        return tuple(declared.levels)
    if raw.dtype == pl.Boolean:
        return (False, True)
    if isinstance(raw.dtype, pl.Enum):
        return tuple(raw.dtype.categories)
    values = known.cast(pl.String) if is_text(raw) else known
    return tuple(values.unique().sort().to_list())


def target_findings(column: ColumnSchema, raw: pl.Series) -> list[Finding]:
    """Return what the labels of a target might be mistaken for."""
    if column.kind == "numeric":
        whole = raw.dtype.is_integer() or (raw.dtype.is_float() and bool((raw == raw.round()).all()))
        if whole:
            text = f"{column.reason} If they are codes of classes, make the target categorical in a schema."
            return [Finding("D205", column.name, text)]
        text = "The target has numbers with fractions: it is a quantity for regression, not a class."
        return [Finding("D206", column.name, text)]
    words = [level for level in column.levels or () if level in MISSING_WORDS]
    if not words:
        return []
    count = int(as_text(raw).str.strip_chars().is_in(words).sum())
    told = (
        f"The target has {listed(words)} in {counted(count, 'row')}, kept as a class; "
        "list it under the column's missing in a schema to leave these rows out."
    )
    return [Finding("D201", column.name, told)]


def _classes(name: str, levels: tuple[Any, ...], because: str) -> ColumnSchema:
    reason = f"{because}: {listed(levels)}."
    return ColumnSchema(name, "categorical", "target", levels=levels, reason=reason)
