r"""A decision tree: one question about one column at a time.

.. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from classica.arrays import Rows
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_pruning import PRUNING_RULES
from classica.params import N_JOBS, CategoricalFeatures, Dictionary, Integer, Nothing, OneOf, Real, Rule
from classica.registry import FitTime, register
from classica.trees.growing.growth import (
    CATEGORY_SPLITS,
    MISSING_POLICIES,
    THRESHOLDS,
    GrowthRules,
    Target,
)

#: As many rows of a node ReliefF compares with all others, at most.
_RELIEF_ROWS = 500


@register(
    slug="tree",
    family="trees",
    rule=r"g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}",
    plain_rule="g(x) = the most frequent class in the leaf that x falls into",
    source="R, B, T, L, C: decision trees",
    fit_cost="O(n d log n)",
    predict_cost="O(depth) per row",
    grid={"max_depth": [2, 4, 8, None], "min_samples_leaf": [20, 5, 1]},
    test_parameters=(
        {},
        {"criterion": "gain_ratio", "categories": "multiway", "missing": "fraction", "prune": "error"},
        {"criterion": "entropy", "missing": "surrogate", "prune": "cv", "cv": 3, "random_state": 0},
        {"criterion": "relieff", "max_depth": 2, "missing": "own_branch"},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0026, rows=0.9, columns=0.5, classes=0.2, grid=2.3),
)
class DecisionTreeClassifier(TreeClassifier):
    r"""Ask one question about one column at a time, until a leaf is reached.

    The rule, with the leaf :math:`\ell(x)` that a row reaches:

    .. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}

    It learns from the top: every node takes the split that reduces the criterion most, until a node is pure
    or cannot be divided. `ID3Classifier`, `C45Classifier` and `CARTClassifier` are this engine with the
    settings of the originals.

    Parameters
    ----------
    criterion : {"gini", "entropy", "gain_ratio", "misclassification", "chi2", "relieff"}, default="gini"
        What a split reduces. "gain_ratio": entropy per bit of split information, among the columns of at
        least average gain; "chi2": the statistic of branches and classes; "relieff": the column that tells
        near rows of different classes apart best (10 nearest of each class), cut by entropy.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        Two sets of levels; a branch for each level; one level against the others.
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
        The least that a split takes off the criterion, times the share of all rows in the node.
    max_leaf_nodes : int or None, default=None
        The most leaves; the split that gains most comes first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        How many columns are drawn at each node; a float is a share; None: all. Where none of them divides
        the node, the others get their turn.
    threshold : {"midpoint", "data"}, default="midpoint"
        Where a cut lies: halfway between two values, or at the largest value of the table up to there (C4.5).
    max_surrogates : int, default=5
        How many surrogates are kept per split; rows that none of them can place go the way of most.
    prune : "cv", float, "error", "reduced" or None, default=None
        Cost-complexity pruning, by cross-validation or at a given alpha (scikit-learn's ``ccp_alpha``);
        C4.5's error-based pruning; by errors on rows held out; None: not at all.
    prune_by : {"misclassification", "gini", "entropy"} or None, default=None
        The impurity of cost-complexity pruning; None: that of growing.
    cv : int, splitter or iterable, default=10
        The parts of the cross-validation.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the least error, or the tree of least error.
    confidence : float, default=0.25
        CF of the error-based pruning: the lower, the smaller the tree.
    raising : bool, default=True
        Whether error-based pruning may replace a node by its largest branch, too.
    held_out : float, default=1/3
        The share of rows held out for ``prune="reduced"``.
    smoothing : float, default=0
        What is added to the count of each class in a leaf: 1 is Laplace's estimate.
    class_weight : dict, "balanced" or None, default=None
        How much the rows of each class count.
    random_state : int, RandomState instance or None, default=None
        For drawn columns, the parts of the cross-validation and rows held out.
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
        The nested trees of cost-complexity pruning.
    cp_table_ : CpTable
        The same as a table, with the errors of the cross-validation if there was one.

    Notes
    -----
    Cost: O(n d log n) to learn, O(depth) per row to predict; "relieff" compares up to 500 rows of a node
    with all. Equal splits are decided by the first column, then the smallest threshold. Numbers are compared
    as they are: neighbours in double precision are told apart, and a value equal to a threshold goes left. A
    split without gain is taken where a node is impure and can be divided, so every Boolean function can be
    learned. Sets of levels are the best ones for two classes, and for more classes with up to 12 levels in
    the node; beyond that the best cut along the first principal component of the class shares, or of one
    level alone. A missing cell where none was seen in learning goes the way of most. A row with a level that
    does not occur in a node stops there and takes the node's own shares (`unseen` counts levels never seen
    at all). A row of weight w counts as max(1, w) cases. It fits noise unless it is limited or pruned. At
    most 65,535 classes.

    Use it to grow a tree by rules of one's own: criterion, kinds of splits, limits, pruning. Not as it comes
    on noisy tables, where it must be limited or pruned, nor where classes depend on sums of columns, which a
    tree follows in steps only.

    Examples
    --------
    >>> from classica import DecisionTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]  # exclusive or
    >>> model = DecisionTreeClassifier().fit(X, y)
    >>> model.predict([[1, 0], [1, 1]]).tolist()
    ['yes', 'no']
    >>> model.get_depth(), model.get_n_leaves()
    (2, 4)
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **GROWTH_LIMITS,
        "criterion": OneOf("gini", "entropy", "gain_ratio", "misclassification", "chi2", "relieff"),
        "categories": OneOf(*CATEGORY_SPLITS),
        "missing": OneOf(*MISSING_POLICIES),
        "threshold": OneOf(*THRESHOLDS),
        "max_surrogates": Integer(at_least=0),
        **PRUNING_RULES,
        "smoothing": Real(at_least=0),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        criterion: str = "gini",
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
        prune_by: str | None = None,
        cv: Any = 10,
        cv_rule: str = "1se",
        confidence: float = 0.25,
        raising: bool = True,
        held_out: float = 1 / 3,
        smoothing: float = 0.0,
        class_weight: Any = None,
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
        self.prune_by = prune_by
        self.cv = cv
        self.cv_rule = cv_rule
        self.confidence = confidence
        self.raising = raising
        self.held_out = held_out
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        by_entropy = self.criterion in ("gain_ratio", "relieff")
        return GrowthRules(
            criterion="entropy" if by_entropy else self.criterion,
            selection=self.criterion if by_entropy else "gain",
            categories=self.categories,
            missing=self.missing,
            max_surrogates=self.max_surrogates,
            relief_rows=_RELIEF_ROWS,
            **growth_limits(self, X.shape[1], target),
        )

    def _threshold_policy(self) -> str:
        return self.threshold
