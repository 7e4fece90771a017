r"""Logistic regression: the posterior directly, as a softmax of linear scores.

.. math:: P(c \mid x) = \frac{e^{w_c \cdot x + b_c}}{\sum_k e^{w_k \cdot x + b_k}}
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.metaestimators import available_if

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import DataError
from classica.estimators.base.class_weights import times_class_weights
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.base.grid_task import indices_by
from classica.estimators.base.log_joint import LogJoint
from classica.estimators.linear.logistic_errors import covariance, standard_errors, table_of_coefficients
from classica.estimators.linear.logistic_lbfgs import lbfgs
from classica.estimators.linear.logistic_newton import Optimum, newton, newton_step
from classica.estimators.linear.logistic_problem import SoftmaxProblem, softmax_problem
from classica.native import Floats, LinearModel
from classica.params import (
    N_JOBS,
    Boolean,
    ClassWeight,
    Dictionary,
    Infinity,
    Integer,
    Nothing,
    OneOf,
    Real,
    Rule,
)
from classica.registry import FitTime, register
from classica.shown_arrays import read_only

#: Up to so many coefficients Newton's method is the faster one,
_FEW_COEFFICIENTS = 1000
#: and up to so many products for the curvature of all rows.
_FEW_PRODUCTS = 1e9
#: Beyond this many coefficients their covariance is not computed: it takes their third power of time.
_MOST_COVARIANCES = 2000
#: Without a penalty: a step that still moves a score by this much is no last step.
_STILL_GROWING = 0.1


@register(
    slug="logistic",
    title="logistic regression",
    family="linear",
    rule=r"P(c \mid x) = \frac{e^{w_c \cdot x + b_c}}{\sum_k e^{w_k \cdot x + b_k}}",
    plain_rule="P(c | x) = exp(w_c·x + b_c) / Σ_k exp(w_k·x + b_k)",
    source="L (Lecture 12): logistic regression; Cox (1958); Theil (1969): more than two classes",
    fit_cost="O(n C d) per pass, some 10 to 50 passes; O(n C² d²) per Newton step for few coefficients",
    predict_cost="O(C d) per row",
    grid={"C": [0.01, 0.1, 1.0, 10.0, 100.0]},
    test_parameters=(
        {"tol": 1e-10},
        {"solver": "lbfgs", "C": 0.5, "tol": 1e-9},
        {"l1_ratio": 0.5, "C": 0.3, "tol": 1e-10},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0043, rows=0.6, columns=0.6, classes=1.3, grid=1.6),
)
class LogisticClassifier(GridScores, LogJoint):
    r"""Model the log odds of the classes as linear functions of the columns, by maximum likelihood.

    Each class has a vector of weights and an intercept, and the posterior is their softmax:

    .. math:: P(c \mid x) = \frac{e^{w_c \cdot x + b_c}}{\sum_k e^{w_k \cdot x + b_k}}

    For two classes one vector is enough, the one of the second class against zero. The weights minimise

    .. math:: C \sum_i v_i \, (-\log P(y_i \mid x_i)) + \frac{1 - \rho}{2} \|W\|_2^2 + \rho \, \|W\|_1

    with row weights :math:`v_i` and :math:`\rho` = `l1_ratio`; intercepts have no penalty. The linear
    discriminant models the rows of each class by a Gaussian, from which linear log odds follow; logistic
    regression models the log odds only.

    The objective is convex, so every solver converges to the same minimum. With few coefficients Newton's
    method reaches it to the last digit in about ten steps; otherwise limited-memory BFGS is used, starting
    from a bound on the curvature. Columns are centred and scaled internally; the penalty applies to the raw
    weights.

    Parameters
    ----------
    C : float, default=1.0
        Inverse of the regularisation strength; ``inf``: no penalty.
    l1_ratio : float from 0 to 1, default=0.0
        Fraction of the L1 penalty, which makes weights exactly zero; the rest is L2.
    fit_intercept : bool, default=True
        Whether classes have an intercept.
    class_weight : None, "balanced" or dict, default=None
        Class weights: all equal, inversely proportional to the class frequencies, or by label (1 for labels
        not listed).
    solver : {"auto", "newton", "lbfgs"}, default="auto"
        The optimiser; "auto" chooses by the shape of the table. Sparse tables with more than 2**24 cells
        always use "lbfgs".
    tol : float, default=1e-6
        Stop when the largest partial derivative of the objective, per row and for columns of unit variance,
        is below it.
    max_iter : int, default=1000
        Maximum number of iterations.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_classes, n_features) or (1, n_features)
        The weights; for two classes, those of the second.
    intercept_ : ndarray of shape (n_classes,) or (1,)
        The intercepts.
    n_iter_ : int
        Number of iterations.
    converged_ : bool
        Whether the tolerance was met.
    separable_ : bool
        Whether the classes are linearly separable and there is no penalty, so that the weights would grow
        without bound.
    objective_ : float
        The value of the objective reached; without a penalty the sum of the losses alone.
    deviance_ : float
        Twice the sum of the losses, without the penalty.
    standard_errors_ : ndarray of shape (n_features + 1,)
        Standard errors of the intercept and the weights, from the inverse Fisher information; only for two
        classes that are not separable and without a penalty. 0 for weights that are not estimated (of
        constant columns).
    n_parameters_ : int
        Number of free parameters: d + 1 (or d) for each class but one, less the weights that are exactly
        zero.

    Notes
    -----
    Cost: O(n C d) for each pass over the rows, of which limited-memory BFGS takes some 10 to 50; a Newton
    step takes O(n C² d²), and is chosen if that is cheap and there are at most 1000 coefficients. L1
    penalties always use it, on wide or sparse tables with coordinate descent. Predictions cost O(C d) per
    row. Ties go to the first class. With more than two classes the intercepts sum to zero, and so do the
    weights of each column unless there is an L1 penalty. For separable classes without a penalty no optimum
    exists: iterations end when the tolerance is met, which leaves large finite weights, `converged_` False
    and a warning. Collinear columns get the weights of smallest norm, constant columns weight 0. Values must
    not exceed 1e150 in magnitude. A single class has probability 1, and classes of weight zero are left out.
    It fails where log odds are not linear: classes that curve around each other need additional columns.

    Use it where probabilities matter and log odds are roughly linear in the columns: it assumes nothing about
    the distribution of the columns, and a weight is the change of the log odds per unit. Not where the
    boundary is non-linear, unless squares and products are added as columns.

    Examples
    --------
    Two classes of unit variance with means 4 and 7: the linear discriminant has the log odds 3 (x - 5.5). The
    four rows are separable, so logistic regression needs a penalty, and its probabilities are less extreme.

    >>> import numpy as np
    >>> from classica import LogisticClassifier
    >>> half = np.sqrt(0.5)
    >>> X = np.array([[4 - half], [4 + half], [7 - half], [7 + half]])
    >>> y = np.array(["a", "a", "b", "b"])
    >>> model = LogisticClassifier(tol=1e-10).fit(X, y)
    >>> model.predict([[5.49], [5.51]])
    array(['a', 'b'], dtype='<U1')
    >>> (-model.intercept_ / model.coef_[0]).round(3)  # where the odds are even
    array([5.5])
    >>> model.predict_proba([[4], [5.5], [7]]).round(3)
    array([[0.81, 0.19],
           [0.5 , 0.5 ],
           [0.19, 0.81]])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "C": Real(above=0) | Infinity(),
        "l1_ratio": Real(at_least=0, at_most=1),
        "fit_intercept": Boolean(),
        "class_weight": Nothing() | OneOf("balanced") | Dictionary(),
        "solver": OneOf("auto", "newton", "lbfgs"),
        "tol": Real(above=0),
        "max_iter": Integer(at_least=1),
        "n_jobs": N_JOBS,
    }
    accepts = Accepts(sparse=True, largest=1e150)
    free_parameters: ClassVar[frozenset[str]] = frozenset({"C"})

    classes_: NDArray[Any]
    n_iter_: int
    converged_: bool
    separable_: bool
    objective_: float
    deviance_: float
    _model: LinearModel  # the score of each class
    _errors: Floats | None
    _has_intercept: bool  # as learned, whatever the parameters say by now
    _has_zeros: bool

    def __init__(
        self,
        C: float = 1.0,
        *,
        l1_ratio: float = 0.0,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        solver: str = "auto",
        tol: float = 1e-6,
        max_iter: int = 1000,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> LogisticClassifier:
        """Learn weights and intercepts.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
            Numbers.
        y : array of shape (n_samples,)
            Class labels.
        sample_weight : array of shape (n_samples,) or None
            How much each row counts.

        Returns
        -------
        LogisticClassifier
            Itself.
        """
        data = self._weighted(self._training_data(X, y, sample_weight))
        self._learn(data, near=None)
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
        """Return w_c·x + b_c."""
        return native.linear_scores(X, self._model, self._threads_of(X))

    @property
    def coef_(self) -> Floats:
        """The weights; for two classes, those of the second."""
        weights = self._model[1]
        return read_only(weights[1:] if len(weights) == 2 else weights)

    @property
    def intercept_(self) -> Floats:
        """The intercepts; for two classes, that of the second."""
        center, weights, offsets = self._model
        at_origin: Floats = offsets - np.einsum("cj,j->c", weights, center)
        return read_only(at_origin[1:] if len(at_origin) == 2 else at_origin)

    @property
    def n_parameters_(self) -> int:
        """Free parameters."""
        intercepts = int(self._has_intercept) * max(len(self.classes_) - 1, 1)
        if self._has_zeros:
            return max(int(np.count_nonzero(self.coef_)) + intercepts, 1)
        return max(len(self.classes_) - 1, 1) * int(self.coef_.shape[1]) + intercepts

    @property
    def standard_errors_(self) -> Floats:
        """The standard errors of the intercept and the weights."""
        if self._errors is None:
            raise AttributeError(
                "Cannot return standard_errors_: they need two classes and no penalty. Set C=inf."
            )
        return self._errors

    @available_if(lambda self: getattr(self, "_errors", None) is not None)
    def summary(self) -> str:
        """Return a table of coefficients, standard errors, z values, p values and odds ratios."""
        names = getattr(self, "feature_names_in_", None)
        coefficients = np.append(self.intercept_, self.coef_[0])
        return table_of_coefficients(names, coefficients, self.standard_errors_)

    def coefficient_covariance(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None
    ) -> Floats:
        """Return the covariance of the weights, from the observed information of the training rows.

        Parameters
        ----------
        X, y, sample_weight
            The rows that it was fitted on; or a sample of them, weighted to count as many as all.

        Returns
        -------
        ndarray of shape (n_vectors * n_features, n_vectors * n_features)
            In the order of ``coef_.ravel()``. With a penalty it is that of the posterior with the penalty as
            prior, which is smaller than that of unpenalised weights. Of more than two classes it is that of
            weights that sum to zero over the classes.
        """
        data = self._weighted(self._training_data(X, y, sample_weight))
        problem = softmax_problem(
            data, data.weights, self.C, self.l1_ratio, bool(self.fit_intercept), self._threads
        )
        vectors, columns = self.coef_.shape
        if sp.issparse(problem.X) or vectors * columns > _MOST_COVARIANCES:
            raise DataError(
                f"Cannot compute a covariance: it takes a dense table and at most {_MOST_COVARIANCES:,}"
                f" coefficients, got {vectors * columns:,}."
            )
        at_center = self.intercept_ + np.einsum("cj,j->c", self.coef_, problem.center)
        active = np.append((self.coef_ != 0).any(axis=0) | (self.l1_ratio == 0), True)
        found = covariance(problem, np.column_stack([self.coef_, at_center]), active)
        blocks = found.reshape(vectors, columns + 1, vectors, columns + 1)[:, :-1, :, :-1]
        return blocks.reshape(vectors * columns, vectors * columns)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0]
        data = first._weighted(first._training_data(X, y))
        near = None
        for index in indices_by(models, "C"):
            near = taught_by(models[index], first)._learn(data, near)
            yield index, models[index]

    def _learn(self, data: TrainingData, near: Floats | None) -> Floats | None:
        """Learn from rows, and return the coefficients; ``near`` are those of another C, to begin with."""
        if len(data.classes) == 1:
            self._become_certain(data)
            return None
        problem = softmax_problem(
            data, data.weights, self.C, self.l1_ratio, bool(self.fit_intercept), self._threads
        )
        start = problem.start()
        optimum = self._solve(problem, start if near is None or near.shape != start.shape else near)
        self._store(data, problem, optimum)
        self._warn()
        return optimum.at

    def _weighted(self, data: TrainingData) -> TrainingData:
        """Return the rows with the weights of their classes."""
        weights = times_class_weights(self.class_weight, data, data.weights)
        return TrainingData(data.X, data.classes, data.codes, weights).without_weightless_rows()

    def _become_certain(self, data: TrainingData) -> None:
        columns = data.X.shape[1]
        self._model = np.zeros(columns), np.zeros((1, columns)), np.zeros(1)
        self.classes_, self.n_iter_, self.converged_, self.separable_ = data.classes, 1, True, False
        self.objective_ = self.deviance_ = 0.0
        self._errors, self._has_intercept, self._has_zeros = None, False, True

    def _solve(self, problem: SoftmaxProblem, start: Floats) -> Optimum:
        """Find the minimum by the method that suits the shape."""
        tolerance = self.tol * problem.rows_weight
        vectors, columns = start.shape
        few = vectors * columns <= _FEW_COEFFICIENTS and _products(problem) <= _FEW_PRODUCTS
        newtons = self.solver == "newton" or (self.solver == "auto" and few)
        # Only Newton's steps know kinks; products of sparse columns are left to it only with them.
        kinks = bool(problem.bounds.any())
        solve = newton if kinks or (newtons and not sp.issparse(problem.X)) else lbfgs
        return solve(problem, start, tolerance, self.max_iter)

    def _store(self, data: TrainingData, problem: SoftmaxProblem, optimum: Optimum) -> None:
        at = optimum.at.copy()
        if self.fit_intercept and problem.vectors > 1:
            at[:, -1] -= np.mean(at[:, -1])
        loss, gradient = problem.loss_and_gradient(at)
        penalty = 0.5 * float(np.sum(problem.ridge * at**2)) + problem.absolute(at)
        self._model, self.classes_ = problem.model(at), data.classes
        self.deviance_ = 2 * loss
        self.objective_ = loss if np.isinf(self.C) else float(self.C) * (loss + penalty)
        self._has_intercept, self._has_zeros = bool(self.fit_intercept), bool(self.l1_ratio > 0)
        self.n_iter_ = optimum.iterations
        self.separable_ = bool(np.isinf(self.C)) and self._grows(data, problem, at, gradient)
        self.converged_ = optimum.converged and not self.separable_
        has_errors = np.isinf(self.C) and problem.vectors == 1 and not self.separable_
        self._errors = standard_errors(problem, at) if has_errors and not sp.issparse(problem.X) else None

    def _grows(self, data: TrainingData, problem: SoftmaxProblem, at: Floats, gradient: Floats) -> bool:
        """Say whether longer weights would always be better."""
        scores = native.linear_scores(data.X, self._model, self._threads)
        rows = np.arange(len(scores))
        own = scores[rows, data.codes]
        scores[rows, data.codes] = -np.inf
        if (own > scores.max(axis=1)).all():
            return True
        if sp.issparse(problem.X) or at.size > _FEW_COEFFICIENTS:
            return False
        # At a minimum steps vanish; where some rows only are separated, scores go on growing by about one.
        step = problem.model(newton_step(problem, at, gradient, 0.0))
        return bool(np.ptp(native.linear_scores(data.X, step, self._threads), axis=1).max() > _STILL_GROWING)

    def _warn(self) -> None:
        if self.separable_:
            text = (
                "C must be finite for linearly separable classes, got inf: their weights grow without bound."
            )
        elif not self.converged_:
            text = f"max_iter must be larger to reach tol={self.tol}, got {self.max_iter}."
        else:
            return
        warnings.warn(text, ConvergenceWarning, stacklevel=4)


def _products(problem: SoftmaxProblem) -> int:
    """Return how many products the curvature of all rows takes."""
    pairs = problem.classes * (problem.classes - 1) // 2
    return len(problem.codes) * pairs * len(problem.used) ** 2
