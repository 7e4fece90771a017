"""What all tree estimators share: a grown tree, and rows through it."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from classica.arrays import MatrixLike, Rows
from classica.estimators.trees.tree_looks import TreeLooks
from classica.native import Codes
from classica.native import trees as native
from classica.trees.growing.visits import visits


class TreeModel(TreeLooks):
    """An estimator that holds a `Tree`."""

    #: The tree as kernels read it.
    _arrays: native.TreeArrays

    def apply(self, X: MatrixLike) -> Codes:
        """Return the node in which each row ends; a missing cell that takes all branches: in the largest."""
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
        """Free parameters: one per question; in each leaf one number, or a share for each class but one."""
        self._require_fitted()
        per_leaf = max(1, self.tree_.value.shape[1] - 1)
        leaves = self.tree_.leaf_count
        return len(self.tree_) - leaves + leaves * int(per_leaf)

    def _last_nodes(self, X: Rows) -> Codes:
        return native.apply_tree(X, self._arrays, self._threads_of(X))
