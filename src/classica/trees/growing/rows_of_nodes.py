"""Which rows come through each node of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.native import Floats
from classica.trees.growing.visits import visits
from classica.trees.showing.named_tree import NamedTree

#: Rows, and how much of each comes through.
NodeRows = tuple[NDArray[np.intp], Floats]


def rows_of_nodes(named: NamedTree, X: Any, weights: Floats, threads: int) -> list[NodeRows]:
    """Return the rows of each node, with the part of their weight that comes through it."""
    came = visits(named.tree, X, threads, divides_rows=named.divides_rows)
    order = np.lexsort((came.row, came.node))
    ends = np.searchsorted(came.node[order], np.arange(len(named.tree) + 1))
    of_node = (order[ends[node] : ends[node + 1]] for node in range(len(named.tree)))
    return [(came.row[places], weights[came.row[places]] * came.share[places]) for places in of_node]
