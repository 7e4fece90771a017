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
from classica.arrays import Rows
from classica.columns import Accepts
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores
from classica.estimators.base.linear_margins import LinearMachines
from classica.estimators.base.margins import MULTI_CLASS
from classica.estimators.linear.online import ONLINE_RULES, ZERO, OnlineMachines
from classica.estimators.linear.online_changes import ChangeLog, blocks_of, grown_rows
from classica.estimators.linear.perceptron_run import EVERYTHING, PerceptronRun, SharedVotes
from classica.native import Floats
from classica.native import online_learners as online
from classica.native.online_learners import Changes, PerceptronState, Progress
from classica.params import N_JOBS, Boolean, OneOf, Rule
from classica.registry import FitTime, register

#: What a machine keeps beside its weights, by variant.
_KEEPS = {"plain": "last", "voted": "last", "averaged": "average", "pocket": "pocket"}
#: Of which changes are recorded.
_RECORDED = ("voted", EVERYTHING)


@register(
    slug="perceptron",
    family="linear",
    rule=r"\hat y(x) = \mathrm{sign}(w \cdot x + b), \quad w \leftarrow w + y\,x \text{ on each mistake}",
    plain_rule="ŷ(x) = sign(w·x + b), with w ← w + y x on each mistake",
    source="R (Roweis): perceptron, pocket and voted perceptron; C (CS 361): perceptron",
    fit_cost="O(n d) per epoch and machine",
    predict_cost="O(M d) per row, M machines; voted: O(V d), V changes",
    grid={"variant": ["averaged", "voted", "pocket", "plain"], "max_iter": [20, 100]},
    test_parameters=(
        {"max_iter": 40},
        {"variant": "pocket", "multi_class": "all-vs-all", "max_iter": 40},
        {"variant": "voted", "max_iter": 4},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0035, rows=0.6, columns=0.6, classes=0.4, grid=4.2),
)
class PerceptronClassifier(OnlineMachines, LinearMachines, GridScores):
    r"""Go through the rows, and turn the separating plane towards each row on its wrong side.

    For sides y of +1 and -1, the rule is

    .. math:: \hat y(x) = \mathrm{sign}(w \cdot x + b), \quad w \leftarrow w + y\,x \text{ on each mistake}

    with b changed as the weight of a column of ones. It begins with zero weights and presents all rows, epoch
    after epoch, until one without a mistake or `max_iter` of them. If some w of length 1 has
    :math:`y\,w \cdot x \ge \gamma` for all rows, of length R at most (the column of ones counted), there are
    at most :math:`(R / \gamma)^2` mistakes in all (Novikoff). If the sides overlap it never comes to rest,
    and its variants make more of what happens on the way:

    * ``"plain"``: the last weights;
    * ``"pocket"`` (Gallant): those that survived most presentations in a row. Rows are drawn one by one from
      all of them (unless `shuffle` is off), so a long run tells of few errors;
    * ``"voted"`` (Freund and Schapire): all weights vote by their signs, each as often as the presentations
      that it survived, the one that made it included;
    * ``"averaged"``: the mean of all weights over the presentations, a vote of scores instead of signs.

    Parameters
    ----------
    variant : {"plain", "pocket", "voted", "averaged"}, default="averaged"
        Which weights to keep.
    max_iter : int, default=20
        The most epochs.
    fit_intercept : bool, default=True
        Whether there is an intercept b.
    zero : {"mistake", "first"}, default="mistake"
        What a score of zero means when learning: a mistake, whatever the row (so the first row changes
        weights of zero); or the machine's first side, which of two classes is the second, as WEKA has it. In
        a vote it counts nothing, or for that side.
    multi_class : {"one-vs-all", "all-vs-all"}, default="one-vs-all"
        How more than two classes are told apart.
    shuffle : bool, default=True
        Whether each epoch has an order of its own, drawn at random; False: the order given, as in lectures.
    random_state : int, RandomState instance or None, default=None
        The seed of these orders.
    n_jobs : int or None, default=None
        Threads, one for each machine; None means every available core. The result is the same for any number.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    coef_ : ndarray of shape (n_machines, n_features)
        The weights: of two classes those of the second, else of each class against the rest, or of each pair
        in the order (0, 1), (0, 2), ..., (1, 2), ... Of a vote those that came last.
    intercept_ : ndarray of shape (n_machines,)
        The intercepts.
    mistakes_ : ndarray of shape (n_epochs, n_machines)
        The mistakes of each epoch.
    n_iter_ : int
        Epochs so far; machines that have converged sit out the rest.
    n_updates_ : ndarray of shape (n_machines,)
        The changes of each machine, one for each mistake.
    converged_ : bool
        Whether every machine ended with an epoch free of mistakes, and so separates its rows.

    Notes
    -----
    Cost: one product per row, epoch and machine. Rows come one after the other, so two classes keep one core
    busy; more machines learn side by side. Dense rows are used where they lie, float32 or float64 (a table
    that lies column by column is copied once). A vote keeps each row that ever changed a machine, once, with
    the order of the changes: all weights are sums of them, and this takes no more room than the weights
    themselves (but for 20 bytes a change), less where rows come again or are sparse.

    ``partial_fit`` presents new rows once and goes on from there. Ties go to the first class. Values must not
    exceed 1e140 in magnitude. That the table cannot be separated is no reason for a warning: `converged_`
    says so. Columns of very different scale slow it down; scale them first. Rows have no weights, since an
    online learner sees a case at a time.

    Use it on streams and on very large or sparse tables, and to watch learning at work, mistake by mistake;
    for results take the averaged or the voted variant. Not for probabilities, nor as the plain variant where
    classes overlap: its last weights depend on the last mistakes.

    Examples
    --------
    The AND of two inputs, in the order given: weights settle after few epochs.

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
        random_state: Any = None,
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

    @property
    def n_parameters_(self) -> int:
        """Free parameters: weights and intercepts; of a vote, those of all who vote."""
        voters = sum(len(log.places) for log in self._logs)
        return max(voters * (int(self.coef_.shape[1]) + 1), int(super().n_parameters_))

    def _begin(self, n_machines: int, n_columns: int) -> None:
        weights, kept = np.zeros((2, n_machines, n_columns + 1))
        self._state = (weights, kept, *np.zeros((3, n_machines), dtype=np.int64))
        self._variant, self._rows, self._logs = self.variant, None, [ChangeLog.empty()] * n_machines
        self._intercept, self._zero = bool(self.fit_intercept), int(self.zero == "first")

    def _present(self, data: TrainingData, epochs: int) -> Progress:
        progress, changes = self._train(data, epochs, self._sides())
        if self._variant == "voted":
            self._remember(self._rows_of(data), data, changes)
        self._become_chosen()
        return progress

    def _train(self, data: TrainingData, epochs: int, sides: NDArray[np.int8]) -> tuple[Progress, Changes]:
        """Present the rows to machines with these sides; those with none of them sit it out."""
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

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: Any) -> Iterator[tuple[int, Any]]:
        for drawn in (False, True):
            places = [place for place, model in enumerate(models) if (model.variant == "pocket") == drawn]
            if places:
                run = PerceptronRun([models[place] for place in places], X, y)
                yield from ((places[place], model) for place, model in run.fitted())

    def _become_stage(self, state: PerceptronState) -> None:
        """Be what a run over the rows, whose state this is, makes of this variant."""
        self._variant = self.variant
        if _KEEPS[self._variant] == "last":
            state[1][:] = 0.0
        self._state = state
        self._become_chosen()

    def _into_pocket(self, machines: NDArray[np.bool_]) -> None:
        """Keep the weights of these machines, which have no mistake left."""
        now, kept, _, survived, longest = self._state
        kept[machines], longest[machines] = now[machines], survived[machines]

    def _become_chosen(self) -> None:
        weights = self._chosen_weights()
        self._become(weights[:, :-1], weights[:, -1].copy(), one_vs_all=self._one_vs_all)

    def _remember(self, X: Rows, data: TrainingData, changes: Changes) -> None:
        """Append the changes to what votes are made of."""
        self._rows, places = grown_rows(self._rows, X, [rows for rows, _ in changes])
        self._logs = [
            log.joined(where, side[data.codes[rows]].astype(np.float64), times)
            for log, where, side, (rows, times) in zip(
                self._logs, places, self._sides(), changes, strict=True
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
        """Return the products of each row with those that changed machines, and of the ones beside them."""
        products = _products(X, self._rows, self._threads_of(X))
        products += float(self._intercept)
        return products

    def _votes(self, products: Floats) -> Floats:
        threads = self._threads_of(products)
        found = [
            log.votes(products, int(seen), float(self._zero), threads)
            for log, seen in zip(self._logs, self._state[2], strict=True)
        ]
        return np.array(found).reshape(len(found), len(products)).T


def _products(X: Rows, rows: Any, threads: int) -> Floats:
    """Return the products of each row of X with each of the others."""
    if sp.issparse(rows):
        products = X @ rows.T if sp.issparse(X) else (rows @ X.T).T
        values = products.toarray() if sp.issparse(products) else products
        return np.ascontiguousarray(values, dtype=np.float64)
    weights = np.ascontiguousarray(rows, dtype=np.float64)
    return native.linear_scores(X, (np.zeros(X.shape[1]), weights, np.zeros(len(weights))), threads)
