r"""A random forest: trees on random samples of the rows, random columns at every node, one vote each.

.. math:: \hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} \frac{n_c(\ell_m(x))}{n(\ell_m(x))}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, VectorLike
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.estimator import Classifier, TrainingData
from classica.estimators.ensembles.ensemble_sizes import EnsembleSizes
from classica.estimators.ensembles.forest_model import FOREST_RULES, ForestModel
from classica.native import Floats
from classica.params import Categorical, ClassWeight, Dictionary, Nothing, OneOf, RandomState, Rule
from classica.registry import FitTime, register
from classica.trees.growing.growth import CLASS_CRITERIA, Target, cases_of


@register(
    slug="random-forest",
    title="random forest",
    family="ensembles",
    rule=r"\hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} \frac{n_c(\ell_m(x))}{n(\ell_m(x))}",
    plain_rule="ŷ(x) = the class with the largest mean frequency in the leaves of M randomised trees",
    source="T (Torino): random forests, methods 1 and 2; L (Lecture 12): random forests; Breiman (2001)",
    fit_cost="O(M n m log² n)",
    predict_cost="O(M depth) per row",
    grid={"max_features": ["sqrt", 0.5], "min_samples_leaf": [5, 1], "n_estimators": [50, 100]},
    test_parameters=(
        {"n_estimators": 5},
        {
            "n_estimators": 4,
            "criterion": "entropy",
            "choice": "random_of_best",
            "max_features": 2,
            "voting": "hard",
            "missing": "fraction",
            "max_samples": 0.7,
            "bootstrap": False,
        },
        {
            "n_estimators": 3,
            "max_bins": 16,
            "class_weight": "balanced_subsample",
            "missing": "surrogate",
            "max_depth": 4,
        },
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.029, rows=1.1, columns=0.2, classes=0.3, grid=4.8),
)
class RandomForestClassifier(EnsembleSizes, ForestModel, Classifier):
    r"""Average many decision trees, each grown on a bootstrap sample with random columns at every node.

    The rule, with the leaf :math:`\ell_m(x)` of tree m that a row reaches:

    .. math:: \hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} \frac{n_c(\ell_m(x))}{n(\ell_m(x))}

    With ``voting="hard"`` each tree gives one vote to the most frequent class of its leaf instead.

    It grows M unpruned trees, each on a bootstrap sample. At every node a tree takes the best split among m
    columns drawn at random (method 1), or a random one of the m best splits (method 2). Different trees
    misclassify different rows, and averaging cancels those errors.

    Parameters
    ----------
    n_estimators : int, default=100
        M, the number of trees.
    criterion : {...}, default="gini"
        Split criterion.
    choice : {"best_of_random", "random_of_best"}, default="best_of_random"
        Method 1: the best split among `max_features` columns drawn at random. Method 2: one drawn from the
        `max_features` columns with the best splits.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        m, the number of columns considered at each node; a float is a fraction of the columns; None: all.
    max_bins : int or None, default=None
        Bin numeric columns into at most this many bins of about equal size, once for all trees; None: every
        threshold between two values is tried.
    categories : {"subset", "multiway", "one_level"}, default="subset"
        How a categorical column is split: into two sets of levels; a branch for each level; one level against
        the others.
    missing : {...}, default="direction"
        How missing values are routed, as in `DecisionTreeClassifier`.
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
    voting : {"soft", "hard"}, default="soft"
        Average the class frequencies of the leaves, or count one vote per tree.
    oob_score : bool, default=True
        Whether to compute the out-of-bag error, if trees are grown on samples.
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        Class weights; "balanced": inversely proportional to the class frequencies in the table,
        "balanced_subsample": in each sample.
    random_state : int, RandomState instance or None, default=None
        Random seed for the samples and the drawn columns.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: by the dtypes of the data frame, or listed by name or index.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The forest does not depend on it.

    Attributes
    ----------
    classes_ : array
        The labels.
    forest_ : Forest
        All trees as plain arrays, sixteen bytes per node.
    oob_error_, oob_score_ : float
        The out-of-bag error and accuracy: each row is predicted by the trees that were not trained on it.
    oob_errors_ : array of shape (n_estimators,)
        The same error for the first tree, the first two, and so on.
    oob_decision_function_ : array of shape (n_samples, n_classes)
        The out-of-bag prediction for each row; NaN where every tree was trained on it.
    feature_importances_ : array of shape (n_features,)
        The total gain of the splits on each column, as a fraction of all gains.

    Notes
    -----
    Cost: m of d columns are sorted at every node, O(M n m log² n) in all; O(M depth) per row to predict. Ties
    between classes go to the first. If none of the drawn columns can split a node, the others are tried. A
    row of weight 2 is drawn as if it occurred twice; fractional weights are the relative probabilities of
    being drawn (without samples they count as in a tree). Sampling depends on the values of the rows, not on
    their order. More trees do not overfit; they only stabilise the average. `with_trees` returns a forest of
    any smaller size without refitting. A row with a level that does not occur in a node stops there and takes
    that node's class frequencies.

    Use it for accurate predictions on mixed tables without much tuning: deep trees have little bias, and the
    average of many different ones has little variance; the out-of-bag error comes with the fit. Not where the
    model must be small or interpretable, nor on few rows with a simple structure, which a linear model learns
    sooner.

    Examples
    --------
    The out-of-bag error of one tree, ten and a hundred:

    >>> from classica import RandomForestClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = RandomForestClassifier(random_state=0).fit(X, y)
    >>> model.oob_errors_[[0, 9, 99]].round(3)
    array([0.064, 0.045, 0.039])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **FOREST_RULES,
        "criterion": OneOf(*CLASS_CRITERIA),
        "voting": OneOf("soft", "hard"),
        "class_weight": Nothing() | OneOf("balanced", "balanced_subsample") | Dictionary(),
    }

    oob_decision_function_: Floats
    #: The votes of the leaves, if trees have one vote each.
    _votes: Floats | None

    def __init__(
        self,
        n_estimators: int = 100,
        criterion: str = "gini",
        *,
        choice: str = "best_of_random",
        max_features: float | str | None = "sqrt",
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
        voting: str = "soft",
        oob_score: bool = True,
        class_weight: ClassWeight = None,
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
        self.voting = voting
        self.oob_score = oob_score
        self.class_weight = class_weight
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> RandomForestClassifier:
        """Grow the forest.

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
        self : RandomForestClassifier
        """
        data = self._of_known_classes(self._all_rows(X, y, sample_weight))
        self.classes_ = data.classes
        target = self._weighted_target(data)
        weights = data.weights
        if target.weights is not None and not target.weights.all():  # a class that counts for nothing
            weights = np.where(target.weights > 0, 1.0 if weights is None else weights, 0.0)
        balances = self.class_weight == "balanced_subsample"
        self.forest_ = self._grow(data.X, target, weights, balances)
        self._votes = self.forest_.votes() if self.voting == "hard" else None
        answers = self._judge_out_of_bag(data.X, target, weights)
        if answers is not None:
            self.oob_decision_function_ = answers
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the most probable class of each row; of equal ones the first."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the mean over the trees of the share of each class where a row ends, or of their votes."""
        return self._answers(self._query(X))

    def staged_predict_proba(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield the probabilities of the first tree, the first two, and so on."""
        yield from self._staged(self._query(X))

    @property
    def oob_score_(self) -> float:
        """The share of rows on which the trees that have not seen them are right together."""
        return 1 - self.oob_error_

    @property
    def _values(self) -> Floats:
        return self.forest_.values if self._votes is None else self._votes

    def _of_size(self, n_estimators: int) -> RandomForestClassifier:
        return self.with_trees(n_estimators)

    @staticmethod
    def _of_known_classes(data: TrainingData) -> TrainingData:
        """Return all rows with the classes of those that count; the codes of the others are of no account."""
        if data.weights is None or data.weights.all():
            return data
        present = np.unique(data.codes[data.weights > 0])
        codes = np.minimum(np.searchsorted(present, data.codes), len(present) - 1).astype(np.int32)
        return TrainingData(data.X, data.classes[present], codes, data.weights)

    def _weighted_target(self, data: TrainingData) -> Target:
        """Return the classes with weights; where rows are drawn, their own weights do not count again."""
        weights = None if self._draws() else data.weights
        cases = cases_of(weights)
        if self.class_weight != "balanced_subsample":
            weights = times_class_weights(self.class_weight, data, weights)
        return Target(data.codes, len(data.classes), weights=weights, cases=cases)

    def _target_of(self, truth: NDArray[Any]) -> Target:
        return Target(truth, len(self.classes_))

    def _error(self, answers: Floats, truth: NDArray[Any]) -> float:
        return float((answers.argmax(axis=1) != truth).mean())
