"""What to tell about the decisions on a column, as coded findings."""

from __future__ import annotations

import polars as pl

from classica.tables.column_schema import ColumnSchema
from classica.tables.table_finding import Finding
from classica.tables.table_thresholds import ALMOST, DIFFERENT_ROWS
from classica.tables.typing.cells import is_text, is_unusable
from classica.tables.typing.column_facts import ColumnFacts
from classica.tables.typing.number_format import PLAIN, number_formats
from classica.wording import counted


def decision_findings(column: ColumnSchema, facts: ColumnFacts) -> list[Finding]:
    """Return what a user should know about how a column was typed."""
    found = [_kind_finding(column, facts), _missing_words(column, facts), _almost_numeric(column, facts)]
    found.append(_two_ways(column, facts))
    if column.kind == "numeric" and _are_different_integers(facts):
        text = "All integers are different: taken for numbers; if they name the rows, make it an id."
        found.append(Finding("D108", column.name, text))
    return [finding for finding in found if finding is not None]


def _kind_finding(column: ColumnSchema, facts: ColumnFacts) -> Finding | None:
    """Return what follows from the kind itself."""
    code, what = _code(column, facts)
    return Finding(code, column.name, f"{column.reason} {what}".strip()) if code else None


def _code(column: ColumnSchema, facts: ColumnFacts) -> tuple[str, str]:
    if column.kind == "constant":
        return "D102", "Not used."
    if column.kind == "identifier":
        code = "D107" if facts.beyond_exact else "D109" if facts.leading_zeros else "D101"
        return code, "Like an identifier: not used."
    if column.kind == "text":
        code = "D112" if is_unusable(facts.raw) else "D111" if facts.date_formats else "D103"
        return code, "Not used."
    if column.kind == "date":
        return "D104", "" if column.role == "feature" else "Not used."
    if column.number_format != PLAIN:
        return "D113", "Read as numbers."
    if column.kind == "boolean" and is_text(facts.raw):
        return "D110", "Typed as a Boolean."
    if column.kind == "categorical" and facts.leading_zeros is not None and facts.is_numeric:
        return "D109", "Kept as categories."
    return "", ""


def _missing_words(column: ColumnSchema, facts: ColumnFacts) -> Finding | None:
    words = {word: count for word, count in facts.missing_found.items() if word not in (column.levels or ())}
    if not words:
        return None
    shown = ", ".join(f"{word!r} {count:,}" for word, count in words.items())
    cells = sum(words.values())
    return Finding(
        "D105", column.name, f"{counted(cells, 'cell counts', 'cells count')} as missing ({shown})."
    )


def _two_ways(column: ColumnSchema, facts: ColumnFacts) -> Finding | None:
    if facts.two_ways is None or column.kind in ("date", "constant", "boolean"):
        return None
    kept = "as a fraction" if column.kind == "numeric" else "as text"
    text = (
        f"{facts.two_ways!r} and all other cells could have a thousands separator or a decimal sign: "
        f"taken {kept}; name the decimal sign (--decimal)."
    )
    return Finding("D114", column.name, text)


def _almost_numeric(column: ColumnSchema, facts: ColumnFacts) -> Finding | None:
    if not is_text(facts.raw) or column.kind not in ("categorical", "identifier", "text"):
        return None
    wrong, most = _no_numbers(facts), (1 - ALMOST) * len(facts.known)
    if not 0 < len(wrong) <= most:
        return None
    cells = int(facts.known.is_in(wrong.to_list()).sum())
    if cells > most:
        return None
    text = (
        f"{counted(cells, 'cell')} of {len(facts.known):,} "
        f"{'is' if cells == 1 else 'are'} not a number (the first: {wrong[0]!r}), so the column is text."
    )
    return Finding("D106", column.name, text)


def _no_numbers(facts: ColumnFacts) -> pl.Series:
    """Return the different cells that keep a column from being numeric, however its numbers are written."""
    has_digits = facts.values.str.contains("[0-9]")
    is_written = bool(has_digits.any()) and bool(number_formats(facts.values.filter(has_digits)))
    return facts.values.filter(~has_digits if is_written else facts.numbers.is_null())


def _are_different_integers(facts: ColumnFacts) -> bool:
    return facts.all_different and facts.numbers.dtype.is_integer() and len(facts.known) >= DIFFERENT_ROWS
