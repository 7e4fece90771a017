"""Infer the kind of a column by the first rule that fits.

Every rule takes the facts of a column and returns a `ColumnSchema` with its reason, or None. The findings
follow from the decision (`typing_findings`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import polars as pl

from classica.errors import DataError
from classica.tables.column_schema import ColumnSchema
from classica.tables.reading import Declared
from classica.tables.typing.cells import as_dates, as_text, is_text, is_unusable, with_gaps
from classica.tables.typing.column_facts import ColumnFacts
from classica.tables.typing.date_parts import strptime_signs, varying_parts
from classica.tables.typing.number_format import PLAIN
from classica.wording import counted, listed

#: Up to this number of values, text is categorical; beyond, values must repeat.
FEW_LEVELS = 20
#: With fewer rows than this, distinct integers are no evidence of an identifier.
FEW_ROWS = 10
#: Short text has fewer words than this on average.
FREE_TEXT_WORDS = 3

_ID_NAME = re.compile(r"(^|[^a-z])(id|ids|uuid|guid|key|index|idx|nr|number|rownum|row)$", re.IGNORECASE)


def decide_column(facts: ColumnFacts, declared: Declared | None) -> ColumnSchema:
    """Return the schema of a column, by the first rule that fits."""
    for rule in (_unusable, _empty, _constant, lambda facts: _declared(facts, declared), *_RULES):
        schema = rule(facts)
        if schema is not None:
            return schema
    raise AssertionError("the last rule fits everything")


def _declared(facts: ColumnFacts, declared: Declared | None) -> ColumnSchema | None:
    if declared is not None and declared.levels:
        reason = f"Declared in the file with {counted(len(declared.levels), 'level')}."
        return ColumnSchema(facts.name, "categorical", levels=tuple(declared.levels), reason=reason)
    if declared is None or declared.kind != "date" or declared.pattern is None or not is_text(facts.known):
        return None
    written = strptime_signs(declared.pattern)
    fits = as_dates(facts.values, written).null_count() == 0
    return (
        _by_parts(facts, written, f"Declared in the file as a date in the format {written}") if fits else None
    )


def level_list(cells: pl.Series) -> tuple[str, ...]:
    """Return the levels of a categorical column: those its type declares, or the sorted ones that occur."""
    if isinstance(cells.dtype, pl.Enum):
        return tuple(cells.dtype.categories)
    return tuple(as_text(cells).drop_nulls().unique().sort().to_list())


def _empty(facts: ColumnFacts) -> ColumnSchema | None:
    if len(facts.known):
        return None
    return ColumnSchema(facts.name, "constant", "ignored", reason="Every value is missing.")


def _unusable(facts: ColumnFacts) -> ColumnSchema | None:
    if not is_unusable(facts.raw):
        return None
    return ColumnSchema(
        facts.name, "text", "ignored", reason=f"Cells are {facts.raw.dtype}, not single values."
    )


def _constant(facts: ColumnFacts) -> ColumnSchema | None:
    if facts.different > 1 or len(facts.known) < len(facts.cells) or len(facts.cells) == 1:
        return None
    return ColumnSchema(facts.name, "constant", "ignored", reason=f"Every cell is {facts.known[0]!r}.")


def _enum(facts: ColumnFacts) -> ColumnSchema | None:
    if not isinstance(facts.raw.dtype, pl.Enum | pl.Categorical):
        return None
    levels = level_list(facts.raw if isinstance(facts.raw.dtype, pl.Enum) else facts.values)
    reason = f"A categorical column of the file, with {counted(len(levels), 'level')}."
    return ColumnSchema(facts.name, "categorical", levels=levels, reason=reason)


def _boolean(facts: ColumnFacts) -> ColumnSchema | None:
    if facts.raw.dtype == pl.Boolean:
        return ColumnSchema(facts.name, "boolean", reason="Cells are true or false.")
    if facts.is_boolean_text:
        return ColumnSchema(facts.name, "boolean", reason="Every cell is true or false.")
    return None


def _date(facts: ColumnFacts) -> ColumnSchema | None:
    if facts.raw.dtype in (pl.Date, pl.Datetime, pl.Time):
        return _by_parts(facts, None, f"Cells have the type {facts.raw.dtype}")
    formats = facts.date_formats
    if not formats:
        return None
    if len(formats) > 1 and facts.different > 1:
        reason = f"Cells are dates, but both {formats[0]} and {formats[1]} fit; state the format in a schema."
        return ColumnSchema(facts.name, "text", "ignored", reason=reason)
    return _by_parts(facts, formats[0], f"Every cell is a date in the format {formats[0]}")


def _by_parts(facts: ColumnFacts, written: str | None, because: str) -> ColumnSchema:
    parts = varying_parts(as_dates(facts.values, written))
    used = f"used as {', '.join(parts)}" if parts else "no part of it varies"
    role = "feature" if parts else "ignored"
    return ColumnSchema(facts.name, "date", role, format=written, parts=parts, reason=f"{because}; {used}.")


def _padded(facts: ColumnFacts) -> ColumnSchema | None:
    if facts.leading_zeros is None or not facts.is_numeric:
        return None
    because = f"Cells such as {facts.leading_zeros!r} would lose digits as numbers"
    if facts.all_different or facts.different > max(FEW_LEVELS, len(facts.known) // 2):
        return ColumnSchema(facts.name, "identifier", "ignored", reason=f"{because} and hardly repeat.")
    levels = level_list(facts.values)
    reason = f"{because}, and repeat: {counted(len(levels), 'level')}."
    return ColumnSchema(facts.name, "categorical", levels=levels, reason=reason)


def _large(facts: ColumnFacts) -> ColumnSchema | None:
    if not facts.beyond_exact:
        return None
    reason = "Integers beyond 2**53 are not exact as floating-point numbers; kept as they are."
    return ColumnSchema(facts.name, "identifier", "ignored", reason=reason)


def _number(facts: ColumnFacts) -> ColumnSchema | None:
    if not facts.is_numeric or facts.raw.dtype == pl.Boolean:
        return None
    counts = facts.all_different and facts.numbers.dtype.is_integer() and len(facts.known) >= FEW_ROWS
    if counts and (facts.is_dense() or _ID_NAME.search(facts.name)):
        because = "as dense as a counter" if facts.is_dense() else "in a column with the name of a key"
        reason = f"All {len(facts.known):,} integers are different, {because}."
        return ColumnSchema(facts.name, "identifier", "ignored", reason=reason)
    if facts.number_format != PLAIN:
        number_format = facts.number_format
        reason = f"Numbers with {number_format}, such as {facts.known[0]!r}."
        return ColumnSchema(facts.name, "numeric", **vars(number_format), reason=reason)
    what = "integers" if facts.numbers.dtype.is_integer() else "numbers"
    written = "Every non-missing cell is a number." if is_text(facts.raw) else f"Cells are {what}."
    return ColumnSchema(facts.name, "numeric", reason=written)


def _category(facts: ColumnFacts) -> ColumnSchema | None:
    present, different = len(facts.known), facts.different
    if different > max(FEW_LEVELS, present // 2) or (facts.all_different and present >= FEW_ROWS):
        return None
    levels = level_list(facts.values)
    example = listed(levels, 3)
    reason = f"Text with {counted(different, 'value')} in {counted(present, 'cell')}: {example}."
    return ColumnSchema(facts.name, "categorical", levels=levels, reason=reason)


def _rest(facts: ColumnFacts) -> ColumnSchema:
    how = "all" if facts.all_different else "nearly all"
    if facts.words_per_cell >= FREE_TEXT_WORDS:
        reason = f"Text of {facts.words_per_cell:.0f} words on average, {how} different."
        return ColumnSchema(facts.name, "text", "ignored", reason=reason)
    reason = f"Short text, {how} different ({facts.different:,} values in {len(facts.known):,} cells)."
    return ColumnSchema(facts.name, "identifier", "ignored", reason=reason)


_RULES: tuple[Callable[[ColumnFacts], ColumnSchema | None], ...] = (
    _enum,
    _boolean,
    _date,
    _padded,
    _large,
    _number,
    _category,
    _rest,
)


#: More distinct integers than this, and than one per this many rows, are more likely a quantity.
MANY_CLASSES = 20
ROWS_PER_CLASS = 10


def decide_target(name: str, raw: pl.Series, declared: Declared | None, source: str) -> ColumnSchema:
    """Return the schema of a target column; no label is changed.

    Text and Booleans are always classes. Numbers are classes if they are integers with few distinct values,
    or if the file or a schema declares them categorical.
    """
    levels = label_levels(name, raw, declared, source)
    if declared is not None and declared.levels:
        return _classes(name, levels, "Classes declared in the file")
    if raw.dtype == pl.Boolean:
        return _classes(name, levels, "Classes are Booleans, kept as they are")
    if is_text(raw):
        return _classes(name, levels, "Classes are text, kept as it is")
    labels = with_gaps(raw, [""]).drop_nulls()
    if not raw.dtype.is_integer() and (not labels.is_finite().all() or (labels != labels.round()).any()):
        reason = "Numbers with fractions: a quantity, not classes."
        return ColumnSchema(name, "numeric", "target", reason=reason)
    if len(levels) > max(MANY_CLASSES, len(labels) // ROWS_PER_CLASS):
        reason = f"{len(levels):,} distinct integers in {len(labels):,} rows: a quantity, not classes."
        return ColumnSchema(name, "numeric", "target", reason=reason)
    what = "integers" if raw.dtype.is_integer() else "whole numbers"
    return _classes(name, levels, f"Classes are {what}, kept as they are")


def label_levels(name: str, raw: pl.Series, declared: Declared | None, source: str) -> tuple[Any, ...]:
    """Return the class labels of a target."""
    # Only the few distinct labels matter.
    labels = with_gaps(raw.unique() if is_text(raw) else raw, [""]).drop_nulls()
    if is_unusable(raw) or raw.dtype.is_temporal() or not len(labels):
        got = (
            f"its type is {raw.dtype}, not text, numbers or Booleans"
            if len(labels)
            else "every label is missing"
        )
        raise DataError(f"Cannot use {name!r} as the target of {source}: {got}.")
    if declared is not None and declared.levels:
        return tuple(declared.levels)
    if raw.dtype == pl.Boolean:
        return (False, True)
    if isinstance(raw.dtype, pl.Enum):
        return tuple(raw.dtype.categories)
    values = labels.cast(pl.String) if is_text(raw) else labels
    return tuple(values.unique().sort().to_list())


def _classes(name: str, levels: tuple[Any, ...], because: str) -> ColumnSchema:
    reason = f"{because}: {listed(levels)}."
    return ColumnSchema(name, "categorical", "target", levels=levels, reason=reason)
