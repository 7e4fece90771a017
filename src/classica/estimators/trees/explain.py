"""How a tree and a list of rules are explained: the tree, the rules, and the path of a row."""

from __future__ import annotations

from typing import Any

import polars as pl

from classica.estimators.trees.rule_classifier import RuleSetClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome, shown_cell
from classica.trees.growing.visits import visits
from classica.trees.ruling.questions import condition_words
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.tree_text import leaf_counts
from classica.wording import plain_words


def describe(layers: ModelLayers) -> list[Section]:
    """Return the tree as text, and what columns gain."""
    model = layers.estimator
    size = {"depth": model.get_depth(), "leaves": model.get_n_leaves()}
    return [Section("The tree", text=model.to_text()), Section("Size", facts=size), importances(layers)]


def importances(layers: ModelLayers) -> Section:
    """Return what columns gain in all questions."""
    gains = zip(layers.seen_names, layers.estimator.feature_importances_.tolist(), strict=True)
    rows = sorted(((plain_words(name), gain) for name, gain in gains if gain), key=lambda pair: -pair[1])
    return Section(
        "Feature importances (fraction of the total gain)", headings=["column", "importance"], rows=rows
    )


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the questions on the way, and where the row ends; with gaps, all ways by their shares."""
    model = layers.estimator
    named: NamedTree = model.named_tree()
    came = visits(named.tree, model._query(layers.seen(row)), 1, divides_rows=named.divides_rows)
    parent = named.tree.parent
    order = {node: index for index, node in enumerate(named.reading_order)}
    steps = sorted(
        zip(came.node.tolist(), came.share.tolist(), came.is_last.tolist(), strict=True),
        key=lambda step: order[step[0]],
    )
    rows: list[list[Any]] = [
        _step(named, row, int(parent[node]), node, share, is_last) for node, share, is_last in steps
    ]
    return [
        Section(
            "The path through the tree",
            headings=["test", "value", "fraction of the row", "prediction"],
            rows=rows,
        ),
        outcome(layers, row),
    ]


def _step(
    named: NamedTree, row: pl.DataFrame, parent: int, node: int, share: float, is_last: bool
) -> list[Any]:
    answer = f"{named.answer_words(node)} {leaf_counts(named, node)}" if is_last else ""
    if parent < 0:
        return ["all rows", "", share, answer]
    branch = node - int(named.tree.first_child[parent])
    condition = named.condition(parent, branch)
    words = condition_words(condition, named.names, missing=named.is_told(parent, condition))
    name = row.columns[condition.column] if condition.column < row.width else ""
    return [words, shown_cell(row, name), share, answer]


def describe_rules(layers: ModelLayers) -> list[Section]:
    """Return the rules in their order."""
    return [Section("Rules; the first that holds predicts the class", text=layers.estimator.rules_.to_text())]


def rule_reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the rule that fired."""
    model = layers.estimator
    index, rules = int(model.deciding_rule(layers.seen(row))[0]), model.rules_
    if index == len(rules):
        nothing = {"rule": "none holds", "prediction": plain_words(rules.default.answer)}
        return [Section("The rule that fired", facts=nothing), outcome(layers, row)]
    rule = rules[index]
    words = rules.condition_words(rule)
    facts: dict[str, Any] = {
        "rule": index + 1,
        "if": " and ".join(words),
        "then": plain_words(rule.answer),
        "rows": rule.cases,
        "errors": rule.errors,
    }
    return [Section("The rule that fired", facts=facts), outcome(layers, row)]


explain_as(describe, reasons, TreeModel)
explain_as(describe_rules, rule_reasons, RuleSetClassifier)
