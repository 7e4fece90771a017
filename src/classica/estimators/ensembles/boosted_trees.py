"""Members of a boosted classifier that are trees, grown all in one call."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from classica.arrays import MatrixLike
from classica.estimators.ensembles.boosting_weights import BoostRules, Rounds
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.estimators.trees.growth_limits import seed_of
from classica.estimators.trees.tree_pruning import PrunedTree
from classica.native import Codes, Floats, forests
from classica.native import boosting as native
from classica.native import trees as native_trees
from classica.trees.growing.forest import Forest
from classica.trees.growing.growth import tree_of
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree


@dataclass(frozen=True)
class BoostedTrees:
    """Trees, and the forest of their votes."""

    #: Reads tables as all the trees do.
    reader: DecisionTreeClassifier
    trees: list[Tree]
    forest: Forest

    @property
    def classes(self) -> NDArray[Any]:
        """The labels."""
        return self.reader.classes_

    def first(self, count: int) -> BoostedTrees:
        """Return the first members alone."""
        return BoostedTrees(self.reader, self.trees[:count], self.forest.trees(0, count))

    def estimators(self) -> list[DecisionTreeClassifier]:
        """Return the trees as fitted classifiers."""
        return [self._member(tree) for tree in self.trees]

    def answers(self, X: MatrixLike) -> Iterator[Codes]:
        """Yield the class of each row according to each member."""
        X = self.reader._query(X)
        for tree in self.trees:
            nodes = native_trees.apply_tree(X, tree.arrays(), self.reader._threads_of(X))
            yield tree.value.argmax(axis=1).astype(np.int32)[nodes]

    def votes(self, X: MatrixLike, alphas: Floats) -> Floats:
        """Return the sum of the votes for each class."""
        X = self.reader._query(X)
        threads = self.reader._threads_of(X)
        mean = forests.forest_means(X, self.forest.arrays(), self.forest.values, threads)
        mean *= len(alphas)
        return mean

    def _member(self, tree: Tree) -> DecisionTreeClassifier:
        member = copy(self.reader)
        member._store(PrunedTree(tree, tree, member._pruning().risk_of(member.criterion)))
        return member


def can_be_boosted_at_once(base: BaseEstimator) -> bool:
    """Return whether all rounds can be left to the kernel: trees grown from the weights of the rows alone."""
    if type(base) is not DecisionTreeClassifier:
        return False
    return base.prune is None and base.class_weight is None and base.missing != "fraction"


def boosted_trees(
    reader: DecisionTreeClassifier, task: TreeTask, weights: Floats, rules: BoostRules, seeds: NDArray[Any]
) -> tuple[BoostedTrees, Rounds]:
    """Grow one tree after the other from the rows of a task."""
    task.table.check_branches(task.rules)
    total, target = float(weights.sum()), task.target
    assert target.codes is not None
    drawn = [seed_of(int(seed)) if task.rules.max_features else 0 for seed in seeds]
    grown, forest, learned = native.boost_trees(
        task.table.for_kernel,
        target.codes,
        target.classes,
        weights / total,
        total,
        target.cases,
        task.rules.for_kernel(task.threshold),
        rules.for_kernel(),
        np.array(drawn, dtype=np.uint64),
        task.threads,
    )
    rounds = Rounds()
    for one in learned:
        rounds.add(one)
    values = forest.pop("values").reshape(-1, target.classes)
    trees = [tree_of(arrays, target.classes) for arrays in grown]
    return BoostedTrees(reader, trees, Forest(values=values, holds_numbers=False, **forest)), rounds
