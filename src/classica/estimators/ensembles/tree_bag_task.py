"""Fitting a bag of our own trees: the table is read and ranked once for all of them."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from classica.estimators.ensembles.bag_task import BagTask
from classica.estimators.members.member_fits import in_threads, seeded
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.estimators.trees.growing.growth_task import TreeTask
from classica.metadata import Metadata


@dataclass(frozen=True)
class TreeBagTask(BagTask):
    """What the trees of a bag learn from: all of them the same table, each rows of its own."""

    @classmethod
    def takes(cls, template: Any, columns: Any, metadata: Metadata) -> bool:
        """Say whether trees as the template says can share a table.

        What they do besides growing would have to know how often a row was drawn.
        """
        if type(template) is not DecisionTreeClassifier or columns is not None or metadata:
            return False
        besides = template.prune is not None or template.class_weight is not None or template.smoothing != 0
        return not besides and template.criterion != "relieff"

    def fitted(self, threads: int, n_jobs: int | None) -> list[Any]:
        """Return the trees, grown side by side."""
        reader = clone(self.template)
        reader.n_jobs = n_jobs if reader.n_jobs is None else reader.n_jobs
        task = reader._task_of(self.X, self.labels, None)
        if threads > 1 and len(self.seeds) > 1:
            task = replace(task, threads=1)
        return in_threads(self._tree, [(number, reader, task) for number in range(len(self.seeds))], threads)

    def _tree(self, number: int, reader: DecisionTreeClassifier, task: TreeTask) -> DecisionTreeClassifier:
        tree: DecisionTreeClassifier = seeded(
            copy(reader), np.random.RandomState(self.seeds[number]), only_unseeded=False
        )
        target = replace(task.target, counts=self.samples.counts(number))
        tree._learn(replace(task, target=target, rules=tree._growth_rules(task.X, target)))
        return tree
