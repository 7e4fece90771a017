r"""A regression tree: the mean target of the leaf.

.. math:: \hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from sklearn.base import RegressorMixin

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_pruning import PRUNING_RULES, TreePruning
from classica.native import Floats
from classica.native import trees as native
from classica.params import N_JOBS, CategoricalFeatures, Integer, Nothing, OneOf, Rule
from classica.registry import register
from classica.targets import numeric_target, row_weights
from classica.trees.growing.growth import (
    CATEGORY_SPLITS,
    MISSING_POLICIES,
    THRESHOLDS,
    GrowthRules,
    Target,
    cases_of,
)
from classica.trees.growing.growth_task import TreeTask, places_of
from classica.trees.growing.tree import Longs, Tree


@register(
    slug="tree-regressor",
    family="trees",
    rule=r"\hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i",
    plain_rule="ŷ(x) = the mean target of the leaf that x falls into",
    source="B: regression trees",
    fit_cost="O(n d log n)",
    predict_cost="O(depth) per row",
    grid={"max_depth": [2, 4, 8, None], "min_samples_leaf": [20, 5, 1]},
    test_parameters=(
        {},
        {"criterion": "absolute_error", "max_depth": 4, "missing": "fraction", "categories": "multiway"},
        {"prune": "cv", "cv": 3, "random_state": 0, "missing": "surrogate"},
    ),
)
class DecisionTreeRegressor(RegressorMixin, TreePruning):
    r"""Ask one question about one column at a time, and answer with the mean target of the leaf.

    The rule:

    .. math:: \hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i

    Splits, missing cells, categories and pruning are those of `DecisionTreeClassifier`; what a split reduces
    is the sum of squared deviations from the means of its branches, or of absolute ones from their medians.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        What a split reduces; leaves answer with the mean, or the median.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        Two sets of levels (the best ones, found in the order of their mean targets); a branch for each
        level; one level against the others.
    missing : {"direction", "own_branch", "fraction", "surrogate"}, default="direction"
        Where missing cells go: where they do best in learning; into a branch of their own; into all branches
        by fractions; where the splits go that imitate this one best.
    max_depth : int or None, default=None
        The most questions asked of a row.
    min_samples_split : int or float, default=2
        The fewest cases a node is divided with; a float is a share of all cases.
    min_samples_leaf : int or float, default=1
        The fewest cases on both sides of a split; with several branches, in two of them.
    min_weight_fraction_leaf : float, default=0
        The least weight there, too, as a share of all weights.
    min_impurity_decrease : float, default=0
        The least that a split takes off the error, in units of the error per row of the table.
    max_leaf_nodes : int or None, default=None
        The most leaves; the split that gains most comes first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns are drawn at each node; a float is a share; None: all.
    threshold : {"midpoint", "data"}, default="midpoint"
        Where a cut lies: halfway between two values, or at the largest value of the table up to there.
    max_surrogates : int, default=5
        How many surrogates are kept per split.
    prune : "cv", float, "reduced" or None, default=None
        Cost-complexity pruning, by cross-validation or at a given alpha; by errors on rows held out.
    cv : int, splitter or iterable, default=10
        The parts of the cross-validation.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the least error, or the tree of least error.
    held_out : float, default=1/3
        The share of rows held out for ``prune="reduced"``.
    random_state : int, RandomState instance or None, default=None
        For drawn columns, the parts of the cross-validation and rows held out.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        Which columns hold categories: by the frame's types, or named.
    n_jobs : int or None, default=None
        Threads; None means every available core. The result is the same for any number.

    Attributes
    ----------
    tree_, grown_tree_ : Tree
        The tree after and before pruning, as plain arrays.
    pruning_path_ : PruningPath
        The nested trees of cost-complexity pruning.
    cp_table_ : CpTable
        The same as a table, with the errors of the cross-validation if there was one.

    Notes
    -----
    Cost: O(n d log n); O(n d log² n) for absolute errors. Equal splits are decided by the first column, then
    the smallest threshold. It cannot extrapolate: every prediction lies between the smallest and the largest
    target. A row with a level that does not occur in a node stops there (`unseen` counts levels never seen
    at all).

    Use it for a quantity that jumps or depends on how columns combine, and that people must be able to look
    up. Not for smooth functions, which it follows in steps, nor beyond the targets it has seen.

    Examples
    --------
    >>> from classica import DecisionTreeRegressor
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.5, 7.0, 8.0]
    >>> DecisionTreeRegressor(max_depth=1).fit(X, y).predict([[0.0], [9.0]])
    array([1.25, 7.5 ])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **GROWTH_LIMITS,
        "criterion": OneOf("squared_error", "absolute_error"),
        "categories": OneOf(*CATEGORY_SPLITS),
        "missing": OneOf(*MISSING_POLICIES),
        "threshold": OneOf(*THRESHOLDS),
        "max_surrogates": Integer(at_least=0),
        "prune": Nothing() | GROWTH_LIMITS["min_impurity_decrease"] | OneOf("cv", "reduced"),
        "cv": PRUNING_RULES["cv"],
        "cv_rule": PRUNING_RULES["cv_rule"],
        "held_out": PRUNING_RULES["held_out"],
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        criterion: str = "squared_error",
        *,
        categories: str = "subset",
        missing: str = "direction",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: Any = None,
        threshold: str = "midpoint",
        max_surrogates: int = 5,
        prune: Any = None,
        cv: Any = 10,
        cv_rule: str = "1se",
        held_out: float = 1 / 3,
        random_state: Any = None,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.categories = categories
        self.missing = missing
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.threshold = threshold
        self.max_surrogates = max_surrogates
        self.prune = prune
        self.cv = cv
        self.cv_rule = cv_rule
        self.held_out = held_out
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> DecisionTreeRegressor:
        """Grow the tree, and prune it.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; missing cells are NaN, None or null.
        y : array-like of shape (n_samples,)
            The targets.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : DecisionTreeRegressor
        """
        self._learn(self._task_of(X, y, sample_weight))
        return self

    def predict(self, X: MatrixLike) -> Floats:
        """Return the mean target (median for absolute errors) where each row ends."""
        X = self._query(X)
        tree = self.tree_
        if self.missing == "fraction":
            threads = self._threads_of(X)
            means = native.spread_over_tree(X, self._arrays, tree.weight, tree.value, threads)
            return means[:, 0]
        values: Floats = tree.value[self._last_nodes(X), 0]
        return values

    def _set_tree(self, tree: Tree) -> None:
        self.tree_, self._arrays = tree, tree.arrays()

    def _task_of(self, X: Rows, y: Any, sample_weight: Any) -> TreeTask:
        X = self._training_rows(X)
        values = numeric_target(y, X.shape[0], type(self).__name__)
        weights = row_weights(sample_weight, X.shape[0])
        places = places_of(weights)
        if weights is not None and not weights.all():
            X, values, weights = X[weights > 0], values[weights > 0], weights[weights > 0]
        return self._task(X, values, weights, places)

    def _task(self, X: Rows, values: Floats, weights: Floats | None, places: Longs | None) -> TreeTask:
        target = Target(values=values, weights=weights, cases=cases_of(weights))
        rules = GrowthRules(
            criterion=self.criterion,
            categories=self.categories,
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            **growth_limits(self, X.shape[1], target),
        )
        return TreeTask(X, self._table(X), target, rules, self.threshold, self._threads, places)
