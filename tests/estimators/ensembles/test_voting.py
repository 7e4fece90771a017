"""Votes of any classifiers: by hand, as scikit-learn's, and with weights that are the best there are."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import VotingClassifier as PeerVoting
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as PeerTree
from sklearn.utils import get_tags

from classica import (
    C45Classifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearDiscriminantClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    VotingClassifier,
)
from classica.errors import DataError, ParameterError
from classica.estimators.base.estimator import Estimator
from classica.estimators.ensembles.held_out_scores import given_parts, random_parts
from classica.estimators.ensembles.vote_weights import log_odds_weights, mixture_weights


class Column(ClassifierMixin, BaseEstimator):
    """Say what is written in one column; keep what `fit` was given."""

    def __init__(self, place=0, n_jobs=None, random_state=None):
        self.place = place
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.given_, self.jobs_in_fit_ = X, self.n_jobs
        return self

    def predict(self, X):
        return self.classes_[np.asarray(X)[:, self.place].astype(int)]


class OurColumn(Column, Estimator):
    """The same as one of ours, for which no ``n_jobs`` means every core."""


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return X, np.array(["setosa", "versicolor", "virginica"])[y]


@pytest.fixture(scope="module")
def mixed():
    """Return a table with numbers, text, categories and missing cells, as dict of columns, and labels."""
    random = np.random.default_rng(3)
    y = np.arange(200) % 2
    colour = np.where(random.random(200) < 0.8, np.array(["red", "blue"])[y], "green").astype(object)
    colour[::17] = None
    size = random.normal(size=200) + y
    size[::13] = np.nan
    return {"size": size, "colour": colour.tolist(), "shape": random.choice(["o", "x"], 200).tolist()}, y


PEERS = [
    ("bayes", GaussianNB()),
    ("logit", LogisticRegression(max_iter=1000)),
    ("tree", PeerTree(max_depth=2)),
]


@pytest.mark.parametrize("weights", [None, [1, 2, 1.5], [0, 1, 1]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_same_members_give_scikit_learns_answers(voting, weights):
    X, y = make_classification(400, 6, n_classes=3, n_informative=4, flip_y=0.2, random_state=1)
    ours = VotingClassifier(PEERS, voting=voting, weights=weights, random_state=0).fit(X[::2], y[::2])
    theirs = PeerVoting(PEERS, voting=voting, weights=weights).fit(X[::2], y[::2])
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if voting == "soft":
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=0, atol=1e-14)
    else:
        np.testing.assert_array_equal(ours.votes(X), theirs.transform(X))


def test_any_mix_is_a_sum_by_hand(iris):
    X, y = iris
    members = [
        ("knn", KNeighborsClassifier(3)),
        ("c45", C45Classifier()),
        ("logit", make_pipeline(StandardScaler(), LogisticRegression())),
    ]
    weights = np.array([1.0, 0.5, 2.0])
    soft = VotingClassifier(members, voting="soft", weights=weights).fit(X[::2], y[::2])
    alone = [clone(member).fit(X[::2], y[::2]) for _, member in members]
    mean = sum(w * m.predict_proba(X) for w, m in zip(weights, alone, strict=True)) / weights.sum()
    np.testing.assert_allclose(soft.predict_proba(X), mean, rtol=0, atol=1e-15)
    hard = clone(soft).set_params(voting="hard").fit(X[::2], y[::2])
    said = np.column_stack([m.predict(X) for m in alone])
    np.testing.assert_array_equal(hard.votes(X), said)
    shares = np.stack([(said == label) @ weights for label in soft.classes_], axis=1) / weights.sum()
    np.testing.assert_allclose(hard.predict_proba(X), shares, rtol=0, atol=1e-15)


def test_the_lectures_majority_of_independent_members():
    """Every way in which five members can be right, weighted by how likely it is."""
    right = np.array(list(itertools.product([0, 1], repeat=5)))
    likely = np.prod(np.where(right, 0.7, 0.3), axis=1)
    rows = np.vstack([right, 1 - right])  # the truth is 1, then 0
    truth = np.repeat([1, 0], len(right))
    model = VotingClassifier([(f"m{j}", Column(j)) for j in range(5)]).fit(rows, truth)
    correct = model.predict(rows) == truth
    assert correct @ np.tile(likely / 2, 2) == pytest.approx(0.83692, abs=1e-12)


def test_ties_go_to_the_first_class():
    model = VotingClassifier([("a", Column(0)), ("b", Column(1))]).fit([[0, 1], [1, 0]], ["u", "v"])
    assert model.predict([[0, 1], [1, 0], [1, 1]]).tolist() == ["u", "u", "v"]
    assert model.predict_proba([[1, 0]]).tolist() == [[0.5, 0.5]]


def test_the_default_takes_categories_and_missing_cells(mixed):
    columns, y = mixed
    frame = pd.DataFrame(columns)
    model = VotingClassifier().fit(frame, y)
    assert list(model.named_estimators_) == ["bayes", "c45", "cart"]
    assert model.score(frame, y) > 0.8
    assert model.weights_.tolist() == [1, 1, 1]
    tags = get_tags(model).input_tags
    assert (tags.allow_nan, tags.categorical, tags.sparse) == (True, True, False)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_frame_comes_to_the_members_as_it_is(kind, mixed):
    columns, y = mixed
    frame = kind(columns)
    members = [("probe", Column()), ("tree", DecisionTreeClassifier()), ("bayes", NaiveBayesClassifier())]
    model = VotingClassifier(members[:1]).fit(frame, y)
    assert model.estimators_[0].given_ is frame
    learned = VotingClassifier(members[1:], weights="learned", voting="soft", random_state=0).fit(frame, y)
    other = VotingClassifier(members[1:], weights="learned", voting="soft", random_state=0)
    other.fit(pl.DataFrame(columns), y)
    np.testing.assert_array_equal(learned.predict_proba(frame), other.predict_proba(pl.DataFrame(columns)))
    assert learned.estimators_[0].category_levels_["colour"] == ["blue", "green", "red"]


def test_sparse_rows_where_all_members_take_them():
    X, y = make_classification(100, 5, random_state=0)
    members = [("mean", NearestMeanClassifier()), ("logit", LogisticRegression())]
    told = get_tags(LogisticRegression()).input_tags.sparse  # old versions do not tell
    assert get_tags(VotingClassifier(members)).input_tags.sparse == told
    dense = VotingClassifier(members, weights="learned", random_state=0).fit(X, y)
    sparse = VotingClassifier(members, weights="learned", random_state=0).fit(sp.csr_array(X), y)
    np.testing.assert_array_equal(dense.predict(X), sparse.predict(sp.csr_array(X)))
    with pytest.raises(DataError, match=r"[Ss]parse"):
        VotingClassifier().fit(sp.csr_array(X), y)


def test_text_that_only_a_pipeline_can_read():
    texts = ["a good day", "good food", "bad weather", "a bad idea"] * 5
    y = ["yes", "yes", "no", "no"] * 5
    reader = make_pipeline(TfidfVectorizer(), LogisticRegression())
    model = VotingClassifier([("one", reader)], weights="learned", random_state=0).fit(texts, y)
    assert model.predict(["good", "bad"]).tolist() == ["yes", "no"]


def test_members_are_reached_by_name(iris):
    X, y = iris
    model = VotingClassifier([("knn", KNeighborsClassifier()), ("tree", DecisionTreeClassifier())])
    assert model.get_params()["knn__n_neighbors"] == 5
    assert model.get_params()["tree"] is model.estimators[1][1]
    assert "knn" not in model.get_params(deep=False)
    model.set_params(knn__n_neighbors=3, tree=C45Classifier(), tree__confidence=0.1, voting="soft")
    assert model.estimators[0][1].n_neighbors == 3
    assert model.estimators[1][1].confidence == 0.1
    model.set_params(knn="drop").fit(X, y)
    assert model.named_estimators_["knn"] == "drop"
    assert model.named_estimators_["tree"] is model.estimators_[0]
    np.testing.assert_array_equal(model.predict(X), C45Classifier(confidence=0.1).fit(X, y).predict(X))
    with pytest.raises(ValueError, match=r"VotingClassifier .*, got 'no'"):
        model.set_params(no=1)


def test_weights_of_members_left_out_are_left_out(iris):
    X, y = iris
    members = [("knn", KNeighborsClassifier()), ("gone", "drop"), ("tree", DecisionTreeClassifier())]
    assert VotingClassifier(members, weights=[1, 5, 2]).fit(X, y).weights_.tolist() == [1, 2]


def test_learned_weights_of_a_hard_vote_are_log_odds(iris):
    X, y = iris
    members = [
        ("bayes", GaussianNB()),
        ("tree", DecisionTreeClassifier(max_depth=1)),
        ("knn", KNeighborsClassifier()),
    ]
    cv = StratifiedKFold(4, shuffle=True, random_state=5)
    model = VotingClassifier(members, weights="learned", cv=cv).fit(X, y)
    p = np.array([np.mean(cross_val_predict(member, X, y, cv=cv) == y) for _, member in members])
    np.testing.assert_allclose(model.weights_, np.log(p / (1 - p)) + np.log(2), rtol=1e-12)


def test_log_odds_of_members_that_are_always_or_never_right():
    right = np.array([[1, 1, 1, 1], [0, 0, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]], dtype=float)
    found = log_odds_weights(right, np.ones(4), 2)
    np.testing.assert_allclose(found, [np.log(3.5 / 0.5), 0, np.log(3), 0])
    assert log_odds_weights(right[[1, 3]], np.ones(4), 2).tolist() == [1, 1]  # none beats chance
    assert log_odds_weights(right[[3]], np.ones(4), 5).tolist() == pytest.approx([np.log(4 / 3)])
    assert log_odds_weights(right, np.ones(4), 1).tolist() == [1, 1, 1, 1]


def test_learned_weights_beat_equal_ones_where_members_are_independent():
    """One good voter among poor ones: the best weights follow it, a majority does not."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 40_000)
    right = random.random((40_000, 5)) < [0.9, 0.6, 0.6, 0.6, 0.6]
    X = np.where(right, truth[:, None], 1 - truth[:, None]).astype(float)
    members = [(f"m{j}", Column(j)) for j in range(5)]
    learn, test = slice(0, 20_000), slice(20_000, None)
    equal = VotingClassifier(members).fit(X[learn], truth[learn])
    learned = VotingClassifier(members, weights="learned", random_state=0).fit(X[learn], truth[learn])
    np.testing.assert_allclose(learned.weights_, np.log([9, 1.5, 1.5, 1.5, 1.5]), atol=0.06)
    # By enumeration: 0.9 with the best weights (ln 9 outweighs four times ln 1.5), 0.787 with equal ones.
    assert learned.score(X[test], truth[test]) == pytest.approx(0.9, abs=0.01)
    assert equal.score(X[test], truth[test]) == pytest.approx(0.787, abs=0.01)


