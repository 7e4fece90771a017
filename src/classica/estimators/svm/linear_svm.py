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
from classica.estimators.base.grid_task import places_by
from classica.estimators.base.linear_margins import LinearMachines
from classica.estimators.base.margins import MULTI_CLASS, machines
from classica.estimators.svm.linear_svm_fit import Fit, Settings, fit_machines
from classica.estimators.svm.linear_svm_path import Path, choose_alpha
from classica.native import Floats
from classica.params import N_JOBS, Boolean, Dictionary, Integer, Nothing, Numbers, OneOf, Real, Rule, Seed
from classica.registry import FitTime, register
from classica.shown_arrays import read_only


@register(
    slug="linear-svm",
    family="linear",
    rule=r"\hat y(x) = \mathrm{sign}(a \cdot x + b)",
    plain_rule="ŷ(x) = sign(a·x + b), with (1/N) Σ max(0, 1 − y(a·x + b)) + (λ/2) a·a as small as can be",
    source="C (CS 361): the support vector machine; T (Torino): margins and slacks",
    fit_cost="O(M I n d²), M machines, I ≈ 15 to 35 iterations; sparse or wide: O(M I n d), I sweeps",
    predict_cost="O(M d) per row",
    grid={"alpha": [0.1, 0.01, 0.001, 1e-4, 1e-5]},
    # One against all others ties classes by design: a class between others gets the constant score -1, which
    # is also that of rows on another machine's margin. That is no test of rounding.
    test_parameters=(
        {"tol": 1e-9, "multi_class": "all-vs-all"},
        {"tol": 1e-9, "multi_class": "all-vs-all", "alpha": 0.01, "class_weight": "balanced"},
        {"solver": "sgd", "max_iter": 5},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0046, rows=0.7, columns=0.6, classes=1.0, grid=2.4),
)
class LinearSVMClassifier(LinearMachines, GridScores):
    r"""Separate two classes by the plane with few rows inside a wide margin.

    A row belongs to the second class where its score is positive,

    .. math:: \hat y(x) = \mathrm{sign}(a \cdot x + b)

    With :math:`y = \pm 1`, the weights and the intercept are those with the least

    .. math:: \frac1N \sum_{i=1}^N \max(0, 1 - y_i (a \cdot x_i + b)) + \frac{\lambda}{2} a \cdot a

    For more classes each one is set against all others (the highest score wins) or against each other (most
    wins).

    The exact solver finds the least value there is and proves it by the duality gap. Tables with more rows
    than columns are learned by an interior-point method, a few dozen Newton steps on a matrix of the size of
    the columns; so are few rows with many columns, in coordinates of the rows. What is large both ways is
    learned by coordinate descent on the dual. The solver "sgd" is the lecture's: a row k is drawn at random,
    and

    .. math:: a \leftarrow a - \eta \begin{cases} \lambda a & \text{if } y_k (a \cdot x_k + b) \ge 1 \\
              \lambda a - y_k x_k & \text{otherwise} \end{cases}

    with :math:`b \leftarrow b + \eta y_k` in the second case. A season is as many steps as there are rows; in
    season s = 0, 1, ... the step length is :math:`\eta = \eta_0 / (1 + s)`, but never above
    :math:`1/\lambda`.

    Parameters
    ----------
    alpha : float above 0 or "validation", default=1e-4
        The penalty λ. With "validation" some rows are held out, a machine is learned from the others for each
        of `alphas`, and the one that gets most of the held-out rows right is learned again from all.
    solver : {"exact", "sgd"}, default="exact"
        The least objective, or the lecture's stochastic gradient descent.
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are told apart.
    fit_intercept : bool, default=True
        Whether there is an intercept b. It is not penalised.
    class_weight : None, "balanced" or dict, default=None
        How much the rows of each class count: all the same, inversely to how many there are, or as a dict
        from labels says.
    tol : float above 0, default=1e-6
        The exact solver stops when the duality gap is at most this share of the objective.
    max_iter : int or None, default=None
        The most iterations or, of "sgd", seasons. None means 200 Newton steps, 2000 sweeps of coordinate
        descent, 50 seasons.
    eta0 : float above 0, default=0.1
        The step length of "sgd" in its first season.
    alphas : None or sequence of float, default=None
        What `alpha` is chosen from; None means the powers of ten from 1 down to 1e-6.
    validation_fraction : float from 0.01 to 0.9, default=0.2
        The share of each class that is held out to choose `alpha`.
    random_state : None, int or RandomState, default=None
        Seeds the draws of "sgd" and which rows are held out.
    n_jobs : int or None, default=None
        Threads; None means every available core. The result is the same for any number.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_machines, n_features)
        The weights a of each machine: one for two classes, pointing to the second; else one per class, or per
        pair of classes in the order (0, 1), (0, 2), ..., (1, 2), ..., pointing to the first.
    intercept_ : ndarray of shape (n_machines,)
        The intercept b of each machine.
    alpha_ : float
        The penalty λ in use.
    C_ : ndarray of shape (n_machines,)
        The same as other programs state it: 1 / (N λ), N the weight of the rows of the machine.
    objective_ : ndarray of shape (n_machines,)
        The value reached.
    duality_gap_ : ndarray of shape (n_machines,)
        How far above the least value it may be. Only of the exact solver.
    converged_ : bool
        Whether every gap is within `tol`. Only of the exact solver.
    n_iter_ : int
        Iterations of the machine that took most; seasons of "sgd".
    support_ : ndarray of shape (n_support,)
        The training rows on which some machine rests: those on its margin or on the wrong side of it. Only of
        the exact solver.
    dual_coef_ : ndarray of shape (n_machines, n_support)
        How much each of them pulls, with the sign of its side: weights are ``dual_coef_ @ X[support_]``. At
        most `C_` times the weight of the row. Only of the exact solver.
    margin_width_ : ndarray of shape (n_machines,)
        The distance between both margins, 2/‖a‖; infinite where all weights are zero.
    validation_scores_ : dict
        The share of held-out weight got right for each alpha. Only with ``alpha="validation"``.
    n_parameters_ : int
        Free parameters: d + 1 for each machine.

    Notes
    -----
    Cost: a Newton step takes n d² multiplications and d³ for the matrix, a sweep or a season n d. A score of
    zero goes to the first class, ties to the first of the equals; equal numbers of wins are told apart by the
    sum of the scores. The objective fixes the weights, but not always the intercept: where a range of
    intercepts is equally good, the exact solver takes one within. Rows of weight 2 are two rows. Columns are
    not scaled: the penalty means the same for all of them only if they are measured in like units. Where
    columns are so large that rounding hides the penalty, the gap is that of the rows alone. Values must not
    exceed 1e100 in magnitude. Separable classes have a finite answer. A plane is all it looks at: classes
    that curve around each other defeat it. It tells sides, not probabilities.

    Use it on many rows or many sparse columns where a plane is enough: rows far on the right side of the
    margin have no say, and the penalty keeps the weights small. Not where the boundary curves (a kernel
    machine bends it), nor for probabilities without calibration.

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
        alpha: Any = 1e-4,
        *,
        solver: str = "exact",
        multi_class: str = "one-vs-all",
        fit_intercept: bool = True,
        class_weight: Any = None,
        tol: float = 1e-6,
        max_iter: int | None = None,
        eta0: float = 0.1,
        alphas: Any = None,
        validation_fraction: float = 0.2,
        random_state: Any = None,
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
        """Learn the machines.

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

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: Any) -> Iterator[tuple[int, Any]]:
        first = models[0]
        data, near = first._training_data(X, y), None
        for place in reversed(places_by(models, "alpha")):
            near = taught_by(models[place], first)._learn(data, near)
            yield place, models[place]

    def _learn(self, data: TrainingData, near: Fit | None) -> Fit:
        """Learn from rows, and return what was found; ``near`` is that of another penalty, to begin with."""
        weighted, settings = self._weighted(data), self._settings()
        warn_of_many_pairs(len(data.classes), settings.one_vs_all, ONE_FOR_EACH)
        alpha, scores = self.alpha, None
        if isinstance(self.alpha, str):
            path = Path(self.alphas, self.validation_fraction)
            alpha, scores = choose_alpha(weighted, path, settings)
        found = fit_machines(weighted, float(alpha), settings, near if settings.exact else None)
        for stale in ("validation_scores_", "duality_gap_", "converged_"):
            self.__dict__.pop(stale, None)
        if scores is not None:
            self.validation_scores_ = scores
        self.classes_, self.alpha_ = data.classes, alpha
        self._keep(found)
        return found

    @property
    def intercept_(self) -> Floats:
        """The intercept of each machine."""
        center, weights, offsets = self._model
        return read_only(offsets - np.einsum("mj,j->m", weights, center))

    @property
    def margin_width_(self) -> Floats:
        """The distance between both margins of each machine."""
        lengths = np.sqrt(np.einsum("mj,mj->m", self.coef_, self.coef_))
        with np.errstate(divide="ignore"):
            widths: Floats = np.where(lengths > 0, 2 / lengths, np.inf)
        return widths

    @property
    def support_(self) -> NDArray[np.intp]:
        """The training rows some machine rests on."""
        return np.unique(self._require_duals()[1])

    @property
    def dual_coef_(self) -> Floats:
        """The pull of each support row on each machine."""
        machine, rows, pulls = self._require_duals()
        support = self.support_
        table = np.zeros((len(self.coef_), len(support)))
        table[machine, np.searchsorted(support, rows)] = pulls
        return table

    def slacks(self, X: MatrixLike, y: VectorLike) -> Floats:
        """Return how far each row is from the right side of each machine's margin.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels, each one of `classes_`.

        Returns
        -------
        ndarray of shape (n_samples, n_machines)
            ``max(0, 1 - y * score)``: 0 on the right side, above 1 where the machine errs; 0 where a row
            takes no part in a machine.
        """
        self._require_fitted()
        data = self._training_data(X, y, reset=False)
        unknown = np.setdiff1d(data.classes, self.classes_)
        if len(unknown):
            raise DataError(must("y", "a label that was learned", unknown.tolist()[0]))
        scores = native.linear_scores(data.X, self._model, self._threads)
        codes = np.searchsorted(self.classes_, data.classes)[data.codes]
        signs = np.zeros_like(scores)
        for machine, contest in enumerate(machines(len(self.classes_), self._one_vs_all)):
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

    def _keep(self, found: Fit) -> None:
        self._model, self._one_vs_all = found.model, self.multi_class == "one-vs-all"
        self.C_, self.objective_, self.n_iter_ = found.C, found.objectives, found.iterations
        self._duals = found.duals
        if found.gaps is None or found.rounding is None:
            return
        self.duality_gap_ = found.gaps
        enough = np.maximum(self.tol * found.objectives, found.rounding)
        self.converged_ = bool((found.gaps <= enough).all())
        if not self.converged_:
            worst = float(np.max(found.gaps / np.maximum(found.objectives, np.finfo(float).tiny)))
            reached = f"the duality gap is {worst:.2g} of the objective after {self.n_iter_} iterations"
            warnings.warn(f"{reached}, not tol={self.tol:g}.", ConvergenceWarning, stacklevel=4)

    def _require_duals(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
        self._require_fitted()
        if self._duals is None:
            raise AttributeError("solver must be 'exact' for support rows to be known, got 'sgd'.")
        return self._duals
