"""Lists of rules."""

from __future__ import annotations

import math
from typing import Any

from classica.estimators.base.state_parts import CLASSES, CODED, check_coded
from classica.estimators.trees.rule_classifier import RuleSetClassifier
from classica.kinds import Array, Derived, DictOf, Flag, ListOf, Maybe, Number, Scope, SetOf, Whole, Word
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import NAMES, Level, Shares
from classica.trees.growing.tree import Tree
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.rule import Rule
from classica.trees.ruling.rule_list import RuleList
from classica.trees.ruling.rule_table import RuleTable

_COLUMN = Whole(0, "d")
describe_record(
    Names,
    {
        "columns": ListOf(Word(), "d"),
        "levels": DictOf(_COLUMN, ListOf(Level())),
        "classes": ListOf(Level(), "c"),
        "edges": DictOf(_COLUMN, ListOf(Number())),
    },
)


def _check_condition(condition: Condition, scope: Scope) -> None:
    bounds = condition.low, condition.high
    scope.require(not any(math.isnan(bound) for bound in bounds), "made with bounds", bounds)


describe_record(
    Condition,
    {
        "column": _COLUMN,
        **dict.fromkeys(("low", "high"), Number(special=True)),
        "levels": Maybe(ListOf(Whole(0), made=tuple)),
        **dict.fromkeys(("known", "missing"), Flag()),
    },
    _check_condition,
)
describe_record(
    Rule,
    {
        "conditions": ListOf(RecordOf(Condition), made=tuple),
        "answer": Level(),
        "cases": Number(low=0),
        "errors": Number(),
        "confidence": Maybe(Number()),
    },
)


def _check_list(rules: RuleList, scope: Scope) -> None:
    for condition in (each for rule in rules.rules for each in rule.conditions):
        codes = range(len(rules.names.levels.get(condition.column, ())))
        inside = all(code in codes for code in condition.levels or ())
        scope.require(inside, "made with conditions on levels there are", condition.levels)
    scope.require(all(rule.conditions for rule in rules.rules), "made with rules that have conditions")


describe_record(
    RuleList,
    {
        "rules": ListOf(RecordOf(Rule), made=tuple),
        "default": RecordOf(Rule),
        "names": RecordOf(Names),
        "telling": SetOf(_COLUMN),
    },
    _check_list,
)
_BOUNDS = Array("f8", "n", inf="-+")
describe_record(
    RuleTable,
    {
        "starts": Array("i8", "rules", low=0),
        "column": Array("i8", "n", low=0, below="d"),
        "low": _BOUNDS,
        "high": _BOUNDS,
        "on_categories": Array("i8", "categories", low=0, below="n"),
        "allowed": Array("b1", "categories", "levels"),
    },
)


class _TableOfRules(Derived):
    """The conditions of the rules as arrays: a record, and what follows from the rules."""

    def __init__(self) -> None:
        super().__init__(lambda model: RuleTable.of(model.rules_.rules))

    def check(self, value: Any, scope: Scope) -> None:
        """Check the record."""
        RecordOf(RuleTable).check(value, scope)


def _check_rules(model: RuleSetClassifier, scope: Scope) -> None:
    check_coded(model, scope)
    count = len(model.rules_.rules)
    scope.require(
        len(model._shares) == count + 1, "made with class frequencies for each rule", len(model._shares)
    )
    scope.require(model.rules_.names == model.names_, "made with the names of its columns")
    answers = [rule.answer for rule in (*model.rules_.rules, model.rules_.default)]
    labels = model.classes_[model._shares.argmax(axis=1)].tolist()
    scope.require(answers == labels, "made with the class of each rule")
    scope.require(model.grown_tree_.value.shape[1] == scope.size("c"), "made with frequencies of its classes")


describe_estimator(
    RuleSetClassifier,
    {
        **CLASSES,
        **CODED,
        "grown_tree_": RecordOf(Tree),
        "_shares": Shares("shares", "c"),
        "rules_": RecordOf(RuleList),
        "_table_of_rules": _TableOfRules(),
    },
    NAMES,
    _check_rules,
)
