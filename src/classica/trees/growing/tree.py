"""A grown tree as plain arrays."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from classica.native import Codes, Floats
from classica.native.trees import TreeArrays, pack_questions

Longs = NDArray[np.int64]
Item = TypeVar("Item", bound=np.generic)


@dataclass(frozen=True)
class Surrogates:
    """Splits that stand in for others: those of node k are number ``starts[k]`` to ``starts[k + 1] - 1``.

    The fields are those of `Tree`; where ``flipped``, small numbers go to the second child.
    ``agreement`` is the share of the rows of the split that go the same way; ``advantage`` what that is
    worth over sending all rows the way of most (1: everything, 0: nothing).
    """

    starts: Longs
    feature: Codes
    threshold: Floats
    levels_at: Longs
    level_child: Codes
    flipped: NDArray[np.uint8]
    agreement: Floats
    advantage: Floats


@dataclass(frozen=True)
class Tree:
    """A decision tree, an entry per node, parents before children, level by level.

    Attributes
    ----------
    feature : int32 array
        The column a node asks for; -1 for a leaf.
    threshold : float64 array
        Numbers up to it go to child 0, the others to child 1; NaN where categories are asked for, infinity
        where the question is whether the cell is known.
    levels_at, level_child : int64 array of nodes + 1, int32 array
        Categories: ``level_child[levels_at[k] : levels_at[k + 1]]`` is the child of each level code, counted
        from 0, or -1 if that level was not in the node. Empty for numbers and leaves.
    missing_child : int32 array
        The child of missing values; -1 for a leaf.
    first_child, child_count : int32 arrays
        The children of node k are ``first_child[k]`` and the next ``child_count[k] - 1``; -1, 0 for a leaf.
    cases, weight : float64 arrays
        How many training rows are in a node, and how much they weigh.
    gain : float64 array
        What the criterion gains by the split, summed over the rows of the node; 0 for a leaf.
    value : float64 array of shape (nodes, classes) or (nodes, 1)
        The weight of each class, or the predicted number.
    risk : float64 array
        Regression: the sum of squared or absolute deviations from the value; classification: the weight of
        the rows that are not of the most frequent class.
    surrogates : Surrogates or None
        Where rows with a missing value go instead.
    """

    feature: Codes
    threshold: Floats
    levels_at: Longs
    level_child: Codes
    missing_child: Codes
    first_child: Codes
    child_count: Codes
    cases: Floats
    weight: Floats
    gain: Floats
    value: Floats
    risk: Floats
    surrogates: Surrogates | None = None

    def __len__(self) -> int:
        return len(self.feature)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf."""
        leaf: NDArray[np.bool_] = self.feature < 0
        return leaf

    @property
    def leaf_count(self) -> int:
        """The number of leaves."""
        return int(self.is_leaf.sum())

    @property
    def parent(self) -> Codes:
        """The parent of each node; -1 for the root."""
        inner = np.flatnonzero(~self.is_leaf)
        parent = np.full(len(self), -1, dtype=np.int32)
        parent[1:] = np.repeat(inner, self.child_count[inner])
        return parent

    @property
    def depth(self) -> Codes:
        """The number of questions above each node."""
        sizes = np.diff(self.level_starts)
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    @property
    def level_starts(self) -> list[int]:
        """Where each level of the tree starts, and the number of nodes."""
        starts, end = [0], 1
        while end > starts[-1]:
            starts.append(end)
            end += int(self.child_count[starts[-2] : starts[-1]].sum())
        return starts

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node]))

    def levels_of(self, node: int) -> Codes:
        """Return the child of each level code of a node that asks for categories; empty for numbers."""
        return self.level_child[self.levels_at[node] : self.levels_at[node + 1]]

    def arrays(self) -> TreeArrays:
        """Return what the kernels read, packed anew each time."""
        links = self.first_child, self.missing_child, self.child_count
        nodes = pack_questions(self.feature, self.threshold, self.levels_at, *links)
        if self.surrogates is None:
            return nodes, self.level_child
        s = self.surrogates
        stand_ins = pack_questions(s.feature, s.threshold, s.levels_at, s.flipped, -1, 2)
        return nodes, self.level_child, stand_ins, s.level_child, s.starts

    def cut_at(self, collapsed: NDArray[np.bool_]) -> Tree:
        """Return the tree in which some nodes have become leaves, without what was below them."""
        kept = np.ones(len(self), dtype=bool)
        inner = ~self.is_leaf & ~collapsed
        starts, parent = self.level_starts, self.parent
        for start, end in itertools.pairwise(starts[1:]):
            above = parent[start:end]
            kept[start:end] = kept[above] & inner[above]
        indices = np.flatnonzero(kept)
        return self.taken(indices, inner[indices])

    def taken(self, indices: NDArray[Any], inner: NDArray[np.bool_]) -> Tree:
        """Return the tree of some nodes, given level by level; the inner ones keep their questions."""
        count = np.where(inner, self.child_count[indices], 0).astype(np.int32)
        first = np.where(inner, np.cumsum(count) - count + 1, -1).astype(np.int32)
        levels_at, level_child = _taken(self.levels_at, self.level_child, indices, inner)
        return replace(
            self,
            feature=np.where(inner, self.feature[indices], -1).astype(np.int32),
            threshold=np.where(inner, self.threshold[indices], np.nan),
            levels_at=levels_at,
            level_child=level_child,
            missing_child=np.where(inner, self.missing_child[indices], -1).astype(np.int32),
            first_child=first,
            child_count=count,
            cases=self.cases[indices],
            weight=self.weight[indices],
            gain=np.where(inner, self.gain[indices], 0.0),
            value=self.value[indices],
            risk=self.risk[indices],
            surrogates=None
            if self.surrogates is None
            else _taken_surrogates(self.surrogates, indices, inner),
        )


def _taken(
    starts: Longs, items: NDArray[Item], indices: Longs, wanted: NDArray[np.bool_]
) -> tuple[Longs, NDArray[Item]]:
    """Return the lists of some places; those not wanted become empty."""
    sizes = np.where(wanted, np.diff(starts)[indices], 0)
    at = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    index = np.arange(at[-1]) + np.repeat(starts[indices] - at[:-1], sizes)
    return at, items[index]


def _taken_surrogates(surrogates: Surrogates, indices: Longs, wanted: NDArray[np.bool_]) -> Surrogates:
    numbers = np.arange(len(surrogates.feature), dtype=np.int64)
    starts, chosen = _taken(surrogates.starts, numbers, indices, wanted)
    every = np.ones(len(chosen), dtype=bool)
    levels_at, level_child = _taken(surrogates.levels_at, surrogates.level_child, chosen, every)
    return Surrogates(
        starts,
        surrogates.feature[chosen],
        surrogates.threshold[chosen],
        levels_at,
        level_child,
        surrogates.flipped[chosen],
        surrogates.agreement[chosen],
        surrogates.advantage[chosen],
    )
