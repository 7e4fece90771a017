r"""CART: binary splits by the Gini index, surrogates, cost-complexity pruning.

.. math:: T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from classica.arrays import Rows
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_pruning import PRUNING_RULES
from classica.params import N_JOBS, CategoricalFeatures, Dictionary, Integer, Nothing, OneOf, Rule
from classica.registry import FitTime, register
from classica.trees.growing.growth import GrowthRules, Target


@register(
    slug="cart",
    family="trees",
    rule=r"T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|",
    plain_rule="grow by the Gini index, keep the subtree of least errors plus α per leaf; cross-validate α",
    source="R, T: CART; Breiman, Friedman, Olshen and Stone (1984)",
    fit_cost="O(V n d log n) with V parts",
    predict_cost="O(depth) per row",
    grid={"criterion": ["gini", "entropy"], "cv_rule": ["1se", "min"]},
    test_parameters=({"cv": 3}, {"prune": 0.01, "criterion": "entropy"}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.031, rows=1.1, columns=0.8, classes=0.1, grid=1.9),
)
class CARTClassifier(TreeClassifier):
    r"""Grow a large binary tree, then cut back the branches that do not pay for their leaves.

    The tree that is kept:

    .. math:: T_\alpha = \arg\min_{T \preceq T_{\max}} R(T) + \alpha |T|

    with :math:`R` the share of training rows that are misclassified and :math:`|T|` the number of leaves.
    All trees of the sequence :math:`T_{\max} \succ T_1 \succ \dots` come from one growth, by removing the
    weakest link again and again; :math:`\alpha` is chosen by V-fold cross-validation: the smallest tree whose
    error is within one standard error of the least. Missing cells go where the best surrogate splits send
    them.

    Parameters
    ----------
    criterion : {"gini", "entropy"}, default="gini"
        The impurity that is reduced in growing.
    prune : "cv", float, "error", "reduced" or None, default="cv"
        By cross-validation; at a given alpha; by C4.5's error estimate; by errors on rows held out; None: not
        at all.
    prune_by : {"misclassification", "gini", "entropy"}, default="misclassification"
        The impurity R of pruning.
    cv : int, splitter or iterable, default=10
        The parts of the cross-validation.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the least error, or the tree of least error.
    min_samples_split : int or float, default=6
        The fewest cases a node is divided with; a float is a share of all cases.
    min_samples_leaf : int or float, default=1
        The fewest cases on both sides of a split.
    max_depth : int or None, default=None
        The most questions asked of a row.
    max_surrogates : int, default=5
        How many surrogates are kept per split; rows that none of them can place go the way of most.
    class_weight : dict, "balanced" or None, default=None
        How much the rows of each class count.
    random_state : int, RandomState instance or None, default=0
        For the parts of the cross-validation.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        Which columns hold categories: by the frame's types, or named.
    n_jobs : int or None, default=None
        Threads; None means every available core. The result is the same for any number.

    Attributes
    ----------
    classes_ : array
        The labels.
    tree_, grown_tree_ : Tree
        The tree after and before pruning, as plain arrays.
    pruning_path_ : PruningPath
        The whole sequence: alphas, leaves, risks.
    cp_table_ : CpTable
        The same as a table, with the errors of the cross-validation.

    Notes
    -----
    Cost: O(n d log n) per growth, V + 1 of them. Equal splits are decided by the first column, then the
    smallest threshold. Categories are divided into two sets of levels: the best ones for two classes, and
    for more classes with up to 12 levels in the node; beyond that, along the first principal component of the
    class shares. A row with a level that does not occur in a node stops there. On the tables of its tests the
    trees, surrogates and cp tables are those of rpart.

    Use it for a small tree whose size is chosen by cross-validation, with surrogates for missing cells. Not
    where classes depend on sums of columns, which a tree follows in steps only, nor where a steady answer
    matters more than one that can be read: a few other rows give another tree.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from classica import CARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = CARTClassifier().fit(X, y)
    >>> model.get_n_leaves()
    6
    >>> model.prune_to(3).score(X, y)  # another tree of the sequence, without learning again
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
        prune: Any = "cv",
        prune_by: str = "misclassification",
        cv: Any = 10,
        cv_rule: str = "1se",
        min_samples_split: float = 6,
        min_samples_leaf: float = 1,
        max_depth: int | None = None,
        max_surrogates: int = 5,
        class_weight: Any = None,
        random_state: Any = 0,
        categorical_features: Any = "from_dtype",
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

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        return GrowthRules(
            criterion=self.criterion,
            categories="subset",
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            **growth_limits(self, X.shape[1], target),
        )
