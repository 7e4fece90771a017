"""What the path from the root to each node asks, column by column."""

from __future__ import annotations

from classica.trees.ruling.condition import Condition
from classica.trees.showing.named_tree import NamedTree

#: One condition per column that was asked for, in the order of asking.
Path = dict[int, Condition]


def path_conditions(named: NamedTree) -> list[Path]:
    """Return the conditions on the way to each node; several on one column become one."""
    tree = named.tree
    paths: list[Path] = [{}] * len(tree)
    for node in (tree.feature >= 0).nonzero()[0].tolist():
        for branch, child in enumerate(tree.children(node)):
            condition = named.condition(node, branch)
            earlier = paths[node].get(condition.column)
            merged = condition if earlier is None else earlier.meet(condition)
            paths[child] = paths[node] | {condition.column: merged}
    return paths
