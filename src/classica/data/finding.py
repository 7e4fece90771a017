"""One thing worth telling about a table: a code, the column it is about, and a plain sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Every code and what it stands for. D1: how columns were typed. D2: the target. D3: leakage. D4: rows.
#: D5: what to look at in columns. D6: a new table against the schema of a model.
CODES = {
    "D101": "like an identifier, not used",
    "D102": "constant, not used",
    "D103": "free text, not used",
    "D104": "a date, used by its parts",
    "D105": "words that count as missing",
    "D106": "almost numeric",
    "D107": "integers beyond 2**53",
    "D108": "all different integers, used as numbers",
    "D109": "leading zeros",
    "D110": "true and false written as text",
    "D111": "dates that can be read in two ways, not used",
    "D112": "nested or binary values, not used",
    "D113": "decimal commas",
    "D201": "words in the target kept as classes",
    "D202": "rows without a label",
    "D203": "classes with very few rows",
    "D204": "one class has most rows",
    "D205": "as many classes as a quantity has values",
    "D206": "a target of numbers with fractions",
    "D207": "only one class",
    "D301": "a column that alone tells the target",
    "D401": "rows that repeat others",
    "D402": "equal rows of different classes",
    "D403": "few rows for so many columns",
    "D501": "many levels",
    "D502": "levels that differ in capitals or blanks only",
    "D503": "mostly missing",
    "D504": "two columns with the same cells",
    "D505": "infinite numbers",
    "D506": "one value and missing cells",
    "D601": "columns the schema does not know",
    "D602": "categories that were not there when learned",
}


@dataclass(frozen=True)
class Finding:
    """A code of `CODES`, the column (None for the whole table), and one plain sentence."""

    code: str
    column: str | None
    text: str

    def record(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        return {"code": self.code, "column": self.column, "text": self.text}
