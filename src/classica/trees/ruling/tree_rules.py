"""A tree as rules: one per leaf."""

from __future__ import annotations

from classica.trees.pruning.pessimistic_error import pessimistic_errors
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.node_paths import path_conditions
from classica.trees.ruling.rule import Rule
from classica.trees.ruling.rule_list import RuleList
from classica.trees.showing.named_tree import NamedTree

#: Quinlan's confidence level.
CONFIDENCE = 0.25


def tree_rules(named: NamedTree) -> RuleList:
    """Return a rule per leaf, and the answer of the root for rows that no rule is about."""
    paths = path_conditions(named)
    leaves = [node for node in named.reading_order if named.tree.feature[node] < 0]
    whole = _rule(named, 0, ())
    if len(leaves) == 1:
        return RuleList((), whole, named.names)
    rules = tuple(_rule(named, leaf, tuple(paths[leaf].values())) for leaf in leaves)
    return RuleList(rules, whole, named.names, _columns_to_mention(named))


def evidence(cases: float, errors: float, confidence: float) -> float | None:
    """Return one less the pessimistic error rate."""
    return 1.0 - float(pessimistic_errors(cases, errors, confidence)) / cases if cases > 0 else None


def _rule(named: NamedTree, node: int, conditions: tuple[Condition, ...]) -> Rule:
    cases, errors = float(named.tree.weight[node]), float(named.tree.risk[node])
    sure = None if named.names.classes is None else evidence(cases, errors, CONFIDENCE)
    return Rule(conditions, named.answers[node], cases, errors, sure)


def _columns_to_mention(named: NamedTree) -> frozenset[int]:
    """Return the columns whose missing values do not always go with most of the others."""
    tree = named.tree
    inner = (tree.feature >= 0).nonzero()[0].tolist()
    return frozenset(
        int(tree.feature[node])
        for node in inner
        if any(named.is_told(node, named.condition(node, b)) for b in range(tree.child_count[node]))
    )
