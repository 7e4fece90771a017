"""Findings about how a column was typed (D1)."""

from __future__ import annotations

import polars as pl

from classica.tables.column_schema import ColumnSchema
from classica.tables.table_finding import Finding, TableRule, table_rules
from classica.tables.typing.cells import is_text, is_unusable
from classica.tables.typing.column_facts import DENSE, ColumnFacts
from classica.tables.typing.column_rules import FEW_LEVELS, FEW_ROWS, FREE_TEXT_WORDS
from classica.tables.typing.number_format import PLAIN, number_formats
from classica.wording import counted

_SCHEMA = "write a schema (--write-schema), edit the column there and load the table with it (--schema)"
_TYPES = ("classica.tables.decide_types", "classica.tables.Schema")


class ColumnTypeRule(TableRule):
    """A finding about the decision on one column."""

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding about this column; None if it does not apply."""
        raise NotImplementedError

    @staticmethod
    def with_reason(column: ColumnSchema, what: str) -> str:
        """Return the reason of the decision and its consequence."""
        return f"{column.reason} {what}".strip()


def typing_findings(column: ColumnSchema, facts: ColumnFacts) -> list[Finding]:
    """Return the findings about the type of a column."""
    texts = [(rule, rule.text(column, facts)) for rule in table_rules(ColumnTypeRule)]
    return [rule.finding(column.name, text) for rule, text in texts if text is not None]


class LikeIdentifier(ColumnTypeRule):
    """A column that identifies the rows."""

    code = "D101"
    title = "Identifier column, not used"
    order = 10
    meaning = "The column identifies rows and carries no information about new rows, so it is left out."
    rule = (
        f"Reported when a column has at least {FEW_ROWS} non-missing integers, all different, that are as "
        f"dense as a counter (a range of at most {DENSE} per value) or stand in a column with a name such as "
        f"id, key or number; or when it holds short text that hardly repeats: all of at least {FEW_ROWS} "
        f"cells different, or more than {FEW_LEVELS} distinct values, more than one for every two cells."
    )
    remedy = (
        f"Usually nothing: a model would memorise the rows by it. If the column is informative, {_SCHEMA}."
    )
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None for other columns."""
        return (
            self.with_reason(column, "Probably an identifier; not used.")
            if column.kind == "identifier" and not facts.beyond_exact and not facts.leading_zeros
            else None
        )


