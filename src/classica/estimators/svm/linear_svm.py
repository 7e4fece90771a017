r"""The linear support vector machine: few rows within a wide margin, exactly or by gradient descent.

.. math:: \hat y(x) = \mathrm{sign}(a \cdot x + b)

The penalty term and the update of the gradient descent are those of the lecture CS 361, margins, slacks and
support vectors those of the Torino lecture.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import DataError, must
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.contests import ONE_FOR_EACH, warn_of_many_pairs
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.base.grid_task import indices_by
from classica.estimators.base.linear_margins import LinearBinaryClassifiers
from classica.estimators.base.margins import MULTI_CLASS, MarginClassifier, binary_contests, class_margins
from classica.estimators.svm.linear_svm_fit import Fit, Settings, fit_binary_classifiers
from classica.estimators.svm.linear_svm_path import Path, choose_alpha
from classica.native import Floats
from classica.params import (
    N_JOBS,
    Boolean,
    ClassWeight,
    Dictionary,
    Integer,
    Nothing,
    Numbers,
    OneOf,
    RandomState,
    Real,
    Rule,
    Seed,
)
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="linear-svm",
    title="linear SVM",
    family="linear",
    rule=r"\hat y(x) = \mathrm{sign}(a \cdot x + b)",
    plain_rule="ŷ(x) = sign(a·x + b), with (1/N) Σ max(0, 1 − y(a·x + b)) + (λ/2) a·a minimal",
    source="C (CS 361): the support vector machine; T (Torino): margins and slacks",
    fit_cost="O(M I n d²), M binary classifiers, 15 to 35 iterations I; sparse or wide: O(M I n d), I sweeps",
    predict_cost="O(M d) per row",
    grid={"alpha": [0.1, 0.01, 0.001, 1e-4, 1e-5]},
    # One against all others ties classes by design: a class between others gets the constant score -1, which
    # is also that of rows on another binary classifier's margin. That is no test of rounding.
    test_parameters=(
        {"tol": 1e-9, "multi_class": "all-vs-all"},
        {"tol": 1e-9, "multi_class": "all-vs-all", "alpha": 0.01, "class_weight": "balanced"},
        {"solver": "sgd", "max_iter": 5},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0046, rows=0.7, columns=0.6, classes=1.0, grid=2.4),
)
class LinearSVMClassifier(LinearBinaryClassifiers, GridScores, MarginClassifier):
    r"""Separate two classes by the hyperplane that minimises the hinge loss plus an L2 penalty.

    A row with a positive score is predicted as the second class,

    .. math:: \hat y(x) = \mathrm{sign}(a \cdot x + b)

    With :math:`y = \pm 1`, the weights and the intercept minimise

    .. math:: \frac1N \sum_{i=1}^N \max(0, 1 - y_i (a \cdot x_i + b)) + \frac{\lambda}{2} a \cdot a

    More than two classes are handled one-vs-all (the highest score wins) or all-vs-all (most wins).

    The exact solver reaches the minimum and certifies it by the duality gap. Tables with more rows than
    columns are solved by an interior-point method, a few dozen Newton steps on a matrix of the size of the
    columns; so are few rows with many columns, in coordinates of the rows. Tables large in both dimensions
    are solved by dual coordinate descent. The solver "sgd" is the lecture's: a row k is drawn at random, and

    .. math:: a \leftarrow a - \eta \begin{cases} \lambda a & \text{if } y_k (a \cdot x_k + b) \ge 1 \\
              \lambda a - y_k x_k & \text{otherwise} \end{cases}

    with :math:`b \leftarrow b + \eta y_k` in the second case. A season is as many steps as there are rows; in
    season s = 0, 1, ... the step length is :math:`\eta = \eta_0 / (1 + s)`, but never above
    :math:`1/\lambda`.

    Parameters
    ----------
    alpha : float above 0 or "validation", default=1e-4
        The penalty λ. With "validation" some rows are held out, a model is fitted to the others for each of
        `alphas`, and the one most accurate on the held-out rows is refitted to all rows.
    solver : {"exact", "sgd"}, default="exact"
        The exact minimum, or the lecture's stochastic gradient descent.
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are handled: a binary classifier per class, or per pair of classes.
    fit_intercept : bool, default=True
        Whether there is an intercept b. It is not penalised.
    class_weight : None, "balanced" or dict, default=None
        Class weights: all equal, inversely proportional to the class frequencies, or by label.
    tol : float above 0, default=1e-6
        The exact solver stops when the duality gap is at most this fraction of the objective.
    max_iter : int or None, default=None
        Maximum number of iterations or, for "sgd", of seasons. None: 200 Newton steps, 2000 sweeps of
        coordinate descent, 50 seasons.
    eta0 : float above 0, default=0.1
        The step length of "sgd" in its first season.
    alphas : None or sequence of float, default=None
        The candidates for `alpha`; None: the powers of ten from 1 down to 1e-6.
    validation_fraction : float from 0.01 to 0.9, default=0.2
        Fraction of each class that is held out to choose `alpha`.
    random_state : None, int or RandomState, default=None
        Random seed for "sgd" and for the held-out rows.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_binary, n_features)
        The weights a of each binary classifier: one for two classes, pointing to the second; else one per
        class, or per pair of classes in the order (0, 1), (0, 2), ..., (1, 2), ..., pointing to the first.
    intercept_ : ndarray of shape (n_binary,)
        The intercept b of each binary classifier.
    alpha_ : float
        The penalty λ in use.
    C_ : ndarray of shape (n_binary,)
        The equivalent C of other packages: 1 / (N λ), N the total weight of the binary classifier's rows.
    objective_ : ndarray of shape (n_binary,)
        The value of the objective reached.
    duality_gap_ : ndarray of shape (n_binary,)
        Upper bound of its distance from the minimum. Exact solver only.
    converged_ : bool
        Whether every gap is within `tol`. Exact solver only.
    n_iter_ : int
        Maximum number of iterations over the binary classifiers; seasons of "sgd".
    support_ : ndarray of shape (n_support,)
        The indices of the support vectors: training rows on the margin of a binary classifier or on its wrong
        side. Exact solver only.
    dual_coef_ : ndarray of shape (n_binary, n_support)
        The multiplier of each support vector, with the sign of its class: the weights are
        ``dual_coef_ @ X[support_]``. At most `C_` times the weight of the row. Exact solver only.
    margin_width_ : ndarray of shape (n_binary,)
        The width of the margin, 2/‖a‖; infinite if all weights are zero.
    validation_scores_ : dict
        The weighted accuracy on the held-out rows for each alpha. Only with ``alpha="validation"``.
    n_parameters_ : int
        Number of free parameters: d + 1 per binary classifier.

    Notes
    -----
    Cost: a Newton step takes n d² multiplications and d³ for the matrix, a sweep or a season n d. A score of
    zero predicts the first class, ties go to the first of the tied classes; ties in the number of wins are
    broken by the sum of the scores. The objective determines the weights, but not always the intercept: if a
    range of intercepts is optimal, the exact solver takes one within it. A row of weight 2 counts as two
    rows. Columns are not scaled: the penalty treats them alike only if they are on a similar scale. If values
    are so large that rounding hides the penalty, the duality gap ignores it. Values must not exceed
    1e100 in magnitude. Separable classes have a finite solution. The boundary is linear: it fails on classes
    that curve around each other. It predicts classes and scores, not probabilities.

    Use it on many rows or many sparse columns where a linear boundary is enough: rows far on the correct side
    of the margin have no influence, and the penalty keeps the weights small. Not where the boundary is
    non-linear (use a kernel SVM), nor for probabilities without calibration.

    Examples
    --------
    Two points two apart: the margin reaches from one to the other.

    >>> import numpy as np
    >>> from classica import LinearSVMClassifier
    >>> X, y = np.array([[1.0, 0.0], [3.0, 0.0]]), np.array(["left", "right"])
    >>> model = LinearSVMClassifier(alpha=0.01).fit(X, y)
    >>> model.coef_.round(6) + 0, model.intercept_.round(6)
    (array([[1., 0.]]), array([-2.]))
    >>> model.margin_width_.round(6), model.predict([[1.9, 5.0], [2.1, 5.0]])
    (array([2.]), array(['left', 'right'], dtype='<U5'))
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": Real(above=0) | OneOf("validation"),
        "solver": OneOf("exact", "sgd"),
        "multi_class": MULTI_CLASS,
        "fit_intercept": Boolean(),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "tol": Real(above=0),
        "max_iter": Nothing() | Integer(at_least=1),
        "eta0": Real(above=0),
        "alphas": Nothing() | Numbers(),
        "validation_fraction": Real(at_least=0.01, at_most=0.9),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    accepts = Accepts(sparse=True, largest=1e100)
    free_parameters: ClassVar[frozenset[str]] = frozenset({"alpha"})

    alpha_: float
    C_: Floats
    objective_: Floats
    duality_gap_: Floats
    converged_: bool
    n_iter_: int
    validation_scores_: dict[float, float]
    _duals: tuple[NDArray[np.intp], NDArray[np.intp], Floats] | None

    def __init__(
        self,
        alpha: float | str = 1e-4,
        *,
        solver: str = "exact",
        multi_class: str = "one-vs-all",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        tol: float = 1e-6,
        max_iter: int | None = None,
        eta0: float = 0.1,
        alphas: Sequence[float] | Floats | None = None,
        validation_fraction: float = 0.2,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.solver = solver
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.eta0 = eta0
        self.alphas = alphas
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> LinearSVMClassifier:
        """Learn the binary classifiers.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
            The rows: frame, array or sparse matrix.
        y : array-like of shape (n_samples,)
            The class labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        LinearSVMClassifier
            The fitted estimator.
        """
        every_row = self._all_rows(X, y, sample_weight)
        self._learn(every_row.without_weightless_rows(), None)
        if self._duals is not None and every_row.weights is not None:
            machine, rows, pulls = self._duals
            self._duals = machine, np.flatnonzero(every_row.weights)[rows], pulls
        return self

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return a margin per class; for two classes one number, positive for the second class."""
        scores = self._binary_scores(self._query(X))
        return class_margins(scores, len(self.classes_), self._one_vs_all)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0]
        data, near = first._training_data(X, y), None
        for index in reversed(indices_by(models, "alpha")):
            near = taught_by(models[index], first)._learn(data, near)
            yield index, models[index]

    def _learn(self, data: TrainingData, near: Fit | None) -> Fit:
        """Learn from rows, and return what was found; ``near`` is that of another penalty, to begin with."""
        weighted, settings = self._weighted(data), self._settings()
        warn_of_many_pairs(len(data.classes), settings.one_vs_all, ONE_FOR_EACH)
        if isinstance(self.alpha, str):
            path = Path(self.alphas, self.validation_fraction)
            alpha, scores = choose_alpha(weighted, path, settings)
        else:
            alpha, scores = self.alpha, None
        fit_result = fit_binary_classifiers(
            weighted, float(alpha), settings, near if settings.exact else None
        )
        for stale in ("validation_scores_", "duality_gap_", "converged_"):
            self.__dict__.pop(stale, None)
        if scores is not None:
            self.validation_scores_ = scores
        self.classes_, self.alpha_ = data.classes, alpha
        self._keep(fit_result)
        return fit_result

    @property
    def intercept_(self) -> Floats:
        """The intercept of each binary classifier."""
        center, weights, offsets = self._model
        return read_only(offsets - np.einsum("mj,j->m", weights, center))

    @property
    def margin_width_(self) -> Floats:
        """The distance between both margins of each binary classifier."""
        lengths = np.sqrt(np.einsum("mj,mj->m", self.coef_, self.coef_))
        with np.errstate(divide="ignore"):
            widths: Floats = np.where(lengths > 0, 2 / lengths, np.inf)
        return widths

    @property
    def support_(self) -> NDArray[np.intp]:
        """The training rows some binary classifier rests on."""
        return np.unique(self._require_duals()[1])

    @property
    def dual_coef_(self) -> Floats:
        """The pull of each support row on each binary classifier."""
        machine, rows, pulls = self._require_duals()
        support = self.support_
        table = np.zeros((len(self.coef_), len(support)))
        table[machine, np.searchsorted(support, rows)] = pulls
        return table

    def slacks(self, X: MatrixLike, y: VectorLike) -> Floats:
        """Return how far each row is from the right side of each binary classifier's margin.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels, each one of `classes_`.

        Returns
        -------
        ndarray of shape (n_samples, n_binary)
            ``max(0, 1 - y * score)``: 0 on the right side, above 1 where the binary classifier errs; 0 where
            a row takes no part in a binary classifier.
        """
        self._require_fitted()
        data = self._training_data(X, y, reset=False)
        unknown = np.setdiff1d(data.classes, self.classes_)
        if len(unknown):
            raise DataError(must("y", "a label seen in training", unknown.tolist()[0]))
        scores = native.linear_scores(data.X, self._model, self._threads)
        codes = np.searchsorted(self.classes_, data.classes)[data.codes]
        signs = np.zeros_like(scores)
        for machine, contest in enumerate(binary_contests(len(self.classes_), self._one_vs_all)):
            signs[:, machine] = contest.first[codes].astype(float) - contest.second[codes]
        slack: Floats = np.where(signs == 0, 0.0, np.maximum(1 - signs * scores, 0.0))
        return slack

    def _weighted(self, data: TrainingData) -> TrainingData:
        weights = times_class_weights(self.class_weight, data, data.weights)
        return TrainingData(data.X, data.classes, data.codes, weights)

    def _settings(self) -> Settings:
        return Settings(
            exact=self.solver == "exact",
            one_vs_all=self.multi_class == "one-vs-all",
            intercept=bool(self.fit_intercept),
            tol=float(self.tol),
            max_iter=self.max_iter,
            eta0=float(self.eta0),
            seed=int(check_random_state(self.random_state).randint(2**31)),
            threads=self._threads,
        )

    def _keep(self, fit_result: Fit) -> None:
        self._model, self._one_vs_all = fit_result.model, self.multi_class == "one-vs-all"
        self.C_, self.objective_, self.n_iter_ = fit_result.C, fit_result.objectives, fit_result.iterations
        self._duals = fit_result.duals
        if fit_result.gaps is None or fit_result.rounding is None:
            return
        self.duality_gap_ = fit_result.gaps
        enough = np.maximum(self.tol * fit_result.objectives, fit_result.rounding)
        self.converged_ = bool((fit_result.gaps <= enough).all())
        if not self.converged_:
            worst = float(np.max(fit_result.gaps / np.maximum(fit_result.objectives, np.finfo(float).tiny)))
            reached = f"the duality gap is {worst:.2g} of the objective after {self.n_iter_} iterations"
            warnings.warn(f"{reached}, not tol={self.tol:g}.", ConvergenceWarning, stacklevel=4)

    def _require_duals(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        self._require_fitted()
        if self._duals is None:
            raise AttributeError("solver must be 'exact' for support_ to exist, got 'sgd'.")
        return self._duals
