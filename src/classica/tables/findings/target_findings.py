"""Findings about the type of the target (D2)."""

from __future__ import annotations

import polars as pl

from classica.tables.column_schema import ColumnSchema
from classica.tables.table_finding import Finding, TableRule, table_rules
from classica.tables.typing.cells import MISSING_WORDS, as_text
from classica.tables.typing.column_rules import MANY_CLASSES, ROWS_PER_CLASS
from classica.wording import counted, listed


class TargetRule(TableRule):
    """A finding about the type of the target."""

    def text(self, column: ColumnSchema, raw: pl.Series) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        raise NotImplementedError


def target_findings(column: ColumnSchema, raw: pl.Series) -> list[Finding]:
    """Return the findings about the type of the target."""
    texts = [(rule, rule.text(column, raw)) for rule in table_rules(TargetRule)]
    return [rule.finding(column.name, text) for rule, text in texts if text is not None]


class MissingWordClasses(TargetRule):
    """Missing-value markers as classes."""

    code = "D201"
    title = "Missing-value markers as classes"
    order = 10
    meaning = "The target has cells such as NA or ?, which are kept as a class: labels are never changed."
    rule = "Reported when a class has the name of a missing-value marker."
    remedy = (
        'If the marker means that the label is unknown, list it under "missing" of the target in a schema; '
        "these rows are then left out. Otherwise nothing."
    )
    shown_by = ("classica.tables.decide_types", "classica.tables.Schema")

    def text(self, column: ColumnSchema, raw: pl.Series) -> str | None:
        """Return the text of the finding; None for other targets."""
        words = [level for level in column.levels or () if level in MISSING_WORDS]
        if column.kind == "numeric" or not words:
            return None
        count = int(as_text(raw).str.strip_chars().is_in(words).sum())
        return (
            f"The target has {listed(words)} in {counted(count, 'row')}, kept as a class. "
            'To leave these rows out, list it under "missing" of the column in a schema.'
        )


class ManyWholeNumbers(TargetRule):
    """Integers that are probably a quantity."""

    code = "D205"
    title = "Integer target, probably numeric"
    order = 10
    meaning = (
        "A target with many distinct integers is more likely a quantity than class codes: classifiers reject "
        "it."
    )
    rule = (
        f"Reported when the target has more than {MANY_CLASSES} distinct integers, and more than one per "
        f"{ROWS_PER_CLASS} rows."
    )
    remedy = (
        "If they are class codes, make the target categorical in a schema. Otherwise bin it into a few "
        "classes (low, medium, high), or use a regressor from Python."
    )
    shown_by = ("classica.tables.profile", "classica.DecisionTreeRegressor", "classica.KNeighborsRegressor")

    def text(self, column: ColumnSchema, raw: pl.Series) -> str | None:
        """Return the text of the finding; None for other targets."""
        if column.kind != "numeric" or not _is_whole(raw):
            return None
        return f"{column.reason} If they are class codes, make the target categorical in a schema."


class Fractions(TargetRule):
    """Numbers with fractions."""

    code = "D206"
    title = "Continuous target"
    order = 10
    meaning = "The target is a quantity, not a class: classifiers reject it."
    rule = "Reported when the target has numbers with fractions or infinite values."
    remedy = "Bin it into classes, or use a regressor from Python."
    shown_by = ("classica.tables.profile", "classica.DecisionTreeRegressor", "classica.RandomForestRegressor")

    def text(self, column: ColumnSchema, raw: pl.Series) -> str | None:
        """Return the text of the finding; None for other targets."""
        if column.kind != "numeric" or _is_whole(raw):
            return None
        return "The target has numbers with fractions: a quantity for regression, not classes."


def _is_whole(raw: pl.Series) -> bool:
    return raw.dtype.is_integer() or (raw.dtype.is_float() and bool((raw == raw.round()).all()))