class ConstantColumn(ColumnTypeRule):
    """Every cell is the same, or missing."""

    code = "D102"
    title = "Constant column, not used"
    order = 10
    meaning = (
        "Every cell has the same value, or every value is missing, so the column carries no information."
    )
    rule = (
        "Reported when a table of two or more rows has one distinct value and no missing value in the "
        "column, or when all its values are missing."
    )
    remedy = "Nothing. If the column should vary, check the source of the table."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None for other columns."""
        return self.with_reason(column, "Not used.") if column.kind == "constant" else None


class FreeText(ColumnTypeRule):
    """Sentences that hardly repeat."""

    code = "D103"
    title = "Free text, not used"
    order = 10
    meaning = "The column holds sentences that hardly repeat; the classifiers take numbers and categories."
    rule = (
        f"Reported when cells have at least {FREE_TEXT_WORDS} words on average and hardly repeat: all of at "
        f"least {FEW_ROWS} cells different, or more than {FEW_LEVELS} distinct values, more than one for "
        "every two cells."
    )
    remedy = "Derive features from the text: whether a word occurs, the length, the topic."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind != "text" or is_unusable(facts.raw) or facts.date_formats:
            return None
        return self.with_reason(column, "Not used.")


class DateParts(ColumnTypeRule):
    """A date."""

    code = "D104"
    title = "Date split into parts"
    order = 10
    meaning = (
        "A date itself never occurs again; its year, month, day, weekday, hour or minute may. These parts "
        "become features."
    )
    rule = (
        "Reported when the column has a date type, or all its cells are dates in one of the recognised "
        "formats. Parts that vary are used; if none does, the column is not used."
    )
    remedy = f"If the temporal order matters, compare with --time. To use other parts, {_SCHEMA}."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind != "date":
            return None
        return self.with_reason(column, "" if column.role == "feature" else "Not used.")


class MissingWords(ColumnTypeRule):
    """Cells such as NA."""

    code = "D105"
    title = "Missing-value markers"
    order = 20
    meaning = "Cells such as NA or ? are read as missing values."
    rule = (
        "Reported when cells equal one of the schema's missing-value markers (?, NA, N/A, NaN, NULL and the "
        "like)."
    )
    remedy = f'If a marker is a real value in this table, {_SCHEMA}: its list "missing" holds the markers.'
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        levels = column.levels or ()
        words = {word: count for word, count in facts.missing_found.items() if word not in levels}
        if not words:
            return None
        shown = ", ".join(f"{word!r}: {count:,}" for word, count in words.items())
        cells = sum(words.values())
        return f"{counted(cells, 'cell is', 'cells are')} read as missing ({shown})."


class AlmostNumeric(ColumnTypeRule):
    """A text column in which nearly all cells are numbers."""

    code = "D106"
    title = "Almost numeric column"
    order = 30
    #: The share of numbers from which a text column is almost numeric.
    ALMOST = 0.9
    meaning = "Nearly all cells are numbers, but not all, so the column is read as text."
    rule = f"Reported when at least {ALMOST:.0%} of the non-missing cells, but not all, are numbers."
    remedy = (
        "Look at the cell that is shown. If it marks a missing value, list all markers in a schema file, "
        '{"classica_schema": 1, "missing": ["", "NA", "-"], "columns": []}, and load the table with it '
        "(--schema). If it is a typing error, correct it: as text, every number is a level of its own and "
        "the order is lost."
    )
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if not is_text(facts.raw) or column.kind not in ("categorical", "identifier", "text"):
            return None
        wrong, most = _no_numbers(facts), (1 - self.ALMOST) * len(facts.known)
        if not 0 < len(wrong) <= most:
            return None
        cells = int(facts.known.is_in(wrong.to_list()).sum())
        if cells > most:
            return None
        return (
            f"{cells:,} of {counted(len(facts.known), 'cell')} "
            f"{'is not a number' if cells == 1 else 'are not numbers'} (first: {wrong[0]!r}), so the column "
            "is read as text."
        )


def _no_numbers(facts: ColumnFacts) -> pl.Series:
    """Return the distinct cells that keep a column from being numeric, in any number format."""
    has_digits = facts.values.str.contains("[0-9]")
    is_written = bool(has_digits.any()) and bool(number_formats(facts.values.filter(has_digits)))
    return facts.values.filter(~has_digits if is_written else facts.numbers.is_null())


class LargeIntegers(ColumnTypeRule):
    """Integers that are not exact as doubles."""

    code = "D107"
    title = "Integers beyond 2**53"
    order = 10
    meaning = (
        "Integers this large are not exact as floating-point numbers: two of them could become equal. The "
        "column is kept as it is and not used."
    )
    rule = (
        "Reported when an integer exceeds 2**53 in magnitude, the limit of exact integers in double "
        "precision."
    )
    remedy = (
        "Nothing, if the integers are keys, as they mostly are. If they are quantities, divide them, or "
        f"{_SCHEMA}."
    )
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None for other columns."""
        return (
            self.with_reason(column, "Probably an identifier; not used.")
            if column.kind == "identifier" and facts.beyond_exact
            else None
        )


class DifferentIntegers(ColumnTypeRule):
    """All different integers, used as numbers."""

    code = "D108"
    title = "Distinct integers used as numbers"
    order = 50
    #: The minimum number of integers.
    DIFFERENT_ROWS = 100
    meaning = "The column is used as a quantity, although it could be an identifier."
    rule = (
        f"Reported when a column has at least {DIFFERENT_ROWS} integers, all different, that are neither as "
        "dense as a counter nor in a column with the name of a key."
    )
    remedy = (
        f'If they identify rows, give the column the role "id": {_SCHEMA}. A key that increases with time '
        "can look like a strong feature and is worthless on new rows."
    )
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        whole = facts.all_different and facts.numbers.dtype.is_integer()
        if column.kind != "numeric" or not whole or len(facts.known) < self.DIFFERENT_ROWS:
            return None
        return 'All integers are different; used as numbers. If they identify rows, set the role to "id".'


