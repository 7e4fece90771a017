"""What all tree classifiers share: growing on classes, and the shares of the classes in the leaves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, ClassVar

from numpy.typing import NDArray

from classica.arrays import Rows, VectorLike
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.estimator import Classifier, TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.trees.coded_columns import CodedColumns
from classica.estimators.trees.growth_limits import GROWTH_LIMITS
from classica.estimators.trees.tree_model import TreeModel
from classica.estimators.trees.tree_pruning import PRUNING_RULES, Pruning
from classica.native import Floats
from classica.native import trees as native
from classica.params import ClassWeight
from classica.trees.growing.growth import GrowthRules, Target, cases_of
from classica.trees.growing.growth_task import TreeTask, indices_of, without
from classica.trees.growing.shared_task import GrownTrees, SharedTask
from classica.trees.growing.tree import Longs, Tree


class TreeClassifier(GridScores, CodedColumns, Classifier, TreeModel):
    """A classifier that is a decision tree. Subclasses say how it grows, and how rows get their class."""

    #: Everything but what the table and the weights of its rows depend on.
    free_parameters: ClassVar[frozenset[str]] = frozenset(
        {*GROWTH_LIMITS, *PRUNING_RULES}
        | {"criterion", "categories", "missing", "threshold", "max_surrogates", "cut_penalty", "smoothing"}
    )

    class_weight: ClassWeight = None
    smoothing: float = 0.0
    missing: str
    #: The share of each class in each node, and the label of the largest.
    _leaf_shares: Floats
    _leaf_labels: NDArray[Any]

    def _labels(self, X: Rows) -> NDArray[Any]:
        """Return the most probable class of checked rows; of equal ones the first."""
        if self._divides_rows():
            labels: NDArray[Any] = self.classes_[self._spread_shares(X).argmax(axis=1)]
        else:
            labels = self._leaf_labels[self._last_nodes(X)]
        return labels

    def _posteriors(self, X: Rows) -> Floats:
        """Return the share of each class where checked rows end."""
        if self._divides_rows():
            return self._spread_shares(X)
        shares: Floats = self._leaf_shares[self._last_nodes(X)]
        return shares

    def _spread_shares(self, X: Rows) -> Floats:
        """Return the shares where missing values take all branches: the mean over the leaves, by weight."""
        threads = self._threads_of(X)
        return native.spread_over_tree(X, self._arrays, self.tree_.weight, self._leaf_shares, threads)

    def _divides_rows(self) -> bool:
        return self.missing == "fraction"

    def _set_tree(self, tree: Tree) -> None:
        # The share of each class in each node, a count of `smoothing` added to each.
        counts = tree.value + self.smoothing
        self.tree_, self._arrays = tree, tree.arrays()
        self._leaf_shares = counts / counts.sum(axis=1, keepdims=True)
        self._leaf_labels = self.classes_[self._leaf_shares.argmax(axis=1)]

    def _pruning(self) -> Pruning:
        return Pruning.of(self)

    def _counted_rows(
        self, X: Rows, y: VectorLike, sample_weight: VectorLike | None
    ) -> tuple[TrainingData, Longs | None]:
        """Check rows and weights, and code the classes; return the rows that count, and their positions."""
        given = self._all_rows(X, y, sample_weight)
        data = given.without_weightless_rows()
        self.classes_ = data.classes
        return data, indices_of(given.weights)

    def _task_of(self, X: Rows, y: VectorLike, sample_weight: VectorLike | None) -> TreeTask:
        """Return what ``fit`` would grow a tree on."""
        return self._task(*self._counted_rows(X, y, sample_weight))

    def _task(self, data: TrainingData, indices: Longs | None) -> TreeTask:
        """Derive from rows and parameters what a tree grows on: table, target, rules and thresholds."""
        cases = cases_of(data.weights)
        weights = times_class_weights(self.class_weight, data, data.weights)
        if weights is not None and not weights.all():  # a class that counts for nothing
            data, indices = data.take(weights > 0), without(indices, weights > 0)
            weights, cases = weights[weights > 0], None if cases is None else cases[weights > 0]
        target = Target(data.codes, len(data.classes), weights=weights, cases=cases)
        rules = self._growth_rules(data.X, target)
        table, threshold = self._table(data.X), self._threshold_policy()
        return TreeTask(data.X, table, target, rules, threshold, self._threads, indices)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0]
        whole = first._task_of(X, y, None)
        shared = {each.name: getattr(whole, each.name) for each in fields(TreeTask)}
        grown = GrownTrees()
        for model in models:
            taught_by(model, first)
        rules = [model._growth_rules(whole.X, whole.target) for model in models]
        for model, own in zip(models, rules, strict=True):
            grown.expect(own, model._threshold_policy())
        for index, (model, own) in enumerate(zip(models, rules, strict=True)):
            mine = shared | {"rules": own, "threshold": model._threshold_policy()}
            model._store(model._pruning().grow(SharedTask(**mine, grown=grown)))
            yield index, model

    def _threshold_policy(self) -> str:
        return "midpoint"

    @abstractmethod
    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        """Return how the tree grows."""
