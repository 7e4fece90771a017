r"""The support vector machine: the widest margin between two classes, in the space of a kernel.

.. math:: \hat y(x) = \operatorname{sign}\Big(\sum_i \alpha_i y_i K(x_i, x) + b\Big)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.contests import ONE_FOR_EACH, warn_of_many_pairs
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_task import Points, Scoring, SplitPairs
from classica.estimators.base.kernel_functions import Kernel, KernelLike, known_values, make_kernel
from classica.estimators.base.margins import MULTI_CLASS, MarginClassifier, class_margins
from classica.estimators.svm.dual_problems import DualProblem, class_variables
from classica.estimators.svm.support_vectors import SupportVectorMachine
from classica.estimators.svm.svm_grid import GridTask
from classica.estimators.svm.svm_model import SupportVectors
from classica.estimators.svm.svm_rules import SVM_RULES, require_finite, solver_rules, warn_unless_converged
from classica.native import Floats
from classica.native.svm_dual import Solution
from classica.params import ClassWeight, Dictionary, Nothing, OneOf, Rule
from classica.registry import FitTime, register

#: Multipliers of all pairs of classes.
_MOST_BYTES = 8_000_000_000


@register(
    slug="svm",
    title="SVM (RBF)",
    family="kernel",
    rule=r"\hat y(x) = \operatorname{sign}\Big(\sum_i \alpha_i y_i K(x_i, x) + b\Big)",
    plain_rule="ŷ(x) = sign(Σ αᵢ yᵢ K(xᵢ, x) + b), with maximum margin",
    source="T (Torino): hard and soft margin, kernels; Fan, Chen and Lin (2005): the solver",
    fit_cost="O(n² d) to O(n³), by the number of support vectors",
    predict_cost="O(S d) per row, S support vectors",
    grid={"C": [0.1, 1.0, 10.0, 100.0], "gamma": ["scale", 0.01, 0.1]},
    test_parameters=(
        {"tol": 1e-9},
        {"C": 3.0, "gamma": "auto", "multi_class": "one-vs-all", "class_weight": "balanced", "tol": 1e-9},
        {"kernel": "sigmoid", "gamma": 0.01, "tol": 1e-9},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.006, rows=1.3, columns=0.5, classes=0.6, grid=30.0),
)
class SVMClassifier(SupportVectorMachine, MarginClassifier):
    r"""Separate two classes by the maximum-margin hyperplane in the feature space of a kernel.

    The rule:

    .. math:: \hat y(x) = \operatorname{sign}\Big(\sum_i \alpha_i y_i K(x_i, x) + b\Big)

    The maximum-margin hyperplane with normal w, where rows on the wrong side of the margin are penalised by
    their slack :math:`\xi_i`, solves

    .. math:: \min_{w, b, \xi} \tfrac12 |w|^2 + \sum_i C_i \xi_i, \quad
              y_i (w \cdot \phi(x_i) + b) \ge 1 - \xi_i, \; \xi_i \ge 0

    Its dual involves only inner products, which the kernel computes:

    .. math:: \min_\alpha \tfrac12 \sum_{ij} \alpha_i \alpha_j y_i y_j K(x_i, x_j) - \sum_i \alpha_i, \quad
              0 \le \alpha_i \le C_i, \; \sum_i y_i \alpha_i = 0

    It is solved by sequential minimal optimisation (SMO): steps on pairs of multipliers, each chosen for the
    largest decrease; a working set of a few hundred multipliers is optimised in the processor's cache before
    the gradient of all rows is updated. More than two classes are handled all-vs-all (most wins) or
    one-vs-all (the highest score wins).

    Parameters
    ----------
    C : float or inf, default=1.0
        Penalty per unit of slack. With infinity no slack is allowed (hard margin), and classes that overlap
        are an error.
    kernel : {...} or function, default="rbf"
        The kernel. "precomputed": X holds kernel values, of shape (n, n) in ``fit`` and (rows, n) in
        ``predict``. A function takes two matrices and returns the kernel values of all pairs of their rows.
    degree : int, default=3
        Degree of the "poly" kernel.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the "poly", "rbf" and "sigmoid" kernels: 1 / (number of columns × variance of all
        values), 1 / number of columns, or a number.
    coef0 : float, default=0.0
        Constant term of the "poly" and "sigmoid" kernels.
    class_weight : dict, "balanced" or None, default=None
        Class weights, which multiply C; "balanced": inversely proportional to the class frequencies.
    multi_class : {"one-vs-all", "all-vs-all"}, default="all-vs-all"
        How more than two classes are handled: a binary classifier per class, or per pair of classes.
    tol : float, default=1e-3
        Tolerance of the stopping criterion: the largest violation of the optimality conditions by any pair.
    max_iter : int or None, default=None
        Maximum number of steps per binary classifier; None: ten million, or a hundred per row if that is
        more.
    max_seconds : float or None, default=None
        Time limit per binary classifier, in seconds.
    shrinking : bool, default=True
        Whether to use the shrinking heuristic: multipliers that stay at a bound are set aside. The result
        meets the same tolerance.
    cache_size : float, default=200
        Maximum size in MB of the kernel matrix that several binary classifiers share.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    support_ : ndarray of shape (n_support,)
        The indices of the support vectors among the training rows, ascending.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The rows themselves (no columns for "precomputed").
    n_support_ : ndarray of shape (n_classes,)
        Number of support vectors of each class.
    dual_coef_ : ndarray of shape (n_binary, n_support)
        The multiplier of each support vector times its sign (1 for the first class of a binary classifier, -1
        for the other). Binary classifiers are in the order (0, 1), (0, 2), ..., (1, 2), ...; for two classes
        the positive class is the second.
    intercept_ : ndarray of shape (n_binary,)
        The intercept b of each binary classifier.
    coef_ : ndarray of shape (n_binary, n_features)
        The weights w of each binary classifier; linear kernel only.
    slacks_ : ndarray of shape (n_binary, n_support)
        The slack of each support vector.
    margin_width_ : ndarray of shape (n_binary,)
        The width of the margin, 2 / \|w\|.
    objective_, duality_gap_ : ndarray of shape (n_binary,)
        The dual objective, and an upper bound of the distance of the primal objective from its minimum.
    n_iter_ : ndarray of shape (n_binary,)
        Number of solver steps (pairs of multipliers).
    converged_ : bool
        Whether every binary classifier met the tolerance.
    n_parameters_ : int
        Number of non-zero multipliers, plus an intercept per binary classifier.

    Notes
    -----
    Cost: each step needs the kernel values of two rows with all others; there are some tens of steps per
    support vector, more for a large C. A score of zero predicts the first class. Ties in the number of wins
    are broken by the sum of the scores. b is the mean over rows with a multiplier strictly between the
    bounds, or the midpoint of the interval the others allow. With infinite C, classes count as separable if
    the margin is at least 1e-4 of the longest row in the feature space. A kernel that is not positive
    semi-definite (sigmoid, usually) yields a stationary point. Sample weights multiply C, so a row of weight
    2 counts as two rows. Scale the columns first: columns with large values dominate, and the linear kernel
    then needs very many steps. Values must not exceed 1e100 in magnitude.

    Use it where the boundary is non-linear, on scaled numeric columns and up to some ten thousand rows; tune
    C and γ together by cross-validation. Not where the model must be interpretable, nor on very large tables
    (time grows quadratically with the rows, or faster), nor for probabilities without calibration.

    Examples
    --------
    Two classes on a line: the maximum margin reaches from 1 to 3, and the rows on its edges are the support
    vectors.

    >>> from classica import SVMClassifier
    >>> X, y = [[0.0], [1.0], [3.0], [5.0]], ["a", "a", "b", "b"]
    >>> model = SVMClassifier(C=float("inf"), kernel="linear").fit(X, y)
    >>> model.support_, model.margin_width_.round(6), model.coef_.round(6), model.intercept_.round(6)
    (array([1, 2]), array([2.]), array([[1.]]), array([-2.]))
    >>> model.predict([[1.9], [2.1]])
    array(['a', 'b'], dtype='<U1')
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **SVM_RULES,
        "class_weight": Nothing() | Dictionary() | OneOf("balanced"),
        "multi_class": MULTI_CLASS,
    }

    _one_vs_all: bool  # as learned, whatever the parameter says by now

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: KernelLike = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        class_weight: ClassWeight = None,
        multi_class: str = "all-vs-all",
        tol: float = 1e-3,
        max_iter: int | None = None,
        max_seconds: float | None = None,
        shrinking: bool = True,
        cache_size: float = 200,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.tol = tol
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> SVMClassifier:
        """Learn the binary classifiers.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; kernel values of shape (n_samples, n_samples) for "precomputed".
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : SVMClassifier
        """
        every_row = self._all_rows(X, y, sample_weight)
        data, weights = every_row.without_weightless_rows(), every_row.weights
        indices = np.arange(len(every_row.codes)) if weights is None else np.flatnonzero(weights)
        if self.kernel == "precomputed":
            data = replace(data, X=known_values(every_row.X)[np.ix_(indices, indices)])
        one_vs_all = self.multi_class == "one-vs-all"
        _require_room(len(data.classes), len(data.codes), one_vs_all)
        warn_of_many_pairs(len(data.classes), one_vs_all, ONE_FOR_EACH)
        kernel = self._kernel_of(data)
        rows = kernel.rows(data.X)
        everyone = np.arange(len(rows))
        bounds = self._bounds(data)
        variables = class_variables(data.codes, len(data.classes), bounds, everyone, one_vs_all)
        problem = DualProblem.on(kernel, rows, variables, self._threads)
        solution = self._solve(problem)
        self.classes_, self._one_vs_all = data.classes, one_vs_all
        coefficients = problem.spread(variables.signs * solution.alpha, len(rows))
        self._model = SupportVectors.of(kernel, rows, indices, coefficients, solution.offset)
        self._tell(data, indices, problem, solution)
        return self

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return a margin per class; for two classes one number, positive for the second class."""
        scores = self._binary_scores(self._query(X))
        return class_margins(scores, len(self.classes_), self._one_vs_all)

    def grid_scores(
        self, X: MatrixLike, y: VectorLike, *, points: Points, splits: SplitPairs, scoring: Scoring = None
    ) -> Floats:
        """Return the score on the test part of each split, for many parameters at once.

        What can be shared is: inner products are worked out once, kernel values once for each kernel, and
        each binary classifier starts from its solution at the next smaller C. The scores are those of fresh
        fits.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        points : sequence of dicts
            Values of ``C``, ``gamma``, ``kernel``, ``coef0`` and ``degree``; others are the model's own.
        splits : sequence of (train, test)
            Places of the rows to learn from and to predict.
        scoring : None, str or function, default=None
            As scikit-learn takes it; None: accuracy. A function that is not made by ``make_scorer`` may look
            at anything, so it gets fresh fits.

        Returns
        -------
        scores : ndarray of shape (n_points, n_splits)
        """
        model = clone(self)  # so that one already fitted stays as it is
        data = model._training_data(X, y)
        return GridTask(model, data, list(points), list(splits), scoring).scores()

    def _binary_scores(self, X: Rows) -> Floats:
        return self._model.scores(X, self._threads_of(X))

    def _kernel_of(self, data: TrainingData) -> Kernel:
        return make_kernel(
            self.kernel,
            self.gamma,
            self.coef0,
            self.degree,
            data.X,
            data.weights,
            self._threads,
            centered=True,  # signed multipliers sum to zero, so a shift of the rows changes nothing
        )

    def _bounds(self, data: TrainingData) -> Floats:
        """Return the upper bounds of the multipliers for C = 1."""
        weights = times_class_weights(self.class_weight, data, data.weights)
        return np.ones(len(data.codes)) if weights is None else weights

    def _solve(self, problem: DualProblem) -> Solution:
        diagonal = problem.diagonal(self._threads)
        require_finite(diagonal)
        rules = solver_rules(self, len(diagonal))
        if np.isinf(self.C):
            return problem.solve_without_slack(float(diagonal.max()), rules, self._threads)
        return problem.solve(float(self.C), rules, self._threads)

    def _tell(
        self, data: TrainingData, indices: NDArray[np.intp], problem: DualProblem, solution: Solution
    ) -> None:
        """Keep what there is to know about the solution."""
        used = np.isin(indices, self._model.places)
        self.n_support_ = np.bincount(data.codes[used], minlength=len(data.classes))
        self.slacks_ = problem.spread(solution.slacks, len(indices))[:, used]
        with np.errstate(divide="ignore"):
            self.margin_width_ = 2 / np.sqrt(np.maximum(solution.squared_norm, 0))
        self.objective_, self.duality_gap_ = solution.objective, solution.gap
        self.n_iter_ = solution.steps.astype(np.int64)
        self.converged_ = warn_unless_converged(self, solution)


def _require_room(classes: int, rows: int, one_vs_all: bool) -> None:
    """Refuse more multipliers than a binary classifier of today has room for, which would end the process."""
    pairs = classes * (classes - 1) // 2
    size = pairs * rows * 8
    if not one_vs_all and size > _MOST_BYTES:
        got = f"'all-vs-all', whose {pairs:,} pairs of classes need {size / 1e9:.0f} GB"
        raise ParameterError(f"multi_class must be 'one-vs-all' for {classes:,} classes, got {got}.")