def test_mixture_weights_are_the_maximum_of_the_likelihood():
    random = np.random.default_rng(1)
    likelihoods = random.beta([[2], [1], [4], [0.5]], [[1], [1], [3], [0.5]], size=(4, 300))
    cases = random.integers(1, 4, 300).astype(float)
    found = mixture_weights(likelihoods, cases)
    assert found.sum() == pytest.approx(1)

    def loss(shares):
        return -cases @ np.log(shares @ likelihoods) / cases.sum()

    best = minimize(
        loss, np.full(4, 0.25), bounds=[(0, 1)] * 4, method="SLSQP", tol=1e-14,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1},
    )  # fmt: skip
    assert loss(found) <= best.fun + 1e-7
    # A member with a share gains nothing by having more; one without would lose.
    slope = likelihoods @ (cases / (found @ likelihoods)) / cases.sum()
    assert slope.max() <= 1 + 1e-4
    np.testing.assert_allclose(slope[found > 0.05], 1, atol=1e-4)


def test_mixture_weights_where_little_can_be_said():
    nothing = np.zeros((3, 4))
    np.testing.assert_allclose(mixture_weights(nothing, np.ones(4)), 1 / 3)
    np.testing.assert_allclose(mixture_weights(np.empty((2, 0)), np.empty(0)), 1 / 2)
    only_one = np.array([[0.0, 0.0, 1e-310], [0.0, 1e-300, 1e-308]])
    np.testing.assert_allclose(mixture_weights(only_one, np.ones(3)), [0, 1], atol=1e-6)


