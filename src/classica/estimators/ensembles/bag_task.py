"""Fitting the members of a bag, each on its sample of rows and perhaps of columns."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from classica.categories import named_columns
from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import fit_member, in_threads, seeded
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.metadata import Metadata
from classica.row_taking import is_frame, take_rows
from classica.samples import Samples
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Longs


@dataclass(frozen=True)
class BagTask:
    """What the members of a bag learn from."""

    template: Any
    X: Any
    labels: NDArray[Any]
    samples: Samples
    columns: list[Longs] | None
    #: One for each member.
    seeds: list[int]
    #: What members request beside rows and labels.
    metadata: Metadata

    def fitted(self, threads: int, n_jobs: int | None) -> list[Any]:
        """Return the members, fitted side by side."""
        alone = threads == 1 or len(self.seeds) == 1
        tasks = [(number, alone, n_jobs) for number in range(len(self.seeds))]
        return in_threads(self._member, tasks, threads)

    def _member(self, number: int, alone: bool, n_jobs: int | None) -> Any:
        rows = self.samples.rows_of(number)
        random = np.random.RandomState(self.seeds[number])
        member = seeded(clone(self.template), random, only_unseeded=False)
        X = take_rows(self.X, rows)
        if self.columns is not None:
            _name_categories(member, X, self.columns[number])
            X = take_columns(X, self.columns[number])
        params = self.metadata.take(rows).values
        return fit_member(member, X, self.labels[rows], params, alone, n_jobs)


def _name_categories(member: BaseEstimator, X: Any, columns: Longs) -> None:
    """Name the columns of categories anew, as they stand among those that are left."""
    named = member.get_params(deep=False).get("categorical_features")
    if named is not None and not isinstance(named, str):
        mask = named_columns(named, list(X.columns) if is_frame(X) else None, X.shape[1])
        member.set_params(categorical_features=mask[columns])


@dataclass(frozen=True)
class TreeBagTask(BagTask):
    """What the trees of a bag learn from: all of them the same table, each rows of its own."""

    @classmethod
    def takes(cls, template: BaseEstimator, columns: list[Longs] | None, metadata: Metadata) -> bool:
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
        own = replace(task, target=target, rules=tree._growth_rules(task.X, target))
        tree._store(tree._pruning().grow(own))
        return tree
