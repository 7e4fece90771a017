r"""Winnow: weights change by factors, so that irrelevant columns cost only the logarithm of their number.

.. math:: \hat y(x) = 1 \text{ if } w \cdot x > \theta, \qquad w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.errors import DataError, ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.margins import MULTI_CLASS, MarginClassifier, class_margins
from classica.estimators.linear.online import ONLINE_RULES, OnlineBinaryClassifiers
from classica.native import Floats
from classica.native import online_learners as native
from classica.native.online_learners import Progress
from classica.params import N_JOBS, Boolean, Nothing, RandomState, Real, Rule
from classica.registry import FitTime, register

#: No weight leaves these bounds, so that no sum overflows and none is lost for ever.
_LEAST, _MOST = 1e-300, 1e300


@register(
    slug="winnow",
    title="Winnow",
    family="linear",
    rule=r"\hat y(x) = 1 \text{ if } w \cdot x > \theta, \quad"
    r" w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}",
    plain_rule="ŷ(x) = 1 if w·x > θ, with w_i ← w_i α^(y x_i) on each mistake",
    source="R (Roweis): Winnow, by name only; Littlestone (1988)",
    fit_cost="O(n s) per epoch and binary classifier, s ones per row",
    predict_cost="O(M s) per row, M binary classifiers",
    grid={"balanced": [False, True], "alpha": [2.0, 1.5, 1.1]},
    test_parameters=(
        {},
        {"balanced": True, "multi_class": "all-vs-all", "alpha": 1.3, "binarize": 0.5, "threshold": 1.0},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0039, rows=0.7, columns=0.6, classes=0.5, grid=3.1),
)
class WinnowClassifier(OnlineBinaryClassifiers, MarginClassifier):
    r"""Learn a linear threshold on binary columns online, by multiplicative updates on each mistake.

    Columns are binary, weights are positive, classes y are +1 and -1. The rule is

    .. math:: \hat y(x) = 1 \text{ if } w \cdot x > \theta, \quad
              w_i \leftarrow w_i\,\alpha^{y\,x_i} \text{ on each mistake}

    Weights start at :math:`w_0`. All rows are presented, epoch after epoch, until an epoch without a mistake
    or for `max_iter` epochs. With ``balanced``, a second weight vector is subtracted from the first,
    :math:`(w^+ - w^-) \cdot x > \theta`, and updated by the inverse factors: a one can then also be evidence
    against the class.

    If the class is the disjunction of k of d columns, Winnow makes at most

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
        The threshold θ; None: the number of columns.
    initial_weight : float, default=1.0
        The initial weight :math:`w_0`.
    balanced : bool, default=False
        Whether to use balanced Winnow, with a second weight vector against the class.
    binarize : float or None, default=0.0
        Values above it become 1, the others 0; None: the table must be binary already.
    max_iter : int, default=20
        Maximum number of epochs.
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
    weights_ : ndarray of shape (n_binary, n_features)
        The weights: for two classes those of the second, else of each class against the rest, or of each pair
        in the order (0, 1), (0, 2), ..., (1, 2), ...
    opposed_weights_ : ndarray of shape (n_binary, n_features) or None
        The weights that are subtracted, if ``balanced``.
    threshold_ : float
        The threshold θ in use.
    mistakes_ : ndarray of shape (n_epochs, n_binary)
        The number of mistakes in each epoch.
    n_iter_ : int
        Number of epochs run; a binary classifier that has converged skips the remaining ones.
    n_updates_ : ndarray of shape (n_binary,)
        The number of updates of each binary classifier, one per mistake.
    converged_ : bool
        Whether every binary classifier finished an epoch without mistakes.

    Notes
    -----
    Cost: the ones of each row, per epoch and binary classifier. A sum equal to the threshold predicts the
    negative side (of two classes: the first). Weights are clipped to the range from 1e-300 to 1e300.
    ``decision_function`` is the sum of the weights less the threshold; ties go to the first class.
    ``partial_fit`` presents new rows once. It suits many columns of which few matter; without ``balanced`` it
    cannot use a one as evidence against a class: add the complement of each column, or set ``balanced``.
    Sample weights are not supported, since an online learner sees one row at a time.

    Use it on very many binary columns of which few matter, such as words in texts: the number of mistakes
    grows only with the logarithm of the number of columns. Not on continuous columns, which it binarises, nor
    for probabilities, nor where many columns matter a little each.

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
        random_state: RandomState = None,
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

    def fit(self, X: MatrixLike, y: VectorLike) -> WinnowClassifier:
        """Learn from scratch: epoch after epoch, until one without mistakes or `max_iter` of them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : WinnowClassifier
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
        """Number of free parameters: the weights."""
        vectors = 1 if self.opposed_weights_ is None else 2
        return max(vectors * self.weights_.size, 1)

    def _begin(self, n_binary: int, n_columns: int) -> None:
        begin = np.full((n_binary, n_columns), float(self.initial_weight))
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

    def _binary_scores(self, X: Rows) -> Floats:
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
        row, column = _first_index(X, bad)
        value = float(X[row, column])
        where = f"column {column}, row {row}"
        raise DataError(f"X must be binary (0 or 1) unless binarize is a number, got {value:g} in {where}.")


def _first_index(X: Any, bad: NDArray[Any]) -> tuple[int, int]:
    if sp.issparse(X):
        index = int(np.argmax(bad))
        return int(np.searchsorted(X.indptr, index, side="right")) - 1, int(X.indices[index])
    row, column = np.unravel_index(int(np.argmax(bad)), bad.shape)
    return int(row), int(column)
