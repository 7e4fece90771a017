r"""A decision tree: one question about one column at a time.

.. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}
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
    Real,
    Rule,
)
from classica.registry import FitTime, register
from classica.trees.growing.growth import (
    CATEGORY_SPLITS,
    CLASS_CRITERIA,
    MISSING_POLICIES,
    SELECTIONS,
    THRESHOLDS,
    GrowthRules,
    Target,
)

#: As many rows of a node ReliefF compares with all others, at most.
_RELIEF_ROWS = 500

#: The criteria of classes, and behind entropy and at the end the two that choose among splits by entropy.
_BY_BITS = CLASS_CRITERIA.index("entropy") + 1
_CRITERIA = (*CLASS_CRITERIA[:_BY_BITS], "gain_ratio", *CLASS_CRITERIA[_BY_BITS:], "relieff")


@register(
    slug="tree",
    title="decision tree",
    family="trees",
    rule=r"g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}",
    plain_rule="g(x) = the most frequent class in the leaf that x reaches",
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
    r"""Predict the majority class of the leaf that a row reaches by tests on single columns.

    The rule, with the leaf :math:`\ell(x)` that a row reaches:

    .. math:: g(x) = \arg\max_c \frac{n_c(\ell(x))}{n(\ell(x))}

    The tree is grown from the root: every node takes the split that reduces the criterion most, until it is
    pure or cannot be split. `ID3Classifier`, `C45Classifier` and `CARTClassifier` are the same engine with
    the settings of the originals.

    Parameters
    ----------
    criterion : {...}, default="gini"
        Split criterion. "gain_ratio": information gain per bit of split information, among the columns of at
        least average gain; "chi2": the chi-squared statistic of branches and classes; "relieff": the column
        with the highest ReliefF score (10 nearest rows of each class), with an entropy threshold.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        How a categorical column is split: into two sets of levels; a branch for each level; one level against
        the others.
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
        Minimum decrease of the criterion by a split, weighted by the fraction of all rows in the node.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves; the tree is then grown best-first.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of columns drawn at each node; a float is a fraction; None: all. If none of them can split the
        node, the others are tried.
    threshold : {"midpoint", "data"}, default="midpoint"
        Where a threshold lies: midway between two values, or at the largest value in the table up to there
        (C4.5).
    max_surrogates : int, default=5
        Maximum number of surrogate splits per split; rows that none of them can route follow the majority.
    prune : "cv", float, "error", "reduced" or None, default=None
        Pruning: cost-complexity, by cross-validation or at a given alpha (scikit-learn's ``ccp_alpha``);
        C4.5's error-based pruning; reduced-error pruning on held-out rows; None: no pruning.
    prune_by : {"misclassification", "gini", "entropy"} or None, default=None
        The impurity of cost-complexity pruning; None: the criterion the tree is grown with.
    cv : int, splitter or iterable, default=10
        The cross-validation folds: their number, a splitter, or an iterable of splits.
    cv_rule : {"1se", "min"}, default="1se"
        The smallest tree within one standard error of the lowest error, or the tree with the lowest error.
    confidence : float, default=0.25
        Confidence factor of error-based pruning: the lower, the smaller the tree.
    raising : bool, default=True
        Whether error-based pruning may also replace a node by its largest branch (subtree raising).
    held_out : float, default=1/3
        Fraction of the rows held out for ``prune="reduced"``.
    smoothing : float, default=0
        Added to the count of each class in a leaf; 1 is the Laplace estimate.
    class_weight : dict, "balanced" or None, default=None
        Class weights; "balanced": inversely proportional to the class frequencies.
    random_state : int, RandomState instance or None, default=None
        Random seed for the drawn columns, the cross-validation folds and the held-out rows.
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
        The nested trees of cost-complexity pruning.
    cp_table_ : CpTable
        The same as a table, with the cross-validated errors if there are any.

    Notes
    -----
    Cost: O(n d log n) to fit, O(depth) per row to predict; "relieff" compares up to 500 rows of a node with
    all. Ties go to the first column, then to the smallest threshold. Values are compared exactly: adjacent
    double-precision numbers can be separated, and a value equal to a threshold goes left. A split without
    gain is taken if the node is impure and can be split, so every Boolean function can be learned. Sets of
    levels are optimal for two classes, and for more classes with up to 12 levels in the node; beyond that the
    best split along the first principal component of the class frequencies, or of one level alone. A missing
    value where none occurred in training follows the majority. A row with a level that does not occur in a
    node stops there and takes that node's class frequencies (`unseen` counts levels that never occurred in
    training). A row of weight w counts as max(1, w) rows. It overfits unless it is limited or pruned. At most
    65,535 classes.

    Use it to choose criterion, kinds of splits, limits and pruning yourself. Not with default settings on
    noisy tables, where it must be limited or pruned, nor where classes depend on sums of columns, which a
    tree approximates in steps.

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
        "criterion": OneOf(*_CRITERIA),
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
        max_features: float | str | None = None,
        threshold: str = "midpoint",
        max_surrogates: int = 5,
        prune: float | str | None = None,
        prune_by: str | None = None,
        cv: int | Splits = 10,
        cv_rule: str = "1se",
        confidence: float = 0.25,
        raising: bool = True,
        held_out: float = 1 / 3,
        smoothing: float = 0.0,
        class_weight: ClassWeight = None,
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

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> DecisionTreeClassifier:
        """Grow the tree, and prune it.

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
        self : DecisionTreeClassifier
        """
        data, positions = self._counted_rows(X, y, sample_weight)
        task = self._task(data, positions)
        self._store(self._pruning().grow(task))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones the first."""
        return self._labels(self._query(X))

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class where each row ends."""
        return self._posteriors(self._query(X))

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        by_entropy = self.criterion in SELECTIONS
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
