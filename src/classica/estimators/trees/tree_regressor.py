r"""A regression tree: the mean target of the leaf.

.. math:: \hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from sklearn.base import RegressorMixin

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.trees.coded_columns import CodedColumns
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_model import TreeModel
from classica.estimators.trees.tree_pruning import PRUNING_RULES, Pruning, Splits
from classica.native import Floats
from classica.native import trees as native
from classica.params import (
    N_JOBS,
    Categorical,
    CategoricalFeatures,
    Integer,
    Nothing,
    OneOf,
    RandomState,
    Rule,
)
from classica.registry import register
from classica.targets import numeric_target, row_weights
from classica.trees.growing.growth import (
    CATEGORY_SPLITS,
    MISSING_POLICIES,
    NUMBER_CRITERIA,
    THRESHOLDS,
    GrowthRules,
    Target,
    cases_of,
)
from classica.trees.growing.growth_task import TreeTask, indices_of
from classica.trees.growing.tree import Longs, Tree


@register(
    slug="tree-regressor",
    title="regression tree",
    family="trees",
    rule=r"\hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i",
    plain_rule="ŷ(x) = the mean target in the leaf that x reaches",
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
class DecisionTreeRegressor(RegressorMixin, CodedColumns, TreeModel):
    r"""Predict the mean target of the leaf that a row reaches by tests on single columns.

    The rule:

    .. math:: \hat y(x) = \frac{1}{n(\ell(x))} \sum_{i \in \ell(x)} y_i

    Splits, missing values, categories and pruning are those of `DecisionTreeClassifier`; a split minimises
    the sum of squared deviations from the means of its branches, or of absolute deviations from their
    medians.

    Parameters
    ----------
    criterion : {...}, default="squared_error"
        Split criterion; leaves predict the mean or, for absolute errors, the median.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        How a categorical column is split: into the two best sets of levels (in the order of their mean
        targets); a branch for each level; one level against the others.
    missing : {...}, default="direction"
        How missing values are routed: to the branch that gains most in training; to a branch of their own; to
        all branches in fractions; by surrogate splits.
    max_depth : int or None, default=None
        Maximum depth of the tree.
    min_samples_split : int or float, default=2
        Minimum number of rows to split a node; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows on each side of a split; of a multiway split, in at least two branches.
    min_weight_fraction_leaf : float, default=0
        Minimum weight there, as a fraction of the total weight.
    min_impurity_decrease : float, default=0
        Minimum decrease of the error by a split, in units of the error per row of the table.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves; the tree is then grown best-first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of columns drawn at each node; a float is a fraction; None: all.
    threshold : {"midpoint", "data"}, default="midpoint"
        Where a threshold lies: midway between two values, or at the largest value in the table up to there.
    max_surrogates : int, default=5
        Maximum number of surrogate splits per split.
    prune : "cv", float, "reduced" or None, default=None
        Pruning: cost-complexity, by cross-validation or at a given alpha; reduced-error pruning on held-out
        rows; None: no pruning.
    cv : int, splitter or iterable, default=10
        The cross-validation folds: their number, a splitter, or an iterable of splits.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the lowest error, or the tree with the lowest error.
    held_out : float, default=1/3
        Fraction of the rows held out for ``prune="reduced"``.
    random_state : int, RandomState instance or None, default=None
        Random seed for the drawn columns, the cross-validation folds and the held-out rows.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: by the dtypes of the data frame, or listed by name or index.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    tree_, grown_tree_ : Tree
        The tree after and before pruning, as plain arrays.
    pruning_path_ : PruningPath
        The nested trees of cost-complexity pruning.
    cp_table_ : CpTable
        The same as a table, with the cross-validated errors if there are any.

    Notes
    -----
    Cost: O(n d log n); O(n d log² n) for absolute errors. Ties go to the first column, then to the smallest
    threshold. It cannot extrapolate: every prediction lies between the smallest and the largest target. A row
    with a level that does not occur in a node stops there (`unseen` counts levels that never occurred in
    training).

    Use it for a quantity that jumps or depends on interactions between columns, where the model must be
    interpretable. Not for smooth functions, which it approximates in steps, nor to extrapolate.

    Examples
    --------
    >>> from classica import DecisionTreeRegressor
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 1.5, 7.0, 8.0]
    >>> DecisionTreeRegressor(max_depth=1).fit(X, y).predict([[0.0], [9.0]])
    array([1.25, 7.5 ])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **GROWTH_LIMITS,
        "criterion": OneOf(*NUMBER_CRITERIA),
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
        max_features: float | str | None = None,
        threshold: str = "midpoint",
        max_surrogates: int = 5,
        prune: float | str | None = None,
        cv: int | Splits = 10,
        cv_rule: str = "1se",
        held_out: float = 1 / 3,
        random_state: RandomState = None,
        categorical_features: Categorical = "from_dtype",
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
            The rows; missing values are NaN, None or null.
        y : array-like of shape (n_samples,)
            The targets.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : DecisionTreeRegressor
        """
        task = self._task_of(X, y, sample_weight)
        self._store(self._pruning().grow(task))
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

    def _pruning(self) -> Pruning:
        return Pruning.of(self)

    def _task_of(self, X: Rows, y: VectorLike, sample_weight: VectorLike | None) -> TreeTask:
        """Check rows, targets and weights, and say how a tree grows on them."""
        X = self._training_rows(X)
        values = numeric_target(y, X.shape[0], type(self).__name__)
        weights = row_weights(sample_weight, X.shape[0])
        indices = indices_of(weights)
        if weights is not None and not weights.all():
            X, values, weights = X[weights > 0], values[weights > 0], weights[weights > 0]
        return self._task(X, values, weights, indices)

    def _task(self, X: Rows, values: Floats, weights: Floats | None, indices: Longs | None) -> TreeTask:
        target = Target(values=values, weights=weights, cases=cases_of(weights))
        rules = GrowthRules(
            criterion=self.criterion,
            categories=self.categories,
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            **growth_limits(self, X.shape[1], target),
        )
        return TreeTask(X, self._table(X), target, rules, self.threshold, self._threads, indices)
