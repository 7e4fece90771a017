"""C4.5's pruning by estimated errors (Quinlan 1993), on the rows a tree was grown on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from classica.arrays import Dense
from classica.native.pruned_trees import prune_by_errors
from classica.trees.growing.growth import Target
from classica.trees.growing.tree import Tree
from classica.trees.pruning.from_leaves import leaf_sums

#: Splits that correct fewer training errors are not worth keeping.
LEAST_CORRECTED = 1e-3


@dataclass(frozen=True)
class ErrorRules:
    """How errors are estimated and what may replace a node; see `tree_pruning.hpp`."""

    confidence: float = 0.25
    raising: bool = True
    missing: str = "fraction"
    categories: str = "multiway"


def collapsed(tree: Tree) -> Tree:
    """Return the tree without branches that make as many training errors as a leaf."""
    return tree.cut_at(leaf_sums(tree, tree.risk) >= tree.risk - LEAST_CORRECTED)


def error_pruned(tree: Tree, X: Dense, target: Target, rules: ErrorRules) -> Tree:
    """Return the tree, grown on these rows, pruned by the errors to expect in each leaf."""
    grown = collapsed(tree)
    assert target.codes is not None
    pruned = prune_by_errors(
        X,
        target.codes,
        target.weights,
        target.cases,
        np.arange(X.shape[0], dtype=np.uint32),
        grown.arrays(),
        grown.value,
        grown.cases,
        confidence=rules.confidence,
        deviate=NormalDist().inv_cdf(1 - rules.confidence),
        raising=rules.raising,
        divides_rows=rules.missing == "fraction",
        categories=rules.categories,
    )
    return _rebuilt(grown, pruned)


def _rebuilt(tree: Tree, pruned: dict[str, Any]) -> Tree:
    """Return the tree whose nodes ask what others asked, with new counts."""
    count = pruned["child_count"]
    asks = tree.taken(pruned["origin"], count > 0)
    value = pruned["counts"].reshape(len(count), -1)
    weight = value.sum(axis=1)
    return replace(
        asks,
        levels_at=pruned["levels_at"],
        level_child=pruned["level_child"],
        first_child=pruned["first_child"],
        child_count=count,
        cases=pruned["cases"],
        weight=weight,
        value=value,
        risk=weight - value.max(axis=1),
    )
