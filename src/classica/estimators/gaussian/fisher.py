r"""Fisher's linear discriminant: project on the direction that separates the means best, and cut.

.. math:: \hat y(x) = \mathrm{class}_0 \text{ if } w \cdot x \ge t, \qquad w = \Sigma^{-1}(\mu_0 - \mu_1)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError, must
from classica.estimators.base.class_priors import (
    PRIORS,
    Priors,
    class_priors,
    left_out_log_priors,
    log_priors,
)
from classica.estimators.base.contests import Contest, class_scores, contests
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.base.mergeable import Mergeable
from classica.estimators.gaussian.gaussian_classes import SharedGaussians
from classica.estimators.gaussian.row_scatter import RowScatter
from classica.estimators.gaussian.scatter import ClassSums
from classica.estimators.gaussian.shared_covariance import SharedCovariance, fourth_moment
from classica.estimators.gaussian.shrinkage import SHRINKAGE, Shrinkage
from classica.native import Floats, LinearModel
from classica.params import N_JOBS, OneOf, Real, Rule
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="fisher",
    title="Fisher discriminant",
    family="gaussian",
    rule=r"\hat y(x) = 0 \text{ if } w \cdot x \ge t, \quad w = \Sigma^{-1}(\mu_0 - \mu_1)",
    plain_rule="ŷ(x) = class 0 if w·x ≥ t, with w = Σ⁻¹(μ0 − μ1)",
    source="R (Roweis): Fisher's linear discriminant",
    fit_cost="O(n d² + M d³), O(M n² d) if n < d, M binary classifiers",
    predict_cost="O(M d) per row",
    grid={"threshold": ["midpoint", "log-prior"], "shrinkage": [None, "oas", 0.1, 0.5]},
    test_parameters=(
        {},
        {"threshold": "log-prior", "multi_class": "all-vs-all"},
        {"shrinkage": 0.2, "multi_class": "all-vs-all"},
        {"shrinkage": "oas", "threshold": "log-prior", "priors": "uniform"},
        {"shrinkage": "auto", "multi_class": "all-vs-all"},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0033, rows=0.5, columns=0.6, classes=0.3, grid=1.5),
)
class FisherClassifier(SharedGaussians, LogJoint, Mergeable[ClassSums]):
    r"""Project on the direction that best separates two classes relative to their spread, and threshold.

    For two classes with means :math:`\mu_0, \mu_1` and the covariance :math:`\Sigma` within them,

    .. math:: \hat y(x) = 0 \text{ if } w \cdot x \ge t, \quad w = \Sigma^{-1}(\mu_0 - \mu_1)

    In other words, with the score

    .. math:: s(x) = w \cdot \left(x - \tfrac12 (\mu_0 + \mu_1)\right)
              \; \left[ + \log \frac{\pi_0}{\pi_1}\right]

    a row with :math:`s(x) \ge 0` is predicted as the first class. More than two classes are handled
    one-vs-all (the highest score wins) or all-vs-all (most wins).

    Training takes one pass over the rows: counts, sums and sums of products of every two columns, accumulated
    in double-double precision. Hence rows can be added (`partial_fit`), models of two tables joined
    (`merge`), rows removed (`forget`) and models cross-validated (`cross_val_posteriors`) with the result of
    fresh fits; not with ``shrinkage="auto"``, which needs the rows themselves.

    Parameters
    ----------
    threshold : {"midpoint", "log-prior"}, default="midpoint"
        The threshold: midway between the projected means, or shifted by the log ratio of the priors to where
        two Gaussians with a common covariance are equally probable.
    priors : {"empirical", "uniform"} or sequence of float, default="empirical"
        The class priors of the "log-prior" threshold: the class frequencies, equal, or given in the order of
        the sorted classes. Not used by "midpoint".
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are handled: a binary classifier per class, or per pair of classes. Prefer
        "all-vs-all" if a class may lie between others.
    shrinkage : None, float from 0 to 1, "oas" or "auto", default=None
        Shrinkage of each covariance. A number or "oas" shrinks towards equal variance in all directions,
        "auto" towards uncorrelated columns; the amount is that number, the estimate of Chen et al. ("oas") or
        that of Ledoit and Wolf ("auto").
    tol : float, default=1e-4
        Lower bound of the within-class standard deviation in every direction, as a fraction of that of the
        columns.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_binary, n_features)
        The direction w of each binary classifier: one for two classes; else one per class, or per pair of
        classes in the order (0, 1), (0, 2), ..., (1, 2), ... It points to the first class;
        `decision_function` has the opposite sign, as scikit-learn expects.
    thresholds_ : ndarray of shape (n_binary,)
        A row whose projection is at least the threshold is predicted as the first class.
    class_count_ : ndarray of shape (n_classes,)
        The weight of the rows of each class.
    class_prior_ : ndarray of shape (n_classes,)
        The priors of the posteriors: equal for the "midpoint" threshold.
    n_parameters_ : int
        Number of free parameters: d + 1 per binary classifier.

    Notes
    -----
    Cost, per binary classifier: O(n d²) to fit and O(d³) to invert, O(n² d) if there are fewer rows than
    columns (the model then keeps the rows instead of their sums), O(d) per row to predict. A score of zero
    predicts the first class, ties go to the first of the tied classes; ties in the number of wins are broken
    by the sum of the scores. The posterior of two classes is that of Gaussians with one covariance;
    one-vs-all gives each class its probability against the rest, all-vs-all the fraction of wins (half a win
    added for each class, and up to a third for the sum of its scores), normalised to sum to one. Singular
    covariances are handled as in `LinearDiscriminantClassifier`. Values must not exceed 1e150 in magnitude. A
    class passed to `partial_fit` as a label but not yet seen in a row has probability 0. The boundary is
    linear: it fails on classes that curve around each other, and with more than two classes one in the middle
    may never have the highest score against the rest.

    Use it to separate two classes by a single direction that can be plotted and interpreted. Not where
    classes differ in covariance (use the quadratic discriminant), nor with strong outliers, which distort
    means and covariances.

    Examples
    --------
    Two classes of unit variance with means 4 and 7: the midpoint is 5.5; where the first is three times as
    frequent, the log-prior moves it to 5.866.

    >>> import numpy as np
    >>> from classica import FisherClassifier
    >>> half = np.sqrt(0.5)
    >>> X = np.array([[4 - half], [4 + half], [7 - half], [7 + half]])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> model = FisherClassifier().fit(X, y)
    >>> model.predict([[5.49], [5.51]])
    array(['a', 'b'], dtype='<U1')
    >>> model.set_params(threshold="log-prior", priors=[0.75, 0.25]).fit(X, y).predict([[5.866], [5.867]])
    array(['a', 'b'], dtype='<U1')
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "threshold": OneOf("midpoint", "log-prior"),
        "priors": PRIORS,
        "multi_class": OneOf("one-vs-all", "all-vs-all"),
        "shrinkage": SHRINKAGE,
        "tol": Real(above=0),
        "n_jobs": N_JOBS,
    }

    free_parameters: ClassVar[frozenset[str]] = frozenset({"threshold", "priors", "shrinkage", "tol"})

    classes_: NDArray[Any]
    class_prior_: Floats
    _seen: NDArray[np.intp]
    _one_vs_all: bool  # as learned, whatever the parameter says by now
    _model: LinearModel

    def __init__(
        self,
        threshold: str = "midpoint",
        *,
        priors: Priors = "empirical",
        multi_class: str = "one-vs-all",
        shrinkage: Shrinkage = None,
        tol: float = 1e-4,
        n_jobs: int | None = None,
    ) -> None:
        self.threshold = threshold
        self.priors = priors
        self.multi_class = multi_class
        self.shrinkage = shrinkage
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> FisherClassifier:
        """Learn direction and cut of each binary classifier, from the means and covariances of its sides.

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
        self : FisherClassifier
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
        """Return the scores of the classes, from those of all binary classifiers: w·(x − center) + offset."""
        scores = native.linear_scores(X, self._model, self._threads_of(X))
        joint = np.full((len(scores), len(self.classes_)), -np.inf)
        joint[:, self._seen] = class_scores(scores, len(self._seen), self._one_vs_all)
        return joint

    def project(self, X: MatrixLike) -> Floats:
        """Return the projection of each row on the direction of each binary classifier."""
        X = self._query(X)
        center, weights, _ = self._model
        at_center = np.einsum("mj,j->m", weights, center)
        return native.linear_scores(X, (center, weights, at_center), self._threads)

    @property
    def coef_(self) -> Floats:
        """The direction of each binary classifier."""
        return read_only(self._model[1])

    @property
    def thresholds_(self) -> Floats:
        """The least projection of each binary classifier's first class."""
        center, weights, offsets = self._model
        return read_only(np.einsum("mj,j->m", weights, center) - offsets)

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: direction and threshold of each binary classifier."""
        return int(self.coef_.size + len(self.coef_))

    @property
    def _is_pooled(self) -> bool:
        # One against all others needs no class apart.
        return self.multi_class == "one-vs-all"

    def _own_statistics(self) -> ClassSums:
        if self._is_pooled != self._one_vs_all:
            rule = "the one of the first fit, to add or remove rows"
            raise ParameterError(must("multi_class", rule, self.multi_class))
        return super()._own_statistics()

    def _become(self, statistics: ClassSums, rows: TrainingData | None) -> None:
        given = class_priors(self.priors, statistics.counts)  # checked even where they do not count
        equal = class_priors("uniform", statistics.counts)
        self.class_prior_ = given if self.threshold == "log-prior" else equal
        self._seen = np.flatnonzero(statistics.counts > 0)
        self._one_vs_all = self._is_pooled
        self._model = self._linear_model(statistics.only(statistics.counts > 0), rows)

    def _linear_model(self, statistics: ClassSums, rows: TrainingData | None) -> LinearModel:
        """Return the scores of all binary classifiers, seen from the mean of all rows."""
        counts, (center, _) = statistics.counts, statistics.center_and_means()
        priors = log_priors(self.class_prior_[self._seen])[None]
        weights, offsets = [np.empty((0, len(center)))], [np.empty(0)]
        for contest in contests(len(counts), self._is_pooled):
            gaussians = self._gaussians(contest, statistics, rows)
            own_center, sides, scores = gaussians.linear_model(np.zeros(2))
            direction = sides[:1] - sides[1:]
            weights.append(direction)
            moved = np.einsum("mj,j->m", direction, center - own_center)
            offsets.append(scores[:1] - scores[1:] + moved + self._log_odds(contest, priors))
        return center, np.concatenate(weights), np.concatenate(offsets)

    def _gaussians(
        self, contest: Contest, statistics: ClassSums, rows: TrainingData | None = None
    ) -> SharedCovariance:
        sides = statistics.joined([contest.first, contest.second])
        fourth = None if rows is None else fourth_moment(contest.rows(rows)[1], sides)
        return SharedCovariance.of(sides, self.shrinkage, self.tol, fourth)

    def _log_odds(self, contest: Contest, log_priors_of_classes: Floats) -> Any:
        return contest.log_odds(log_priors_of_classes) if self.threshold == "log-prior" else 0.0

    def _leave_one_out(self, data: TrainingData, sums: ClassSums) -> Floats | None:
        if self.shrinkage is not None or isinstance(sums, RowScatter):
            return None
        scores = native.linear_scores(data.X, self._model, self._threads)
        priors = left_out_log_priors(self.priors, sums.counts, data.codes, data.weights)
        for machine, contest in enumerate(contests(len(sums.counts), self._is_pooled)):
            rows, sides = contest.rows(data)
            distances = self._gaussians(contest, sums).left_out_distances(sides, self._threads)
            score = 0.5 * (distances[:, 1] - distances[:, 0])
            scores[rows, machine] = score + self._log_odds(contest, priors[rows])
        unknown = np.isnan(scores).any(axis=1) | _is_alone(data, sums.counts)
        scores[unknown] = 0.0
        joint = class_scores(scores, len(sums.counts), self._is_pooled)
        joint[unknown] = np.nan
        return native.scores_to_posteriors(joint, self._threads)


def _is_alone(data: TrainingData, counts: Floats) -> NDArray[np.bool_]:
    """Return which rows are all of their class: without them there are other binary classifiers."""
    weights = np.ones(len(data.codes)) if data.weights is None else data.weights
    alone: NDArray[np.bool_] = counts[data.codes] - weights <= 1e-9 * counts[data.codes]
    return alone
