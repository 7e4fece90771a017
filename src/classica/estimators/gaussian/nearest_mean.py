r"""Nearest mean: the class whose mean is closest.

.. math:: \hat y(x) = \arg\max_c \; -\tfrac12 d(x, \mu_c)^2 + \log \pi_c
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import ParameterError, must
from classica.estimators.base.class_priors import PRIORS, Priors, class_priors, log_priors
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.base.moments import Moments
from classica.estimators.gaussian.several_means import cluster_rows
from classica.native import Codes, Floats, MeanModel
from classica.params import N_JOBS, Integer, IntegerPerClass, Nothing, OneOf, Real, Rule
from classica.registry import FitTime, register


@register(
    slug="nearest-mean",
    title="nearest mean",
    family="neighbours",
    rule=r"\hat y(x) = \arg\max_c \; -\tfrac12 d(x, \mu_c)^2 + \log \pi_c",
    plain_rule="ŷ(x) = argmax over c of −½ d(x, μ_c)² + log π_c",
    source="T (Torino): nearest mean, reject, scaled distance, several means; B (Barra): spherical classes",
    fit_cost="O(n d)",
    predict_cost="O(C d) per row",
    grid={"metric": ["euclidean", "scaled"], "n_means": [1, 2, 4]},
    test_parameters=(
        {},
        {"metric": "scaled", "priors": "empirical"},
        {"n_means": 2},
        {"metric": "scaled", "n_means": 2, "reject_distance": 2.0},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0032, rows=0.5, columns=0.7, grid=3.0),
)
class NearestMeanClassifier(Mergeable[Moments]):
    r"""Predict the class with the nearest mean.

    The rule:

    .. math:: \hat y(x) = \arg\max_c \; -\tfrac12 d(x, \mu_c)^2 + \log \pi_c

    With equal priors this is the nearest mean. The posterior is the normalised exponential of the same score:
    Bayes' rule for spherical classes of unit variance (:math:`\Sigma_c = I`). The distance is Euclidean, or
    scaled by the spread of the class along each column:

    .. math:: d(x, \mu_c) = \sqrt{\sum_i \left(\frac{x_i - \mu_{ci}}{\sigma_{ci}}\right)^2}

    A class with several modes can have several means; the nearest one counts.

    Training takes one pass over the rows: count, sum and (for the scaled distance) sum of squares of each
    class, accumulated in double-double precision. Hence rows can be added (`partial_fit`), models of two
    tables joined (`merge`) and rows removed (`forget`) with the result of a fresh fit. These three methods
    exist for one mean per class. Several means are computed by k-means with a deterministic start.

    Parameters
    ----------
    metric : {"euclidean", "scaled"}, default="euclidean"
        The distance. Scaled: divided by the standard deviation (divisor n) of the mean's own rows
        along each column.
    n_means : int or dict, default=1
        Number of means per class: one number for all, or a dict from labels to numbers (1 for the others). A
        class with fewer distinct rows gets fewer means.
    reject_distance : float or None, default=None
        `rejects` marks rows farther than this from every mean. None: no row is rejected.
    priors : {"uniform", "empirical"} or sequence of float, default="uniform"
        The class priors: equal, the class frequencies, or given in the order of the sorted classes.
    max_iter : int, default=300
        Maximum number of k-means iterations if there are several means.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    means_ : ndarray of shape (n_means_in_all, n_features)
        The means, grouped by class.
    mean_class_ : ndarray of shape (n_means_in_all,)
        The index in `classes_` of each mean's class.
    spreads_ : ndarray of shape (n_means_in_all, n_features) or None
        The standard deviations used by the scaled distance.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors in use.
    n_iter_ : int
        Passes over the data: one, or the k-means iterations of the slowest class.
    n_parameters_ : int
        Number of free parameters: C - 1 priors, the means, and the spreads if used.

    Notes
    -----
    Cost: O(n d) to fit, O(d) per row and mean to predict. Ties go to the first class. A column without spread
    in a class is scaled by the pooled spread within classes or, if that is zero too, not at all; a spread
    below 1e-13 of the column's magnitude counts as zero. Values must not exceed 1e150 in magnitude. A class
    passed to `partial_fit` as a label but not yet seen in a row has probability 0. It assumes spherical (or,
    scaled, axis-parallel) classes of similar size and fails on classes with several modes unless `n_means` is
    set, and on columns of unequal scale with the Euclidean distance. Unlike Gaussian naive Bayes, the scaled
    distance has no :math:`-\sum_i \log \sigma_{ci}` term: it is the lecture's distance, not a density.

    Use it as the simplest model with a prototype for each class: a mean needs few rows, is computed in one
    pass, and rows can be added and removed later. Not where classes differ in spread rather than location,
    nor where columns are strongly correlated: the linear discriminant takes correlation into account.

    Examples
    --------
    Two classes of unit variance with means 4 and 7: the boundary lies at 5.5, and where one class is three
    times as frequent it moves to 5.5 + log(3)/3 = 5.866.

    >>> import numpy as np
    >>> from classica import NearestMeanClassifier
    >>> X, y = np.array([[3.0], [5.0], [6.0], [8.0]]), np.array(["a", "a", "b", "b"])
    >>> model = NearestMeanClassifier(reject_distance=2.0).fit(X, y)
    >>> model.predict([[5.49], [5.51]])
    array(['a', 'b'], dtype='<U1')
    >>> model.rejects([[5.49], [10.0]])
    array([False,  True])
    >>> model.set_params(priors=[0.75, 0.25]).fit(X, y).predict([[5.866], [5.867]])
    array(['a', 'b'], dtype='<U1')
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "metric": OneOf("euclidean", "scaled"),
        "n_means": Integer(at_least=1) | IntegerPerClass(),
        "reject_distance": Nothing() | Real(above=0),
        "priors": PRIORS,
        "max_iter": Integer(at_least=1),
        "n_jobs": N_JOBS,
    }
    free_parameters: ClassVar[frozenset[str]] = frozenset(
        {"n_means", "priors", "reject_distance", "max_iter"}
    )
    # Squares of larger values would overflow.
    accepts = Accepts(sparse=True, largest=1e150)

    classes_: NDArray[Any]
    class_counts_: Floats
    class_prior_: Floats
    class_sums_: Floats
    class_squares_: Floats | None
    means_: Floats
    mean_class_: Codes
    spreads_: Floats | None
    n_iter_: int
    _model: MeanModel

    def __init__(
        self,
        metric: str = "euclidean",
        *,
        n_means: int | Mapping[Any, int] = 1,
        reject_distance: float | None = None,
        priors: Priors = "uniform",
        max_iter: int = 300,
        n_jobs: int | None = None,
    ) -> None:
        self.metric = metric
        self.n_means = n_means
        self.reject_distance = reject_distance
        self.priors = priors
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> NearestMeanClassifier:
        """Learn the means of the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : NearestMeanClassifier
        """
        data = self._rows_to_learn(X, y, sample_weight)
        self._fit_from(data, self._statistics(data))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the label of the class with the highest score for each row."""
        X = self._query(X)
        return self.classes_[native.nearest_mean_predict(X, self._model, self._threads_of(X))]

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the posterior probability of each class for each row."""
        return self._posteriors(self._query(X))

    def distances(self, X: MatrixLike) -> Floats:
        """Return the distance from each row to the closest mean of each class."""
        X = self._query(X)
        return native.nearest_mean_distances(X, self._model, self._threads)

    def rejects(self, X: MatrixLike) -> NDArray[np.bool_]:
        """Return True for each row that is farther than `reject_distance` from every mean."""
        closest = self.distances(X).min(axis=1)
        limit = np.inf if self.reject_distance is None else self.reject_distance
        beyond: NDArray[np.bool_] = closest > limit
        return beyond

    @property
    def class_count_(self) -> Floats:
        """The weight of the rows of each class."""
        return self._own_statistics().counts

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: priors, means and spreads."""
        spreads = 0 if self.spreads_ is None else self.spreads_.size
        return len(self.classes_) - 1 + self.means_.size + spreads

    def _posteriors(self, X: Rows) -> Floats:
        return native.nearest_mean_posteriors(X, self._model, self._threads_of(X))

    def _is_mergeable(self) -> bool:
        return self.n_means == 1

    def _fit_from(self, data: TrainingData, statistics: Moments) -> None:
        wanted = self._means_wanted(data.classes)
        self._learn_from(data.classes, statistics)
        if max(wanted) > 1:
            self._derive(*self._split_classes(data, wanted))

    def _statistics(self, data: TrainingData) -> Moments:
        return self._group_moments(data, data.codes, len(data.classes))

    def _group_moments(self, data: TrainingData, group_of_row: Codes, groups: int) -> Moments:
        scaled = self.metric == "scaled"
        return Moments.of(
            data.X, group_of_row, groups, weights=data.weights, squares=scaled, threads=self._threads
        )

    def _own_statistics(self) -> Moments:
        if (self.metric == "scaled") != (self.class_squares_ is not None):
            rule = "the one of the first fit, to add or remove rows"
            raise ParameterError(must("metric", rule, self.metric))
        return Moments(self.class_counts_, self.class_sums_, self.class_squares_)

    def _learn_from(self, classes: NDArray[Any], statistics: Moments) -> None:
        self.class_prior_ = class_priors(self.priors, statistics.counts)
        self.classes_ = classes
        self.class_counts_ = statistics.count_pairs
        self.class_sums_ = statistics.sums
        self.class_squares_ = statistics.squares
        self.n_iter_ = 1
        self._derive(statistics, np.arange(len(classes), dtype=np.int32))

    def _derive(self, groups: Moments, mean_class: Codes) -> None:
        """Set everything `predict` needs; a group without rows has no mean."""
        seen = groups.counts > 0
        means, variances = groups.means_and_variances()
        self.means_ = means[seen]
        self.mean_class_ = mean_class[seen]
        self.spreads_ = None
        if variances is not None:
            self.spreads_ = _spreads(variances[seen], groups.counts[seen])
        starts = np.searchsorted(self.mean_class_, np.arange(len(self.classes_) + 1))
        inverse = None if self.spreads_ is None else 1.0 / self.spreads_
        self._model = self.means_, inverse, starts.astype(np.int32), log_priors(self.class_prior_)

    def _means_wanted(self, classes: NDArray[Any]) -> list[int]:
        labels = classes.tolist()
        if not isinstance(self.n_means, Mapping):
            return [self.n_means] * len(labels)
        unknown = [label for label in self.n_means if label not in labels]
        if unknown:
            raise ParameterError(must("n_means", "keyed by class labels", unknown[0]))
        return [self.n_means.get(label, 1) for label in labels]

    def _split_classes(self, data: TrainingData, wanted: list[int]) -> tuple[Moments, Codes]:
        """Return the statistics of each mean's rows and the class of each mean."""
        scale = np.ones_like(self.means_) if self.spreads_ is None else 1.0 / self.spreads_
        group_of_row = np.empty(len(data.codes), dtype=np.int32)
        mean_class: list[int] = []
        for c, clusters in enumerate(wanted):
            rows = np.flatnonzero(data.codes == c)
            weights = None if data.weights is None else data.weights[rows]
            codes, iterations = cluster_rows(
                data.X[rows], clusters, weights, scale[c], self.max_iter, self._threads
            )
            group_of_row[rows] = codes + len(mean_class)
            mean_class += [c] * (int(codes.max()) + 1)
            self.n_iter_ = max(self.n_iter_, iterations)
        if self.n_iter_ > self.max_iter:
            text = (
                f"k-means must converge within max_iter iterations, got {self.max_iter} that were not enough."
            )
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
        groups = self._group_moments(data, group_of_row, len(mean_class))
        return groups, np.array(mean_class, dtype=np.int32)


def _spreads(variances: Floats, counts: Floats) -> Floats:
    """Return standard deviations; where a group has none, that within all groups, else one."""
    within = (variances * counts[:, None]).sum(axis=0) / counts.sum()
    variances = np.where(variances > 0, variances, within)
    spreads: Floats = np.sqrt(np.where(variances > 0, variances, 1.0))
    return spreads
