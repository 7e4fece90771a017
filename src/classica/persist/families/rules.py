"""Lists of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.estimators import RuleSetClassifier
from classica.kinds import Array, ListOf, Scope, Told
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.families.common import CLASSES, CODED, NAMES, check_coded
from classica.persist.labels import Shares
from classica.trees.condition import Condition
from classica.trees.names import Names
from classica.trees.rule import Rule
from classica.trees.rule_table import RuleTable
from classica.trees.rules import RuleList
from classica.trees.tree import Tree

describe_record(Names, {"columns": Told(), "levels": Told(), "classes": Told(), "edges": Told()})
describe_record(
    Condition,
    {name: Told() for name in ("column", "low", "high", "levels", "known", "missing")},
)
describe_record(
    Rule,
    {
        "conditions": ListOf(RecordOf(Condition), made=tuple),
        "answer": Told(),
        "cases": Told(),
        "errors": Told(),
        "confidence": Told(),
    },
)
describe_record(
    RuleList,
    {
        "rules": ListOf(RecordOf(Rule), made=tuple),
        "default": RecordOf(Rule),
        "names": RecordOf(Names),
        "telling": Told(),
    },
)


def _check_table(table: RuleTable, scope: Scope) -> None:
    starts, conditions = table.starts, len(table.column)
    if not len(starts):
        scope.require(not conditions, "made with conditions of its rules", conditions)
        return
    rising = starts[0] == 0 and (np.diff(starts) > 0).all() and starts[-1] < conditions
    scope.require(rising, "made with rules that have conditions")


describe_record(
    RuleTable,
    {
        "starts": Array("i8", "rules"),
        "column": Array("i8", "n", low=0, below="d"),
        "low": Array("f8", "n", inf=True),
        "high": Array("f8", "n", inf=True),
        "on_categories": Array("i8", "categories", low=0, below="n"),
        "allowed": Array("b1", "categories", "levels"),
    },
    _check_table,
)


def _check_rules(model: Any, scope: Scope) -> None:
    check_coded(model, scope)
    table = model._table_of_rules
    count = len(table.starts)
    scope.require(len(model._shares) == count + 1, "made with shares for each rule", len(model._shares))
    scope.require(table.allowed.shape[1] > 0, "made with categories of its rules", 0)
    scope.require(model.grown_tree_.value.shape[1] == scope.size("c"), "made with shares of its classes")


describe_estimator(
    RuleSetClassifier,
    {
        **CLASSES,
        **CODED,
        "grown_tree_": RecordOf(Tree),
        "_shares": Shares("shares", "c"),
        "rules_": RecordOf(RuleList),
        "_table_of_rules": RecordOf(RuleTable),
    },
    NAMES,
    _check_rules,
)
