"""A finding about a table: a code, the column it is about, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from classica.beside import modules_in
from classica.finding_rule import FindingRule, codes_of, rules_of

_R = TypeVar("_R", bound="TableRule")


@dataclass(frozen=True)
class Finding:
    """A finding about a table: a code of `table_codes`, the column (None for the table), and a sentence."""

    code: str
    column: str | None
    text: str

    @property
    def explanation(self) -> TableRule:
        """What the code means, how it is computed, and what to do."""
        return table_codes()[self.code]

    def record(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        return {"code": self.code, "column": self.column, "text": self.text}


class TableRule(FindingRule):
    """A finding about a table."""

    def finding(self, column: str | None, text: str) -> Finding:
        """Return a finding of this rule."""
        return Finding(self.code, column, text)


def table_rules(kind: type[_R]) -> list[_R]:
    """Return the rules of a kind in the order of reporting."""
    modules_in("classica.tables.findings")
    return rules_of(kind)


def table_codes() -> dict[str, TableRule]:
    """Return every code about a table with its rule.

    D1: how columns were typed. D2: the target. D3: leakage. D4: rows. D5: columns. D6: a
    new table against the schema of a model.
    """
    modules_in("classica.tables.findings")
    return codes_of(TableRule)
