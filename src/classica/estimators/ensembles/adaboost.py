r"""AdaBoost: a weighted vote of classifiers, each learned where those before it were wrong.

.. math:: g(x) = \arg\max_c \sum_t \alpha_t \, [h_t(x) = c], \quad
          \alpha_t = \tfrac12 \ln \frac{1 - \varepsilon_t}{\varepsilon_t}
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import has_fit_parameter

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError, must
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.estimators.ensembles.boost_rounds import BoostRounds
from classica.estimators.ensembles.boost_rows import BoostRows
from classica.estimators.ensembles.boosted_members import BoostedMembers, boosted
from classica.estimators.ensembles.boosted_trees import BoostedTrees, boosted_trees, can_be_boosted_at_once
from classica.estimators.ensembles.boosting_weights import (
    BoostRules,
    Rounds,
    posteriors_of,
    scores_of,
    settled,
)
from classica.estimators.ensembles.ensemble_sizes import EnsembleSizes
from classica.estimators.members.member_rules import AClassifier
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.metadata import fit_router, refuse_metadata, routed
from classica.native import Floats
from classica.params import (
    N_JOBS,
    Categorical,
    CategoricalFeatures,
    Integer,
    Nothing,
    OneOf,
    RandomState,
    Real,
    Rule,
    Seed,
    check_parameters,
)
from classica.registry import FitTime, register
from classica.samples import Samples


@register(
    slug="adaboost",
    title="AdaBoost",
    family="ensembles",
    rule=r"g(x) = \arg\max_c \sum_t \alpha_t \, [h_t(x) = c]",
    plain_rule="g(x) = the class with the largest sum of votes α of the members that predict it",
    source=(
        "T: AdaBoost; Freund and Schapire (1997); Friedman, Hastie and Tibshirani (2000); Zhu et al. (2009)"
    ),
    fit_cost="O(T n d) for stumps, after O(n d log n)",
    predict_cost="O(T) per row for stumps",
    grid={"learning_rate": [0.3, 1.0], "n_estimators": [25, 50, 100]},
    test_parameters=(
        {"n_estimators": 4},
        {"estimator": DecisionTreeClassifier(max_depth=2), "n_estimators": 2, "method": "resample"},
        {"estimator": NaiveBayesClassifier(), "n_estimators": 2, "multiclass": "m1"},
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0056, rows=0.8, columns=0.5, classes=0.8, grid=3.3),
)
class AdaBoostClassifier(MetaEstimatorMixin, EnsembleSizes, BoostRounds):
    r"""Combine weak learners by weighted vote, each fitted to the rows the previous ones misclassified.

    The rule, with the members :math:`h_t`:

    .. math:: g(x) = \arg\max_c \sum_t \alpha_t \, [h_t(x) = c]

    Training proceeds in rounds. All rows start with the same weight; the weights always sum to one. Each
    round fits a member to the weighted rows, adds up the weight :math:`\varepsilon` of the rows it
    misclassifies, gives it the vote

    .. math:: \alpha = \tfrac12 \left[ \ln \frac{1 - \varepsilon}{\varepsilon} + \ln(C - 1) \right]

    (two classes: the second term is 0), multiplies the weights of the misclassified rows by
    :math:`e^{2 \alpha}`, and normalises. On the new weights the member is exactly as accurate as random
    guessing.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The weak learner: any classifier of this package or of scikit-learn. None: decision stumps, trees of
        depth 1.
    n_estimators : int, default=50
        Maximum number of rounds.
    learning_rate : float, default=1.0
        Shrinkage: every vote is multiplied by it.
    method : {"reweight", "resample"}, default="reweight"
        Fit members to weighted rows, or to as many rows drawn by weight with replacement, for classifiers
        without sample weights.
    multiclass : {"samme", "m1"}, default="samme"
        More than two classes: a member must be better than guessing among C classes, as in the rule above
        (SAMME); or correct on more than half of the weight, without the term ln(C − 1) (AdaBoost.M1).
    random_state : int, RandomState instance or None, default=None
        Random seed for the samples and for members that use one.
    categorical_features : "from_dtype", None or sequence, default="from_dtype"
        The categorical columns, for stumps; a given `estimator` uses its own setting.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray
        The class labels, sorted.
    estimators_ : list of classifiers
        The members.
    estimator_weights_, estimator_errors_ : ndarray of shape (n_rounds_,)
        Their votes α and weighted errors ε.
    staged_errors_ : ndarray of shape (n_rounds_,)
        The training error of the ensemble after each round.
    n_rounds_ : int
        Number of members.
    stopped_ : str or None
        Why there are fewer members than `n_estimators`.
    feature_importances_ : ndarray of shape (n_features,)
        The importances of the members, averaged by vote, if the members have them.

    Notes
    -----
    Cost: that of the members; trees are grown on columns sorted once.

    `decision_function` is the sum of :math:`\alpha_t h_t(x)` with h = −1 or 1 for two classes, else the votes
    for each class; `predict_proba` is the softmax of twice the votes, 1/(1 + exp(−2H)) for two classes
    (Friedman, Hastie and Tibshirani 2000), which is over-confident after many rounds. Ties go to the first
    class, also where votes differ by rounding only.

    Training stops at a member no better than random guessing (by less than a millionth): it is discarded,
    except for the first one, which gets a vote of 1. Training also stops at a member without errors, whose
    vote would be infinite: it gets the vote of half an error in n + 1 rows plus all votes before it, so that
    it decides alone.

    The weights passed to members have the same sum as those given (1 for each row), so that smoothing and
    pruning see the true number of rows; limits of a `DecisionTreeClassifier` such as `min_samples_leaf` count
    rows as given. A sample of one class is drawn again. The training error of two classes is at most the
    product of :math:`2 \sqrt{\varepsilon_t (1 - \varepsilon_t)}`. It is sensitive to label noise: mislabelled
    rows get ever larger weights.

    Use it where labels are reliable and simple members, such as stumps, are each a little better than
    guessing: together they have little bias. Not with noisy labels or strongly overlapping classes, whose
    rows get ever larger weights, nor for probabilities without calibration.

    Examples
    --------
    Ten points on a line that no single threshold separates; the errors are 3/10, 3/14 and 2/11.

    >>> from classica import AdaBoostClassifier
    >>> X, y = [[i] for i in range(10)], [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> model.estimator_errors_.round(4), model.estimator_weights_.round(4)
    (array([0.3   , 0.2143, 0.1818]), array([0.4236, 0.6496, 0.752 ]))
    >>> model.staged_errors_
    array([0.3, 0.3, 0. ])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimator": Nothing() | AClassifier(),
        "n_estimators": Integer(at_least=1),
        "learning_rate": Real(above=0),
        "method": OneOf("reweight", "resample"),
        "multiclass": OneOf("samme", "m1"),
        "random_state": Seed(),
        "categorical_features": CategoricalFeatures(),
        "n_jobs": N_JOBS,
    }

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        n_estimators: int = 50,
        *,
        learning_rate: float = 1.0,
        method: str = "reweight",
        multiclass: str = "samme",
        random_state: RandomState = None,
        categorical_features: Categorical = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.method = method
        self.multiclass = multiclass
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None, **params: Any
    ) -> AdaBoostClassifier:
        """Learn one member after the other.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The rows, such as the members take them.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts at the start; 2 is the row twice, 0 no row.
        **params : metadata
            What else the ``fit`` of a member requests, with scikit-learn's metadata routing.

        Returns
        -------
        self : AdaBoostClassifier
        """
        check_parameters(self)
        base, random = self._base(), check_random_state(self.random_state)
        wanted = self._wanted(base, params)
        if self.method == "reweight" and can_be_boosted_at_once(base):
            self._store(*self._boost_trees(base, X, y, sample_weight, random))
        else:
            rows = BoostRows.of(X, y, sample_weight, base, self._threads, wanted)
            self._store(*self._boost_any(base, rows, random))
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata are requested, for scikit-learn's metadata routing."""
        member = self._stump() if self.estimator is None else self.estimator
        return fit_router(self, {"estimator": member})

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class with the largest sum of votes; of equal ones the first."""
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the probability of each class: the softmax of twice the votes."""
        return posteriors_of(self._votes(X))

    def decision_function(self, X: MatrixLike) -> Floats:
        """Return the sum of α h(x), with h = 1 for the second class; for more classes the votes of each."""
        return scores_of(self._votes(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self.estimator is not None and not AClassifier().accepts(self.estimator):
            return tags  # of what is no classifier; fit will say so
        inner = get_tags(self._stump() if self.estimator is None else self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.poor_score = inner.classifier_tags.poor_score
        return tags

    def _stump(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(
            max_depth=1, categorical_features=self.categorical_features, n_jobs=self.n_jobs
        )

    def _base(self) -> Any:
        base = self._stump() if self.estimator is None else clone(self.estimator)
        if self.method == "reweight" and not has_fit_parameter(base, "sample_weight"):
            rule = f"'resample' for {type(base).__name__}, whose fit has no parameter sample_weight"
            raise ParameterError(must("method", rule, self.method))
        return base

    def _wanted(self, base: BaseEstimator, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata that members request, which cannot be the weights that boosting gives them."""
        refuse_metadata(self, params)
        wanted = routed(self, params)
        if self.method == "reweight" and "sample_weight" in wanted:
            rule = f"'resample' for {type(base).__name__}, which requests weights of its own"
            raise ParameterError(must("method", rule, self.method))
        return wanted

    def _boost_trees(
        self,
        base: DecisionTreeClassifier,
        X: Rows,
        y: VectorLike,
        sample_weight: VectorLike | None,
        random: np.random.RandomState,
    ) -> Any:
        base.n_jobs = self.n_jobs if base.n_jobs is None else base.n_jobs
        task = base._task_of(X, y, sample_weight)
        weights = np.ones(task.rows) if task.target.weights is None else task.target.weights
        rules = self._rules(len(base.classes_), weights)
        return boosted_trees(base, task, weights, rules, self._seeds(random))

    def _boost_any(self, base: BaseEstimator, rows: BoostRows, random: np.random.RandomState) -> Any:
        samples = self._samples(rows, random) if self.method == "resample" else None
        rules = self._rules(len(rows.classes), rows.weights)
        return boosted(base, rows, rules, self._seeds(random), samples, self._threads)

    def _rules(self, classes: int, weights: Floats) -> BoostRules:
        return BoostRules.of(classes, self.learning_rate, self.multiclass, weights)

    def _seeds(self, random: np.random.RandomState) -> NDArray[Any]:
        seeds: NDArray[Any] = random.randint(2**31, size=self.n_estimators)
        return seeds

    def _samples(self, rows: BoostRows, random: np.random.RandomState) -> Samples:
        count, codes = len(rows.codes), rows.codes
        return Samples.of(
            rows.content, rows.weights, None, True, random, self._threads, rows=count, target=codes
        )

    def _store(self, members: BoostedMembers | BoostedTrees, rounds: Rounds) -> None:
        self._members, self.stopped_ = members, rounds.stopped
        self.estimator_weights_, self.estimator_errors_ = np.array(rounds.alphas), np.array(rounds.errors)
        self.staged_errors_, self.n_rounds_ = np.array(rounds.staged_errors), len(rounds.alphas)
        for name in ("n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(members.reader, name):
                setattr(self, name, getattr(members.reader, name))
        self.classes_ = members.classes

    def _of_size(self, n_estimators: int) -> AdaBoostClassifier:
        other = copy(self)
        other.n_estimators, other.n_rounds_ = n_estimators, min(n_estimators, self.n_rounds_)
        if other.n_rounds_ < self.n_rounds_:
            other._members, other.stopped_ = self._members.first(n_estimators), None
            for name in ("estimator_weights_", "estimator_errors_", "staged_errors_"):
                setattr(other, name, getattr(self, name)[:n_estimators])
        return other

    def _votes(self, X: Rows) -> Floats:
        self._require_fitted()
        return settled(self._members.votes(X, self.estimator_weights_), float(self.estimator_weights_.sum()))
