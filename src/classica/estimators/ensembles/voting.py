r"""Voting: what most members say, each by its weight.

.. math:: \hat y(x) = \arg\max_c \sum_m w_m \, [h_m(x) = c]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import has_fit_parameter

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.errors import ParameterError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.base.grid_scores import GridScores, taught_by
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.estimators.ensembles.held_out_scores import (
    HeldOutPart,
    HeldOutScores,
    given_parts,
    random_parts,
)
from classica.estimators.ensembles.vote_weights import log_odds_weights, mixture_weights
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.members.member_fits import (
    Wanted,
    answers,
    ballots,
    fit_member,
    in_threads,
    require_probabilities,
    seeded,
)
from classica.estimators.members.member_rows_passed import MadeOfMembers, classes_of, counted_rows
from classica.estimators.members.member_rules import DROPPED, AClassifier, NamedClassifiers
from classica.estimators.members.named_members import NamedMembers
from classica.estimators.trees.c45 import C45Classifier
from classica.estimators.trees.cart import CARTClassifier
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.estimators.trees.tree_pruning import Folds
from classica.metadata import Metadata, fit_router, is_routing, refuse_metadata, routed
from classica.native import Floats
from classica.params import N_JOBS, Boolean, Integer, Nothing, Numbers, OneOf, RandomState, Rule, Seed
from classica.registry import FitTime, register
from classica.trees.growing.growth_task import indices_of
from classica.trees.growing.tree import Longs


@dataclass(frozen=True)
class _Learned:
    """Members before and after they were fitted, the rows, and what was drawn so far."""

    templates: list[Any]
    members: list[Any]
    wanted: list[Wanted]
    data: TrainingData
    random: np.random.RandomState
    places: Longs | None


@register(
    slug="voting",
    title="voting",
    family="ensembles",
    rule=r"\hat y(x) = \arg\max_c \sum_m w_m \, [h_m(x) = c]",
    plain_rule="ŷ(x) = the class with the largest sum of the weights of the members that predict it",
    source="T: majority and weighted voting; Nitzan and Paroush (1982): the best weights",
    fit_cost="that of the members; learned weights: times cv + 1",
    predict_cost="that of the members",
    grid={"voting": ["hard", "soft"], "weights": [None, "learned"]},
    test_parameters=(
        {},
        {
            "estimators": [
                ("bayes", NaiveBayesClassifier()),
                ("tree", DecisionTreeClassifier(max_depth=3)),
            ],
            "voting": "soft",
            "weights": "learned",
            "cv": 3,
        },
        {
            "estimators": [
                ("lda", LinearDiscriminantClassifier()),
                ("left out", "drop"),
                ("tree", DecisionTreeClassifier(max_depth=2, max_features=2)),
                ("bayes", NaiveBayesClassifier()),
            ],
            "weights": "learned",
            "cv": 2,
        },
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.036, rows=1.0, columns=0.8, classes=0.2, grid=5.0),
)
class VotingClassifier(NamedMembers, MadeOfMembers, GridScores):
    r"""Predict by weighted majority vote, or averaged probabilities, of several classifiers.

    The rule, where :math:`h_m(x)` is the prediction of member m and :math:`w_m` its weight:

    .. math:: \hat y(x) = \arg\max_c \sum_m w_m \, [h_m(x) = c]

    and :math:`P(c \mid x)` is the fraction of the votes. A soft vote averages probabilities instead:
    :math:`P(c \mid x) = \sum_m w_m \, p_m(c \mid x) / \sum_m w_m`.

    It fits a clone of each member to all rows. Members may be any classifiers, of any package. They receive
    the rows as given, so that each handles categories in its own way. Weights are learned on held-out rows.
    For a hard vote they are the log-odds of a member's accuracy p,
    :math:`w_m = \ln \frac{p}{1 - p} + \ln (C - 1)`, which is optimal if members make independent errors; a
    member no better than guessing gets weight 0. For a soft vote they are the mixture weights that maximise
    the likelihood of the true classes of these rows.

    Parameters
    ----------
    estimators : list of (str, classifier) or None, default=None
        The members by name; "drop" in place of a classifier leaves it out. None: naive Bayes, C4.5 and CART,
        which handle categories and missing values.
    voting : {"hard", "soft"}, default="hard"
        Count one vote per member, or average probabilities.
    weights : sequence of float, "learned" or None, default=None
        The weights of `estimators`; learned on held-out rows; or all equal.
    prefitted : bool, default=False
        Whether the members are already fitted and are used as they are. Weights are then learned on the rows
        given to ``fit``, which should not be the members' training rows.
    cv : int, splitter or iterable, default=5
        The cross-validation folds for learning weights; a number means that many stratified folds.
    random_state : int, RandomState instance or None, default=None
        Random seed for the folds, and for members that have none of their own.
    n_jobs : int or None, default=None
        Number of threads that fit members in parallel; None uses every available core. The result does not
        depend on it. A member that does not set its own `n_jobs` runs on one thread.

    Attributes
    ----------
    classes_ : array
        The class labels, sorted, including those only prefitted members have seen.
    estimators_ : list of classifiers
        The fitted members.
    named_estimators_ : Bunch
        The same by name.
    weights_ : array of shape (n_members,)
        The weights in use.

    Notes
    -----
    Cost: that of the members; learned weights cost `cv` fits more of each. Ties go to the first class. A vote
    is better than its members only if they misclassify different rows. `sample_weight` is passed to the
    members, each of which must support it. Rows to whose class every member gives probability 0 are ignored
    when the weights of a soft vote are learned. Infinite values are rejected. ``clone`` returns unfitted
    members, as usual: to keep fitted ones in a cross-validation, wrap them in scikit-learn's
    ``FrozenEstimator``.

    Use it to combine good models of different kinds that misclassify different rows (`classica.diversity`
    shows whether they do). Not with very similar members, which make the same errors, nor with equal weights
    if one member is far better than the others.

    Examples
    --------
    The lecture's reason to vote: the majority of five classifiers with 70% accuracy and independent errors
    has 84% accuracy; the majority of 101 is practically never wrong.

    >>> from scipy.stats import binom
    >>> binom.sf([2, 50], [5, 101], 0.7).round(6)
    array([0.83692 , 0.999987])

    Three members of different kinds:

    >>> from classica import ChanceClassifier, KNeighborsClassifier, LinearDiscriminantClassifier
    >>> from classica import VotingClassifier
    >>> X, y = [[0, 0], [1, 0], [0, 1], [4, 4], [5, 4], [4, 5]], ["a", "a", "a", "b", "b", "b"]
    >>> members = [
    ...     ("lda", LinearDiscriminantClassifier()),
    ...     ("nearest", KNeighborsClassifier(1)),
    ...     ("largest class", ChanceClassifier()),
    ... ]
    >>> model = VotingClassifier(members).fit(X, y)
    >>> model.votes([[4, 3]]).tolist(), model.predict([[4, 3]]).tolist()
    ([['b', 'b', 'a']], ['b'])
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimators": Nothing() | NamedClassifiers(),
        "voting": OneOf("hard", "soft"),
        "weights": Nothing() | OneOf("learned") | Numbers(),
        "prefitted": Boolean(),
        "cv": Integer(at_least=2) | Folds(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }

    #: Which are refused where neither a member requests them nor weights of the vote are learned by them.
    __metadata_request__fit: ClassVar[Mapping[str, bool]] = {"sample_weight": True}

    free_parameters: ClassVar[frozenset[str]] = frozenset({"voting", "weights"})

    named_estimators_: Bunch
    weights_: Floats

    def __init__(
        self,
        estimators: Any = None,
        *,
        voting: str = "hard",
        weights: Sequence[float] | str | None = None,
        prefitted: bool = False,
        cv: Any = 5,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.weights = weights
        self.prefitted = prefitted
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: MatrixLike, y: VectorLike, sample_weight: VectorLike | None = None, **params: Any
    ) -> VotingClassifier:
        """Fit the members, and learn their weights if so wished.

        Parameters
        ----------
        X : whatever all members take, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts, for members that all take such weights. With scikit-learn's metadata
            routing, members that request no weights get none.
        **params : metadata
            What else the ``fit`` of members requests, with scikit-learn's metadata routing.

        Returns
        -------
        self : VotingClassifier
        """
        learned = self._members_of(X, y, sample_weight, params)
        held_out = self._held_out(learned, [self.voting])[0] if self._learns else None
        return self._become(learned, held_out)

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata are requested, for scikit-learn's metadata routing."""
        learners = [] if self.prefitted else self._pairs()
        members = {name: member for name, member in learners if AClassifier().accepts(member)}
        return fit_router(self, members)

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class with the largest share for each row; of equal ones the first."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of the votes for each class, or the mean of the members' probabilities."""
        X = self._query(X)
        shares = np.zeros((X.shape[0], len(self.classes_)))
        for weight, member in zip(self.weights_, self.estimators_, strict=True):
            if weight:
                shares += weight * ballots(member, X, self.classes_, self.voting)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def votes(self, X: MatrixLike) -> NDArray[Any]:
        """Return what each member (column) says about each row, as labels."""
        X = self._query(X)
        codes = [answers(member, X, self.classes_) for member in self.estimators_]
        labels: NDArray[Any] = self.classes_[np.column_stack(codes)]
        return labels

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: those of all members, where each tells its own, and learned weights."""
        return super().n_parameters_ + (len(self.weights_) if self._learns else 0)

    def _pairs(self) -> list[tuple[str, Any]]:
        default = [("bayes", NaiveBayesClassifier()), ("c45", C45Classifier()), ("cart", CARTClassifier())]
        return default if self.estimators is None else self._named_members()

    def _templates(self) -> list[Any]:
        return [member for _, member in self._pairs() if AClassifier().accepts(member)]

    def _check_members(self, weighted: bool) -> None:
        """Refuse what cannot be, before anything is fitted."""
        self._check_names()
        if not isinstance(self.weights, str | None):
            self._stated_weights()
        weighted = weighted and not self.prefitted and not is_routing()  # which knows who takes them
        named = [(name, member) for name, member in self._pairs() if member != DROPPED]
        for name, member in named:
            called = f"the member {name!r} ({type(member).__name__})"
            if self.voting == "soft":
                require_probabilities(member, called)
            if self.prefitted and not hasattr(member, "classes_"):
                raise ParameterError(must("prefitted", f"False for {called}, which is not fitted", True))
            if weighted and not has_fit_parameter(member, "sample_weight"):
                rule = f"None for {called}, whose fit has no parameter of that name"
                raise ParameterError(f"sample_weight must be {rule}, got weights.")

    @property
    def _learns(self) -> bool:
        """Whether weights come from rows held out."""
        return isinstance(self.weights, str)

    def _fit_alike(self, models: Sequence[Any], X: Rows, y: VectorLike) -> Iterator[tuple[int, Any]]:
        first = models[0]
        learned = first._members_of(X, y, None, {})
        votings = sorted({model.voting for model in models if model._learns})
        held_out = dict(zip(votings, first._held_out(learned, votings) if votings else (), strict=True))
        for index, model in enumerate(models):
            model._check_members(False)
            yield index, taught_by(model, first)._become(learned, held_out.get(model.voting))

    def _members_of(
        self, X: Rows, y: VectorLike, sample_weight: VectorLike | None, params: Mapping[str, Any]
    ) -> _Learned:
        """Fit the members."""
        given = self._all_rows(X, y, sample_weight)
        data = counted_rows(given)
        self._check_members(data.weights is not None)
        wanted = self._wanted(given, sample_weight, params)
        random = check_random_state(self.random_state)
        templates = self._seeded(random)
        members = self._fitted(templates, wanted, data)
        classes = classes_of(data.classes, members)
        codes = np.searchsorted(classes, data.classes).astype(np.int32)[data.codes]
        data = TrainingData(data.X, classes, codes, data.weights)
        return _Learned(templates, members, wanted, data, random, indices_of(given.weights))

    def _wanted(
        self, given: TrainingData, sample_weight: VectorLike | None, params: Mapping[str, Any]
    ) -> list[Wanted]:
        """Return what each member gets beside rows and labels, of the rows that count."""
        refuse_metadata(self, params)
        names = [name for name, member in self._pairs() if member != DROPPED]
        if not is_routing():
            return [Wanted() for _ in names]
        passed, rows = {**params, "sample_weight": sample_weight}, len(given.codes)
        counted = np.arange(rows) if given.weights is None else np.flatnonzero(given.weights)
        results = []
        for values in [routed(self, passed, name) for name in names]:
            weighted = values.get("sample_weight") is sample_weight  # and not weights of another name
            if weighted:
                values.pop("sample_weight", None)
            results.append(Wanted(weighted, Metadata.of(values, rows).take(counted)))
        if sample_weight is not None and not self._learns and not any(one.weighted for one in results):
            raise ParameterError("sample_weight must be None if no member requests it, got weights.")
        return results

    def _become(self, learned: _Learned, held_out: HeldOutScores | None) -> Self:
        weights = self._weights(learned, held_out)
        self.classes_, self.estimators_, self.weights_ = learned.data.classes, learned.members, weights
        fitted = iter(learned.members)
        named = {name: member if member == DROPPED else next(fitted) for name, member in self._pairs()}
        self.named_estimators_ = Bunch(**named)
        return self

    def _seeded(self, random: np.random.RandomState) -> list[Any]:
        """Return the members before they are fitted; those that are fitted already as they are."""
        if self.prefitted:
            return self._templates()
        return [seeded(clone(member), random, only_unseeded=True) for member in self._templates()]

    def _fitted(self, templates: list[Any], wanted: list[Wanted], data: TrainingData) -> list[Any]:
        if self.prefitted:
            return templates
        labels, alone = data.classes[data.codes], self._threads == 1 or len(templates) == 1
        tasks = [
            (clone(member), data.X, labels, of_member.params(data.weights), alone, self.n_jobs)
            for member, of_member in zip(templates, wanted, strict=True)
        ]
        return in_threads(fit_member, tasks, self._threads)

    def _weights(self, learned: _Learned, held_out: HeldOutScores | None) -> Floats:
        if self.weights is None:
            return np.ones(len(learned.members))
        if not self._learns:
            return self._stated_weights()
        assert held_out is not None
        if self.voting == "soft":
            return mixture_weights(held_out.scores, held_out.cases)
        return log_odds_weights(held_out.scores, held_out.cases, len(learned.data.classes))

    def _held_out(self, learned: _Learned, votings: list[str]) -> list[HeldOutScores]:
        """Return what members give rows they have not learned from, for each kind of vote."""
        templates, data = learned.templates, learned.data
        if self.prefitted:
            return [HeldOutScores.of_fitted(templates, data, voting) for voting in votings]
        parts = self._parts(learned)
        pairs = list(zip(templates, learned.wanted, strict=True))
        return HeldOutScores.of_parts(pairs, data, parts, votings, self._threads, self.n_jobs)

    def _parts(self, learned: _Learned) -> list[HeldOutPart]:
        data = learned.data
        if not Integer().accepts(self.cv):
            return given_parts(self.cv, data.codes, data.weights, learned.places)
        content = self._content(data.X, "from_dtype", required=False)
        seed = int(learned.random.randint(2**31))
        return random_parts(self.cv, content, data.codes, data.weights, seed, self._threads)

    def _stated_weights(self) -> Floats:
        stated: Floats = np.asarray(self.weights, dtype=np.float64)
        takes_part = [member != DROPPED for _, member in self._pairs()]
        if stated.shape != (len(takes_part),):
            rule = f"one number for each of {len(takes_part)} members"
            raise ParameterError(must("weights", rule, self.weights))
        kept: Floats = stated[takes_part]
        if (kept < 0).any() or not kept.any():
            raise ParameterError(must("weights", "at least 0 and not all 0", self.weights))
        return kept
