"""What both random forests share: growing, trees as arrays, rows through them, what columns are worth."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.estimators.trees.coded_columns import CodedColumns
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits, seed_of
from classica.estimators.trees.shuffled_columns import ShuffledColumns
from classica.native import Codes, Floats
from classica.native import forests as native
from classica.params import (
    N_JOBS,
    Boolean,
    CategoricalFeatures,
    Integer,
    Nothing,
    OneOf,
    RandomState,
    Real,
    Rule,
)
from classica.samples import Samples
from classica.targets import row_weights
from classica.trees.growing.forest import Forest, grow_forest
from classica.trees.growing.growth import CATEGORY_SPLITS, MISSING_POLICIES, GrowthRules, Target
from classica.trees.growing.tree import Longs


class ForestModel(ShuffledColumns, CodedColumns):
    """An estimator that is a forest of trees. Subclasses say what the trees learn."""

    n_estimators: int
    criterion: str
    choice: str
    categories: str
    missing: str
    max_surrogates: int
    max_bins: int | None
    bootstrap: bool
    max_samples: float | None
    oob_score: bool
    random_state: Any

    forest_: Forest
    oob_errors_: Floats
    #: The samples the trees learned from; None: each from all rows.
    _samples: Samples | None

    @property
    def oob_error_(self) -> float:
        """The error of the trees that have not seen a row."""
        return float(self.oob_errors_[-1])

    @property
    def feature_importances_(self) -> Floats:
        """What each column gains in all questions, as a share of all gains; the mean of the trees."""
        self._require_fitted()
        return self.forest_.mean_gains(self.n_features_in_)

    @property
    def estimators_(self) -> list[Self]:
        """The trees, each as a forest of its own."""
        self._require_fitted()
        trees = [self._part(k, k + 1) for k in range(len(self.forest_))]
        for tree in trees:  # samples are known by number, and that of a lone tree is not 0
            tree._samples = None
        return trees

    @property
    def estimators_samples_(self) -> list[Longs]:
        """The rows each tree learned from, ascending, as often as they were drawn."""
        samples = self._drawn_samples()
        return [samples.rows_of(k) for k in range(len(self.forest_))]

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: one per split; in each leaf one value, or C - 1 class frequencies."""
        self._require_fitted()
        leaves = int(self.forest_.is_leaf.sum())
        return len(self.forest_.nodes) - leaves + leaves * max(1, int(self.forest_.values.shape[1]) - 1)

    def apply(self, X: MatrixLike) -> Codes:
        """Return the node of each tree (a column each) in which each row ends."""
        X = self._query(X)
        return native.apply_forest(X, self._arrays, len(self.forest_), self._threads_of(X))

    def with_trees(self, n_estimators: int) -> Self:
        """Return this forest with its first trees only, without learning again.

        Parameters
        ----------
        n_estimators : int
            At least 1, at most the trees there are.

        Returns
        -------
        estimator : fitted copy
            The out-of-bag error is that of so many trees; the answers behind it are those of the whole
            forest.
        """
        self._require_fitted()
        rule = Integer(at_least=1)
        if not rule.accepts(n_estimators) or n_estimators > len(self.forest_):
            raise ParameterError(
                must("n_estimators", f"{rule} and at most {len(self.forest_)}", n_estimators)
            )
        other = self._part(0, n_estimators)
        if hasattr(self, "oob_errors_"):
            other.oob_errors_ = self.oob_errors_[:n_estimators]
        return other

    def staged_errors(self, X: MatrixLike, y: VectorLike) -> Floats:
        """Return the error on some rows for the first tree, the first two, and so on.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels, or numbers.

        Returns
        -------
        errors : array of shape (n_estimators,)
            The share of wrong labels, or the mean squared error.
        """
        X = self._query(X)
        truth = self._known_target(y, X.shape[0])
        return np.array([self._error(answers, truth) for answers in self._staged(X)])

    def oob_importances(
        self,
        X: MatrixLike,
        y: VectorLike,
        *,
        sample_weight: VectorLike | None = None,
        random_state: RandomState = 0,
    ) -> Floats:
        """Return by how much trees err more on rows they have not seen once a column is shuffled there.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows that were learned from, in the same order.
        y : array-like of shape (n_samples,)
            Their labels, or numbers.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts in the errors.
        random_state : int, RandomState instance or None, default=0
            Of the shuffling.

        Returns
        -------
        importances : array of shape (n_features,)
            The mean over the trees of the growth of the error rate, or of the mean squared error.
        """
        samples = self._drawn_samples()
        X = self._query(X)
        if X.shape[0] != samples.rows:
            raise DataError(must("X", f"the {samples.rows} training rows", X.shape[0]))
        target = self._target_of(self._known_target(y, X.shape[0]))
        return native.out_of_bag_importances(
            X,
            self._arrays,
            self._values,
            samples.for_kernel(),
            target.codes,
            target.classes,
            target.values,
            row_weights(sample_weight, X.shape[0]),
            seed_of(random_state),
            self._threads,
        )

    # ---- Learning.

    def _grow(self, X: Rows, target: Target, weights: Floats | None, balances_samples: bool) -> Forest:
        """Grow the forest; weights say how often a row is drawn, those of the target what it counts."""
        self._samples = self._samples_of(X, target, weights)
        table = self._table(X)
        if self.max_bins is not None:
            table = table.binned(self.max_bins, weights)
        rules = self._growth_rules(X, target)
        return grow_forest(
            table,
            target,
            rules,
            self.n_estimators,
            self._samples,
            self._threads,
            balances_samples=balances_samples,
        )

    def _draws(self) -> bool:
        """Say whether trees learn from samples of the rows that count."""
        return self.bootstrap or self.max_samples is not None

    def _samples_of(self, X: Rows, target: Target, weights: Floats | None) -> Samples | None:
        if not self._draws():
            if weights is None or weights.all():
                return None
            weights = (weights > 0).astype(np.float64)  # all that count, once each
        learned = target.values if target.codes is None else target.codes
        seed, size = self.random_state, self.max_samples
        return Samples.of(X, weights, size, self.bootstrap, seed, self._threads, target=learned)

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        limits = growth_limits(self, X.shape[1], self._in_a_sample(target))
        if self.choice == "random_of_best":
            limits["top_features"] = limits["max_features"] or X.shape[1]
            limits["max_features"] = 0
        return GrowthRules(
            criterion=self.criterion,
            categories=self.categories,
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            **limits | {"seed": seed_of(self.random_state) if self._samples is None else self._samples.seed},
        )

    def _in_a_sample(self, target: Target) -> Target:
        """Return the target with the weight and the cases of a sample, of which limits may be shares."""
        if self._samples is None or not self._draws():
            return target
        size = self._samples.size
        weight = size * target.total_weight() / target.total_cases()
        return replace(target, weights=np.array([weight]), cases=np.array([float(size)]))

    def _judge_out_of_bag(self, X: Rows, target: Target, weights: Floats | None) -> Floats | None:
        """Set the out-of-bag errors; return the answers (NaN where all trees have seen a row)."""
        for name in ("oob_errors_", "oob_decision_function_", "oob_prediction_"):
            self.__dict__.pop(name, None)
        if self._samples is None or not self._draws() or not self.oob_score:
            return None
        sums, trees, errors, judged = native.out_of_bag(
            X,
            self._arrays,
            self._values,
            self._samples.for_kernel(),
            target.codes,
            target.classes,
            target.values,
            weights,
            self._threads,
        )
        shares = np.full(len(errors), np.nan)
        np.divide(errors, judged, out=shares, where=judged > 0)
        self.oob_errors_ = shares
        answers = np.full_like(sums, np.nan)
        np.divide(sums, trees[:, None], out=answers, where=trees[:, None] > 0)
        return answers

    # ---- Answers.

    @property
    def _arrays(self) -> native.ForestArrays:
        """The forest as kernels read it."""
        return self.forest_.arrays()

    @property
    @abstractmethod
    def _values(self) -> Floats:
        """The answer of each kind of leaf."""

    @abstractmethod
    def _target_of(self, truth: NDArray[Any]) -> Target:
        """Return what trees learn from codes or numbers."""

    @abstractmethod
    def _error(self, answers: Floats, truth: NDArray[Any]) -> float:
        """Return how wrong answers are."""

    def _answers(self, X: Rows) -> Floats:
        return native.forest_means(X, self._arrays, self._values, self._threads_of(X))

    def _staged(self, X: Rows) -> Iterator[Floats]:
        sums = np.zeros((X.shape[0], self._values.shape[1]))
        for k in range(len(self.forest_)):
            sums += native.forest_means(X, self.forest_.trees(k, k + 1).arrays(), self._values, self._threads)
            yield sums / (k + 1)

    def _part(self, begin: int, end: int) -> Self:
        """Return a fitted copy with some of the trees."""
        other = copy(self)
        other.n_estimators = end - begin
        other.forest_ = self.forest_.trees(begin, end)
        other.__dict__.pop("oob_errors_", None)
        return other

    def _drawn_samples(self) -> Samples:
        self._require_fitted()
        if self._samples is None or not self._draws():
            got = "trees of a larger forest, or trees grown on all rows"
            raise DataError(f"The samples of the trees must be known, got {got}.")
        return self._samples


FOREST_RULES: dict[str, Rule] = {
    **GROWTH_LIMITS,
    "n_estimators": Integer(at_least=1),
    "choice": OneOf("best_of_random", "random_of_best"),
    "max_bins": Nothing() | Integer(at_least=2),
    "categories": OneOf(*CATEGORY_SPLITS),
    "missing": OneOf(*MISSING_POLICIES),
    "max_surrogates": Integer(at_least=0),
    "bootstrap": Boolean(),
    "max_samples": Nothing() | Integer(at_least=1) | Real(above=0, at_most=1),
    "oob_score": Boolean(),
    "categorical_features": CategoricalFeatures(),
    "n_jobs": N_JOBS,
}
