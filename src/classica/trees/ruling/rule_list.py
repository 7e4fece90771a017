"""A list of rules: the first one that holds answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from classica.trees.growing.tree_names import Names
from classica.trees.ruling.questions import condition_words
from classica.trees.ruling.rule import Rule
from classica.trees.showing.python_source import rules_python
from classica.trees.showing.tree_record import condition_record
from classica.trees.showing.tree_sql import SqlWords, case_sql
from classica.wording import count_words, plain_value, plain_words

VERSION = 1
#: Longer rules are written with a line per condition.
LONGEST_LINE = 100


@dataclass(frozen=True)
class RuleList:
    """Rules in their order, and what is answered where none holds.

    Attributes
    ----------
    rules : tuple of Rule
        The first one that holds answers.
    default : Rule
        Without conditions: answers for the other rows.
    names : Names
        What columns, levels and classes are called.
    telling : frozenset of int
        The columns of which it is said in words that a missing value will do.
    """

    rules: tuple[Rule, ...]
    default: Rule
    names: Names
    telling: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, index: int) -> Rule:
        return self.rules[index]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """Return the rules as text, numbered from 1."""
        lines = [f"{index}. {self._rule_words(rule)}" for index, rule in enumerate(self.rules, 1)]
        default = f"{plain_words(self.default.answer)} {_evidence(self.default)}"
        return "\n".join([*lines, f"Otherwise {default}" if lines else f"Always {default}"])

    def to_json(self) -> dict[str, Any]:
        """Return the rules as plain data that JSON can hold."""
        classes = self.names.classes
        return {
            "format": "classica-rules",
            "version": VERSION,
            "columns": list(self.names.columns),
            "classes": None if classes is None else [plain_value(label) for label in classes],
            "rules": [self._record(rule) for rule in self.rules],
            "default": self._record(self.default),
        }

    def to_sql(self, table: str | None = None) -> str:
        """Return the rules as one CASE of standard SQL.

        Parameters
        ----------
        table : str, optional
            Written before every column.
        """
        words = SqlWords(self.names, table)
        tests = [
            words.both(words.condition(condition) for condition in rule.conditions) for rule in self.rules
        ]
        answers = [words.literal(rule.answer) for rule in self.rules]
        return case_sql(zip(tests, answers, strict=True), words.literal(self.default.answer))

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function that applies the rules to one row.

        Parameters
        ----------
        name : str, default="predict"
            What the function is called.
        """
        return rules_python(self.names, self.rules, self.default, name)

    def condition_words(self, rule: Rule) -> list[str]:
        """Return the conditions of a rule in words."""
        return [
            condition_words(
                condition, self.names, missing=condition.missing and condition.column in self.telling
            )
            for condition in rule.conditions
        ]

    def _rule_words(self, rule: Rule) -> str:
        then = f"then {plain_words(rule.answer)} {_evidence(rule)}"
        conditions = self.condition_words(rule)
        if not conditions:
            return f"always {then.removeprefix('then ')}"
        line = f"if {' and '.join(conditions)} {then}"
        if len(line) <= LONGEST_LINE:
            return line
        return "if " + "\n   and ".join(conditions) + f"\n   {then}"

    def _record(self, rule: Rule) -> dict[str, Any]:
        return {
            "conditions": [condition_record(condition, self.names) for condition in rule.conditions],
            "words": self.condition_words(rule),
            "answer": plain_value(rule.answer),
            "cases": rule.cases,
            "errors": rule.errors,
            "confidence": rule.confidence,
        }


def _evidence(rule: Rule) -> str:
    errors = count_words(rule.errors)
    counts = count_words(rule.cases) + ("" if errors == "0" else f"/{errors}")
    return f"({counts})" if rule.confidence is None else f"({counts}, confidence {rule.confidence:.2f})"
