"""A list of rules."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.wording import plain_words


def describe(opened: Opened) -> list[Section]:
    """Return the rules in their order."""
    return [Section("The rules; the first one that holds answers", text=opened.estimator.rules_.to_text())]


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the rule that fired."""
    model = opened.estimator
    place, rules = int(model.deciding_rule(opened.seen(row))[0]), model.rules_
    if place == len(rules):
        nothing = {"rule": "none holds", "answer": plain_words(rules.default.answer)}
        return [Section("The rule that fired", facts=nothing), outcome(opened, row)]
    rule = rules[place]
    words = rules.condition_words(rule)
    facts: dict[str, Any] = {
        "rule": place + 1,
        "if": " and ".join(words),
        "then": plain_words(rule.answer),
        "cases": rule.cases,
        "errors": rule.errors,
    }
    return [Section("The rule that fired", facts=facts), outcome(opened, row)]
