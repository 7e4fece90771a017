r"""Naive Bayes: the most probable class, if the columns were independent within each class.

.. math:: \hat y(x) = \arg\max_l \; \log p(l) + \sum_j \log p(x_j \mid l)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts, read_columns
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.class_priors import PRIORS, Priors, class_priors, log_priors
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_task import are_equal
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.bayes.bayes_columns import BayesColumns
from classica.estimators.bayes.bayes_explanation import BayesExplanation
from classica.estimators.bayes.bayes_model import BayesModel
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_table import CodeTable
from classica.estimators.bayes.column_kinds import KINDS, NUMERIC, column_index, indices_of
from classica.estimators.bayes.gaussian_columns import GaussianColumns
from classica.estimators.bayes.kernel_columns import KernelColumns
from classica.native import Floats
from classica.params import (
    N_JOBS,
    Categorical,
    CategoricalFeatures,
    Integer,
    OneOf,
    Real,
    Rule,
    WordPerColumn,
    check_parameters,
)
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="naive-bayes",
    title="naive Bayes",
    family="bayes",
    rule=r"\hat y(x) = \arg\max_l \; \log p(l) + \sum_j \log p(x_j \mid l)",
    plain_rule="ŷ(x) = argmax over l of log p(l) + Σ_j log p(x_j | l)",
    source="B (Barra): smoothing, Gaussian columns; T (Torino): mixed columns, incremental; L: Bayes' rule",
    fit_cost="O(n d), discretized and kernel O(n d log n)",
    predict_cost="O(C d) per row, kernel up to O(n d)",
    grid={"numeric": ["gaussian", "discretized", "kernel"], "alpha": [1.0, 0.1]},
    test_parameters=(
        {},
        {"numeric": "bernoulli", "binarize": 2.0, "prior_alpha": 1.0},
        {"numeric": "kernel", "bandwidth": "silverman"},
        {"numeric": "discretized", "priors": "uniform"},
        {"categorical_features": [0], "alpha": 0.0, "ddof": 1},
        {"numeric": {0: "bernoulli", -1: "kernel"}, "binarize": 2.0, "bandwidth": 0.5},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0015, rows=0.6, columns=0.3, classes=0.1, grid=79.0),
)
class NaiveBayesClassifier(BayesColumns, LogJoint, Mergeable[BayesStatistics]):
    r"""Predict the most probable class, assuming that the columns are independent within each class.

    The rule:

    .. math:: \hat y(x) = \arg\max_l \; \log p(l) + \sum_j \log p(x_j \mid l)

    One model for categorical and numeric columns together. Level q of a categorical column has the
    probability

    .. math:: p(q \mid l) = \frac{n_{lq} + \alpha}{n_l + \alpha Q}

    where :math:`n_{lq}` of the :math:`n_l` rows of class l with a value in the column have level q, out of Q
    possible levels. A numeric column is Gaussian within each class, or modelled as `numeric` specifies.

    Training takes one pass of counts and sums, accumulated in double-double precision. Hence rows can be
    added (`partial_fit`), models of two tables joined (`merge`) and rows removed (`forget`) with the result
    of a fresh fit; `cross_val_posteriors` holds rows out without refitting. These methods exist unless some
    column is "kernel" or "discretized".

    Parameters
    ----------
    alpha : float, default=1.0
        Additive (Laplace, Lidstone) smoothing: added to the count of every level, also of "bernoulli" and
        "discretized" columns.
    priors : {"empirical", "uniform"} or sequence of float, default="empirical"
        The class priors: the class frequencies, equal, or given in the order of the sorted classes.
    prior_alpha : float, default=0.0
        Additive smoothing of the class counts; only for "empirical" priors.
    numeric : {"gaussian", "bernoulli", "kernel", "discretized"} or dict, default="gaussian"
        The model of numeric columns: one for all, or a dict from column names or indices to models,
        "gaussian" for the others. "bernoulli": above `binarize` or not. "kernel": a Gaussian kernel density
        estimate per class (John and Langley). "discretized": intervals by entropy and minimum description
        length (Fayyad and Irani), then as categories.
    ddof : int, default=0
        Delta degrees of freedom: variances are divided by n - ddof; 0 or 1 (the convention of R).
    variance_floor : float, default=1e-3
        Lower bound of the variances of "gaussian" columns, as a fraction of the column's within-class
        variance or, where that is zero, of its variance over all rows. Very small values reproduce the plain
        maximum-likelihood model.
    binarize : float, default=0.0
        Threshold of "bernoulli" columns.
    bandwidth : {"range", "silverman"} or float, default="range"
        Bandwidth of a kernel: the range of the class's values divided by the square root of their number, or
        0.9 min(s, IQR / 1.34) n^(-1/5), both at least the mean distance between neighbouring distinct values
        of the column; or a multiple of the column's standard deviation over all rows.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns: the text, categorical and Boolean columns of a data frame, or those listed.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors in use.
    column_kinds_ : list of str
        The model of each column: "category" or a value of `numeric`.
    means_, variances_ : ndarray of shape (n_classes, n_gaussian_columns)
        Means and variances of the Gaussian columns, in their order; variances have the lower bound, and are 0
        for a column left out.
    cut_points_ : dict
        The cut points of each "discretized" column, by its index; a value equal to a cut point lies below it.
    zero_counts_ : int
        Number of pairs of class and level with probability zero; 0 if alpha is positive.
    n_parameters_ : int
        Number of free parameters: priors, means and variances, probabilities, values kept for kernels.

    Notes
    -----
    Cost: O(n d) to fit, O(d) per row and class to predict. Ties go to the first class. The levels of a column
    are those present, and those declared by a pandas categorical or polars Enum type. A level not seen in
    training has the probability of a count of zero (`unseen` counts such values). A missing value is left out
    of the counts and of the product. A class with no values in a categorical column has probability 1/Q for
    each level; in a numeric column it takes the statistics of all classes. A constant numeric column is left
    out.

    With ``alpha=0`` a count of zero is a probability of zero. Where that makes every class impossible, the
    posterior is its limit as alpha tends to zero: the classes with the fewest impossible values share it, by
    the remaining factors and 1 / n_l for each impossible value (an unseen level is impossible in every
    class). Values must not exceed 1e150 in magnitude. A class passed to `partial_fit` as a label but not yet
    seen in a row has probability 0. It assumes independence within classes: dependent columns count their
    evidence twice, which makes the probabilities over-confident while the predicted classes are often right.
    Sparse matrices are accepted if every column is "bernoulli".

    Use it on mixed tables with many columns, few rows or missing values, and on data streams: each column is
    modelled by itself, so a little data goes far. Not where the class depends on interactions between columns
    (it cannot learn XOR); calibrate its probabilities before relying on them.

    Examples
    --------
    Does a student of at most 30 with medium income and fair credit buy a computer?

    >>> import polars as pl
    >>> from classica import NaiveBayesClassifier
    >>> X = pl.DataFrame({
    ...     "age": "young young mid old old old mid young young old young mid mid old".split(),
    ...     "income": "high high high medium low low low medium low medium medium medium high medium".split(),
    ...     "student": "no no no no yes yes yes no yes yes yes no yes no".split(),
    ...     "credit": "fair good fair fair fair good good fair fair fair good good fair good".split(),
    ... })
    >>> y = "no no yes yes yes no yes no yes yes yes yes yes no".split()
    >>> model = NaiveBayesClassifier(alpha=0).fit(X, y)
    >>> x = pl.DataFrame({"age": ["young"], "income": ["medium"], "student": ["yes"], "credit": ["fair"]})
    >>> model.predict_proba(x).round(6)
    array([[0.195495, 0.804505]])
    >>> print(model.explain(x))
                   no     yes
    prior      0.3571  0.6429
    age           0.6  0.2222
    income        0.4  0.4444
    student       0.2  0.6667
    credit        0.4  0.6667
    posterior  0.1955  0.8045
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        # Beyond it alpha times the number of levels could overflow.
        "alpha": Real(at_least=0, at_most=1e150),
        "priors": PRIORS,
        "prior_alpha": Real(at_least=0, at_most=1e150),
        "numeric": OneOf(*NUMERIC) | WordPerColumn(*NUMERIC),
        "ddof": Integer(at_least=0, at_most=1),
        "variance_floor": Real(above=0),
        "binarize": Real(),
        "bandwidth": OneOf("range", "silverman") | Real(above=0),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    free_parameters: ClassVar[frozenset[str]] = frozenset(
        {"alpha", "priors", "prior_alpha", "ddof", "variance_floor", "bandwidth"}
    )

    classes_: NDArray[Any]
    class_prior_: Floats
    _model: BayesModel

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        priors: Priors = "empirical",
        prior_alpha: float = 0.0,
        numeric: str | Mapping[Any, str] = "gaussian",
        ddof: int = 0,
        variance_floor: float = 1e-3,
        binarize: float = 0.0,
        bandwidth: float | str = "range",
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.prior_alpha = prior_alpha
        self.numeric = numeric
        self.ddof = ddof
        self.variance_floor = variance_floor
        self.binarize = binarize
        self.bandwidth = bandwidth
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> NaiveBayesClassifier:
        """Learn the distribution of each column in each class.

        Parameters
        ----------
        X : array-like, frame or sparse matrix of shape (n_samples, n_features)
            The rows; missing values are NaN, None or null.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : NaiveBayesClassifier
        """
        data = self._rows_to_learn(X, y, sample_weight)
        self._learn_from(data.classes, self._statistics(data))
        self._add_kernel_columns(data)
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of the class with the highest score for each row."""
        scores = self._log_joint(self._query(X))
        return self.classes_[native.highest_scores(scores, self._threads_of(scores))]

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the posterior probability of each class for each row."""
        X = self._query(X)
        return native.scores_to_posteriors(self._log_joint(X), self._threads_of(X))

    def _log_joint(self, X: Rows) -> Floats:
        """Return log p(l) + Σ_j log p(x_j | l)."""
        return self._model.scores(X, self._threads_of(X))

    @property
    def accepts(self) -> Accepts:  # type: ignore[override]
        """What rows are taken: sparse ones where every column is a yes or no."""
        named = self.categorical_features
        no_categories = isinstance(named, str) or not isinstance(named, Sized) or len(named) == 0
        sparse = no_categories and isinstance(self.numeric, str) and self.numeric == "bernoulli"
        # Squares of larger values would overflow.
        return Accepts(sparse=sparse, missing=True, categorical=True, largest=1e150)

    def explain(self, X: MatrixLike) -> BayesExplanation:
        """Return what the prior and each column add to the score of each class, for one row."""
        X = self._query(X)
        if X.shape[0] != 1:
            raise DataError(must("X", "one row", X.shape[0]))
        [row] = X.toarray() if sp.issparse(X) else X
        [scores] = self._log_joint(X)
        label = self.classes_[scores.argmax()]
        [posterior] = native.scores_to_posteriors(scores[None], 1)
        by_column = self._model.column_scores(row, self._threads)
        names = [str(name) for name in getattr(self, "feature_names_in_", range(len(row)))]
        return BayesExplanation(label, self.classes_, self._model.log_prior, by_column, posterior, names)

    def table(self, column: Any) -> tuple[list[Any], Floats]:
        """Return the levels of a column and their probabilities, a row per level, a column per class.

        For "bernoulli" the levels are False and True, for "discretized" the ends of the intervals.
        """
        self._require_fitted()
        index = column_index(column, getattr(self, "feature_names_in_", None), len(self._kinds))
        kind = None if index is None else KINDS[self._kinds[index]]
        if index is None or kind in ("gaussian", "kernel"):
            raise ParameterError(must("column", "one with a table (categories or intervals)", column))
        levels, probabilities = (
            self._model.categories if kind == "category" else self._model.intervals
        ).of_column(index)
        if kind == "bernoulli":
            levels = [False, True]
        elif kind == "discretized":
            ends = [-np.inf, *self.cut_points_[index].tolist(), np.inf]
            levels = list(pairwise(ends))
        return levels, probabilities

    def unseen(self, X: MatrixLike) -> NDArray[np.int64]:
        """Return, for each column, how many cells hold a level that was not seen in learning."""
        X = self._query(X)
        found = np.zeros(len(self._kinds), dtype=np.int64)
        counts = self._learned.categories
        if len(counts.columns[0]):
            one_class = counts.only(np.arange(len(self.classes_)) == 0)
            cells = one_class.counted(X, np.zeros(X.shape[0], dtype=np.int32), None, self._threads)
            found[counts.columns[0]] = cells.summed(np.where(counts.possible, 0, cells.pairs[0, 0]))
        return found

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        return self._learned.counts

    @property
    def column_kinds_(self) -> list[str]:
        """How each column is modelled."""
        return [KINDS[kind] for kind in self._kinds]

    @property
    def means_(self) -> Floats:
        """The means of the Gaussian columns in each class."""
        return read_only(self._model.gaussian.means)

    @property
    def variances_(self) -> Floats:
        """The variances of the Gaussian columns in each class."""
        return read_only(self._model.gaussian.variances)

    @property
    def zero_counts_(self) -> int:
        """The pairs of class and level with probability zero."""
        return sum(table.n_zeros for table in self._model.tables)

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: priors and those of every column."""
        return len(self.classes_) - 1 + sum(part.n_parameters for part in self._model.parts)

    def _learn_from(self, classes: NDArray[Any], statistics: BayesStatistics) -> None:
        counts = statistics.counts
        smoothed = counts + self.prior_alpha * (counts > 0)
        self.class_prior_ = class_priors(self.priors, smoothed)
        self.classes_ = classes
        self._learned = statistics
        self._keep_levels(statistics.categories)
        indices = indices_of(self._kinds, "gaussian")
        self._model = BayesModel(
            log_priors(self.class_prior_),
            GaussianColumns.of(statistics.moments, indices, self.ddof, self.variance_floor),
            CodeTable.of(statistics.intervals, self.alpha),
            CodeTable.of(statistics.categories, self.alpha),
        )

    def _training_rows(self, X: Rows, *, reset: bool = True) -> Any:
        check_parameters(self)
        return self._columns_of(X, reset=reset)

    def _query(self, X: Rows) -> Any:
        self._require_fitted()
        features = self.categorical_features
        return read_columns(self, X, self.accepts, self._threads_of(X), features, reset=False).matrix

    def _rows_to_learn(self, X: Rows, y: VectorLike, sample_weight: VectorLike | None = None) -> TrainingData:
        data = super()._rows_to_learn(X, y, sample_weight)
        self._cut_columns(data)
        return data

    def _identity(self) -> tuple[Any, ...]:
        return *super()._identity(), self._kinds.tobytes()

    def _fit_from(self, data: TrainingData, statistics: BayesStatistics) -> None:
        self._learn_from(data.classes, statistics)
        self._add_kernel_columns(data)

    def _add_kernel_columns(self, data: TrainingData) -> None:
        """Keep the rows that kernel densities are made of, which are no sums."""
        kernel = indices_of(self._kinds, "kernel")
        if len(kernel):
            bells = KernelColumns.of(data, kernel, self.bandwidth, self._threads)
            self._model = replace(self._model, kernel=bells)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        last: tuple[dict[str, Any], Any] | None = None
        for index, model in super()._fit_alike(models, X, y):
            matters = {name: value for name, value in model.get_params().items() if name != "alpha"}
            if last is None or model._model.tables or not are_equal(last[0], matters):
                last = matters, model
            yield index, last[1]  # without counts, alpha makes no difference

    def _leave_one_out(self, data: TrainingData, statistics: BayesStatistics) -> Floats | None:
        if sp.issparse(data.X):
            return None
        change = self._prior_change(data, statistics)
        return self._model.left_out_posteriors(data, statistics, change, self.ddof, self._threads)

    def _prior_change(self, data: TrainingData, statistics: BayesStatistics) -> Floats:
        """Return by how much each row's log prior falls without it; NaN where its class is then empty."""
        high, low = statistics.moments.count_pairs[:, data.codes]
        left = high - (1.0 if data.weights is None else data.weights) + low
        left[left <= 1e-25 * high] = np.nan
        if not isinstance(self.priors, str) or self.priors != "empirical":
            return np.where(np.isnan(left), np.nan, 0.0)
        change: Floats = np.log((left + self.prior_alpha) / (high + self.prior_alpha))
        return change
