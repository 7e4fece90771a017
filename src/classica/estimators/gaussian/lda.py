r"""Linear discriminant analysis: Gaussian classes with one covariance.

.. math:: \hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma^{-1} (x-\mu_c) + \log \pi_c
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.estimators.base.class_priors import (
    PRIORS,
    Priors,
    class_priors,
    left_out_log_priors,
    log_priors,
)
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.gaussian.discriminant_axes import DiscriminantAxes
from classica.estimators.gaussian.gaussian_classes import SharedGaussians
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.scatter import ClassSums
from classica.estimators.gaussian.shared_covariance import (
    SharedCovariance,
    covariance_within,
    fourth_moment,
    variances_within,
)
from classica.estimators.gaussian.shrinkage import SHRINKAGE, Shrinkage
from classica.native import Floats, LinearModel
from classica.params import N_JOBS, Integer, Nothing, Real, Rule
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="lda",
    title="LDA",
    family="gaussian",
    rule=r"\hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma^{-1} (x-\mu_c) + \log \pi_c",
    plain_rule="ŷ(x) = argmax over c of −½ (x−μ_c)ᵀ Σ⁻¹ (x−μ_c) + log π_c",
    source="B (Barra): linear discriminant, number of parameters; R (Roweis): Gaussian classes",
    fit_cost="O(n d² + d³), O(n² d) if n < d",
    predict_cost="O(C d) per row",
    grid={"shrinkage": [None, "oas", 0.1, 0.5]},
    test_parameters=(
        {},
        {"shrinkage": 0.3, "priors": "uniform"},
        {"shrinkage": "oas"},
        {"shrinkage": "auto", "n_components": 1},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0032, rows=0.5, columns=0.6, grid=1.3),
)
class LinearDiscriminantClassifier(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, SharedGaussians, LogJoint, Mergeable[ClassSums]
):
    r"""Predict the most probable class under Gaussian class densities that share one covariance matrix.

    With class means :math:`\mu_c`, priors :math:`\pi_c` and the covariance :math:`\Sigma` within classes,

    .. math:: \hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma^{-1} (x-\mu_c) + \log \pi_c

    and the posterior is

    .. math:: P(c \mid x) \propto \pi_c \, e^{-\frac12 (x-\mu_c)^T \Sigma^{-1} (x-\mu_c)}

    The quadratic term is the same for all classes, so the boundary between two of them is the hyperplane
    :math:`a \cdot x + b = 0` with :math:`a = \Sigma^{-1}(\mu_1 - \mu_2)`.

    Training takes one pass over the rows: count and sum of each class, and the sums of products of every two
    columns, accumulated in double-double precision. Hence rows can be added (`partial_fit`), models of two
    tables joined (`merge`), rows removed (`forget`) and models cross-validated (`cross_val_posteriors`) with
    the result of fresh fits; not with ``shrinkage="auto"``, which needs the rows themselves.

    Parameters
    ----------
    shrinkage : None, float from 0 to 1, "oas" or "auto", default=None
        Shrinkage of the covariance. A number or "oas" shrinks towards equal variance in all directions,
        "auto" towards uncorrelated columns; the amount is that number, the estimate of Chen et al. ("oas") or
        that of Ledoit and Wolf ("auto").
    priors : {"empirical", "uniform"} or sequence of float, default="empirical"
        The class priors: the class frequencies, equal, or given in the order of the sorted classes.
    n_components : int or None, default=None
        Maximum number of discriminant axes that `transform` returns; None: all, at most C - 1 and d.
    tol : float, default=1e-4
        Lower bound of the within-class standard deviation in every direction, as a fraction of that of the
        columns.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    means_ : ndarray of shape (n_classes, n_features)
        The class means.
    covariance_ : ndarray of shape (n_features, n_features)
        The within-class covariance after shrinkage; computed on first use.
    deviations_ : ndarray of shape (n_features,)
        The within-class standard deviation of each column after shrinkage.
    shrinkage_ : float
        The amount of shrinkage.
    rank_ : int
        Rank of the within-class covariance, by `tol`.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        The weights of the scores; for two classes, their difference.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        The intercepts of the scores.
    scalings_ : ndarray of shape (n_features, n_axes)
        The discriminant axes, with unit variance within classes along each.
    xbar_ : ndarray of shape (n_features,)
        The origin of the axes: the mean of the class means, weighted by the priors.
    axis_deviations_ : ndarray of shape (n_axes,)
        The ratio of the standard deviations between and within classes along each axis.
    explained_variance_ratio_ : ndarray of shape (n_axes,)
        The fraction of the between-class variance along each axis.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors in use.
    n_parameters_ : int
        Number of free parameters by the lecture's formula: C - 1 + C d + d (d + 1) / 2.

    Notes
    -----
    Cost: O(n d²) to fit and O(d³) to invert, O(n² d) if there are fewer rows than columns (the model then
    keeps the rows instead of their sums), O(C d) per row to predict. Ties go to the first class. The
    covariance is the usual pooled estimate, divided by n - C (the lecture's slide divides each class by n_c -
    1 and then by n; scikit-learn divides by n). Where it is singular (fewer rows than columns, collinear
    columns) the lower bound `tol` makes it invertible: a direction in which classes differ but rows within
    them do not then decides. A column that is constant within classes is scaled by its spread between them; a
    constant column is left out. Values must not exceed 1e150 in magnitude, and differences below 1e-150 count
    as none. A class passed to `partial_fit` as a label but not yet seen in a row has probability 0. The model
    assumes Gaussian classes with a common covariance; if they are not, the linear boundaries are often still
    good, but the probabilities are misleading, and it fails on classes that curve around each other.

    Use it as a first model on numeric columns: one covariance is estimated from all rows, so a few rows go
    far; it predicts probabilities, and leave-one-out costs no more than a fit. Not where classes differ in
    covariance (use the quadratic discriminant), nor with heavy tails or binary columns (logistic regression
    assumes less).

    Examples
    --------
    Two classes of unit variance with means 4 and 7: the boundary lies at 5.5, and where the first is three
    times as frequent it moves to 5.5 + log(3)/3 = 5.866.

    >>> import numpy as np
    >>> from classica import LinearDiscriminantClassifier
    >>> half = np.sqrt(0.5)
    >>> X = np.array([[4 - half], [4 + half], [7 - half], [7 + half]])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> model = LinearDiscriminantClassifier().fit(X, y)
    >>> model.predict([[5.49], [5.51]])
    array(['a', 'b'], dtype='<U1')
    >>> model.set_params(priors=[0.75, 0.25]).fit(X, y).predict([[5.866], [5.867]])
    array(['a', 'b'], dtype='<U1')
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "shrinkage": SHRINKAGE,
        "priors": PRIORS,
        "n_components": Nothing() | Integer(at_least=1),
        "tol": Real(above=0),
        "n_jobs": N_JOBS,
    }

    free_parameters: ClassVar[frozenset[str]] = frozenset({"shrinkage", "priors", "n_components", "tol"})

    classes_: NDArray[Any]
    class_prior_: Floats
    means_: Floats
    shrinkage_: float
    rank_: int
    scalings_: Floats
    xbar_: Floats
    axis_deviations_: Floats
    _is_diagonal: bool  # what the covariance is shrunken towards; files of the first release do not say
    _model: LinearModel

    def __init__(
        self,
        shrinkage: Shrinkage = None,
        *,
        priors: Priors = "empirical",
        n_components: int | None = None,
        tol: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> LinearDiscriminantClassifier:
        """Learn the means of the classes and the covariance within them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : LinearDiscriminantClassifier
        """
        data = self._rows_to_learn(X, y, sample_weight)
        statistics = self._statistics(data)
        self._become(statistics, data if self._needs_rows else None)
        self._keep(data.classes, statistics)
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
        """Return −½ (x−μ_c)ᵀ Σ⁻¹ (x−μ_c) + log π_c, which is linear but for a number all classes share."""
        return native.linear_scores(X, self._model, self._threads_of(X))

    def transform(self, X: MatrixLike) -> Floats:
        """Return the rows seen along the discriminant axes."""
        X = self._query(X)
        axes = np.ascontiguousarray(self.scalings_.T)
        return native.linear_scores(X, (self.xbar_, axes, np.zeros(len(axes))), self._threads)

    @property
    def covariance_(self) -> Floats:
        """The covariance within classes, shrunken."""
        return covariance_within(
            self._own_statistics(), self.shrinkage_, is_diagonal=self._has_diagonal_target
        )

    @property
    def deviations_(self) -> Floats:
        """The within-class standard deviation of each column after shrinkage."""
        sums = self._own_statistics()
        variances = variances_within(sums, self.shrinkage_, is_diagonal=self._has_diagonal_target)
        return np.sqrt(variances)

    @property
    def _has_diagonal_target(self) -> bool:
        return bool(getattr(self, "_is_diagonal", self.shrinkage == "auto"))

    @property
    def coef_(self) -> Floats:
        """The weights of the scores; for two classes, their difference."""
        weights = self._model[1]
        return read_only(weights[1:] - weights[:1] if len(weights) == 2 else weights)

    @property
    def intercept_(self) -> Floats:
        """The scores at the origin; for two classes, their difference."""
        center, weights, offsets = self._model
        at_origin: Floats = offsets - np.einsum("cj,j->c", weights, center)
        return read_only(at_origin[1:] - at_origin[:1] if len(at_origin) == 2 else at_origin)

    @property
    def explained_variance_ratio_(self) -> Floats:
        """The fraction of the between-class variance along each axis."""
        variances = self.axis_deviations_**2
        ratio: Floats = variances / variances.sum() if len(variances) else variances
        return ratio

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters by the lecture's formula."""
        classes, columns = self.means_.shape
        return int(classes - 1 + classes * columns + columns * (columns + 1) // 2)

    @property
    def _n_features_out(self) -> int:
        return int(self.scalings_.shape[1])

    @property
    def _is_pooled(self) -> bool:
        return True

    def _become(self, statistics: ClassSums, rows: TrainingData | None) -> None:
        fourth = None if rows is None else fourth_moment(rows, statistics)
        gaussians = SharedCovariance.of(statistics, self.shrinkage, self.tol, fourth)
        self.class_prior_ = class_priors(self.priors, statistics.counts)
        axes = DiscriminantAxes.of(gaussians, self.class_prior_)
        self.scalings_, self.xbar_, self.axis_deviations_ = axes.first(self.n_components)
        self.means_ = gaussians.center + gaussians.means
        self._is_diagonal = self.shrinkage == "auto"
        self.shrinkage_, self.rank_ = gaussians.shrinkage, gaussians.whitening.rank
        self._model = gaussians.linear_model(log_priors(self.class_prior_))

    def _leave_one_out(self, data: TrainingData, sums: ClassSums) -> Floats | None:
        if self.shrinkage is not None or isinstance(sums, RowScatter):
            return None
        gaussians = SharedCovariance.of(sums, None, self.tol)
        distances = gaussians.left_out_distances(data, self._threads)
        scores = left_out_log_priors(self.priors, sums.counts, data.codes, data.weights) - 0.5 * distances
        return native.scores_to_posteriors(scores, self._threads)
