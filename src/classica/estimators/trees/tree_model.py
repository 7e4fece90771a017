"""What all tree estimators share: a grown tree, rows through it, and other trees of its pruning path."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
import scipy.sparse as sp

from classica.arrays import MatrixLike, Rows
from classica.errors import ParameterError, must
from classica.estimators.trees.shuffled_columns import ShuffledColumns
from classica.estimators.trees.tree_looks import TreeLooks
from classica.estimators.trees.tree_pruning import ALPHA, PrunedTree, Pruning
from classica.native import Codes
from classica.native import trees as native
from classica.params import Integer
from classica.trees.growing.tree import Tree
from classica.trees.growing.visits import visits
from classica.trees.pruning.cp_table import CpTable
from classica.trees.pruning.pruning_cv import CrossValidation
from classica.trees.pruning.pruning_path import PruningPath, pruning_path


class TreeModel(TreeLooks, ShuffledColumns):
    """Mixed into an estimator of coded columns that holds a `Tree`."""

    prune: float | str | None

    grown_tree_: Tree
    #: The tree as kernels read it.
    _arrays: native.TreeArrays
    _risk: str | None
    _validated: CrossValidation | None
    _threads_of: Callable[[Rows], int]

    @abstractmethod
    def _set_tree(self, tree: Tree) -> None:
        """Predict by a tree from now on."""

    @abstractmethod
    def _pruning(self) -> Pruning:
        """Return how the tree is pruned."""

    def _store(self, learned: PrunedTree) -> None:
        """Keep a tree and what it was pruned from."""
        self.grown_tree_, self._risk, self._validated = learned.grown, learned.risk, learned.validated
        self._set_tree(learned.tree)

    def apply(self, X: MatrixLike) -> Codes:
        """Return the node in which each row ends; a missing value that takes all branches: in the largest."""
        return self._last_nodes(self._query(X))

    def decision_path(self, X: MatrixLike) -> Any:
        """Return a sparse matrix with a one for every node (column) on the way to that of `apply`."""
        X = self._query(X)
        came = visits(self.tree_, X, self._threads, divides_rows=False)
        ones = np.ones(len(came.row), dtype=np.int64)
        return sp.csr_matrix((ones, (came.row, came.node)), shape=(X.shape[0], len(self.tree_)))

    def get_depth(self) -> int:
        """Return the most questions that are asked of a row."""
        self._require_fitted()
        return int(self.tree_.depth[-1])

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        self._require_fitted()
        return self.tree_.leaf_count

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: one per split; in each leaf one value, or C - 1 class frequencies."""
        self._require_fitted()
        per_leaf = max(1, self.tree_.value.shape[1] - 1)
        leaves = self.tree_.leaf_count
        return len(self.tree_) - leaves + leaves * int(per_leaf)

    @property
    def pruning_path_(self) -> PruningPath:
        """The nested trees of cost-complexity pruning, from the grown tree to its root."""
        self._require_fitted()
        return pruning_path(self.grown_tree_, self._risk)

    @property
    def cp_table_(self) -> CpTable:
        """The nested trees as a table, with the errors of the cross-validation if there was one."""
        path, validated = self.pruning_path_, self._validated
        chosen = None if validated is None else validated.chosen(self._pruning().cv_rule)
        return CpTable.of(self.grown_tree_, path, validated, chosen)

    def pruned(self, alpha: float) -> Self:
        """Return this estimator with its grown tree pruned at another alpha, without learning again.

        Parameters
        ----------
        alpha : float
            What a leaf costs, in units of the risk per row.

        Returns
        -------
        estimator : fitted copy with ``prune=alpha``
        """
        if not ALPHA.accepts(alpha):
            raise ParameterError(must("alpha", str(ALPHA), alpha))
        path, other = self.pruning_path_, copy(self)
        other.prune = alpha
        other._set_tree(self.grown_tree_.cut_at(path.collapsed(alpha)))
        return other

    def prune_to(self, n_leaves: int) -> Self:
        """Return this estimator with the largest tree of the pruning path that has at most so many leaves.

        Parameters
        ----------
        n_leaves : int
            At least 1.

        Returns
        -------
        estimator : fitted copy
        """
        if not Integer(at_least=1).accepts(n_leaves):
            raise ParameterError(must("n_leaves", str(Integer(at_least=1)), n_leaves))
        path = self.pruning_path_
        return self.pruned(float(path.alphas[path.step_of(n_leaves)]))

    def _last_nodes(self, X: Rows) -> Codes:
        return native.apply_tree(X, self._arrays, self._threads_of(X))
