"""From a table to a tree: ranks once, then any number of trees on any of its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.errors import DataError, ParameterError, must
from classica.native import Codes, Floats
from classica.native import trees as native
from classica.native.trees import CATEGORY_SPLITS as CATEGORY_SPLITS
from classica.native.trees import CLASS_CRITERIA as CLASS_CRITERIA
from classica.native.trees import CRITERIA as CRITERIA
from classica.native.trees import MISSING_POLICIES as MISSING_POLICIES
from classica.native.trees import SELECTIONS as SELECTIONS
from classica.trees.growing.tree import Surrogates, Tree

#: The criteria of trees that predict numbers.
NUMBER_CRITERIA = tuple(criterion for criterion in CRITERIA if criterion not in CLASS_CRITERIA)
THRESHOLDS = ("midpoint", "data")
#: Rows of a table by number; a row may be named several times.
RowNumbers = NDArray[np.integer[Any]]
MOST_BRANCHES = 65_534


@dataclass(frozen=True)
class GrowthRules:
    """How a tree grows; see `tree.hpp` for what each rule means."""

    criterion: str = "gini"
    categories: str = "subset"
    missing: str = "direction"
    selection: str = "gain"
    max_depth: int = -1
    max_leaves: int = -1
    max_features: int = 0
    top_features: int = 0
    seed: int = 0
    min_cases_split: float = 2.0
    min_cases_leaf: float = 1.0
    min_weight_leaf: float = 0.0
    min_gain: float = 0.0
    zero_gain: bool = True
    zero_up_to: float = 0.0
    wide_branches: bool = False
    smallest_gap: float = 0.0
    cuts_cost: bool = False
    max_surrogates: int = 0
    surrogate_dissent: float = 0.0
    relief_neighbours: int = 10
    relief_rows: int = 0

    def __post_init__(self) -> None:
        if self.missing == "surrogate" and self.categories == "multiway":
            rule = "other than 'surrogate', which needs binary splits, with categories='multiway'"
            raise ParameterError(must("missing", rule, self.missing))

    def for_kernel(self, threshold: str = "midpoint") -> dict[str, Any]:
        """Return the rules as the kernel reads them, and whether cuts lie at values of the table."""
        return {**vars(self), "cut_at_data": threshold == "data"}


@dataclass(frozen=True)
class Target:
    """What a tree learns: class codes or numbers, how much rows weigh and how many cases each is.

    Where rows are there several times, counts say it all.
    """

    codes: Codes | None = None
    classes: int = 0
    values: Floats | None = None
    weights: Floats | None = None
    cases: Floats | None = None
    counts: NDArray[np.uint32] | None = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        learned = self.values if self.codes is None else self.codes
        assert learned is not None
        return len(learned)

    def total_weight(self) -> float:
        """Return how much all rows weigh together."""
        given = self.counts if self.weights is None else self.weights
        return float(self.rows if given is None else given.sum())

    def total_cases(self) -> float:
        """Return how many cases all rows are together."""
        given = self.counts if self.cases is None else self.cases
        return float(self.rows if given is None else given.sum())


def cases_of(weights: Floats | None) -> Floats | None:
    """Return how many cases each row is: as many as it weighs, but one at least if it counts at all."""
    return None if weights is None else np.where(weights > 0, np.maximum(weights, 1.0), 0.0)


@dataclass(frozen=True)
class TreeTable:
    """A table as trees see it: ranks of numbers, codes of categories."""

    ranks: native.Ranks
    categorical: NDArray[np.bool_]
    #: The distinct numbers of each column, ascending; empty for categories.
    values: list[Floats]
    #: How many levels each column has.
    levels: NDArray[np.int64]
    #: Where values were put together: what lies between each (the highest of its group) and the next.
    cuts: list[Floats] | None = None

    @classmethod
    def of(
        cls, X: MatrixLike, categorical: NDArray[np.bool_], levels: NDArray[np.int64], threads: int
    ) -> TreeTable:
        """Rank a matrix in which categories are codes from 0 to ``levels`` - 1."""
        ranks, values = native.rank_columns(X, threads)
        counts = np.array([len(column) for column in values], dtype=np.int64)
        for j in np.flatnonzero(categorical):
            if len(values[j]) and not (values[j][0] >= 0 and values[j][-1] < levels[j]):
                rule = f"of category codes from 0 to {levels[j] - 1}"
                raise DataError(must(f"Column {j}", rule, float(values[j][-1])))
            lookup = np.append(values[j].astype(np.uint32), native.MISSING_RANK)
            ranks[j] = lookup[np.minimum(ranks[j], len(lookup) - 1)]
            counts[j], values[j] = levels[j], np.empty(0)
        return cls(ranks, categorical, values, counts)

    @cached_property
    def for_kernel(self) -> native.RankTable:
        """The arrays the kernel reads."""
        sizes = [len(column) for column in self.values]
        at = np.concatenate([[0], np.cumsum(sizes)])[:-1].astype(np.int64)
        cuts = np.empty(0) if self.cuts is None else np.concatenate(self.cuts)
        kinds = self.categorical.astype(np.uint8)
        return self.ranks, self.levels, kinds, at, np.concatenate(self.values), cuts

    def binned(self, most: int, weights: Floats | None) -> TreeTable:
        """Return the table in which each number is one of at most ``most`` groups of about equal weight."""
        ranks = self.ranks.copy()
        values, cuts = [], []
        for j, column in enumerate(self.values):
            present = ranks[j] != native.MISSING_RANK
            of_value = _weights_of_values(
                ranks[j][present], None if weights is None else weights[present], column
            )
            # Where nobody counts it makes no difference; those values join the group below.
            counted = np.flatnonzero(of_value > 0)
            group = _groups(of_value[counted], most)
            if len(counted):
                below = np.searchsorted(counted, np.arange(len(column)), side="right") - 1
                ranks[j, present] = group[np.maximum(below, 0)][ranks[j][present]]
            numbers = column[counted]
            last = np.flatnonzero(np.diff(group, append=len(group) + 1))
            values.append(numbers[last])
            cuts.append(_midpoints(numbers[last], numbers[np.minimum(last + 1, max(len(numbers) - 1, 0))]))
        counts = np.array([len(column) for column in values], dtype=np.int64)
        levels = np.where(self.categorical, self.levels, counts)
        return replace(self, ranks=ranks, values=values, levels=levels, cuts=cuts)

    def check_branches(self, rules: GrowthRules) -> None:
        """Refuse columns with more levels than a node can have branches."""
        most = int(self.levels[self.categorical].max(initial=0))
        if rules.categories == "multiway" and most > MOST_BRANCHES:
            rule = f"of at most {MOST_BRANCHES} levels"
            raise DataError(must("A column with a branch per level", rule, most))

    def grow(
        self,
        target: Target,
        rules: GrowthRules,
        threads: int,
        *,
        threshold: str = "midpoint",
        rows: RowNumbers | None = None,
    ) -> Tree:
        """Return the tree grown on some rows (default: all).

        A cut lies halfway between two neighbouring values of the node (``threshold="midpoint"``), or at the
        largest value of the table up to there (``"data"``).
        """
        self.check_branches(rules)
        if rows is None:
            rows = np.arange(self.ranks.shape[1]) if target.counts is None else np.flatnonzero(target.counts)
        grown = native.grow_tree(
            self.for_kernel,
            target.codes,
            target.classes,
            target.values,
            target.weights,
            target.cases,
            np.ascontiguousarray(rows, dtype=np.uint32),
            rules.for_kernel(threshold),
            threads,
            counts=target.counts,
        )
        return tree_of(grown, target.classes)


def relieff_weights(table: TreeTable, target: Target, rules: GrowthRules, rows: RowNumbers) -> Floats:
    """Return the ReliefF weight of each column on some rows."""
    assert target.codes is not None
    numbered = np.ascontiguousarray(rows, dtype=np.uint32)
    return native.relieff_weights(
        table.for_kernel, target.codes, target.classes, target.weights, numbered, rules.for_kernel()
    )


def _weights_of_values(ranks: native.Ranks, weights: Floats | None, values: Floats) -> Floats:
    """Return how much the rows of each value of a column weigh; nothing for categories."""
    if not len(values):
        return np.empty(0)
    return np.bincount(ranks, weights, minlength=len(values)).astype(np.float64)


def _groups(weights: Floats, most: int) -> native.Ranks:
    """Return the group of each value: the one in which the middle of its weight lies, without empty ones."""
    if len(weights) <= most:
        return np.arange(len(weights), dtype=np.uint32)
    up_to = np.cumsum(weights)
    middle = up_to - weights / 2
    group = np.unique((middle * (most / up_to[-1])).astype(np.uint32), return_inverse=True)[1]
    return group.astype(np.uint32)


def _midpoints(low: Floats, high: Floats) -> Floats:
    """Return what lies halfway between two numbers, but always below the higher one."""
    middle = low / 2 + high / 2
    return np.where((middle >= low) & (middle < high), middle, low)


def tree_of(grown: dict[str, Any], classes: int) -> Tree:
    """Return the tree that a kernel has grown."""
    summary = grown["summary"].reshape(len(grown["feature"]), -1)
    if classes:
        weight, value = summary.sum(axis=1), summary
        risk = weight - summary.max(axis=1)
    else:
        weight, value, risk = summary[:, 0].copy(), summary[:, 1:2].copy(), summary[:, 2].copy()
    return Tree(
        feature=grown["feature"],
        threshold=grown["threshold"],
        levels_at=grown["levels_at"],
        level_child=grown["level_child"],
        missing_child=grown["missing_child"],
        first_child=grown["first_child"],
        child_count=grown["child_count"],
        cases=grown["cases"],
        weight=weight,
        gain=grown["gain"],
        value=value,
        risk=risk,
        surrogates=_surrogates(grown["surrogates"]),
    )


def _surrogates(grown: dict[str, Any]) -> Surrogates | None:
    if not len(grown["feature"]):
        return None
    return Surrogates(
        starts=grown["starts"],
        feature=grown["feature"],
        threshold=grown["threshold"],
        levels_at=grown["levels_at"],
        level_child=grown["level_child"],
        flipped=grown["flipped"],
        agreement=grown["agreement"],
        advantage=grown["advantage"],
    )