def test_learned_weights_of_a_soft_vote_come_from_rows_held_out(iris):
    X, y = iris
    members = [
        ("bayes", GaussianNB()),
        ("lda", LinearDiscriminantClassifier()),
        ("tree", PeerTree(random_state=0)),
    ]
    cv = StratifiedKFold(3, shuffle=True, random_state=2)
    model = VotingClassifier(members, voting="soft", weights="learned", cv=cv).fit(X, y)
    codes = np.searchsorted(np.unique(y), y)
    held_out = [cross_val_predict(m, X, y, cv=cv, method="predict_proba") for _, m in members]
    likelihoods = np.array([p[np.arange(len(y)), codes] for p in held_out])
    np.testing.assert_allclose(model.weights_, mixture_weights(likelihoods, np.ones(len(y))), atol=1e-9)


def test_parts_have_their_share_of_every_class_and_every_case_is_judged_once():
    codes = np.repeat([0, 1, 2], [23, 11, 6]).astype(np.int32)
    X, random = np.arange(40.0)[:, None], np.random.default_rng(0)
    parts = random_parts(4, X, codes, None, 7, 1)
    np.testing.assert_array_equal(np.sort(np.concatenate([part.judged for part in parts])), np.arange(40))
    for part in parts:
        assert set(part.learned) == set(range(40)) - set(part.judged)
        counts = np.bincount(codes[part.judged], minlength=3)
        assert (np.abs(counts - np.array([23, 11, 6]) / 4) < 1).all()
    order = random.permutation(40)
    shuffled = random_parts(4, X[order], codes[order], None, 7, 1)
    for part, other in zip(parts, shuffled, strict=True):
        assert set(order[other.judged]) == set(part.judged)
    assert [set(p.judged) for p in random_parts(4, X, codes, None, 8, 1)] != [set(p.judged) for p in parts]


