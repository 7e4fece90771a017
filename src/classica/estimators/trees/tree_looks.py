"""Everything by which people look at a fitted tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer, Nothing, Rule
from classica.trees.growing.group_sums import group_sums
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.rule_list import RuleList
from classica.trees.ruling.tree_rules import tree_rules
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.python_source import tree_python
from classica.trees.showing.tree_record import tree_record
from classica.trees.showing.tree_sql import tree_sql
from classica.trees.showing.tree_svg import tree_svg
from classica.trees.showing.tree_text import tree_text
from classica.trees.tracing.tree_trace import Tracer, TreeTrace


class TreeLooks:
    """Mixed into an estimator that holds a tree: text, picture, rules, source, and the computation."""

    tree_: Tree
    n_features_in_: int
    _require_fitted: Callable[[], None]
    _task_of: Callable[..., TreeTask]

    @property
    @abstractmethod
    def _threads(self) -> int: ...

    @property
    @abstractmethod
    def names_(self) -> Names:
        """What columns, levels and classes are called."""

    def to_text(self, max_depth: int | None = None) -> str:
        """Return the tree as indented text.

        A line is a branch. A leaf has its answer, its cases and, after a slash, its errors (for numbers the
        sum of deviations): ``yes (5/1)``. A branch says so if it takes missing values and is not the largest.

        Parameters
        ----------
        max_depth : int, optional
            What is below is only counted.
        """
        _require("max_depth", Nothing() | Integer(at_least=0), max_depth)
        return tree_text(self.named_tree(), max_depth)

    def to_json(self) -> dict[str, Any]:
        """Return the tree as plain data that JSON can hold: names, and a list of nodes."""
        return tree_record(self.named_tree())

    def to_svg(self, max_nodes: int = 30) -> str:
        """Return a picture of the tree as SVG text.

        Parameters
        ----------
        max_nodes : int, default=30
            How many nodes are drawn; subtrees of few cases are the first to become one node, "+ n nodes".
        """
        _require("max_nodes", Integer(at_least=1), max_nodes)
        return tree_svg(self.named_tree(), max_nodes)

    def to_sql(self, table: str | None = None) -> str:
        """Return the tree as one CASE expression of standard SQL, in which missing values are NULL.

        With ``missing="fraction"`` a row with a missing value that is asked for gets NULL: its answer is a
        mean over several leaves.

        Parameters
        ----------
        table : str, optional
            Written before every column.
        """
        return tree_sql(self.named_tree(), table)

    def to_python(self, name: str = "predict") -> str:
        """Return the source of a Python function that gives the answer for one row.

        Parameters
        ----------
        name : str, default="predict"
            What the function is called.
        """
        return tree_python(self.named_tree(), name)

    def to_rules(self) -> RuleList:
        """Return a rule for each leaf; the answer of the root is the default.

        Rules know neither surrogates nor fractions of rows: where the tree uses them, a condition does not
        hold for a missing value.
        """
        return tree_rules(self.named_tree())

    @property
    def feature_importances_(self) -> Floats:
        """What each column gains in all questions about it, as a share of all gains."""
        tree = self.named_tree().tree
        inner = tree.feature >= 0
        gains = np.maximum(tree.gain[inner], 0.0)
        by_column = group_sums(tree.feature[inner], gains, self.n_features_in_)
        shares: Floats = by_column / (by_column.sum() or 1.0)
        return shares

    def trace(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> TreeTrace:
        """Return the computation behind the tree: in each node, what every column would have gained.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows that were learned from: a small table.
        y : array-like of shape (n_samples,)
            Their labels, or numbers.
        sample_weight : array-like of shape (n_samples,), optional
            Their weights.

        Returns
        -------
        trace : TreeTrace
            Prints as the lectures compute; `record` returns plain data.
        """
        self._require_fitted()
        same = clone(self)
        task = same._task_of(X, y, sample_weight)
        if same.names_ != self.names_:
            rule = "the training table, with its columns, levels and labels"
            raise DataError(f"X must be {rule}, got another one.")
        return Tracer(self.named_tree(), task).trace()

    def named_tree(self) -> NamedTree:
        """Return the tree together with the names of its columns, levels and classes."""
        self._require_fitted()
        shares = getattr(self, "_leaf_shares", None)
        return NamedTree.of(self.tree_, self.names_, divides_rows=self._divides_rows(), shares=shares)

    def _divides_rows(self) -> bool:
        """Return whether a row with a missing value takes all branches."""
        return bool(getattr(self, "missing", None) == "fraction")

    def _answers(self, X: Rows) -> Floats:
        return self.named_tree().predicted(X, self._threads)


def _require(name: str, rule: Rule, value: object) -> None:
    if not rule.accepts(value):
        raise ParameterError(must(name, str(rule), value))
