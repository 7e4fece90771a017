r"""Support vector regression: as flat a function as possible within a tube around the targets.

.. math:: \hat y(x) = \sum_i (\alpha_i - \alpha_i^*) K(x_i, x) + b
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import DataError
from classica.estimators.base.kernel_functions import LARGEST_VALUE, KernelLike, known_values, make_kernel
from classica.estimators.svm.dual_problems import DualProblem
from classica.estimators.svm.support_vectors import SupportVectorMachine
from classica.estimators.svm.svm_model import SupportVectors
from classica.estimators.svm.svm_rules import SVM_RULES, require_finite, solver_rules, warn_unless_converged
from classica.native import Floats
from classica.native.svm_dual import Variables
from classica.params import Real, Rule
from classica.registry import register
from classica.targets import numeric_target, row_weights


@register(
    slug="svm-regressor",
    title="SVM regression",
    family="kernel",
    rule=r"\hat y(x) = \sum_i (\alpha_i - \alpha_i^*) K(x_i, x) + b",
    plain_rule="ŷ(x) = Σ (αᵢ − αᵢ*) K(xᵢ, x) + b, fitted with an ε-insensitive loss",
    source="T (Torino): support vector machines for regression, by name only; Drucker et al. (1997)",
    fit_cost="O(n² d) to O(n³), by the number of support vectors",
    predict_cost="O(S d) per row, S support vectors",
    grid={"C": [0.1, 1.0, 10.0], "gamma": ["scale", 0.1], "epsilon": [0.1, 0.01]},
    test_parameters=({"tol": 1e-9}, {"C": 0.5, "gamma": 0.1, "epsilon": 0.01, "tol": 1e-9}),
)
class SVMRegressor(RegressorMixin, SupportVectorMachine):
    r"""Fit the flattest function within a tube around the targets, in the feature space of a kernel.

    The rule:

    .. math:: \hat y(x) = \sum_i (\alpha_i - \alpha_i^*) K(x_i, x) + b

    Errors up to :math:`\varepsilon` cost nothing, larger ones C per unit:

    .. math:: \min_{w, b} \tfrac12 |w|^2 + \sum_i C_i \max(0, |y_i - w \cdot \phi(x_i) - b| - \varepsilon)

    It is solved like `SVMClassifier`, with two multipliers per row: one for targets above the tube, one for
    those below.

    Parameters
    ----------
    C : float, default=1.0
        Penalty per unit of error outside the tube.
    epsilon : float, default=0.1
        Half the width of the tube.
    kernel : {...} or function, default="rbf"
        The kernel, as for `SVMClassifier`.
    degree : int, default=3
        Degree of the "poly" kernel.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the "poly", "rbf" and "sigmoid" kernels, as for `SVMClassifier`.
    coef0 : float, default=0.0
        Constant term of the "poly" and "sigmoid" kernels.
    tol : float, default=1e-3
        Tolerance of the stopping criterion: the largest violation of the optimality conditions by any pair.
    max_iter : int or None, default=None
        Maximum number of steps; None: ten million, or a hundred per row if that is more.
    max_seconds : float or None, default=None
        Time limit in seconds.
    shrinking : bool, default=True
        Whether to use the shrinking heuristic: multipliers that stay at a bound are set aside. The result
        meets the same tolerance.
    cache_size : float, default=200
        Not used by regression; kept for compatibility with `SVMClassifier`.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        The indices of the support vectors among the training rows: those on the tube or outside it.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The rows themselves (no columns for "precomputed").
    dual_coef_ : ndarray of shape (1, n_support)
        The difference of the two multipliers of each.
    intercept_ : ndarray of shape (1,)
        b.
    coef_ : ndarray of shape (1, n_features)
        w; the linear kernel only.
    objective_, duality_gap_ : float
        The dual objective, and an upper bound of the distance of the primal objective from its minimum.
    n_iter_ : int
        Number of solver steps (pairs of multipliers).
    converged_ : bool
        Whether the tolerance was met.
    n_parameters_ : int
        Number of non-zero multipliers, plus the intercept.

    Notes
    -----
    Cost and edge cases are those of `SVMClassifier`. Targets must not exceed 1e100 in magnitude. If all
    targets fit into the tube, the prediction is the middle of their range. Scale the columns, and the target
    too: `epsilon` and `tol` are in its units.

    Use it for a smooth function of scaled columns with a few outliers among the targets: errors outside the
    tube count linearly, not quadratically. Not on very large tables, nor for discontinuous functions.

    Examples
    --------
    >>> from classica import SVMRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 2.0, 4.0, 6.0]
    >>> model = SVMRegressor(kernel="linear", C=100.0, epsilon=0.5, tol=1e-9).fit(X, y)
    >>> model.predict([[1.5], [4.0]]).round(3)  # as flat as the tube allows: from 0.5 to 5.5
    array([3.   , 7.167])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **SVM_RULES,
        "C": Real(above=0),
        "epsilon": Real(at_least=0),
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        epsilon: float = 0.1,
        kernel: KernelLike = "rbf",
        degree: int = 3,
        gamma: float | str = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        max_iter: int | None = None,
        max_seconds: float | None = None,
        shrinking: bool = True,
        cache_size: float = 200,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.max_seconds = max_seconds
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> SVMRegressor:
        """Learn the function.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows; kernel values of shape (n_samples, n_samples) for "precomputed".
        y : array-like of shape (n_samples,)
            The targets.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts; 2 is the row twice, 0 no row.

        Returns
        -------
        self : SVMRegressor
        """
        X = self._training_rows(X)
        targets = _bounded_target(y, X.shape[0], type(self).__name__)
        weights = row_weights(sample_weight, X.shape[0])
        indices = np.arange(X.shape[0]) if weights is None else np.flatnonzero(weights)
        bounds = np.ones(len(indices)) if weights is None else weights[indices]
        taken = known_values(X)[np.ix_(indices, indices)] if self.kernel == "precomputed" else X[indices]
        self._learn(taken, targets[indices], bounds, indices)
        return self

    def predict(self, X: MatrixLike) -> Floats:
        """Return the value of the function at each row."""
        X = self._query(X)
        return self._model.scores(X, self._threads_of(X))[:, 0]

    def _is_fitted(self) -> bool:
        return "_model" in self.__dict__

    def _learn(self, X: Rows, targets: Floats, bounds: Floats, indices: NDArray[np.intp]) -> None:
        weights = None if (bounds == 1).all() else bounds
        kernel = make_kernel(
            self.kernel, self.gamma, self.coef0, self.degree, X, weights, self._threads, centered=True
        )
        rows = kernel.rows(X)
        problem = DualProblem.on(kernel, rows, _two_per_row(targets, self.epsilon, bounds), self._threads)
        require_finite(problem.diagonal(self._threads))
        solution = problem.solve(float(self.C), solver_rules(self, len(rows)), self._threads)
        above, below = np.split(solution.alpha, 2)
        self._model = SupportVectors.of(kernel, rows, indices, (above - below)[None], solution.offset)
        self.objective_, self.duality_gap_ = float(solution.objective[0]), float(solution.gap[0])
        self.n_iter_ = int(solution.steps[0])
        self.converged_ = warn_unless_converged(self, solution)


def _two_per_row(targets: Floats, epsilon: float, bounds: Floats) -> Variables:
    """Return the variables: one per row for targets above the tube, one for those below."""
    count = len(targets)
    return Variables(
        starts=np.array([0, 2 * count], dtype=np.int64),
        rows=np.tile(np.arange(count, dtype=np.int32), 2),
        signs=np.repeat([1.0, -1.0], count),
        linear=np.concatenate([epsilon - targets, epsilon + targets]),
        upper=np.tile(bounds, 2),
        alpha=np.zeros(2 * count),
    )


def _bounded_target(y: VectorLike, rows: int, owner: str) -> Floats:
    targets = numeric_target(y, rows, owner)
    most = float(abs(targets).max(initial=0))
    if most > LARGEST_VALUE:
        raise DataError(f"y must be at most {LARGEST_VALUE:g} in magnitude, got {most:g}.")
    return targets
