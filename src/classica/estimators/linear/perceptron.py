r"""The perceptron: add or take away each row that is on the wrong side.

.. math:: \hat y(x) = \mathrm{sign}(w \cdot x + b), \qquad w \leftarrow w + y\,x \text{ on each mistake}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores
from classica.estimators.base.linear_margins import LinearBinaryClassifiers
from classica.estimators.base.margins import MULTI_CLASS, MarginClassifier, class_margins
from classica.estimators.linear.online import ONLINE_RULES, ZERO, OnlineBinaryClassifiers
from classica.estimators.linear.online_changes import ChangeLog, blocks_of, grown_rows
from classica.estimators.linear.perceptron_run import EVERYTHING, PerceptronRun, SharedVotes
from classica.native import Floats
from classica.native import online_learners as online
from classica.native.online_learners import Changes, PerceptronState, Progress
from classica.params import N_JOBS, Boolean, OneOf, RandomState, Rule
from classica.registry import FitTime, register

#: What a binary classifier keeps beside its weights, by variant.
_KEEPS = {"plain": "last", "voted": "last", "averaged": "average", "pocket": "pocket"}
#: Of which changes are recorded.
_RECORDED = ("voted", EVERYTHING)


@register(
    slug="perceptron",
    title="perceptron",
    family="linear",
    rule=r"\hat y(x) = \mathrm{sign}(w \cdot x + b), \quad w \leftarrow w + y\,x \text{ on each mistake}",
    plain_rule="ŷ(x) = sign(w·x + b), with w ← w + y x on each mistake",
    source="R (Roweis): perceptron, pocket and voted perceptron; C (CS 361): perceptron",
    fit_cost="O(n d) per epoch and binary classifier",
    predict_cost="O(M d) per row, M binary classifiers; voted: O(V d), V updates",
    grid={"variant": ["averaged", "voted", "pocket", "plain"], "max_iter": [20, 100]},
    test_parameters=(
        {"max_iter": 40},
        {"variant": "pocket", "multi_class": "all-vs-all", "max_iter": 40},
        {"variant": "voted", "max_iter": 4},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0035, rows=0.6, columns=0.6, classes=0.4, grid=4.2),
)
class PerceptronClassifier(OnlineBinaryClassifiers, LinearBinaryClassifiers, GridScores, MarginClassifier):
    r"""Learn a linear classifier online: add each misclassified row, signed by its class, to the weights.

    For sides y of +1 and -1, the rule is

    .. math:: \hat y(x) = \mathrm{sign}(w \cdot x + b), \quad w \leftarrow w + y\,x \text{ on each mistake}

    with b updated as the weight of a column of ones. It starts from zero weights and presents all rows, epoch
    after epoch, until an epoch without a mistake or for `max_iter` epochs. If some w of length 1 has
    :math:`y\,w \cdot x \ge \gamma` for all rows, of length R at most (the column of ones counted), there are
    at most :math:`(R / \gamma)^2` mistakes in all (Novikoff). If the classes overlap it never converges; the
    variants differ in which weights they use:

    * ``"plain"``: the last weights;
    * ``"pocket"`` (Gallant): those that survived most consecutive presentations. Rows are drawn at random
      with replacement (unless `shuffle` is off), so a long run indicates few errors;
    * ``"voted"`` (Freund and Schapire): all weight vectors vote by sign, each weighted by the number of
      presentations it survived, including the one that created it;
    * ``"averaged"``: the mean of all weights over the presentations, a vote of scores instead of signs.

    Parameters
    ----------
    variant : {"plain", "pocket", "voted", "averaged"}, default="averaged"
        Which weights to keep.
    max_iter : int, default=20
        Maximum number of epochs.
    fit_intercept : bool, default=True
        Whether there is an intercept b.
    zero : {"mistake", "first"}, default="mistake"
        A score of zero in training counts as a mistake (so the first row updates zero weights); or as a
        prediction of the positive side (the second of two classes), as in WEKA. In a vote it counts for
        neither side, or for the positive side.
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are handled: a binary classifier per class, or per pair of classes.
    shuffle : bool, default=True
        Whether the rows are shuffled before each epoch; False: the order given, as in lectures.
    random_state : int, RandomState instance or None, default=None
        Random seed for shuffling.
    n_jobs : int or None, default=None
        Number of threads, at most one per binary classifier; None uses every available core. The result does
        not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_binary, n_features)
        The weights: for two classes those of the second, else of each class against the rest, or of each pair
        in the order (0, 1), (0, 2), ..., (1, 2), ... For "voted" the last ones.
    intercept_ : ndarray of shape (n_binary,)
        The intercepts.
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
    Cost: one inner product per row, epoch and binary classifier. Rows are processed one after the other, so
    two classes use one core; several binary classifiers are trained in parallel. Dense float32 and float64
    rows are used without a copy (a column-major table is copied once). The voted variant keeps each row that
    caused an update, once, with the order of the updates: all weights are sums of these rows, which takes no
    more memory than the weights themselves (but for 20 bytes per update), and less if rows repeat or are
    sparse.

    ``partial_fit`` presents new rows once and continues from there. Ties go to the first class. Values must
    not exceed 1e140 in magnitude. Rows that are not separable cause no warning; see `converged_`. Columns of
    very different scale slow it down; scale them first. Sample weights are not supported, since an online
    learner sees one row at a time.

    Use it on data streams and on very large or sparse tables, and to study online learning; for accuracy use
    the averaged or the voted variant. Not for probabilities, nor in the plain variant where classes overlap:
    its last weights depend on the last mistakes.

    Examples
    --------
    The AND of two inputs, in the order given: the weights converge after a few epochs.

    >>> from classica import PerceptronClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = PerceptronClassifier("plain", shuffle=False).fit(X, y)
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[3.0, 2.0]], [-4.0])
    >>> model.mistakes_.ravel().tolist(), model.converged_
    ([2, 3, 3, 2, 2, 3, 2, 1, 0], True)
    >>> model.predict(X).tolist()
    [0, 0, 0, 1]

    No plane separates the exclusive or:

    >>> PerceptronClassifier(random_state=0).fit(X, [0, 1, 1, 0]).converged_
    False
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "variant": OneOf(*_KEEPS),
        "fit_intercept": Boolean(),
        "zero": ZERO,
        "multi_class": MULTI_CLASS,
        "n_jobs": N_JOBS,
        **ONLINE_RULES,
    }
    accepts = Accepts(sparse=True, largest=1e140)
    free_parameters: ClassVar[frozenset[str]] = frozenset({"variant", "max_iter"})

    _state: PerceptronState
    _variant: str  # as learned, like the next two
    _intercept: bool
    _zero: int  # what a score of zero speaks for
    _rows: Any  # those a vote is made of
    _logs: list[ChangeLog]
    _shared_votes: SharedVotes | None = None  # while a grid is scored

    def __init__(
        self,
        variant: str = "averaged",
        *,
        max_iter: int = 20,
        fit_intercept: bool = True,
        zero: str = "mistake",
        multi_class: str = "one-vs-all",
        shuffle: bool = True,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.variant = variant
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.zero = zero
        self.multi_class = multi_class
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike) -> PerceptronClassifier:
        """Learn from scratch: epoch after epoch, until one without mistakes or `max_iter` of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : PerceptronClassifier
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
        """Number of free parameters: weights and intercepts; of a vote, those of all who vote."""
        voters = sum(len(log.places) for log in self._logs)
        return max(voters * (int(self.coef_.shape[1]) + 1), int(super().n_parameters_))

    def _begin(self, n_binary: int, n_columns: int) -> None:
        weights, kept = np.zeros((2, n_binary, n_columns + 1))
        self._state = (weights, kept, *np.zeros((3, n_binary), dtype=np.int64))
        self._variant, self._rows, self._logs = self.variant, None, [ChangeLog.empty()] * n_binary
        self._intercept, self._zero = bool(self.fit_intercept), int(self.zero == "first")

    def _present(self, data: TrainingData, epochs: int) -> Progress:
        progress, changes = self._train(data, epochs, self._sides())
        if self._variant == "voted":
            self._remember(self._rows_of(data), data, changes)
        self._become_chosen()
        return progress

    def _train(self, data: TrainingData, epochs: int, sides: NDArray[np.int8]) -> tuple[Progress, Changes]:
        """Present the rows to binary classifiers with these sides; those with none of them sit it out."""
        return online.train_perceptrons(
            self._rows_of(data),
            data.codes,
            sides,
            self._presentations(replace=self._variant == "pocket", zero=self._zero),
            _KEEPS.get(self._variant, "average"),
            self._intercept,
            epochs,
            self._state,
            record=self._variant in _RECORDED,
            threads=self._threads,
        )

    def _rows_of(self, data: TrainingData) -> Any:
        return data.X if sp.issparse(data.X) else np.ascontiguousarray(data.X)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        for drawn in (False, True):
            indices = [index for index, model in enumerate(models) if (model.variant == "pocket") == drawn]
            if indices:
                run = PerceptronRun([models[index] for index in indices], X, y)
                yield from ((indices[index], model) for index, model in run.fitted())

    def _become_stage(self, state: PerceptronState) -> None:
        """Be what a run over the rows, whose state this is, makes of this variant."""
        self._variant = self.variant
        if _KEEPS[self._variant] == "last":
            state[1][:] = 0.0
        self._state = state
        self._become_chosen()

    def _into_pocket(self, machines: NDArray[np.bool_]) -> None:
        """Keep the weights of these binary classifiers, which have no mistake left."""
        now, kept, _, survived, longest = self._state
        kept[machines], longest[machines] = now[machines], survived[machines]

    def _become_chosen(self) -> None:
        weights = self._chosen_weights()
        self._become(weights[:, :-1], weights[:, -1].copy(), one_vs_all=self._one_vs_all)

    def _remember(self, X: Rows, data: TrainingData, changes: Changes) -> None:
        """Append the changes to what votes are made of."""
        self._rows, indices = grown_rows(self._rows, X, [rows for rows, _ in changes])
        self._logs = [
            log.joined(where, side[data.codes[rows]].astype(np.float64), times)
            for log, where, side, (rows, times) in zip(
                self._logs, indices, self._sides(), changes, strict=True
            )
        ]

    def _chosen_weights(self) -> Floats:
        now, kept, seen, survived, longest = self._state
        if self._variant == "averaged":
            mean: Floats = now - kept / np.maximum(seen, 1)[:, None]
            return mean
        if self._variant == "pocket":
            return np.where((survived > longest)[:, None], now, kept)
        return now.copy()

    def _binary_scores(self, X: Rows) -> Floats:
        if self._variant != "voted":
            return super()._binary_scores(X)
        if self._shared_votes is not None:
            return self._shared_votes.of(self, X)
        parts = [self._votes(self._products(part)) for part in blocks_of(X, self._rows.shape[0])]
        return np.ascontiguousarray(np.concatenate(parts))

    def _products(self, X: Rows) -> Floats:
        """Return the products of each row with those that caused updates, and of the ones beside them."""
        products = _products(X, self._rows, self._threads_of(X))
        products += float(self._intercept)
        return products

    def _votes(self, products: Floats) -> Floats:
        threads = self._threads_of(products)
        scores = [
            log.votes(products, int(seen), float(self._zero), threads)
            for log, seen in zip(self._logs, self._state[2], strict=True)
        ]
        return np.array(scores).reshape(len(scores), len(products)).T


def _products(X: Rows, rows: Any, threads: int) -> Floats:
    """Return the products of each row of X with each of the others."""
    if sp.issparse(rows):
        products = X @ rows.T if sp.issparse(X) else (rows @ X.T).T
        values = products.toarray() if sp.issparse(products) else products
        return np.ascontiguousarray(values, dtype=np.float64)
    weights = np.ascontiguousarray(rows, dtype=np.float64)
    return native.linear_scores(X, (np.zeros(X.shape[1]), weights, np.zeros(len(weights))), threads)
