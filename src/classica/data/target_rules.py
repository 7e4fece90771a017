"""The target: class labels stay what they are, or it is a number to predict."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.data.cells import MISSING_WORDS, as_text, is_text, is_unusable, with_gaps
from classica.data.column_schema import ColumnSchema
from classica.data.finding import Finding
from classica.data.reading import Declared
from classica.data.wording import counted, listed
from classica.errors import DataError


def decide_target(name: str, raw: pl.Series, declared: Declared | None, source: str) -> ColumnSchema:
    """Return the schema of a target column; no label is changed."""
    cells = with_gaps(raw, [""])
    if is_unusable(raw) or raw.dtype.is_temporal() or not len(cells.drop_nulls()):
        got = "no label at all" if not len(cells.drop_nulls()) else f"{raw.dtype}"
        rule = "text, numbers or Booleans"
        raise DataError(f"The target {name!r} of {source} must hold {rule}, got {got}.")
    if declared is not None and declared.levels:
        return _classes(name, tuple(declared.levels), "Classes declared in the file")
    if raw.dtype == pl.Boolean:
        return _classes(name, (False, True), "Classes are Booleans, kept as they are")
    if is_text(raw):
        return _classes(name, _text_levels(raw, cells), "Classes are text, kept as it is")
    known = cells.drop_nulls()
    if raw.dtype.is_integer():
        return _classes(name, _values(known), "Classes are integers, kept as they are")
    if not known.is_finite().all() or (known != known.round()).any():
        reason = "Numbers with fractions: a quantity to predict, not classes."
        return ColumnSchema(name, "numeric", "target", reason=reason)
    return _classes(name, _values(known), "Classes are whole numbers, kept as they are")


def target_findings(column: ColumnSchema, raw: pl.Series) -> list[Finding]:
    """Return what the labels of a target might be mistaken for."""
    if column.kind == "numeric":
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


def _text_levels(raw: pl.Series, cells: pl.Series) -> tuple[Any, ...]:
    if isinstance(raw.dtype, pl.Enum):
        return tuple(raw.dtype.categories)
    return tuple(cells.drop_nulls().unique().cast(pl.String).sort().to_list())


def _values(known: pl.Series) -> tuple[Any, ...]:
    return tuple(known.unique().sort().to_list())