def test_parts_deal_out_cases_of_whole_weights_and_rows_of_others():
    codes, X = np.array([0, 0, 1, 1], dtype=np.int32), np.arange(4.0)[:, None]
    weights = np.array([5.0, 1.0, 2.0, 4.0])
    judged, learned = np.zeros(4), np.zeros(4)
    for part in random_parts(3, X, codes, weights, 0, 1):
        assert part.judged_weights.sum() == 4
        judged[part.judged] += part.judged_weights
        learned[part.learned] += part.learned_weights
    np.testing.assert_array_equal(judged, weights)
    np.testing.assert_array_equal(learned, 2 * weights)
    for part in random_parts(2, X, codes, weights + 0.5, 0, 1):
        np.testing.assert_array_equal(part.judged_weights, (weights + 0.5)[part.judged])
        assert set(part.learned) | set(part.judged) == {0, 1, 2, 3}


def test_parts_that_cannot_be_used():
    codes = np.zeros(3, dtype=np.int32)
    assert random_parts(5, None, codes[:1], None, 0, 1) == []
    assert len(random_parts(5, None, codes, None, 0, 1)) == 3
    with pytest.raises(
        DataError, match=r"cv must be able to split the 3 rows .*, got \[\(\[0\], \[3\]\)\]\.$"
    ):
        given_parts([([0], [3])], codes, None, None)
    with pytest.raises(DataError, match="able to split the 3 rows"):
        given_parts(KFold(4), codes, None, None)


