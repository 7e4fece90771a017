r"""C4.5: gain per bit of split information, fractions for missing values, error-based pruning.

.. math:: A^* = \arg\max_A \frac{G(A)}{I(A)} \quad \text{among} \quad G(A) \ge \bar G
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.trees.growth_limits import GROWTH_LIMITS, growth_limits
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_pruning import PRUNING_RULES
from classica.native import Floats
from classica.params import (
    N_JOBS,
    Boolean,
    Categorical,
    CategoricalFeatures,
    Integer,
    OneOf,
    RandomState,
    Real,
    Rule,
)
from classica.registry import FitTime, register
from classica.trees.growing.growth import CATEGORY_SPLITS, GrowthRules, Target

#: A gain of no more bits than this is none, as in WEKA's J48.
ZERO_GAIN = 1e-6


@register(
    slug="c45",
    title="C4.5",
    family="trees",
    rule=r"A^* = \arg\max_A \frac{G(A)}{I(A)} \quad \text{among} \quad G(A) \ge \bar G",
    plain_rule="split on the column with the highest gain ratio among those of at least average gain; prune",
    source="R, T: C4.5; Quinlan (1993, 1996)",
    fit_cost="O(n d log n), with missing values up to a factor of the depth more",
    predict_cost="O(depth) per row, with missing values up to O(leaves)",
    grid={"confidence": [0.05, 0.1, 0.25, 0.5], "min_samples_leaf": [10, 5, 2]},
    test_parameters=({}, {"prune": None, "categories": "subset"}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0049, rows=0.9, columns=0.7, classes=0.3, grid=3.1),
)
class C45Classifier(TreeClassifier):
    r"""Grow a decision tree by gain ratio, with fractional rows for missing values, and prune it.

    A node splits on the column chosen by the gain :math:`G(A)` and the split information
    :math:`I(A) = -\sum_v p_v \log_2 p_v` of the branches:

    .. math:: A^* = \arg\max_A \frac{G(A)}{I(A)} \quad \text{among} \quad G(A) \ge \bar G

    It is C4.5 Release 8. The gain is multiplied by the fraction of rows with a value in the column; rows with
    a missing value form a branch of their own in :math:`I` and go to all branches in fractions. Choosing one
    of :math:`k` thresholds costs :math:`\log_2(k) / n` bits. Each side of a threshold has at least
    `min_samples_leaf` rows and a tenth of the mean number of rows per class (but 25 are always enough), and
    values closer than 0.00001 are not separated. The threshold is the largest value in the table that does
    not exceed the midpoint.

    Parameters
    ----------
    confidence : float, default=0.25
        Confidence factor of error-based pruning: the lower, the smaller the tree.
    min_samples_leaf : int, default=2
        M: the minimum number of rows in at least two branches of every split.
    categories : {"multiway", "one_level", "subset"}, default="multiway"
        How a categorical column is split: a branch for each level; one level against the others; into two
        sets of levels.
    prune : "error", "reduced", "cv", float or None, default="error"
        Pruning: error-based; reduced-error on held-out rows; cost-complexity, by cross-validation or at a
        given alpha; None: no pruning.
    raising : bool, default=True
        Whether error-based pruning may also replace a node by its largest branch (subtree raising).
    cut_penalty : bool, default=True
        Whether choosing among many thresholds costs bits (Release 8).
    smoothing : float, default=0
        Added to the count of each class in a leaf; 1 is the Laplace estimate.
    random_state : int, RandomState instance or None, default=0
        Random seed for the held-out rows and the cross-validation folds.
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

    Notes
    -----
    Cost: O(n d log n) to fit; with missing values rows are in several nodes, which costs up to a factor of
    the depth. Ties go to the first column, then to the smallest threshold. A split must have a positive gain:
    XOR cannot be learned (`ID3Classifier` and `DecisionTreeClassifier` can). A level that does not occur in a
    node has no branch: a row with that level stops there. On the tables of its tests the trees equal those of
    WEKA's J48, node by node.

    Use it where the model must be interpretable, on mixed tables with missing values: it needs no encoding
    and prunes itself. Not where classes depend on sums of columns, which a tree approximates in steps, nor
    where accuracy matters most: trees are unstable, and forests average that out.

    Examples
    --------
    >>> import polars as pl
    >>> from classica import C45Classifier
    >>> X = pl.DataFrame({
    ...     "outlook": "sun sun over rain rain rain over sun sun rain sun over over rain".split(),
    ...     "humidity": [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80],
    ...     "wind": "no yes no no no yes yes no no no yes yes no yes".split(),
    ... })
    >>> y = "no no yes yes yes no yes no yes yes yes yes yes no".split()
    >>> model = C45Classifier().fit(X, y)
    >>> model.get_n_leaves(), model.score(X, y)
    (5, 1.0)
    >>> model.tree_.threshold[model.tree_.feature == 1]  # of the humidity
    array([75.])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "confidence": PRUNING_RULES["confidence"],
        "min_samples_leaf": Integer(at_least=1),
        "categories": OneOf(*CATEGORY_SPLITS),
        "prune": PRUNING_RULES["prune"],
        "raising": PRUNING_RULES["raising"],
        "cut_penalty": Boolean(),
        "smoothing": Real(at_least=0),
        "random_state": GROWTH_LIMITS["random_state"],
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    missing = "fraction"

    def __init__(
        self,
        confidence: float = 0.25,
        *,
        min_samples_leaf: int = 2,
        categories: str = "multiway",
        prune: float | str | None = "error",
        raising: bool = True,
        cut_penalty: bool = True,
        smoothing: float = 0.0,
        random_state: RandomState = 0,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf
        self.categories = categories
        self.prune = prune
        self.raising = raising
        self.cut_penalty = cut_penalty
        self.smoothing = smoothing
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> C45Classifier:
        """Grow the tree by the gain ratio, and prune it.

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
        self : C45Classifier
        """
        data, positions = self._counted_rows(X, y, sample_weight)
        task = self._task(data, positions)
        self._store(self._pruning().grow(task))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones the first."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of each class where each row ends; a missing value takes all branches."""
        return self._spread_shares(self._query(X))

    def _growth_rules(self, X: Rows, target: Target) -> GrowthRules:
        limits = growth_limits(self, X.shape[1], target)
        return GrowthRules(
            criterion="entropy",
            selection="gain_ratio",
            categories=self.categories,
            missing=self.missing,
            zero_gain=False,
            zero_up_to=ZERO_GAIN,
            wide_branches=True,
            smallest_gap=1e-5,
            cuts_cost=self.cut_penalty,
            **{**limits, "min_cases_split": 2.0 * self.min_samples_leaf},
        )

    def _threshold_policy(self) -> str:
        return "data"
