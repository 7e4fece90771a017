"""A tree with everything it is shown with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.arrays import MatrixLike
from classica.native import Floats
from classica.native import trees as native
from classica.trees.growing.tree import Tree
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.condition import Condition
from classica.wording import plain_words


@dataclass(frozen=True)
class NamedTree:
    """A tree, the names it is shown with, and what it answers.

    Attributes
    ----------
    tree : Tree
        The tree.
    names : Names
        What columns, levels and classes are called.
    answers : sequence
        What is predicted for a row that ends in each node: a label or a number.
    divides_rows : bool
        Whether a row with a missing value takes all branches, by fractions.
    shares : float64 array
        What the parts of such a row add up: the class shares of each node, or its number.
    """

    tree: Tree
    names: Names
    answers: Sequence[Any]
    divides_rows: bool
    shares: Floats

    @classmethod
    def of(
        cls, tree: Tree, names: Names, *, divides_rows: bool = False, shares: Floats | None = None
    ) -> NamedTree:
        """Return a tree that answers with the class of the highest share in a node, or with its number.

        The shares are the class frequencies unless they are given.
        """
        if names.classes is None:
            return cls(tree, names, tree.value[:, 0].tolist(), divides_rows, tree.value)
        if shares is None:
            shares = tree.value / tree.value.sum(axis=1, keepdims=True)
        answers = [names.classes[code] for code in shares.argmax(axis=1)]
        return cls(tree, names, answers, divides_rows, shares)

    def condition(self, node: int, branch: int) -> Condition:
        """Return what a row must be like to take a branch of a node.

        Where missing values follow surrogates or take all branches, no condition holds for them.
        """
        tree, column = self.tree, int(self.tree.feature[node])
        missing = self.follows_child(node) and int(tree.missing_child[node]) == branch
        levels, cut = tree.levels_of(node), float(tree.threshold[node])
        if len(levels):
            codes = tuple(np.flatnonzero(levels == branch).tolist())
            if column in self.names.edges and codes:
                return self._interval(column, codes, missing)
            return Condition(column, levels=codes, known=bool(codes), missing=missing)
        if branch == 0:
            return Condition(column, high=cut, missing=missing)
        if branch == 1 and cut < np.inf:
            return Condition(column, low=cut, missing=missing)
        return Condition(column, known=False, missing=missing)

    def _interval(self, column: int, codes: Sequence[int], missing: bool) -> Condition:
        """Return the condition of neighbouring intervals: there is one branch per interval."""
        ends = [-np.inf, *self.names.edges[column], np.inf]
        assert codes[-1] - codes[0] == len(codes) - 1
        return Condition(column, float(ends[codes[0]]), float(ends[codes[-1] + 1]), missing=missing)

    def follows_child(self, node: int) -> bool:
        """Return whether missing values go to one child, whatever the other cells hold."""
        surrogates = self.tree.surrogates
        stood_in = surrogates is not None and surrogates.starts[node] < surrogates.starts[node + 1]
        return not (self.divides_rows or stood_in)

    def is_told(self, node: int, condition: Condition) -> bool:
        """Return whether a branch says that it takes missing values: unless it is the largest."""
        if not condition.missing or not condition.known:
            return False
        children = self.tree.children(node)
        weights = self.tree.weight[children.start : children.stop]
        return int(self.tree.missing_child[node]) != int(weights.argmax())

    def answer_words(self, node: int) -> str:
        """Return what a node answers, in words."""
        return plain_words(self.answers[node])

    def predicted(self, X: MatrixLike, threads: int) -> Floats:
        """Return the shares of the classes, or the number, for rows in which categories are codes."""
        arrays = self.tree.arrays()
        if self.divides_rows:
            return native.spread_over_tree(X, arrays, self.tree.weight, self.shares, threads)
        shares: Floats = self.shares[native.apply_tree(X, arrays, threads)]
        return shares

    @property
    def reading_order(self) -> list[int]:
        """All nodes, each followed by those below it."""
        order, open_nodes = [], [0]
        while open_nodes:
            node = open_nodes.pop()
            order.append(node)
            open_nodes += reversed(self.tree.children(node))
        return order

    @property
    def sizes(self) -> Any:
        """The number of nodes below and including each node."""
        sizes = np.ones(len(self.tree), dtype=np.int64)
        starts, parent = self.tree.level_starts, self.tree.parent
        for start, end in zip(starts[-2:0:-1], starts[:1:-1], strict=True):
            np.add.at(sizes, parent[start:end], sizes[start:end])
        return sizes