def test_one_row_gives_equal_weights():
    model = VotingClassifier(weights="learned", voting="soft").fit([[1.0, 2.0]], ["a"])
    np.testing.assert_allclose(model.weights_, 1 / 3)
    assert model.predict([[0.0, 0.0]]).tolist() == ["a"]


def test_prefitted_members_stay_as_they_are(iris):
    X, y = iris
    knn, tree = KNeighborsClassifier(3).fit(X[:100], y[:100]), PeerTree(random_state=0).fit(X[50:], y[50:])
    model = VotingClassifier([("knn", knn), ("tree", tree)], prefitted=True, voting="soft").fit(
        X[:50], y[:50]
    )
    assert model.estimators_ == [knn, tree]
    assert model.estimators_[0] is knn
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    wanted = np.zeros((150, 3))
    wanted[:, :2] += knn.predict_proba(X) / 2
    wanted[:, 1:] += tree.predict_proba(X) / 2
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=0, atol=1e-15)
    assert model.votes(X[:1]).tolist() == [["setosa", tree.predict(X[:1])[0]]]


def test_prefitted_members_are_weighed_on_the_rows_given(iris):
    X, y = iris
    members = [
        ("bayes", GaussianNB().fit(X[::2], y[::2])),
        ("poor", PeerTree(max_depth=1).fit(X[::2], y[::2])),
    ]
    model = VotingClassifier(members, prefitted=True, weights="learned").fit(X[1::2], y[1::2])
    p = np.array([member.score(X[1::2], y[1::2]) for _, member in members])
    np.testing.assert_allclose(model.weights_, np.log(p / (1 - p)) + np.log(2), rtol=1e-12)


def test_frozen_members_survive_a_cross_validation(iris):
    X, y = iris
    members = [("tree", FrozenEstimator(PeerTree(random_state=0).fit(X, y)))]
    for prefitted in (True, False):
        scores = cross_val_score(VotingClassifier(members, prefitted=prefitted), X, y)
        assert scores.tolist() == [1] * 5


def test_members_that_draw_are_seeded_unless_they_are():
    X, y = make_classification(300, 8, flip_y=0.3, random_state=0)
    free, fixed = PeerTree(max_features=1), PeerTree(max_features=1, random_state=5)
    piped = make_pipeline(StandardScaler(), PeerTree(max_features=1))
    members = [("free", free), ("fixed", fixed), ("piped", piped)]
    first, again, other = (VotingClassifier(members, random_state=seed).fit(X, y) for seed in (0, 0, 1))
    for name, changes in (("free", True), ("fixed", False), ("piped", True)):
        said = [model.named_estimators_[name].predict(X + 0.3).tolist() for model in (first, again, other)]
        assert said[0] == said[1]
        assert (said[0] != said[2]) is changes
    assert first.named_estimators_["fixed"].random_state == 5
    assert free.random_state is None


@pytest.mark.parametrize(("n_jobs", "inside"), [(1, 1), (4, 1)])
def test_members_fitted_side_by_side_keep_to_one_thread(n_jobs, inside):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1]
    members = [("a", OurColumn()), ("b", OurColumn(n_jobs=3)), ("c", Column())]
    model = VotingClassifier(members, n_jobs=n_jobs).fit(X, y)
    assert [member.jobs_in_fit_ for member in model.estimators_] == [inside, 3, None]
    assert [member.n_jobs for member in model.estimators_] == [n_jobs, 3, None]
    alone = VotingClassifier(members[:1], n_jobs=n_jobs).fit(X, y)
    assert alone.estimators_[0].jobs_in_fit_ == n_jobs
    piped = VotingClassifier([*members, ("d", make_pipeline(OurColumn()))], n_jobs=n_jobs).fit(X, y)
    assert piped.estimators_[-1][-1].jobs_in_fit_ == inside
    assert piped.estimators_[-1][-1].n_jobs == n_jobs


