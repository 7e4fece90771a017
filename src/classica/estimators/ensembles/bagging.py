r"""Bagging: classifiers of one kind, each learned from a random sample of the rows, vote.

.. math:: \hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} p_m(c \mid x)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import MetadataRouter

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.estimators.ensembles.bag import Bag
from classica.estimators.ensembles.bag_task import BagTask, TreeBagTask
from classica.estimators.ensembles.ensemble_sizes import EnsembleSizes
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.members.member_fits import require_probabilities
from classica.estimators.members.member_rows_passed import MadeOfMembers, classes_of, takes_kernel
from classica.estimators.members.member_rules import AClassifier
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.metadata import Metadata, fit_router, refuse_metadata, routed
from classica.native import Floats
from classica.params import N_JOBS, Boolean, Integer, Nothing, OneOf, RandomState, Real, Rule, Seed
from classica.registry import FitTime, register
from classica.samples import Samples
from classica.shown_arrays import read_only
from classica.trees.growing.tree import Longs

_COUNT_OR_SHARE: Rule = Integer(at_least=1) | Real(above=0, at_most=1)


@register(
    slug="bagging",
    title="bagging",
    family="ensembles",
    rule=r"\hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} p_m(c \mid x)",
    plain_rule="ŷ(x) = the class most probable on average over M members, each fitted to a random sample",
    source="T (Torino): bagging; Breiman (1996): bagging, out-of-bag estimation",
    fit_cost="M times that of a member",
    predict_cost="M times that of a member",
    grid={"max_samples": [0.5, 1.0], "n_estimators": [10, 25, 50]},
    test_parameters=(
        {"n_estimators": 4},
        {
            "estimator": NaiveBayesClassifier(),
            "n_estimators": 3,
            "max_samples": 0.7,
            "bootstrap": False,
            "max_features": 0.8,
            "voting": "hard",
        },
        {"estimator": LinearDiscriminantClassifier(), "n_estimators": 4, "bootstrap_features": True},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.011, rows=0.9, columns=0.5, classes=0.2, grid=6.8),
)
class BaggingClassifier(EnsembleSizes, MadeOfMembers):
    r"""Fit a classifier to several bootstrap samples of the rows and average the predictions.

    The rule, where :math:`p_m` are the probabilities predicted by the member fitted to sample m:

    .. math:: \hat y(x) = \arg\max_c \frac{1}{M} \sum_{m=1}^{M} p_m(c \mid x)

    With ``voting="hard"`` each member gives one vote instead.

    It fits M clones of `estimator`, each to a sample of :math:`n^* \le n` rows drawn with replacement (a
    bootstrap sample) or without, and optionally to a subset of the columns. About 37% of the rows are not in
    a bootstrap sample of n. Predicting each row by the members that were not trained on it gives an honest
    estimate of the error at no further cost: the out-of-bag error, available for every number of members
    after one fit.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The classifier to bag. None: a fully grown `DecisionTreeClassifier`.
    n_estimators : int, default=10
        M, the number of members.
    max_samples : int or float, default=1.0
        The sample size n*; a float is a fraction of the rows.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    max_features : int or float, default=1.0
        Number of columns per member; a float is a fraction.
    bootstrap_features : bool, default=False
        Whether columns are drawn with replacement.
    voting : {"soft", "hard"} or None, default=None
        Average probabilities, or count one vote per member. None: "soft" if the members predict
        probabilities.
    oob_score : bool, default=True
        Whether to compute the out-of-bag error.
    random_state : int, RandomState instance or None, default=None
        Random seed for the samples and for members that use one; each member gets its own.
    n_jobs : int or None, default=None
        Number of threads that fit members in parallel; None uses every available core. The result does not
        depend on it. A member that does not set its own `n_jobs` runs on one thread.

    Attributes
    ----------
    classes_ : array
        The labels.
    estimators_ : list of classifiers
        The members.
    estimators_samples_ : list of arrays
        The training rows of each member, ascending, repeated as often as they were drawn.
    estimators_features_ : list of arrays
        The columns of each member; for a precomputed kernel, its training rows.
    voting_ : {"soft", "hard"}
        How the members vote.
    oob_error_, oob_score_ : float
        The out-of-bag error and accuracy: each row is predicted by the members that were not trained on it.
    oob_errors_ : array of shape (n_estimators,)
        The same error for the first member, the first two, and so on.
    oob_decision_function_ : array of shape (n_samples, n_classes)
        The out-of-bag probabilities of each row; NaN where every member was trained on it.

    Notes
    -----
    Cost: M times that of a member, to fit and to predict. Ties go to the first class. Bagging helps unstable
    classifiers, such as unpruned trees, that change a lot when a few rows change; stable ones such as the
    linear discriminant stay as they are. A row of weight 2 is drawn as if it occurred twice; fractional
    weights are the relative probabilities of being drawn, so members need not support sample weights.
    Sampling depends on the values of the rows, not on their order. A member gives probability 0 to a class
    that is not in its sample. The first members are the same for any `n_estimators`. Rows that every member
    was trained on are left out of the out-of-bag errors, which are NaN while there are no others. In a data
    frame, a column drawn again gets a new name. Infinite values are rejected.

    Use it to reduce the variance of an unstable classifier, with an honest out-of-bag error. Not around
    stable classifiers, where it only costs time, nor where the model must be interpretable.

    Examples
    --------
    The lecture's claim: an unstable classifier gets better. The out-of-bag error of one tree, ten and fifty:

    >>> from classica import BaggingClassifier
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BaggingClassifier(n_estimators=50, random_state=0).fit(X, y)
    >>> model.oob_errors_[[0, 9, 49]].round(3)
    array([0.073, 0.062, 0.056])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | AClassifier(),
        "n_estimators": Integer(at_least=1),
        "max_samples": _COUNT_OR_SHARE,
        "bootstrap": Boolean(),
        "max_features": _COUNT_OR_SHARE,
        "bootstrap_features": Boolean(),
        "voting": Nothing() | OneOf("soft", "hard"),
        "oob_score": Boolean(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }

    oob_decision_function_: Floats
    oob_errors_: Floats
    oob_error_: float
    oob_score_: float
    _bag: Bag
    _samples: Samples

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        n_estimators: int = 10,
        *,
        max_samples: float = 1.0,
        bootstrap: bool = True,
        max_features: float = 1.0,
        bootstrap_features: bool = False,
        voting: str | None = None,
        oob_score: bool = True,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.max_features = max_features
        self.bootstrap_features = bootstrap_features
        self.voting = voting
        self.oob_score = oob_score
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None, **params: Any
    ) -> BaggingClassifier:
        """Draw the samples and fit a member on each.

        Parameters
        ----------
        X : whatever the classifier takes, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.
        **params : metadata
            What else the ``fit`` of a member requests, with scikit-learn's metadata routing.

        Returns
        -------
        self : BaggingClassifier
        """
        refuse_metadata(self, params)
        data = self._all_rows(X, y, sample_weight)
        metadata = Metadata.of(routed(self, params), len(data.codes))
        self._require_votes()
        random = check_random_state(self.random_state)
        samples = self._drawn(data, random)
        bag = self._fitted(data, samples, random, metadata)
        self.classes_, self._bag, self._samples = bag.classes, bag, samples
        self._judge(data)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata are requested, for scikit-learn's metadata routing."""
        return fit_router(self, {"estimator": self._template()})

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class with the largest share for each row; of equal ones the first."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the mean of the members' probabilities, or the share of their votes."""
        return self._bag_of().predict_proba(self._query(X))

    def staged_predict_proba(self, X: MatrixLike) -> Iterator[Floats]:
        """Yield the same for the first member, the first two, and so on."""
        return self._bag_of().staged(self._query(X))

    @property
    def estimators_(self) -> list[Any]:  # type: ignore[override]
        """The members."""
        return self._bag_of().members

    @property
    def estimators_samples_(self) -> list[Longs]:
        """The rows each member learned from, ascending, as often as they were drawn."""
        return [self._samples.rows_of(number) for number in range(len(self._bag_of()))]

    @property
    def estimators_features_(self) -> list[Longs]:
        """The columns each member sees."""
        bag = self._bag_of()
        if bag.columns is None:
            return [np.arange(self.n_features_in_) for _ in bag.members]
        return [read_only(columns) for columns in bag.columns]

    @property
    def voting_(self) -> str:
        """How the members vote: "soft" by probabilities, "hard" by one vote each."""
        return self._bag_of().voting

    def _bag_of(self) -> Bag:
        self._require_fitted()
        return self._bag

    def _of_size(self, n_estimators: int) -> BaggingClassifier:
        bag, other = self._bag_of(), copy(self)
        other.n_estimators = n_estimators
        columns = None if bag.columns is None else bag.columns[:n_estimators]
        other._bag = replace(bag, members=bag.members[:n_estimators], columns=columns)
        if self.oob_score:
            other.oob_errors_ = self.oob_errors_[:n_estimators]
            other.oob_error_ = float(other.oob_errors_[-1])
            other.oob_score_ = 1 - other.oob_error_
        return other

    def _template(self) -> Any:
        return DecisionTreeClassifier() if self.estimator is None else self.estimator

    def _templates(self) -> list[Any]:
        return [member for member in [self._template()] if AClassifier().accepts(member)]

    def _drawn(self, data: TrainingData, random: np.random.RandomState) -> Samples:
        named = getattr(self._template(), "categorical_features", "from_dtype")
        content = self._content(data.X, named, required=self._are_all_ours())
        return Samples.of(
            content,
            data.weights,
            self.max_samples,
            self.bootstrap,
            random,
            self._threads,
            rows=len(data.codes),
            target=data.codes,
        )

    def _fitted(
        self, data: TrainingData, samples: Samples, random: np.random.RandomState, metadata: Metadata
    ) -> Bag:
        """Return all members, fitted: the one place that makes them. Whatever answers as a `Bag` will do."""
        seeds, column_seeds = random.randint(2**31, size=(self.n_estimators, 2)).T
        columns = self._seen_columns(data.X, samples, column_seeds)
        labels = data.classes[data.codes]
        kind = TreeBagTask if TreeBagTask.takes(self._template(), columns, metadata) else BagTask
        task = kind(self._template(), data.X, labels, samples, columns, seeds.tolist(), metadata)
        members = task.fitted(self._threads, self.n_jobs)
        counted = data.codes if data.weights is None else data.codes[data.weights > 0]
        classes = classes_of(data.classes[np.unique(counted)], members)
        return Bag(members, columns, classes, self.voting or self._finest_votes())

    def _seen_columns(self, X: Rows, samples: Samples, seeds: NDArray[Any]) -> list[Longs] | None:
        """Return the columns each member sees: of kernel values, those of the rows in its sample."""
        if not takes_kernel(self._template()):
            return self._drawn_columns(X.shape[1] if len(X.shape) > 1 else 1, seeds)
        if self.max_features not in (1.0, X.shape[1]) or self.bootstrap_features:
            got = "bootstrap_features=True" if self.bootstrap_features else self.max_features
            rule = "1.0 for a precomputed kernel, whose columns are drawn with their rows"
            raise ParameterError(f"max_features must be {rule}, got {got}.")
        return [samples.rows_of(number) for number in range(self.n_estimators)]

    def _finest_votes(self) -> str:
        return "soft" if hasattr(self._template(), "predict_proba") else "hard"

    def _require_votes(self) -> None:
        if self.voting == "soft":
            require_probabilities(self._template(), type(self._template()).__name__)

    def _drawn_columns(self, of: int, seeds: NDArray[Any]) -> list[Longs] | None:
        share = isinstance(self.max_features, float | np.floating)
        size = max(1, round(self.max_features * of)) if share else int(self.max_features)
        if size > of:
            raise ParameterError(must("max_features", f"at most {of}, the number of columns", size))
        if size == of and not self.bootstrap_features:
            return None
        draws = [np.random.RandomState(seed).choice(of, size, self.bootstrap_features) for seed in seeds]
        return [np.sort(drawn) for drawn in draws]

    def _judge(self, data: TrainingData) -> None:
        for name in ("oob_decision_function_", "oob_errors_", "oob_error_", "oob_score_"):
            self.__dict__.pop(name, None)
        if self.oob_score:
            labels = data.classes[data.codes]
            result = self._bag.out_of_bag(data.X, labels, data.weights, self._samples)
            self.oob_decision_function_, self.oob_errors_ = result.shares, result.errors
            self.oob_error_ = float(result.errors[-1])
            self.oob_score_ = 1 - self.oob_error_
