"""What all tree classifiers share: growing on classes, leaf frequencies, predictions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, ClassVar

from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.trees.growth_limits import GROWTH_LIMITS
from classica.estimators.trees.tree_pruning import PRUNING_RULES, TreePruning
from classica.native import Floats
from classica.native import trees as native
from classica.trees.growing.growth import GrowthRules, Target, cases_of
from classica.trees.growing.growth_task import TreeTask, places_of, without
from classica.trees.growing.shared_task import GrownTrees, SharedTask
from classica.trees.growing.tree import Longs, Tree


class TreeClassifier(GridScores, TreePruning):
    """A classifier that is a decision tree. Subclasses say how it grows and is pruned."""

    #: Everything but what the table and the weights of its rows depend on.
    free_parameters: ClassVar[frozenset[str]] = frozenset(
        {*GROWTH_LIMITS, *PRUNING_RULES}
        | {"criterion", "categories", "missing", "threshold", "max_surrogates", "cut_penalty", "smoothing"}
    )

    class_weight: Any = None
    missing: str
    _leaf_shares: Floats

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> Any:
        """Grow the tree, and prune it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; missing cells are NaN, None or null.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : estimator
        """
        self._learn(self._task_of(X, y, sample_weight))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones the first."""
        X = self._query(X)
        if self._divides_rows():
            labels: NDArray[Any] = self.classes_[self._posteriors(X).argmax(axis=1)]
        else:
            labels = self._leaf_labels[self._last_nodes(X)]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class where each row ends."""
        return self._posteriors(self._query(X))

    def _posteriors(self, X: Rows) -> Floats:
        if self._divides_rows():
            tree = self.tree_
            return native.spread_over_tree(
                X, self._arrays, tree.weight, self._leaf_shares, self._threads_of(X)
            )
        shares: Floats = self._leaf_shares[self._last_nodes(X)]
        return shares

    def _divides_rows(self) -> bool:
        return self.missing == "fraction"

    def _set_tree(self, tree: Tree) -> None:
        # The share of each class in each node, a count of `smoothing` added to each.
        counts = tree.value + self.smoothing
        self.tree_, self._arrays = tree, tree.arrays()
        self._leaf_shares = counts / counts.sum(axis=1, keepdims=True)
        self._leaf_labels = self.classes_[self._leaf_shares.argmax(axis=1)]

    def _task_of(self, X: Rows, y: Any, sample_weight: Any) -> TreeTask:
        given = self._all_rows(X, y, sample_weight)
        data = given.without_weightless_rows()
        self.classes_ = data.classes
        return self._task(data, places_of(given.weights))

    def _task(self, data: TrainingData, places: Longs | None) -> TreeTask:
        cases = cases_of(data.weights)
        weights = times_class_weights(self.class_weight, data, data.weights)
        if weights is not None and not weights.all():  # a class that counts for nothing
            data, places = data.take(weights > 0), without(places, weights > 0)
            weights, cases = weights[weights > 0], None if cases is None else cases[weights > 0]
        target = Target(data.codes, len(data.classes), weights=weights, cases=cases)
        rules = self._growth_rules(data.X, target)
        table, threshold = self._table(data.X), self._threshold_policy()
        return TreeTask(data.X, table, target, rules, threshold, self._threads, places)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: Any) -> Iterator[tuple[int, Any]]:
        first = models[0]
        whole = first._task_of(X, y, None)
        shared = {each.name: getattr(whole, each.name) for each in fields(TreeTask)}
        grown = GrownTrees()
        for model in models:
            taught_by(model, first)
        rules = [model._growth_rules(whole.X, whole.target) for model in models]
        for model, own in zip(models, rules, strict=True):
            grown.expect(own, model._threshold_policy())
        for place, (model, own) in enumerate(zip(models, rules, strict=True)):
            mine = shared | {"rules": own, "threshold": model._threshold_policy()}
            model._learn(SharedTask(**mine, grown=grown))
            yield place, model

    def _threshold_policy(self) -> str:
        return "midpoint"

    @abstractmethod
    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        """Return how the tree grows."""
