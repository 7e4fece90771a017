"""Cost-complexity pruning: the nested trees that minimise risk + alpha * leaves.

As alpha grows from zero, the tree loses its weakest links one after the other: the nodes whose branches lower
the risk least per further leaf (Breiman, Friedman, Olshen and Stone 1984).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.native.pruned_trees import weakest_links
from classica.trees.growing.tree import Longs, Tree

#: What the risk of a node of a classification tree can be.
RISKS = ("misclassification", "gini", "entropy")


@dataclass(frozen=True)
class PruningPath:
    """The nested trees, the largest first.

    Attributes
    ----------
    alphas : float64 array
        From each alpha on, up to the next, the tree is the same; ascending from 0.
    leaves : int64 array
        How many leaves each tree has.
    risks : float64 array
        The risk of each tree, per unit of weight.
    node_alpha : float64 array
        The alpha from which each node of the grown tree is no longer divided; 0 for leaves.
    """

    alphas: Floats
    leaves: Longs
    risks: Floats
    node_alpha: Floats

    def collapsed(self, alpha: float) -> NDArray[np.bool_]:
        """Return which nodes are not divided at an alpha."""
        at_rest: NDArray[np.bool_] = self.node_alpha <= alpha
        return at_rest

    def step_of(self, leaves: int) -> int:
        """Return which is the largest tree with at most so many leaves."""
        return int(np.argmax(self.leaves <= leaves))


def pruning_path(tree: Tree, by: str | None = None) -> PruningPath:
    """Return the nested trees by one of `RISKS`; None for the risk of the tree itself.

    Risks and alphas are per unit of weight, as in scikit-learn.
    """
    risk, weight = node_risks(tree, by), tree.weight[0]
    node_alpha = weakest_links(tree.first_child, tree.child_count, risk)
    alphas = np.unique(np.append(node_alpha[~tree.is_leaf], 0.0))
    spans = leaf_spans(tree, node_alpha, alphas)
    leaves = sums_over(spans, np.ones(len(tree)), len(alphas)).round().astype(np.int64)
    return PruningPath(
        alphas / weight, leaves, sums_over(spans, risk, len(alphas)) / weight, node_alpha / weight
    )


def node_risks(tree: Tree, by: str | None = None) -> Floats:
    """Return the risk of each node, summed over its rows."""
    if by is None or by == "misclassification":
        return tree.risk
    shares = tree.value / tree.weight[:, None]
    if by == "gini":
        impurity = 1.0 - np.square(shares).sum(axis=1)
    else:
        impurity = -(shares * np.log2(shares, out=np.zeros_like(shares), where=shares > 0)).sum(axis=1)
    risk: Floats = tree.weight * impurity
    return risk


Spans = tuple[Any, Any]


def leaf_spans(tree: Tree, node_alpha: Floats, alphas: Floats) -> Spans:
    """Return for each node which of some ascending alphas is the first to make it a leaf, and its parent."""
    own = np.searchsorted(alphas, node_alpha)
    return own, np.concatenate([[len(alphas)], own[tree.parent[1:]]])


def sums_over(spans: Spans, values: Floats, alphas: int) -> Floats:
    """Return, for each alpha, the sum of the values whose span it lies in; the end is outside."""
    first, end = (np.bincount(ends, values, alphas + 1)[:alphas] for ends in spans)
    sums: Floats = np.cumsum(first - end)
    return sums