def test_weights_reach_the_members_that_take_them(iris):
    X, y = iris
    weights = np.random.default_rng(0).random(150)
    model = VotingClassifier(PEERS[::2], voting="soft", random_state=0).fit(X, y, weights)
    alone = [GaussianNB().fit(X, y, weights), PeerTree(max_depth=2, random_state=0).fit(X, y, weights)]
    mean = sum(member.predict_proba(X) for member in alone) / 2
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=0, atol=1e-14)


def test_rows_without_weight_are_no_rows_to_any_member(iris):
    X, y = iris
    weights = (y != "setosa").astype(float)
    model = VotingClassifier([("logit", LogisticRegression()), ("bayes", GaussianNB())]).fit(X, y, weights)
    assert model.classes_.tolist() == ["versicolor", "virginica"]
    assert all(len(member.classes_) == 2 for member in model.estimators_)
    frame = pl.DataFrame(X, schema=list("abcd"))
    framed = VotingClassifier([("bayes", NaiveBayesClassifier())]).fit(frame, y, weights)
    assert framed.classes_.tolist() == ["versicolor", "virginica"]


KNN, SVC = KNeighborsClassifier(), LinearSVC()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"estimators": [("svc", SVC)], "voting": "soft"},
            "voting must be 'hard' for the member 'svc' (LinearSVC), which has no predict_proba, got 'soft'.",
        ),
        (
            {"estimators": [("a", SVC)], "prefitted": True},
            "prefitted must be False for the member 'a' (LinearSVC), which is not fitted, got True.",
        ),
        ({"estimators": [("a__b", KNN)]}, "The name of a member must be free of '__', got 'a__b'."),
        (
            {"estimators": [("voting", KNN)]},
            "The name of a member must be different from every parameter's name, got 'voting'.",
        ),
        ({"weights": [1, 2]}, "weights must be one number for each of 3 members, got [1, 2]."),
        ({"weights": [1, 2, -1]}, "weights must be at least 0 and not all 0, got [1, 2, -1]."),
        ({"weights": [0, 0, 0]}, "weights must be at least 0 and not all 0, got [0, 0, 0]."),
        ({"cv": 1}, None),
        ({"estimators": []}, None),
        ({"estimators": [("a", "drop")]}, None),
        ({"estimators": [("a", KNN), ("a", KNN)]}, None),
        ({"estimators": [("a", KNeighborsClassifier)]}, None),
        ({"estimators": [KNN]}, None),
    ],
)
def test_what_cannot_be(settings, said, iris):
    model = VotingClassifier(**settings)
    with pytest.raises(ParameterError) as error:
        model.fit(*iris)
    name = next(iter(settings))
    assert str(error.value) == said if said else str(error.value).startswith(f"{name} must be ")


def test_weights_for_a_member_that_takes_none(iris):
    X, y = iris
    with pytest.raises(ParameterError) as error:
        VotingClassifier([("near", KNN)]).fit(X, y, np.ones(150))
    assert str(error.value) == (
        "sample_weight must be None for the member 'near' (KNeighborsClassifier), "
        "whose fit has no parameter of that name, got weights."
    )


def test_parameters_are_counted_where_all_members_tell(iris):
    X, y = iris
    model = VotingClassifier().fit(X, y)
    assert model.n_parameters_ == sum(member.n_parameters_ for member in model.estimators_)
    learned = VotingClassifier(weights="learned").fit(X, y)
    assert learned.n_parameters_ == model.n_parameters_ + 3
    assert not hasattr(VotingClassifier(PEERS).fit(X, y), "n_parameters_")
