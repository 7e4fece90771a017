"""Many trees as one set of plain arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.native import forests as native
from classica.samples import Samples
from classica.trees.growing.growth import GrowthRules, Target, TreeTable
from classica.trees.growing.tree import Longs


@dataclass(frozen=True)
class Forest:
    """Trees in sixteen bytes per node, which can be read where they lie in a file.

    Attributes
    ----------
    nodes : uint8 array of shape (nodes, 16)
        The questions and leaves of all trees; see `forest.hpp`.
    starts : int64 array of trees + 1
        Where each tree starts.
    level_child : int32 array
        The children of category levels.
    values : float64 array of shape (different values, classes) or (…, 1)
        The shares of the classes in leaves, each only once. Leaves of numbers have theirs in the node.
    gains_at, gain_columns, gains : int64 array of trees + 1, int32 array, float64 array
        What each tree gains by the columns it asks for, as shares of all its gains; empty where nobody asks.
    holds_numbers : bool
        Whether values are numbers to predict.
    weight, surrogates, surrogate_level_child, surrogates_at : arrays
        For rows with missing values that are divided or follow surrogates; otherwise empty.
    """

    nodes: NDArray[np.uint8]
    starts: Longs
    level_child: Codes
    values: Floats
    gains_at: Longs
    gain_columns: Codes
    gains: Floats
    holds_numbers: bool
    weight: Floats
    surrogates: NDArray[np.uint8]
    surrogate_level_child: Codes
    surrogates_at: Longs

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def node_counts(self) -> Longs:
        """The number of nodes of each tree."""
        return np.diff(self.starts)

    def arrays(self) -> native.ForestArrays:
        """Return what the kernels read."""
        stand_ins = self.surrogates, self.surrogate_level_child, self.surrogates_at
        return self.nodes, self.starts, self.level_child, self.weight, *stand_ins, self.holds_numbers

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf."""
        leaf: NDArray[np.bool_] = self.nodes[:, 8:12].copy().view(np.int32)[:, 0] < 0
        return leaf

    def trees(self, begin: int, end: int) -> Forest:
        """Return the forest of some of the trees; nothing is copied."""
        nodes = slice(int(self.starts[begin]), int(self.starts[end]))
        with_last = slice(nodes.start, nodes.stop + 1)
        gains_at = self.gains_at[begin : end + 1]
        gains = slice(int(gains_at[0]), int(gains_at[-1])) if len(gains_at) else slice(0)
        return replace(
            self,
            nodes=self.nodes[nodes],
            starts=self.starts[begin : end + 1] - self.starts[begin],
            weight=self.weight[nodes],
            surrogates_at=self.surrogates_at[with_last],
            gains_at=gains_at - gains_at[:1],
            gain_columns=self.gain_columns[gains],
            gains=self.gains[gains],
        )

    def mean_gains(self, columns: int) -> Floats:
        """Return what the trees gain by each column, as a share of all gains; the mean over the trees."""
        means: Floats = np.bincount(self.gain_columns, self.gains, minlength=columns) / len(self)
        return means

    def votes(self) -> Floats:
        """Return the values with all weight on the most frequent class."""
        votes = np.zeros_like(self.values)
        votes[np.arange(len(votes)), self.values.argmax(axis=1)] = 1.0
        return votes


def grow_forest(
    table: TreeTable,
    target: Target,
    rules: GrowthRules,
    trees: int,
    samples: Samples | None,
    threads: int,
    *,
    threshold: str = "midpoint",
    balances_samples: bool = False,
    smoothing: float = 0.0,
) -> Forest:
    """Grow trees on random samples of the rows, or each on all rows."""
    table.check_branches(rules)
    grown: dict[str, Any] = native.grow_forest(
        table.for_kernel,
        target.codes,
        target.classes,
        target.values,
        target.weights,
        target.cases,
        rules.for_kernel(threshold),
        trees,
        None if samples is None else samples.for_kernel(),
        balances_samples,
        smoothing,
        threads,
    )
    width = max(target.classes, 1)
    return Forest(values=grown.pop("values").reshape(-1, width), holds_numbers=not target.classes, **grown)
