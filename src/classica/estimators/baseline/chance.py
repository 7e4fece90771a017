r"""Chance: the floor every classifier must beat.

.. math:: \hat y(x) \sim \pi, \quad \pi = \text{uniform or the class shares}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts
from classica.estimators.base.estimator import Classifier
from classica.native import Codes, Floats
from classica.params import N_JOBS, OneOf, RandomState, Rule, Seed
from classica.registry import FitTime, register


@register(
    slug="chance",
    title="majority-class baseline",
    family="baseline",
    rule=r"\hat y(x) \sim \pi",
    plain_rule="ŷ(x) = the majority class; or drawn at random from the class frequencies, or uniformly",
    source="T (Torino): a random classifier as the baseline, 45% on the ring data",
    fit_cost="O(n)",
    predict_cost="O(d) per row",
    test_parameters=({}, {"strategy": "stratified"}, {"strategy": "uniform"}),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0034, rows=0.4, columns=0.6),
)
class ChanceClassifier(Classifier):
    r"""Predict the majority class, or guess at random, without looking at the features: the baseline.

    The rule:

    .. math:: \hat y(x) \sim \pi

    where :math:`\pi` puts all weight on the most frequent class (``"majority"``), equals the class
    frequencies :math:`\pi_c = n_c / n` (``"stratified"``) or is :math:`1/C` for each (``"uniform"``).

    Parameters
    ----------
    strategy : {"majority", "stratified", "uniform"}, default="majority"
        Always predict the most frequent class; guess by the class frequencies; or guess uniformly.
    random_state : int, RandomState or None, default=None
        Random seed for guessing. A guess depends on the seed and on the values of the row, not on its
        position, so equal rows get equal guesses and rows may be predicted in batches of any size.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    class_prior_ : ndarray of shape (n_classes,)
        The weighted frequency of each class.
    seed_ : int
        The random seed in use.
    n_parameters_ : int
        Number of free parameters: C - 1.

    Notes
    -----
    Cost: one count per row to fit, one hash per row to guess. Expected accuracy: the largest class frequency
    for ``"majority"``, the sum of the squared frequencies for ``"stratified"``, 1/C for ``"uniform"``.
    ``predict_proba`` returns the class frequencies for ``"majority"`` and one-hot rows (the guessed class has
    probability 1) for the other two. Ties between the most frequent classes go to the first. Missing values
    are accepted and hashed like any other value.

    Use it as the baseline next to every other classifier: a model that does not beat it has learned nothing.
    Not for real predictions.

    Examples
    --------
    The lecture's ring test set has 151 rows of class 0 and 49 of class 1, so the majority class scores 75.5%
    on it, and a uniform guess about half (the lecture's draw: 45%).

    >>> import numpy as np
    >>> from classica import ChanceClassifier
    >>> X, y = np.arange(200.0).reshape(-1, 1), np.repeat([0, 1], [151, 49])
    >>> ChanceClassifier().fit(X, y).score(X, y)
    0.755
    >>> ChanceClassifier(strategy="uniform", random_state=0).fit(X, y).score(X, y)
    0.495
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "strategy": OneOf("majority", "stratified", "uniform"),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }
    accepts = Accepts(sparse=True, missing=True)

    classes_: NDArray[Any]
    class_prior_: Floats
    seed_: int

    def __init__(
        self, strategy: str = "majority", *, random_state: RandomState = None, n_jobs: int | None = None
    ) -> None:
        self.strategy = strategy
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None) -> ChanceClassifier:
        """Count the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows; only their number matters.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : ChanceClassifier
        """
        data = self._training_data(X, y, sample_weight)
        counts = np.bincount(data.codes, weights=data.weights, minlength=len(data.classes))
        self.classes_ = data.classes
        self.class_prior_ = counts / counts.sum()
        self.seed_ = int(check_random_state(self.random_state).randint(2**31))
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the guessed label of each row."""
        guesses = self._guesses(self._query(X))
        return self.classes_[guesses]

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the class shares (``"majority"``) or certainty about the drawn label."""
        X = self._query(X)
        if self.strategy == "majority":
            return np.tile(self.class_prior_, (X.shape[0], 1))
        certain: Floats = np.eye(len(self.classes_))[self._guesses(X)]
        return certain

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: the class shares."""
        return len(self.classes_) - 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags

    def _guesses(self, X: Rows) -> Codes:
        if self.strategy == "majority":
            return np.full(X.shape[0], self.class_prior_.argmax(), dtype=np.int32)
        classes = len(self.classes_)
        shares = self.class_prior_ if self.strategy == "stratified" else np.full(classes, 1 / classes)
        draws = native.row_draws(X, self.seed_, self._threads)
        # The last bound may fall short of 1 by rounding: nothing may fall beyond the last class.
        return np.searchsorted(np.cumsum(shares)[:-1], draws, side="right").astype(np.int32)
