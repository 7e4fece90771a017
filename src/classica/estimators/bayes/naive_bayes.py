r"""Naive Bayes: the most probable class, if the columns were independent within each class.

.. math:: \hat y(x) = \arg\max_l \; \log p(l) + \sum_j \log p(x_j \mid l)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.class_priors import PRIORS, class_priors, log_priors
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_task import are_equal
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.bayes.bayes_columns import BayesColumns
from classica.estimators.bayes.bayes_explanation import BayesExplanation
from classica.estimators.bayes.bayes_model import BayesModel
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_table import CodeTable
from classica.estimators.bayes.column_kinds import KINDS, NUMERIC, column_place, places_of
from classica.estimators.bayes.gaussian_columns import GaussianColumns
from classica.estimators.bayes.kernel_columns import KernelColumns
from classica.native import Floats
from classica.params import (
    N_JOBS,
    CategoricalFeatures,
    Integer,
    OneOf,
    Real,
    Rule,
    WordPerColumn,
)
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="naive-bayes",
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
class NaiveBayesClassifier(LogJoint, BayesColumns):
    r"""Choose the most probable class, taking the columns as independent within each class.

    The rule:

    .. math:: \hat y(x) = \arg\max_l \; \log p(l) + \sum_j \log p(x_j \mid l)

    One model for categories and numbers together. A category q has the probability

    .. math:: p(q \mid l) = \frac{n_{lq} + \alpha}{n_l + \alpha Q}

    where :math:`n_{lq}` of the :math:`n_l` rows of class l that have the cell hold q, and Q levels are
    possible. A number is normal within each class, or as `numeric` says.

    Learning takes one pass of counts and sums, kept as double-double numbers. Hence rows can be added
    (`partial_fit`), models of two tables joined (`merge`) and rows removed (`forget`) with the result of a
    fresh fit; `cross_val_posteriors` leaves rows out without learning again. These exist unless some column
    is "kernel" or "discretized".

    Parameters
    ----------
    alpha : float, default=1.0
        Added to the count of every level (Laplace, Lidstone); also of "bernoulli" and "discretized".
    priors : {"empirical", "uniform"} or sequence of float, default="empirical"
        The class priors: the class shares, equal, or given in the order of the sorted classes.
    prior_alpha : float, default=0.0
        Added to the count of every class; only for "empirical" priors.
    numeric : {"gaussian", "bernoulli", "kernel", "discretized"} or dict, default="gaussian"
        How numbers are modelled: one word for all, or a dict from columns (names or numbers) to words,
        "gaussian" for others. "bernoulli": above `binarize` or not. "kernel": a sum of Gaussian bells on the
        values of the class (John and Langley). "discretized": intervals by entropy and description length
        (Fayyad and Irani), then as categories.
    ddof : int, default=0
        Variances are divided by n - ddof: 0 or 1 (the convention of R).
    variance_floor : float, default=1e-3
        Variances of "gaussian" numbers are at least this share of the column's variance within classes or,
        where that is zero, over all rows. Very small ones reproduce the plain maximum-likelihood model.
    binarize : float, default=0.0
        What a "bernoulli" number must exceed.
    bandwidth : {"range", "silverman"} or float, default="range"
        The standard deviation of a bell: the range of the class's values divided by the root of their number,
        or 0.9 min(s, IQR / 1.34) n^(-1/5), both at least the mean gap between the column's distinct values;
        or a number times the column's standard deviation over all rows.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        Which columns hold categories: text, categorical and Boolean columns of a frame, or those named.
    n_jobs : int or None, default=None
        Threads; None means every available core. The result is the same for any number.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors in use.
    column_kinds_ : list of str
        How each column is modelled: "category" or a word of `numeric`.
    means_, variances_ : ndarray of shape (n_classes, n_gaussian_columns)
        Of the Gaussian columns, in their order; the variances are floored, and 0 for a column left out.
    cut_points_ : dict
        The cut points of each "discretized" column, by its number; a value equal to one lies below it.
    zero_counts_ : int
        The pairs of class and level with probability zero; never any with a positive alpha.
    n_parameters_ : int
        Free parameters: priors, means and variances, probabilities, values kept for kernels.

    Notes
    -----
    Cost: O(n d) to learn, O(d) per row and class to predict. Ties go to the first class. The levels of a
    column are those present, and those declared by a pandas categorical or polars Enum type. A level unseen
    in learning has the probability of a count of zero (`unseen` counts such cells). A missing cell is left
    out of the counts and of the product. A class without any known cell in a column has 1/Q for each level;
    for numbers it takes the statistics of all classes. A number that never varies is left out.

    With ``alpha=0`` a count of zero is a probability of zero. Where that makes every class impossible, the
    answer is the limit as alpha falls to zero: the classes with the fewest impossible cells share the
    posterior, by the remaining factors and 1 / n_l for each impossible cell (an unseen level is impossible
    in every class). Values must not exceed 1e150 in magnitude. A class announced to `partial_fit` but not
    yet seen has probability 0. It assumes independence within classes; dependent columns count their
    evidence twice and make its probabilities too sure, while its decisions are often good. Sparse rows are
    taken where every column is "bernoulli".

    Use it on mixed tables with many columns, few rows or gaps, and where rows keep coming: each column is
    learned by itself, so that little data goes far. Not where a class depends on how columns combine (the
    exclusive or is invisible to it); calibrate its probabilities before they are used as such.

    Examples
    --------
    Does someone of at most 30 with medium income, a student with fair credit, buy a computer?

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
        priors: Any = "empirical",
        prior_alpha: float = 0.0,
        numeric: Any = "gaussian",
        ddof: int = 0,
        variance_floor: float = 1e-3,
        binarize: float = 0.0,
        bandwidth: Any = "range",
        categorical_features: Any = "from_dtype",
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
            The rows; missing cells are NaN, None or null.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : NaiveBayesClassifier
        """
        data = self._rows_to_learn(X, y, sample_weight)
        self._fit_from(data, self._statistics(data))
        return self

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
        place = column_place(column, getattr(self, "feature_names_in_", None), len(self._kinds))
        kind = None if place is None else KINDS[self._kinds[place]]
        if place is None or kind in ("gaussian", "kernel"):
            raise ParameterError(must("column", "one with a table (categories or intervals)", column))
        levels, probabilities = (
            self._model.categories if kind == "category" else self._model.intervals
        ).of_column(place)
        if kind == "bernoulli":
            levels = [False, True]
        elif kind == "discretized":
            ends = [-np.inf, *self.cut_points_[place].tolist(), np.inf]
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
        """Free parameters: priors and those of every column."""
        return len(self.classes_) - 1 + sum(part.n_parameters for part in self._model.parts)

    def _learn_from(self, classes: NDArray[Any], statistics: BayesStatistics) -> None:
        counts = statistics.counts
        smoothed = counts + self.prior_alpha * (counts > 0)
        self.class_prior_ = class_priors(self.priors, smoothed)
        self.classes_ = classes
        self._learned = statistics
        self._keep_levels(statistics.categories)
        places = places_of(self._kinds, "gaussian")
        self._model = BayesModel(
            log_priors(self.class_prior_),
            GaussianColumns.of(statistics.moments, places, self.ddof, self.variance_floor),
            CodeTable.of(statistics.intervals, self.alpha),
            CodeTable.of(statistics.categories, self.alpha),
        )

    def _fit_from(self, data: TrainingData, statistics: BayesStatistics) -> None:
        self._learn_from(data.classes, statistics)
        kernel = places_of(self._kinds, "kernel")
        if len(kernel):
            bells = KernelColumns.of(data, kernel, self.bandwidth, self._threads)
            self._model = replace(self._model, kernel=bells)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: Any) -> Iterator[tuple[int, Any]]:
        last: tuple[dict[str, Any], Any] | None = None
        for place, model in super()._fit_alike(models, X, y):
            matters = {name: value for name, value in model.get_params().items() if name != "alpha"}
            if last is None or model._model.tables or not are_equal(last[0], matters):
                last = matters, model
            yield place, last[1]  # without counts, alpha makes no difference

    def _log_joint(self, X: Rows) -> Floats:
        return self._model.scores(X, self._threads_of(X))

    def _leave_one_out(self, data: TrainingData, known: BayesStatistics) -> Floats | None:
        if sp.issparse(data.X):
            return None
        change = self._prior_change(data, known)
        return self._model.left_out_posteriors(data, known, change, self.ddof, self._threads)

    def _prior_change(self, data: TrainingData, known: BayesStatistics) -> Floats:
        """Return by how much each row's log prior falls without it; NaN where its class is then empty."""
        high, low = known.moments.count_pairs[:, data.codes]
        left = high - (1.0 if data.weights is None else data.weights) + low
        left[left <= 1e-25 * high] = np.nan
        if not isinstance(self.priors, str) or self.priors != "empirical":
            return np.where(np.isnan(left), np.nan, 0.0)
        change: Floats = np.log((left + self.prior_alpha) / (high + self.prior_alpha))
        return change
