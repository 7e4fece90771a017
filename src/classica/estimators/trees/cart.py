r"""CART: binary splits by the Gini index, surrogates, cost-complexity pruning.

.. math:: T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_pruning import PRUNING_RULES, Splits
from classica.native import Floats
from classica.params import (
    N_JOBS,
    Categorical,
    CategoricalFeatures,
    ClassWeight,
    Dictionary,
    Integer,
    Nothing,
    OneOf,
    RandomState,
    Rule,
)
from classica.registry import FitTime, register
from classica.trees.growing.growth import GrowthRules, Target


@register(
    slug="cart",
    title="CART",
    family="trees",
    rule=r"T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|",
    plain_rule="grow by the Gini index, keep the subtree of minimal error plus α per leaf; cross-validate α",
    source="R, T: CART; Breiman, Friedman, Olshen and Stone (1984)",
    fit_cost="O(V n d log n) with V folds",
    predict_cost="O(depth) per row",
    grid={"criterion": ["gini", "entropy"], "cv_rule": ["1se", "min"]},
    test_parameters=({"cv": 3}, {"prune": 0.01, "criterion": "entropy"}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.031, rows=1.1, columns=0.8, classes=0.1, grid=1.9),
)
class CARTClassifier(TreeClassifier):
    r"""Grow a large binary tree, then prune it by cross-validated cost complexity.

    The tree that is kept:

    .. math:: T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|

    with :math:`R` the fraction of misclassified training rows and :math:`|T|` the number of leaves. All trees
    of the sequence :math:`T_{\max} \succ T_1 \succ \dots` come from one growth, by repeated weakest-link
    pruning; :math:`\alpha` is chosen by V-fold cross-validation: the smallest tree whose error is within one
    standard error of the minimum. Missing values are routed by surrogate splits.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default="gini"
        Split criterion.
    prune : "cv", float, "error", "reduced" or None, default="cv"
        Pruning: cost-complexity, by cross-validation or at a given alpha; C4.5's error-based pruning;
        reduced-error pruning on held-out rows; None: no pruning.
    prune_by : {"misclassification", "gini", "entropy"}, default="misclassification"
        The impurity R used for pruning.
    cv : int, splitter or iterable, default=10
        The cross-validation folds: their number, a splitter, or an iterable of splits.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the lowest error, or the tree with the lowest error.
    min_samples_split : int or float, default=6
        Minimum number of rows to split a node; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Minimum number of rows on each side of a split.
    max_depth : int or None, default=None
        Maximum depth of the tree.
    max_surrogates : int, default=5
        Maximum number of surrogate splits per split; rows that none of them can route follow the majority.
    class_weight : dict, "balanced" or None, default=None
        Class weights; "balanced": inversely proportional to the class frequencies.
    random_state : int, RandomState instance or None, default=0
        Random seed for the cross-validation folds.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: by the dtypes of the data frame, or listed by name or index.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels.
    tree_, grown_tree_ : Tree
        The tree after and before pruning, as plain arrays.
    pruning_path_ : PruningPath
        The whole sequence: alphas, leaves, risks.
    cp_table_ : CpTable
        The same as a table, with the cross-validated errors.

    Notes
    -----
    Cost: O(n d log n) per growth, V + 1 of them. Ties go to the first column, then to the smallest threshold.
    Categorical columns are split into two sets of levels: the optimal ones for two classes, and for more
    classes with up to 12 levels in the node; beyond that, along the first principal component of the class
    frequencies. A row with a level that does not occur in a node stops there. On the tables of its tests the
    trees, surrogates and cp tables equal those of rpart.

    Use it for a small tree whose size is chosen by cross-validation, with surrogate splits for missing
    values. Not where classes depend on sums of columns, which a tree approximates in steps, nor where
    stability matters more than interpretability: a few different rows give a different tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from classica import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTClassifier().fit(X, y)
    >>> model.get_n_leaves()
    6
    >>> model.prune_to(3).score(X, y)  # another tree of the sequence, without refitting
    0.96
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "criterion": OneOf("gini", "entropy"),
        "prune": PRUNING_RULES["prune"],
        "prune_by": PRUNING_RULES["prune_by"],
        "cv": PRUNING_RULES["cv"],
        "cv_rule": PRUNING_RULES["cv_rule"],
        "min_samples_split": GROWTH_LIMITS["min_samples_split"],
        "min_samples_leaf": GROWTH_LIMITS["min_samples_leaf"],
        "max_depth": GROWTH_LIMITS["max_depth"],
        "max_surrogates": Integer(at_least=0),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "random_state": GROWTH_LIMITS["random_state"],
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    missing = "surrogate"

    def __init__(
        self,
        criterion: str = "gini",
        *,
        prune: float | str | None = "cv",
        prune_by: str = "misclassification",
        cv: int | Splits = 10,
        cv_rule: str = "1se",
        min_samples_split: float = 6,
        min_samples_leaf: float = 1,
        max_depth: int | None = None,
        max_surrogates: int = 5,
        class_weight: ClassWeight = None,
        random_state: RandomState = 0,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.prune = prune
        self.prune_by = prune_by
        self.cv = cv
        self.cv_rule = cv_rule
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.max_surrogates = max_surrogates
        self.class_weight = class_weight
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> CARTClassifier:
        """Grow a large tree, and cut it back to the best of its pruning path.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; missing values are NaN, None or null.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : CARTClassifier
        """
        data, positions = self._counted_rows(X, y, sample_weight)
        task = self._task(data, positions)
        self._store(self._pruning().grow(task))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most frequent class of the leaf in which each row ends; of equal ones the first."""
        leaves = self._last_nodes(self._query(X))
        labels: NDArray[Any] = self._leaf_labels[leaves]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class in the leaf in which each row ends."""
        leaves = self._last_nodes(self._query(X))
        shares: Floats = self._leaf_shares[leaves]
        return shares

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        return GrowthRules(
            criterion=self.criterion,
            categories="subset",
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            **growth_limits(self, X.shape[1], target),
        )
