r"""The kernel perceptron: the perceptron in a space of features that only a kernel knows.

.. math:: \hat y(x) = \mathrm{sign} \sum_i a_i\,K(x_i, x), \qquad a_i \leftarrow a_i + y_i \text{ if mistaken}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.base.kernel_functions import (
    KERNEL_RULES,
    LARGEST_VALUE,
    Kernel,
    KernelLike,
    make_kernel,
)
from classica.estimators.base.margins import MULTI_CLASS, MarginClassifier, class_margins
from classica.estimators.linear.online import ONLINE_RULES, ZERO, OnlineBinaryClassifiers
from classica.estimators.linear.online_changes import ChangeLog, blocks_of, grown_rows
from classica.estimators.linear.online_dual import DualRun, GramColumns, room_for_columns, train_dual
from classica.native import Floats
from classica.native import online_learners as online
from classica.native.kernels import known_kernel_scores
from classica.native.online_learners import Changes, Longs, Progress
from classica.params import N_JOBS, Boolean, OneOf, RandomState, Rule
from classica.registry import FitTime, register


@register(
    slug="kernel-perceptron",
    title="kernel perceptron",
    family="kernel",
    rule=r"\hat y(x) = \mathrm{sign} \sum_i a_i\,K(x_i, x), \quad"
    r" a_i \leftarrow a_i + y_i \text{ on each mistake}",
    plain_rule="ŷ(x) = sign Σ a_i K(x_i, x), with a_i ← a_i + y_i on each mistake",
    source="R (Roweis): kernel perceptron, by name only; Aizerman, Braverman and Rozonoer (1964)",
    fit_cost="O(n d U + n V): V updates on U different rows",
    predict_cost="O(U d) per row; voted: O(U d + V)",
    grid={"variant": ["averaged", "voted"], "gamma": ["scale", 0.01, 0.1, 1.0]},
    test_parameters=(
        {"max_iter": 3},
        {
            "kernel": "poly",
            "degree": 2,
            "coef0": 1.0,
            "variant": "voted",
            "multi_class": "all-vs-all",
            "max_iter": 2,
        },
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0073, rows=1.7, columns=0.2, classes=0.6, grid=3.7),
)
class KernelPerceptronClassifier(OnlineBinaryClassifiers, GridScores, MarginClassifier):
    r"""Learn a kernel classifier online: add the kernel of each row that is misclassified.

    For sides y of +1 and -1, the rule is

    .. math:: \hat y(x) = \mathrm{sign} \sum_i a_i\,K(x_i, x), \quad
              a_i \leftarrow a_i + y_i \text{ on each mistake}

    which is the perceptron in the feature space of the kernel: its weights there are the sum of
    :math:`a_i x_i`. With ``fit_intercept``, 1 is added to the kernel. It starts from zeros and presents all
    rows, epoch after epoch, until an epoch without a mistake or for `max_iter` epochs. Every mistake changes
    the scores of all rows, for which one column of the kernel matrix is computed; columns are cached for
    later epochs and for the other binary classifiers, up to 256 MB.

    Parameters
    ----------
    kernel : {...} or function, default="rbf"
        The kernel. "precomputed": X holds the kernel values of each row (in ``fit``, of each training row)
        with each training row. A function takes two matrices and returns the kernel values of all pairs of
        their rows.
    variant : {"plain", "voted", "averaged"}, default="averaged"
        "plain": the last weights; "voted": all weight vectors vote by sign, each weighted by the number of
        presentations it survived; "averaged": their weighted mean.
    gamma : {"scale", "auto"} or float, default="scale"
        Coefficient of the "poly", "rbf" and "sigmoid" kernels: 1 / (number of columns × variance of all
        values), 1 / number of columns, or a number.
    coef0 : float, default=0.0
        Constant term of the "poly" and "sigmoid" kernels.
    degree : int, default=3
        Degree of the "poly" kernel.
    max_iter : int, default=20
        Maximum number of epochs.
    fit_intercept : bool, default=True
        Whether 1 is added to the kernel.
    zero : {"mistake", "first"}, default="mistake"
        A score of zero in training counts as a mistake; or as a prediction of the positive side (the second
        of two classes), as in WEKA. In a vote it counts for neither side, or for the positive side.
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are handled: a binary classifier per class, or per pair of classes.
    shuffle : bool, default=True
        Whether the rows are shuffled before each epoch; False: the order given.
    random_state : int, RandomState instance or None, default=None
        Random seed for shuffling.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The rows that caused an update, each once; for a precomputed kernel their indices.
    dual_coef_ : ndarray of shape (n_binary, n_support)
        The coefficient of each support vector (for "voted": of the last weights).
    mistakes_ : ndarray of shape (n_epochs, n_binary)
        The number of mistakes in each epoch.
    n_iter_ : int
        Number of epochs run; a binary classifier that has converged skips the remaining ones.
    n_updates_ : ndarray of shape (n_binary,)
        The number of updates of each binary classifier, one per mistake.
    converged_ : bool
        Whether every binary classifier finished an epoch without mistakes, and so separates its rows.

    Notes
    -----
    Cost: n kernel values and n additions for each mistake. Novikoff's bound on the number of mistakes holds
    in the space of the kernel. With the linear kernel it is equivalent to `PerceptronClassifier`. Ties go to
    the first class; values must not exceed 1e100 in magnitude. ``partial_fit`` presents new rows once and
    continues from there, with γ as the first rows set it; not for a precomputed kernel, whose columns are the
    rows of one table. All rows that were ever misclassified are kept: if classes overlap strongly that is
    most of them, and a support vector machine keeps fewer.

    Use it where the boundary is non-linear and rows arrive one after the other. Not on large tables with
    overlapping classes, where it keeps most of the rows, nor for probabilities.

    Examples
    --------
    The exclusive or, which no line separates, with the polynomial :math:`(x \cdot z + 1)^2`:

    >>> from classica import KernelPerceptronClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> model = KernelPerceptronClassifier(
    ...     "poly", variant="plain", gamma=1, coef0=1, degree=2, fit_intercept=False, shuffle=False
    ... ).fit(X, y)
    >>> model.predict(X).tolist(), model.converged_
    ([0, 1, 1, 0], True)
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        **KERNEL_RULES,
        "variant": OneOf("plain", "voted", "averaged"),
        "fit_intercept": Boolean(),
        "zero": ZERO,
        "multi_class": MULTI_CLASS,
        "n_jobs": N_JOBS,
        **ONLINE_RULES,
    }
    accepts = Accepts(largest=LARGEST_VALUE)
    free_parameters: ClassVar[frozenset[str]] = frozenset({"variant"})

    support_vectors_: Any
    dual_coef_: Floats
    _kernel: Kernel | None
    _variant: str  # as learned, like the next two
    _offset: float  # added to the kernel
    _zero: int  # what a score of zero speaks for
    _seen: Longs
    _logs: list[ChangeLog]

    def __init__(
        self,
        kernel: KernelLike = "rbf",
        *,
        variant: str = "averaged",
        gamma: float | str = "scale",
        coef0: float = 0.0,
        degree: int = 3,
        max_iter: int = 20,
        fit_intercept: bool = True,
        zero: str = "mistake",
        multi_class: str = "one-vs-all",
        shuffle: bool = True,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.variant = variant
        self.gamma = gamma
        self.coef0 = coef0
        self.degree = degree
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.zero = zero
        self.multi_class = multi_class
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike) -> KernelPerceptronClassifier:
        """Learn from scratch: epoch after epoch, until one without mistakes or `max_iter` of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : KernelPerceptronClassifier
        """
        with self._all_or_nothing():
            data = self._training_data(X, y)
            self._forget_all(data.classes, data.X.shape[1])
            progress = self._present(data, self.max_iter)
            self._note(progress)
        return self

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return a margin per class; for two classes one number, positive for the second class."""
        scores = self._binary_scores(self._query(X))
        return class_margins(scores, len(self.classes_), self._one_vs_all)

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: the non-zero coefficients; for "voted", the updates."""
        changes = sum(len(log.places) for log in self._logs)
        return max(changes if self._variant == "voted" else int(np.count_nonzero(self.dual_coef_)), 1)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _begin(self, n_binary: int, n_columns: int) -> None:
        self._kernel, self._variant, self.support_vectors_ = None, self.variant, None
        self._offset, self._zero = float(self.fit_intercept), int(self.zero == "first")
        self._seen, self._logs = np.zeros(n_binary, dtype=np.int64), [ChangeLog.empty()] * n_binary

    def _present(self, data: TrainingData, epochs: int) -> Progress:
        kernel, scores = self._kernel_for(data.X), self._known_scores(data.X)
        rows = np.arange(data.X.shape[0]) if kernel.name == "precomputed" else kernel.rows(data.X)
        train = self._train_natively if kernel.is_native else self._train
        progress, changes = train(kernel, data, scores, epochs)
        self.support_vectors_, indices = grown_rows(self.support_vectors_, rows, [of for of, _ in changes])
        for machine, ((changed, times), side, where) in enumerate(
            zip(changes, self._sides(), indices, strict=True)
        ):
            signs = side[data.codes[changed]].astype(np.float64)
            self._logs[machine] = self._logs[machine].joined(where, signs, times)
        self.dual_coef_ = self._coefficients(mean=self._variant == "averaged")
        return progress

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0].fit(X, y)
        for index, model in enumerate(models):
            taught = taught_by(model, first)
            taught._variant = taught.variant
            taught.dual_coef_ = taught._coefficients(mean=taught.variant == "averaged")
            yield index, taught

    def _kernel_for(self, X: Rows) -> Kernel:
        if self._kernel is None:
            self._kernel = make_kernel(
                self.kernel, self.gamma, self.coef0, self.degree, X, None, self._threads
            )
            if self._kernel.name == "precomputed" and X.shape[0] != X.shape[1]:
                raise DataError(must("X", "square for a precomputed kernel", X.shape))
        elif self._kernel.name == "precomputed":
            raise ParameterError(must("kernel", "other than 'precomputed' for partial_fit", self.kernel))
        return self._kernel

    def _known_scores(self, X: Rows) -> Floats:
        """Return what the binary classifiers as they are say about the rows."""
        if self.support_vectors_ is None:
            return np.zeros((X.shape[0], len(self._logs)))
        return self._weighted(X, self._coefficients(mean=False))

    def _train_natively(
        self, kernel: Kernel, data: TrainingData, scores: Floats, epochs: int
    ) -> tuple[Progress, Changes]:
        seen = self._seen.copy()
        run = online.train_kernel_perceptrons(
            kernel.rows(data.X),
            kernel.rules,
            data.codes,
            self._sides(),
            self._presentations(zero=self._zero),
            self._offset,
            epochs,
            np.ascontiguousarray(scores.T),
            seen,
            room=room_for_columns(data.X.shape[0]),
            threads=self._threads,
        )
        self._seen = seen
        return run

    def _train(
        self, kernel: Kernel, data: TrainingData, scores: Floats, epochs: int
    ) -> tuple[Progress, Changes]:
        """Do the same with kernel values that Python has."""
        columns = GramColumns(kernel, data.X, self._threads)
        runs = [
            self._trained(columns, scores[:, machine].copy(), machine, side[data.codes], epochs)
            for machine, side in enumerate(self._sides())
        ]
        return _progress(runs, epochs), [(run.rows, run.times) for run in runs]

    def _trained(
        self, columns: GramColumns, scores: Floats, machine: int, sides: NDArray[np.int8], epochs: int
    ) -> DualRun:
        given = np.flatnonzero(sides)

        def order_of(epoch: int) -> Longs:
            if not self.shuffle:
                return given
            return given[online.epoch_order(self._seed, self.n_iter_ + epoch, len(given))]

        rest = epochs, int(self._seen[machine]), self._zero, self._offset
        run = train_dual(columns, scores, sides.astype(np.float64), order_of, *rest)
        self._seen[machine] += len(run.mistakes) * len(given)
        return run

    def _coefficients(self, *, mean: bool) -> Floats:
        count = len(self.support_vectors_)
        of_machines = [
            log.mean_totals(int(seen), count) if mean else log.totals(count)
            for log, seen in zip(self._logs, self._seen, strict=True)
        ]
        return np.array(of_machines).reshape(len(self._logs), count)

    def _binary_scores(self, X: Rows) -> Floats:
        if self._variant != "voted":
            return self._weighted(X, self.dual_coef_)
        parts = [self._votes(part) for part in blocks_of(X, len(self.support_vectors_))]
        return np.ascontiguousarray(np.concatenate(parts))

    def _weighted(self, X: Rows, coefficients: Floats) -> Floats:
        assert self._kernel is not None
        if not coefficients.size:
            return np.zeros((X.shape[0], len(coefficients)))
        threads = self._threads_of(X)
        offsets = coefficients.sum(axis=1) * self._offset
        if self._kernel.name == "precomputed":
            return known_kernel_scores(self._products(X, threads), coefficients, offsets, threads)
        return self._kernel.scores(X, self.support_vectors_, coefficients, offsets, threads)

    def _products(self, X: Rows, threads: int) -> Floats:
        assert self._kernel is not None
        if self._kernel.name == "precomputed":
            return np.ascontiguousarray(X[:, self.support_vectors_], dtype=np.float64)
        return self._kernel.matrix(X, self.support_vectors_, threads)

    def _votes(self, X: Rows) -> Floats:
        threads = self._threads_of(X)
        products = self._products(X, threads) + self._offset
        scores = [
            log.votes(products, int(seen), float(self._zero), threads)
            for log, seen in zip(self._logs, self._seen, strict=True)
        ]
        return np.array(scores).reshape(len(scores), X.shape[0]).T


def _progress(runs: list[DualRun], epochs: int) -> Progress:
    mistakes = np.full((len(runs), epochs), -1, dtype=np.int64)
    for of_machine, run in zip(mistakes, runs, strict=True):
        of_machine[: len(run.mistakes)] = run.mistakes
    return mistakes, np.array([run.converged for run in runs], dtype=bool)
