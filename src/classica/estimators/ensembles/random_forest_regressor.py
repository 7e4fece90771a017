r"""A random forest for numbers: the mean of the answers of random trees.

.. math:: \hat y(x) = \frac{1}{M} \sum_{m=1}^{M} \bar y(\ell_m(x))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from classica.arrays import MatrixLike, VectorLike
from classica.estimators.ensembles.forest_model import FOREST_RULES, ForestModel
from classica.native import Floats
from classica.params import Categorical, OneOf, RandomState, Rule
from classica.registry import register
from classica.targets import numeric_target, row_weights
from classica.trees.growing.growth import NUMBER_CRITERIA, Target, cases_of


@register(
    slug="random-forest-regressor",
    title="random forest regression",
    family="ensembles",
    rule=r"\hat y(x) = \frac{1}{M} \sum_{m=1}^{M} \bar y(\ell_m(x))",
    plain_rule="ŷ(x) = the mean over M randomised trees of the mean target in the leaf that x reaches",
    source="T, L: random forests; Breiman (2001): regression",
    fit_cost="O(M n m log² n)",
    predict_cost="O(M depth) per row",
    grid={"max_features": ["sqrt", 1 / 3, None], "min_samples_leaf": [5, 1]},
    test_parameters=(
        {"n_estimators": 5},
        {"n_estimators": 3, "choice": "random_of_best", "missing": "fraction", "max_bins": 32},
        {
            "n_estimators": 3,
            "criterion": "absolute_error",
            "max_features": None,
            "max_depth": 4,
            "max_samples": 0.9,
            "bootstrap": False,
        },
    ),
)
class RandomForestRegressor(RegressorMixin, ForestModel):
    r"""Average many regression trees, each grown on a bootstrap sample with random columns at every node.

    The rule, with the leaf :math:`\ell_m(x)` of tree m that a row reaches:

    .. math:: \hat y(x) = \frac{1}{M} \sum_{m=1}^{M} \bar y(\ell_m(x))

    It is trained like `RandomForestClassifier`; a split minimises the sum of squared deviations from the
    means of its branches, or of absolute deviations from their medians.

    Parameters
    ----------
    n_estimators : int, default=100
        M, the number of trees.
    criterion : {...}, default="squared_error"
        Split criterion; leaves predict the mean or, for absolute errors, the median.
    choice : {"best_of_random", "random_of_best"}, default="best_of_random"
        Method 1: the best split among `max_features` columns drawn at random. Method 2: one drawn from the
        `max_features` columns with the best splits.
    max_features : int, float, "sqrt", "log2" or None, default=1/3
        Number of columns drawn at each node; a float is a fraction; None: all.
    max_bins : int or None, default=None
        Bin numeric columns into at most this many bins of about equal size; None: every threshold between two
        values is tried.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        How a categorical column is split: into two sets of levels; a branch for each level; one level against
        the others.
    missing : {...}, default="direction"
        How missing values are routed, as in `DecisionTreeRegressor`.
    max_surrogates : int, default=5
        Maximum number of surrogate splits per split.
    max_depth : int or None, default=None
        Maximum depth of the tree.
    min_samples_split : int or float, default=2
        Minimum number of rows to split a node; a float is a fraction of the sample.
    min_samples_leaf : int or float, default=1
        Minimum number of rows on each side of a split; of a multiway split, in at least two branches.
    min_weight_fraction_leaf : float, default=0
        Minimum weight there, as a fraction of the total weight.
    min_impurity_decrease : float, default=0
        Minimum decrease of the criterion by a split, weighted by the fraction of all rows in the node.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves per tree; trees are then grown best-first.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    max_samples : int, float or None, default=None
        Size of each sample; a float is a fraction of the rows; None: the number of rows.
    oob_score : bool, default=True
        Whether to compute the out-of-bag error, if trees are grown on samples.
    random_state : int, RandomState instance or None, default=None
        Random seed for the samples and the drawn columns.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: by the dtypes of the data frame, or listed by name or index.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The forest does not depend on it.

    Attributes
    ----------
    forest_ : Forest
        All trees as plain arrays, sixteen bytes per node.
    oob_error_, oob_score_ : float
        The out-of-bag mean squared error and R²: each row is predicted by the trees that were not trained on
        it.
    oob_errors_ : array of shape (n_estimators,)
        The same error for the first tree, the first two, and so on.
    oob_prediction_ : array of shape (n_samples,)
        The out-of-bag prediction for each row; NaN where every tree was trained on it.
    feature_importances_ : array of shape (n_features,)
        The total gain of the splits on each column, as a fraction of all gains.

    Notes
    -----
    Cost, samples, weights and missing values as in `RandomForestClassifier`. It cannot extrapolate:
    predictions lie within the range of the training targets.

    Use it for a quantity that depends on interactions between columns, without much tuning. Not to
    extrapolate, nor where the model must be small or interpretable, nor for a linear function, which trees
    approximate in steps.

    Examples
    --------
    >>> from classica import RandomForestRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> RandomForestRegressor(50, random_state=0).fit(X, y).predict([[0.0], [3.0]]).round(1)
    array([1.2, 4.8])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **FOREST_RULES,
        "criterion": OneOf(*NUMBER_CRITERIA),
    }

    oob_prediction_: Floats
    #: Of the targets, as rows weigh.
    _variance: float

    def __init__(
        self,
        n_estimators: int = 100,
        criterion: str = "squared_error",
        *,
        choice: str = "best_of_random",
        max_features: float | str | None = 1 / 3,
        max_bins: int | None = None,
        categories: str = "subset",
        missing: str = "direction",
        max_surrogates: int = 5,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        bootstrap: bool = True,
        max_samples: float | None = None,
        oob_score: bool = True,
        random_state: RandomState = None,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.choice = choice
        self.max_features = max_features
        self.max_bins = max_bins
        self.categories = categories
        self.missing = missing
        self.max_surrogates = max_surrogates
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> RandomForestRegressor:
        """Grow the forest.

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
        self : RandomForestRegressor
        """
        X = self._training_rows(X)
        values = numeric_target(y, X.shape[0], type(self).__name__)
        weights = row_weights(sample_weight, X.shape[0])
        counting = None if self._draws() else weights
        target = Target(values=values, weights=counting, cases=cases_of(counting))
        self.forest_ = self._grow(X, target, weights, balances_samples=False)
        self._variance = float(
            np.average((values - np.average(values, weights=weights)) ** 2, weights=weights)
        )
        answers = self._judge_out_of_bag(X, target, weights)
        if answers is not None:
            self.oob_prediction_ = answers[:, 0]
        return self

    def predict(self, X: MatrixLike) -> Floats:
        """Return the mean answer of the trees for each row."""
        return self._answers(self._query(X))[:, 0]

    def staged_predict(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield the answers of the first tree, the first two, and so on."""
        for answers in self._staged(self._query(X)):
            yield answers[:, 0]

    @property
    def oob_score_(self) -> float:
        """The coefficient of determination of the trees that have not seen a row."""
        return 1 - self.oob_error_ / (self._variance or 1.0)

    @property
    def _values(self) -> Floats:
        return self.forest_.values

    def _target_of(self, truth: NDArray[Any]) -> Target:
        return Target(values=truth)

    def _error(self, answers: Floats, truth: NDArray[Any]) -> float:
        return float(np.mean((answers[:, 0] - truth) ** 2))
