r"""Quadratic discriminant analysis: Gaussian classes, each with its own covariance.

.. math:: \hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma_c^{-1} (x-\mu_c)
          - \tfrac12 \log \lvert\Sigma_c\rvert + \log \pi_c
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

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
from classica.estimators.gaussian.gaussian_classes import GaussianClasses
from classica.estimators.gaussian.loo_share import LooShare
from classica.estimators.gaussian.own_covariances import OwnCovariances
from classica.estimators.gaussian.regularization import REGULARIZATION, CovarianceRules
from classica.estimators.gaussian.scatter import ClassSums
from classica.estimators.gaussian.shrinkage import SHRINKAGE, Shrinkage, mean_fourth_powers
from classica.native import Floats, QuadraticModel
from classica.params import N_JOBS, Real, Rule
from classica.registry import FitTime, register


@register(
    slug="qda",
    title="QDA",
    family="gaussian",
    rule=(
        r"\hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma_c^{-1} (x-\mu_c)"
        r" - \tfrac12 \log |\Sigma_c| + \log \pi_c"
    ),
    plain_rule="ŷ(x) = argmax over c of −½ (x−μ_c)ᵀ Σ_c⁻¹ (x−μ_c) − ½ log |Σ_c| + log π_c",
    source="B (Barra): quadratic discriminant, the whitening view, number of parameters",
    fit_cost="O(n d² + C d³)",
    predict_cost="O(C d²) per row",
    grid={"shrinkage": [None, "oas", 0.1, 0.5]},
    test_parameters=(
        {},
        {"shrinkage": 0.3, "priors": "uniform"},
        {"shrinkage": "oas"},
        {"shrinkage": "auto"},
        {"regularization": 0.1},
        {"regularization": "loo"},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0034, rows=0.5, columns=0.6, classes=0.2, grid=1.4),
)
class QuadraticDiscriminantClassifier(GaussianClasses, LogJoint, Mergeable[ClassSums]):
    r"""Predict the most probable class under Gaussian class densities, each with its own covariance matrix.

    With class means :math:`\mu_c`, covariances :math:`\Sigma_c` and priors :math:`\pi_c`,

    .. math:: \hat y(x) = \arg\max_c \; -\tfrac12 (x-\mu_c)^T \Sigma_c^{-1} (x-\mu_c)
              - \tfrac12 \log |\Sigma_c| + \log \pi_c

    and the posterior is

    .. math:: P(c \mid x) \propto \frac{\pi_c}{\sqrt{\lvert\Sigma_c\rvert}} \,
              e^{-\frac12 \lVert A_c (x-\mu_c) \rVert^2}, \qquad A_c^T A_c = \Sigma_c^{-1}

    :math:`A_c` whitens the class: its covariance becomes the identity, and the distance Euclidean. Boundaries
    are quadratic.

    Training takes one pass over the rows: count, sum and sums of products of every two columns of each class,
    accumulated in double-double precision. Hence rows can be added (`partial_fit`), models of two tables
    joined (`merge`), rows removed (`forget`) and models cross-validated (`cross_val_posteriors`) with the
    result of fresh fits; not with ``shrinkage="auto"`` or ``regularization="loo"``, which need the rows
    themselves.

    Parameters
    ----------
    shrinkage : None, float from 0 to 1, "oas" or "auto", default=None
        Shrinkage of each covariance. A number or "oas" shrinks towards equal variance in all directions,
        "auto" towards uncorrelated columns; the amount is that number, the estimate of Chen et al. ("oas") or
        that of Ledoit and Wolf ("auto").
    priors : {"empirical", "uniform"} or sequence of float, default="empirical"
        The class priors: the class frequencies, equal, or given in the order of the sorted classes.
    regularization : {"moments", "loo"} or float from 0 to 1, default="moments"
        Minimum weight of the pooled covariance in that of each class. "moments": 0, but 0.8 for a class with
        more rows than columns that does not vary in some direction; "loo": the weight with the fewest
        leave-one-out errors.
    variance_floor : float, default=1e-4
        Lower bound of the variance of a class in every direction, as a fraction of the pooled variance.
    tol : float, default=1e-4
        Lower bound of the pooled standard deviation in every direction, as a fraction of that of the columns.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    means_ : ndarray of shape (n_classes, n_features)
        The class means.
    covariances_ : ndarray of shape (n_classes, n_features, n_features)
        The class covariances after regularisation and shrinkage.
    log_determinants_ : ndarray of shape (n_classes,)
        The logarithms of their determinants, over columns that vary.
    shrinkage_ : ndarray of shape (n_classes,)
        The amounts of shrinkage.
    regularization_ : ndarray of shape (n_classes,)
        The weight of the pooled covariance in each class.
    ranks_ : ndarray of shape (n_classes,)
        Rank of each class covariance, by `variance_floor`.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors in use.
    n_parameters_ : int
        Number of free parameters by the lecture's formula: C - 1 + C d + C d (d + 1) / 2.

    Notes
    -----
    Cost: O(n d²) to fit and O(C d³) to invert, O(C d²) per row to predict. Ties go to the first class.
    Covariances are divided by n_c - 1 (scikit-learn divides by n_c). The covariance of a class of n_c rows in
    d varying columns, n_c at most d, is singular: it is combined with d + 1 - n_c rows of the pooled
    covariance, so a class of one row takes the pooled covariance. A class that has more rows but does not
    vary in some direction (a column that is constant in it, rare values) would win every row in its
    hyperplane; `regularization` prevents that. Directions that still have no variance get that of
    `variance_floor`: rows off the class's hyperplane are far from it, and rows on it are most probably its
    own. Constant columns are left out. Values must not exceed 1e150 in magnitude. A class passed to
    `partial_fit` as a label but not yet seen in a row has probability 0. The model has many parameters: with
    few rows per class use shrinkage, or the linear discriminant.

    Use it where classes differ in covariance and each has many more rows than there are columns, since a
    class has d (d + 3) / 2 parameters. Not with many columns and few rows, nor where a class consists of
    several clusters.

    Examples
    --------
    A narrow class inside a wide one: the wide class is on both sides.

    >>> import numpy as np
    >>> from classica import QuadraticDiscriminantClassifier
    >>> X = np.array([[-1.0], [1.0], [-8.0], [8.0]])
    >>> y = np.array(["narrow", "narrow", "wide", "wide"])
    >>> model = QuadraticDiscriminantClassifier().fit(X, y)
    >>> model.predict([[-4.0], [0.0], [4.0]])
    array(['wide', 'narrow', 'wide'], dtype='<U6')
    >>> model.n_parameters_
    5
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "shrinkage": SHRINKAGE,
        "priors": PRIORS,
        "regularization": REGULARIZATION,
        "variance_floor": Real(above=0, at_most=1),
        "tol": Real(above=0),
        "n_jobs": N_JOBS,
    }

    free_parameters: ClassVar[frozenset[str]] = frozenset(
        {"shrinkage", "priors", "regularization", "variance_floor", "tol"}
    )

    classes_: NDArray[Any]
    class_prior_: Floats
    means_: Floats
    covariances_: Floats
    log_determinants_: Floats
    shrinkage_: Floats
    regularization_: Floats
    ranks_: NDArray[np.int64]
    _model: QuadraticModel
    _offsets: Floats

    def __init__(
        self,
        shrinkage: Shrinkage = None,
        *,
        priors: Priors = "empirical",
        regularization: float | str = "moments",
        variance_floor: float = 1e-4,
        tol: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.shrinkage = shrinkage
        self.priors = priors
        self.regularization = regularization
        self.variance_floor = variance_floor
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> QuadraticDiscriminantClassifier:
        """Learn the mean and the covariance of each class.

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
        self : QuadraticDiscriminantClassifier
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
        """Return −½ (x−μ_c)ᵀ Σ_c⁻¹ (x−μ_c) − ½ log |Σ_c| + log π_c."""
        scores = self._squared_distances(X)
        scores *= -0.5
        scores += self._offsets
        return scores

    def distances(self, X: MatrixLike) -> Floats:
        """Return the distance from each row to each class, in standard deviations of the class."""
        lengths: Floats = np.sqrt(self._squared_distances(self._query(X)))
        return lengths

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters by the lecture's formula."""
        classes, columns = self.means_.shape
        return int(classes - 1 + classes * columns + classes * columns * (columns + 1) // 2)

    @property
    def _is_pooled(self) -> bool:
        return False

    @property
    def _needs_rows(self) -> bool:
        return super()._needs_rows or self.regularization == "loo"

    def _squared_distances(self, X: Rows) -> Floats:
        return native.quadratic_forms(X, self._model, self._threads_of(X))

    def _become(self, statistics: ClassSums, rows: TrainingData | None) -> None:
        gaussians = self._gaussians(statistics, rows)
        self.class_prior_ = class_priors(self.priors, statistics.counts)
        self.means_ = gaussians.center + gaussians.means
        self.covariances_ = gaussians.covariances
        self.shrinkage_, self.regularization_ = gaussians.shrinkage, gaussians.regularization
        self.log_determinants_ = np.array([w.log_determinant for w in gaussians.whitenings])
        self.ranks_ = np.array(gaussians.ranks)
        factors = native.factor_strips(np.array([w.factor for w in gaussians.whitenings]))
        self._model = gaussians.center, gaussians.means, factors
        self._offsets = log_priors(self.class_prior_) - 0.5 * self.log_determinants_

    def _gaussians(self, statistics: ClassSums, rows: TrainingData | None) -> OwnCovariances:
        fourth = None
        if self.shrinkage == "auto" and rows is not None:
            fourth = _fourth_moments(rows, statistics)
        given = self.regularization
        share = 0.0 if isinstance(given, str) else float(given)
        rules = CovarianceRules(self.shrinkage, share, given == "moments", self.tol, self.variance_floor)
        if given == "loo" and rows is not None:
            rules = LooShare(rows, statistics, fourth, self.priors, self._threads).chosen(rules)
        return OwnCovariances.of(statistics, rules, fourth)

    def _leave_one_out(self, data: TrainingData, sums: ClassSums) -> Floats | None:
        if self.shrinkage is not None or self.regularization != "moments":
            return None
        gaussians = self._gaussians(sums, None)
        scores = gaussians.left_out_log_densities(data, self._squared_distances(data.X))
        scores += left_out_log_priors(self.priors, sums.counts, data.codes, data.weights)
        return native.scores_to_posteriors(scores, self._threads)


def _fourth_moments(data: TrainingData, statistics: ClassSums) -> Floats:
    """Return each class's mean fourth power of the distances of rows to their mean, in unit variances."""
    variances = np.array([np.diag(scatter) for scatter in statistics.matrices()])
    variances = variances / statistics.counts[:, None]
    center, means = statistics.center_and_means()
    return mean_fourth_powers(data.X, data.codes, data.weights, center + means, variances)
