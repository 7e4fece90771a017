r"""Weighted majority: experts vote by weight, and each mistake costs an expert part of its weight.

.. math:: \hat y(x) = \arg\max_c \sum_e w_e \, [h_e(x) = c], \qquad w_e = \beta^{m_e}
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from classica import native
from classica.arrays import MatrixLike, Rows, VectorLike
from classica.columns import Accepts, read_matrix
from classica.errors import ParameterError, must
from classica.estimators.base.announced_classes import announced_classes, coded_by, require_announced
from classica.estimators.base.estimator import TrainingData
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.estimators.ensembles.weighted_majority_pass import majority_pass, weights_after
from classica.estimators.ensembles.weighted_majority_pool import ColumnPool, MemberPool, Pool
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.members.member_fits import fit_member, in_threads, seeded
from classica.estimators.members.member_rows_passed import MadeOfMembers, classes_of
from classica.estimators.members.member_rules import DROPPED, AClassifier, NamedClassifiers
from classica.estimators.members.named_members import NamedMembers
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.native import Floats
from classica.native.online_learners import Longs
from classica.params import N_JOBS, Boolean, Nothing, OneOf, RandomState, Real, Rule, Seed
from classica.registry import FitTime, register
from classica.row_taking import take_rows

#: As many answers of experts are looked at at a time.
_MOST_ANSWERS = 1 << 20

#: Beyond it, a table of some thousand rows takes minutes.
_MOST_EXPERTS = 500_000


@register(
    slug="weighted-majority",
    title="weighted majority",
    family="linear",
    rule=r"\hat y(x) = \arg\max_c \sum_e w_e \, [h_e(x) = c], \quad w_e = \beta^{m_e}",
    plain_rule="ŷ(x) = the class with the largest weight of experts; m mistakes leave a weight of β^m",
    source="R (Roweis): weighted majority, by name only; Littlestone and Warmuth (1994)",
    fit_cost="that of the members; of columns O(n d C²)",
    predict_cost="that of the members; of columns O(d C) per row",
    grid={"beta": [0.5, 0.8, 0.95]},
    test_parameters=(
        {},
        {"mode": "randomised", "beta": 0.9},
        {
            "estimators": [
                ("bayes", NaiveBayesClassifier()),
                ("left out", "drop"),
                ("tree", DecisionTreeClassifier(max_depth=3)),
                ("mean", NearestMeanClassifier()),
            ],
            "beta": 0.8,
        },
    ),
    # Measured on generated tables of 1,000 to 16,000 rows, 5 to 80 columns and 2 to 26 classes.
    fit_time=FitTime(0.0068, rows=0.9, columns=0.8, classes=1.1, grid=2.3),
)
class WeightedMajorityClassifier(NamedMembers, MadeOfMembers):
    r"""Predict by weighted majority of experts, whose weights shrink with every mistake they make.

    The rule, where :math:`h_e(x)` is the prediction of expert e and :math:`m_e` the number of its mistakes:

    .. math:: \hat y(x) = \arg\max_c \sum_e w_e \, [h_e(x) = c], \quad w_e = \beta^{m_e}

    Rows are processed in the order given. The master algorithm predicts each row, receives its true class,
    and multiplies the weight of each expert that was wrong by β. If any one of N experts makes m mistakes,
    the master makes at most

    .. math:: M \le \frac{m \ln (1/\beta) + \ln N}{\ln (2 / (1 + \beta))}

    since a mistake of the master means that at least half of the weight was wrong (for any number of
    classes), which leaves at most :math:`(1 + \beta)/2` of it. The randomised master follows one expert drawn
    by weight. Its expected number of mistakes is the sum over the rows of the fraction of the weight that was
    wrong, which is at most :math:`(m \ln (1/\beta) + \ln N) / (1 - \beta)`.

    Experts are any classifiers, or (``estimators=None``) thresholds on single columns, midway between the
    middle two of the distinct values. For every column and every pair of classes there is one expert that
    predicts the first class above the threshold and the second below, and one that does the opposite.

    Parameters
    ----------
    estimators : list of (str, classifier) or None, default=None
        The experts by name; "drop" in place of a classifier leaves it out. None: thresholds on single
        columns.
    beta : float, default=0.5
        Factor on the weight of an expert that makes a mistake, from 0 (one mistake is enough) to below 1.
    mode : {"deterministic", "randomised"}, default="deterministic"
        Whether the master follows the majority, or an expert drawn by weight. The draw for a new row depends
        on the random seed and on the values of the row.
    prefitted : bool, default=False
        Whether the experts are already fitted and are used as they are. Otherwise ``fit`` first fits them to
        the rows.
    random_state : int, RandomState instance or None, default=None
        Random seed for draws, and for experts that have none of their own.
    n_jobs : int or None, default=None
        Number of threads; None uses every available core. The result does not depend on it.

    Attributes
    ----------
    classes_ : array
        The class labels, sorted, including those only prefitted experts have seen.
    estimators_ : list of classifiers
        The experts; empty for experts on columns.
    weights_ : array of shape (n_experts,)
        Their weights; the largest is 1. Experts on columns are ordered by column, then by the class above the
        threshold, then by the class below.
    expert_mistakes_ : array of shape (n_experts,)
        The number of mistakes of each expert.
    mistakes_ : int
        The number of mistakes of the master during training.
    expected_mistakes_ : float
        The expected number of mistakes of the randomised master.
    cuts_ : array of shape (n_features,) or None
        The thresholds of the experts on columns.

    Notes
    -----
    Cost: that of the experts; on columns there are d C (C - 1) of them, too many if there are many classes.
    ``predict_proba`` returns the fraction of the weight for each class or, for ``"randomised"``, one-hot rows
    (the drawn class has probability 1). Ties go to the first class. The weights do not depend on the order of
    the rows; the mistakes of the master do. Experts that overfit make no mistakes on their training rows:
    evaluate them on other rows, with ``prefitted`` or ``partial_fit``. The latter first lets the experts
    predict the new rows, updates the weights, and only then fits those that have ``partial_fit`` to them. The
    thresholds of columns stay as the first rows set them. Sample weights are not supported.

    Use it where several experts are available and it is unclear which to trust: whatever the rows, it makes
    at most a constant multiple of the mistakes of the best expert, plus a term logarithmic in their number.
    Not where no single column is informative, since experts can only be outvoted, not combined into a new
    rule.

    Examples
    --------
    Three columns, of which the second determines the class: its expert makes no mistake, and the bound with m
    = 0 and N = 6 experts is ln 6 / ln (4/3) = 6.2 mistakes of the master.

    >>> from classica import WeightedMajorityClassifier
    >>> X = [[0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]]
    >>> y = [1, 0, 1, 0, 1, 0]
    >>> model = WeightedMajorityClassifier().fit(X, y)
    >>> model.expert_mistakes_.tolist(), model.mistakes_
    ([4, 2, 6, 0, 3, 3], 2)
    >>> model.weights_.tolist()
    [0.0625, 0.25, 0.015625, 1.0, 0.125, 0.125]
    >>> model.predict([[1, 0, 0], [0, 1, 0]]).tolist()
    [0, 1]
    """

    parameter_rules: ClassVar[Mapping[str, Rule]] = {
        "estimators": Nothing() | NamedClassifiers(),
        "beta": Real(at_least=0, at_most=1 - 1e-9),
        "mode": OneOf("deterministic", "randomised"),
        "prefitted": Boolean(),
        "random_state": Seed(),
        "n_jobs": N_JOBS,
    }

    weights_: Floats
    expert_mistakes_: Longs
    mistakes_: int
    expected_mistakes_: float
    cuts_: Floats | None
    _seed: int
    _seen: int

    def __init__(
        self,
        estimators: Any = None,
        *,
        beta: float = 0.5,
        mode: str = "deterministic",
        prefitted: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimators = estimators
        self.beta = beta
        self.mode = mode
        self.prefitted = prefitted
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MatrixLike, y: VectorLike) -> WeightedMajorityClassifier:
        """Fit the experts, then go through the rows once to learn their weights.

        Parameters
        ----------
        X : whatever all experts take, of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The labels.

        Returns
        -------
        self : WeightedMajorityClassifier
        """
        data = self._training_data(X, y)
        self._begin(data, None)
        self._judge(coded_by(self.classes_, data))
        return self

    def partial_fit(
        self, X: MatrixLike, y: VectorLike, classes: VectorLike | None = None
    ) -> WeightedMajorityClassifier:
        """Judge the experts by further rows, which those that can then learn from.

        Parameters
        ----------
        X : as in ``fit``
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels there will be; needed at the first call unless its rows have them all.

        Returns
        -------
        self : WeightedMajorityClassifier
        """
        is_fitted = self._is_fitted()
        data = self._training_data(X, y, reset=not is_fitted)
        if not is_fitted:
            self._begin(data, classes)
        require_announced(self.classes_, classes)
        self._judge(coded_by(self.classes_, data))
        if is_fitted and not self.prefitted:
            for member in self.estimators_:
                if hasattr(member, "partial_fit"):
                    member.partial_fit(data.X, data.classes[data.codes])
        return self

    def predict(self, X: MatrixLike) -> NDArray[Any]:
        """Return the class with the largest share for each row; of equal ones the first."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def predict_proba(self, X: MatrixLike) -> Floats:
        """Return the share of the weight for each class, or certainty about what the drawn expert says."""
        X = self._query(X)
        pool, threads = self._pool(), self._threads_of(X)
        if self.mode == "randomised":
            return np.eye(len(self.classes_))[pool.answer_of(X, self._followed(X, pool))]
        shares = pool.shares(X, self.weights_, len(self.classes_), threads)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    @property
    def n_experts_(self) -> int:
        """How many experts there are."""
        return len(self.expert_mistakes_)

    @property
    def n_parameters_(self) -> int:
        """Number of free parameters: the weights, the cuts of columns, and those of experts that tell."""
        self._require_fitted()
        cuts = 0 if self.cuts_ is None else len(self.cuts_)
        inside = sum(getattr(member, "n_parameters_", 0) for member in self.estimators_)
        return self.n_experts_ + cuts + inside

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        if self.estimators is None:
            tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.categorical = False
        return tags

    @property
    def accepts(self) -> Accepts:  # type: ignore[override]
        """What rows are taken: numbers for experts on columns, else what all experts take."""
        return Accepts() if self.estimators is None else super().accepts

    def _passed_on(self, X: Rows, threads: int, *, reset: bool) -> Any:
        if self.estimators is None:
            return read_matrix(self, X, self.accepts, threads, reset=reset)
        return super()._passed_on(X, threads, reset=reset)

    def _templates(self) -> list[Any]:
        return [member for _, member in self._named_members() if AClassifier().accepts(member)]

    def _begin(self, data: TrainingData, announced: VectorLike | None) -> None:
        """Let experts learn from the first rows; none has made a mistake yet."""
        self._check_members()
        random = check_random_state(self.random_state)
        classes = announced_classes(data, announced)
        members = self._fitted(data, classes, random)
        self.classes_, self.estimators_ = classes_of(classes, members), members
        on_columns = self.estimators is None
        self.cuts_ = ColumnPool.of(data.X, len(classes), self._threads).cuts if on_columns else None
        self._seed, self._seen = int(random.randint(2**31)), 0
        self.expert_mistakes_ = np.zeros(self._pool().size, dtype=np.int64)
        self.mistakes_, self.expected_mistakes_ = 0, 0.0

    def _check_members(self) -> None:
        self._check_names()
        for name, member in self._named_members():
            if self.prefitted and member != DROPPED and not hasattr(member, "classes_"):
                called = f"the member {name!r} ({type(member).__name__})"
                raise ParameterError(must("prefitted", f"False for {called}, which is not fitted", True))

    def _fitted(self, data: TrainingData, classes: NDArray[Any], random: np.random.RandomState) -> list[Any]:
        templates = self._templates()
        if self.prefitted:
            return templates
        labels, alone = data.classes[data.codes], self._threads == 1 or len(templates) == 1
        members = [seeded(clone(member), random, only_unseeded=True) for member in templates]
        if len(classes) > len(data.classes):  # only those told of all classes can learn of them later
            able = [member for member in members if hasattr(member, "partial_fit")]
            for member in able:
                member.partial_fit(data.X, labels, classes=classes)
        else:
            able = []
        no_params: dict[str, Any] = {}
        tasks = [(m, data.X, labels, no_params, alone, self.n_jobs) for m in members if m not in able]
        in_threads(fit_member, tasks, self._threads)
        return members

    def _judge(self, data: TrainingData) -> None:
        """Go through the rows, a block at a time."""
        pool, rows = self._pool(), len(data.codes)
        if pool.size > _MOST_EXPERTS and not self._seen:
            text = (
                f"{len(self.classes_):,} classes and {data.X.shape[1]:,} columns make {pool.size:,} experts"
            )
            remedy = "name a few classifiers as `estimators`, or merge classes"
            warnings.warn(f"{text}, each of which predicts every row; {remedy}.", UserWarning, stacklevel=3)
        height = max(1, _MOST_ANSWERS // max(pool.size, 1))
        for start in range(0, rows, height):
            part = np.arange(start, min(start + height, rows))
            draws = self._draws(len(part)) if self.mode == "randomised" else None
            happened = majority_pass(
                pool.answers(take_rows(data.X, part)),
                data.codes[part],
                self.expert_mistakes_,
                float(self.beta),
                len(self.classes_),
                draws,
            )
            self.expert_mistakes_ = happened.expert_mistakes
            self.mistakes_ += happened.mistakes
            self.expected_mistakes_ += happened.expected_mistakes
            self._seen += len(part)
        self.weights_ = weights_after(self.expert_mistakes_, float(self.beta))

    def _draws(self, rows: int) -> Floats:
        """Return a uniform number for each of the rows that come next."""
        blocks = native.philox(self._seed, 0, self._seen, rows)
        return (blocks[:, 0] >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def _followed(self, X: Rows, pool: Pool) -> NDArray[np.intp]:
        """Return the expert to follow in each row, drawn by weight and by what is in the row."""
        content = self._content(X, "from_dtype", required=False)
        if content is None:  # only experts can read the rows: what they say stands for it
            content = pool.answers(X).astype(np.float64)
        draws = native.row_draws(content, self._seed, self._threads_of(content))
        up_to = np.cumsum(self.weights_)
        last = np.searchsorted(up_to, up_to[-1])  # nobody beyond the last expert with any weight
        followed: NDArray[np.intp] = np.searchsorted(up_to, draws * up_to[-1], side="right").clip(max=last)
        return followed

    def _pool(self) -> Pool:
        if self.cuts_ is None:
            return MemberPool(self.estimators_, self.classes_)
        return ColumnPool(self.cuts_, len(self.classes_))
