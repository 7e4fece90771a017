"""A tree as plain data that JSON can hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.trees.growing.tree_names import Names
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.questions import condition_words
from classica.trees.showing.named_tree import NamedTree
from classica.wording import plain_value

VERSION = 1


def tree_record(named: NamedTree) -> dict[str, Any]:
    """Return everything about a tree: names, and a list of nodes in which children are numbers of nodes."""
    tree, names = named.tree, named.names
    missing = "fractions" if named.divides_rows else "child" if tree.surrogates is None else "surrogates"
    return {
        "format": "classica-tree",
        "version": VERSION,
        "columns": list(names.columns),
        "levels": {str(j): [plain_value(level) for level in levels] for j, levels in names.levels.items()},
        "classes": None if names.classes is None else [plain_value(label) for label in names.classes],
        "missing": missing,
        "nodes": [_node(named, node, parent) for node, parent in enumerate(tree.parent.tolist())],
    }


def _node(named: NamedTree, node: int, parent: int) -> dict[str, Any]:
    tree = named.tree
    value = tree.value[node].tolist()
    return {
        "parent": None if parent < 0 else parent,
        "cases": float(tree.cases[node]),
        "weight": float(tree.weight[node]),
        "value": value[0] if named.names.classes is None else value,
        "risk": float(tree.risk[node]),
        "answer": plain_value(named.answers[node]),
        "question": None if tree.feature[node] < 0 else _question(named, node),
        "children": list(tree.children(node)),
    }


def _question(named: NamedTree, node: int) -> dict[str, Any]:
    tree, count = named.tree, int(named.tree.child_count[node])
    conditions = [named.condition(node, branch) for branch in range(count)]
    mentions = [named.is_told(node, condition) for condition in conditions]
    words = [
        condition_words(condition, named.names, missing=missing)
        for condition, missing in zip(conditions, mentions, strict=True)
    ]
    return {
        "column": int(tree.feature[node]),
        "gain": float(tree.gain[node]),
        "branches": [condition_record(condition, named.names) for condition in conditions],
        "words": words,
        "missing_child": int(tree.missing_child[node]),
        "surrogates": _surrogates(named, node),
    }


def condition_record(condition: Condition, names: Names) -> dict[str, Any]:
    """Return a condition as plain data; no bound is None."""
    names_of_levels = names.levels.get(condition.column, ())
    levels = condition.levels
    return {
        "column": condition.column,
        "above": condition.low if condition.low > -np.inf else None,
        "at_most": condition.high if condition.high < np.inf else None,
        "levels": None if levels is None else [plain_value(names_of_levels[code]) for code in levels],
        "known": condition.known,
        "missing": condition.missing,
    }


def _surrogates(named: NamedTree, node: int) -> list[dict[str, Any]]:
    surrogates = named.tree.surrogates
    if surrogates is None:
        return []
    branches = []
    for index in range(surrogates.starts[node], surrogates.starts[node + 1]):
        codes = surrogates.level_child[surrogates.levels_at[index] : surrogates.levels_at[index + 1]]
        branches.append(
            {
                "column": int(surrogates.feature[index]),
                "threshold": None if len(codes) else float(surrogates.threshold[index]),
                "flipped": bool(surrogates.flipped[index]),
                "level_child": codes.tolist() if len(codes) else None,
                "agreement": float(surrogates.agreement[index]),
            }
        )
    return branches
