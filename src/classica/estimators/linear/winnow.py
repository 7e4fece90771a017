r"""Winnow: weights change by factors, so that irrelevant columns cost only the logarithm of their number.

.. math:: \hat y(x) = 1 \text{ if } w \cdot x > \theta, \qquad w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from classica.columns import Accepts
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import MULTI_CLASS
from classica.estimators.linear.online import ONLINE_RULES, OnlineMachines
from classica.native import Floats
from classica.native import online_learners as native
from classica.native.online_learners import Progress
from classica.params import N_JOBS, Boolean, Nothing, Real, Rule
from classica.registry import FitTime, register

#: No weight leaves these bounds, so that no sum overflows and none is lost for ever.
_LEAST, _MOST = 1e-300, 1e300


@register(
    slug="winnow",
    family="linear",
    rule=r"\hat y(x) = 1 \text{ if } w \cdot x > \theta, \quad"
    r" w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}",
    plain_rule="ŷ(x) = 1 if w·x > θ, with w_i ← w_i α^(y x_i) on each mistake",
    source="R (Roweis): Winnow, by name only; Littlestone (1988)",
    fit_cost="O(n s) per epoch and machine, s ones per row",
    predict_cost="O(M s) per row, M machines",
    grid={"balanced": [False, True], "alpha": [2.0, 1.5, 1.1]},
    test_parameters=(
        {},
        {"balanced": True, "multi_class": "all-vs-all", "alpha": 1.3, "binarize": 0.5, "threshold": 1.0},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0039, rows=0.7, columns=0.6, classes=0.5, grid=3.1),
)
class WinnowClassifier(OnlineMachines):
    r"""Double the weights of ones in a row that should have scored higher, halve them in one that should not.

    Rows x are zeros and ones, weights are positive, sides y are +1 and -1. The rule is

    .. math:: \hat y(x) = 1 \text{ if } w \cdot x > \theta, \quad
              w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}

    Weights begin at :math:`w_0`. All rows are presented, epoch after epoch, until one without a mistake or
    `max_iter` of them. With ``balanced``, a second vector of weights is taken away from the first,
    :math:`(w^+ - w^-) \cdot x > \theta`, and moves by the opposite factors: then a one can speak against
    the class, too.

    If the side is the disjunction of k of d columns, Winnow makes at most

    .. math:: M \le (1 + \alpha)\,k \left(\log_\alpha \frac{\theta}{w_0} + 1\right)
              + \frac{\alpha}{\alpha - 1} \frac{d\,w_0}{\theta}

    mistakes (Littlestone): 3k(log2 d + 1) + 2 with the default settings. *Proof.* A missed row of the first
    side has a one in one of the k columns, whose weight is at most θ before it grows; since a row
    of the second side has none, these weights never fall. So each grows at most
    :math:`\log_\alpha (\theta / w_0) + 1` times, and there are at most k times as many such mistakes, u. They
    add at most :math:`(\alpha - 1)\theta` each to the sum of all weights, the other v mistakes take at least
    :math:`(1 - 1/\alpha)\theta` each from it, and it stays positive:
    :math:`d w_0 + (\alpha - 1)\theta u \ge (1 - 1/\alpha)\theta v`. Hence
    :math:`v \le \alpha u + \alpha d w_0 / ((\alpha - 1) \theta)`. ∎

    Parameters
    ----------
    alpha : float, default=2.0
        The factor α.
    threshold : float or None, default=None
        What the weights of a row have to exceed, θ; None: the number of columns.
    initial_weight : float, default=1.0
        Where weights begin, :math:`w_0`.
    balanced : bool, default=False
        Whether there are weights against a class as well.
    binarize : float or None, default=0.0
        Values above it are ones, the others zeros; None: the table must be zeros and ones already.
    max_iter : int, default=20
        The most epochs.
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
    weights_ : ndarray of shape (n_machines, n_features)
        The weights: of two classes those of the second, else of each class against the rest, or of each pair
        in the order (0, 1), (0, 2), ..., (1, 2), ...
    opposed_weights_ : ndarray of shape (n_machines, n_features) or None
        Those taken away, if ``balanced``.
    threshold_ : float
        The threshold θ in use.
    mistakes_ : ndarray of shape (n_epochs, n_machines)
        The mistakes of each epoch.
    n_iter_ : int
        Epochs so far; machines that have converged sit out the rest.
    n_updates_ : ndarray of shape (n_machines,)
        The changes of each machine, one for each mistake.
    converged_ : bool
        Whether every machine ended with an epoch free of mistakes.

    Notes
    -----
    Cost: the ones of each row, per epoch and machine. A sum that equals the threshold speaks for the second
    side (of two classes: the first). Weights stay between 1e-300 and 1e300; further changes leave them
    there. ``decision_function`` is the sum of the weights less the threshold; ties go to the first class.
    ``partial_fit`` presents new rows once. It suits many columns of which few matter; without
    ``balanced`` it cannot use a one that speaks against a class: add each column's opposite, or balance.
    Rows have no weights, since an online learner sees a case at a time.

    Use it on very many columns of zeros and ones of which few matter, such as words in texts: its mistakes
    grow with the logarithm of the columns only. Not on quantities, which it sees as ones and zeros, nor for
    probabilities, nor where many columns matter a little each.

    Examples
    --------
    The OR of the first two of five columns:

    >>> import numpy as np
    >>> from classica import WinnowClassifier
    >>> X = np.array([[int(bit) for bit in f"{number:05b}"] for number in range(32)])
    >>> y = X[:, 0] | X[:, 1]
    >>> model = WinnowClassifier(shuffle=False).fit(X, y)
    >>> model.weights_.tolist(), model.threshold_
    ([[8.0, 8.0, 2.0, 1.0, 2.0]], 5.0)
    >>> model.mistakes_.ravel().tolist(), model.converged_
    ([6, 1, 0], True)
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": Real(above=1, at_most=1e6),
        "threshold": Nothing() | Real(above=0, at_most=1e100),
        "initial_weight": Real(at_least=1e-100, at_most=1e100),
        "balanced": Boolean(),
        "binarize": Nothing() | Real(),
        "multi_class": MULTI_CLASS,
        "n_jobs": N_JOBS,
        **ONLINE_RULES,
    }
    accepts = Accepts(sparse=True)

    weights_: Floats
    opposed_weights_: Floats | None
    threshold_: float
    _above: float | None  # as learned, whatever binarize says by now

    def __init__(
        self,
        alpha: float = 2.0,
        *,
        threshold: float | None = None,
        initial_weight: float = 1.0,
        balanced: bool = False,
        binarize: float | None = 0.0,
        max_iter: int = 20,
        multi_class: str = "one-vs-all",
        shuffle: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.threshold = threshold
        self.initial_weight = initial_weight
        self.balanced = balanced
        self.binarize = binarize
        self.max_iter = max_iter
        self.multi_class = multi_class
        self.shuffle = shuffle
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def n_parameters_(self) -> int:
        """Free parameters: the weights."""
        vectors = 1 if self.opposed_weights_ is None else 2
        return max(vectors * self.weights_.size, 1)

    def _begin(self, n_machines: int, n_columns: int) -> None:
        begin = np.full((n_machines, n_columns), float(self.initial_weight))
        self.weights_, self.opposed_weights_ = begin, begin.copy() if self.balanced else None
        self._above = self.binarize
        self.threshold_ = float(n_columns if self.threshold is None else self.threshold)

    def _present(self, data: TrainingData, epochs: int) -> Progress:
        alpha = float(self.alpha)
        weights = self.weights_.copy()
        opposed = None if self.opposed_weights_ is None else self.opposed_weights_.copy()
        progress = native.train_winnow(
            _ones(data.X, self._above),
            data.codes,
            self._sides(),
            self._presentations(zero=-1),
            (self.threshold_, alpha, 1 / alpha, _LEAST, _MOST),
            epochs,
            weights,
            opposed,
            self._threads,
        )
        self.weights_, self.opposed_weights_ = weights, opposed
        return progress

    def _binary_scores(self, X: Any) -> Floats:
        weights = self.weights_ if self.opposed_weights_ is None else self.weights_ - self.opposed_weights_
        sums: Floats = _ones(X, self._above) @ weights.T
        scores: Floats = np.clip(sums - self.threshold_, -_MOST, _MOST)
        return scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


def _ones(X: Any, limit: float | None) -> Any:
    """Return where the ones are, as a sparse matrix."""
    if limit is None:
        _require_binary(X)
    above = 0.0 if limit is None else float(limit)
    if sp.issparse(X):
        if above < 0:
            rule = "at least 0 for a sparse matrix, whose zeros would all become ones"
            raise ParameterError(must("binarize", rule, limit))
        marks = sp.csr_array((X.data > above, X.indices, X.indptr), shape=X.shape, copy=True)
        marks.eliminate_zeros()
    else:
        marks = sp.csr_array(above < X)
    return marks.astype(np.float64)


def _require_binary(X: Any) -> None:
    values = X.data if sp.issparse(X) else X
    bad = (values != 0) & (values != 1)
    if bad.any():
        row, column = _first_place(X, bad)
        value = float(X[row, column])
        where = f"column {column}, row {row}"
        raise DataError(f"X must hold zeros and ones unless binarize is a number, got {value:g} in {where}.")


def _first_place(X: Any, bad: Any) -> tuple[int, int]:
    if sp.issparse(X):
        place = int(np.argmax(bad))
        return int(np.searchsorted(X.indptr, place, side="right")) - 1, int(X.indices[place])
    row, column = np.unravel_index(int(np.argmax(bad)), bad.shape)
    return int(row), int(column)