class LeadingZeros(ColumnTypeRule):
    """Codes written in digits."""

    code = "D109"
    title = "Leading zeros"
    order = 10
    meaning = "Cells such as 007 are codes rather than numbers; as numbers they would lose their zeros."
    rule = (
        "Reported when text cells look like numbers with a leading zero or plus sign. Values that repeat "
        f"become categories; if all are different, or there are more than {FEW_LEVELS} distinct values and "
        "more than one for every two cells, the column is an identifier."
    )
    remedy = f"If they are quantities after all, {_SCHEMA}."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind == "identifier" and facts.leading_zeros and not facts.beyond_exact:
            return self.with_reason(column, "Probably an identifier; not used.")
        if column.kind != "categorical" or column.number_format != PLAIN:
            return None
        padded = facts.leading_zeros is not None and facts.is_numeric
        return self.with_reason(column, "Kept as categories.") if padded else None


class BooleanText(ColumnTypeRule):
    """True and false written as text."""

    code = "D110"
    title = "Booleans written as text"
    order = 10
    meaning = "The column is read as Boolean."
    rule = "Reported when every non-missing text cell is true or false, in upper or lower case."
    remedy = "Nothing. Later tables are read the same way."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind != "boolean" or column.number_format != PLAIN or not is_text(facts.raw):
            return None
        return self.with_reason(column, "Read as Boolean.")


class TwoDateFormats(ColumnTypeRule):
    """Dates that can be read in two ways."""

    code = "D111"
    title = "Ambiguous dates, not used"
    order = 10
    meaning = "03/04/2025 is a day in March or in April; guessing could be wrong, so the column is not used."
    rule = "Reported when all cells fit two date formats and no day above 12 decides between them."
    remedy = f'State the format: {_SCHEMA}, with "format" such as "%d/%m/%Y".'
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind != "text" or is_unusable(facts.raw) or not facts.date_formats:
            return None
        return self.with_reason(column, "Not used.")


class NestedCells(ColumnTypeRule):
    """Lists, records or bytes."""

    code = "D112"
    title = "Nested or binary values"
    order = 10
    meaning = "Cells are lists, records or bytes instead of single values, so the column is not used."
    rule = "Reported when the file declares a nested or binary type for the column."
    remedy = "Extract columns of single values before loading the table."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None for other columns."""
        return (
            self.with_reason(column, "Not used.")
            if column.kind == "text" and is_unusable(facts.raw)
            else None
        )


class WrittenNumbers(ColumnTypeRule):
    """Numbers with separators or units."""

    code = "D113"
    title = "Numbers with separators or units"
    order = 10
    meaning = (
        "Cells such as 3,14, 1.234,56 or 38,0% are read as numbers. A model remembers the format for later "
        "tables."
    )
    rule = (
        "Reported when every non-missing text cell is a number with a decimal comma, thousands separators, a "
        "per cent sign or one currency symbol, and only one reading is possible."
    )
    remedy = f"Nothing, if that is right. Otherwise {_SCHEMA}, or set --decimal."
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if column.kind in ("constant", "identifier", "text", "date") or column.number_format == PLAIN:
            return None
        return self.with_reason(column, "Read as numbers.")


class ThousandsOrFractions(ColumnTypeRule):
    """Numbers that can be read in two ways."""

    code = "D114"
    title = "Ambiguous decimal separator"
    order = 40
    meaning = "1.234 is either one thousand two hundred and thirty-four or slightly more than one."
    rule = (
        "Reported when every non-missing cell allows both readings: exactly three digits follow the only "
        "separator."
    )
    remedy = f'Set the decimal separator with --decimal, or {_SCHEMA} ("decimal" and "thousands").'
    shown_by = _TYPES

    def text(self, column: ColumnSchema, facts: ColumnFacts) -> str | None:
        """Return the text of the finding; None if it does not apply."""
        if facts.two_ways is None or column.kind in ("date", "constant", "boolean"):
            return None
        kept = "numbers with decimals" if column.kind == "numeric" else "text"
        return (
            f"The separator in {facts.two_ways!r} and all other cells could mark thousands or decimals: "
            f"read as {kept}. Set the decimal separator (--decimal)."
        )
