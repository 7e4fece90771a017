import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import SGDClassifier

from classica import (
    C45Classifier,
    ChanceClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    WeightedMajorityClassifier,
)
from classica.errors import DataError, ParameterError
from classica.estimators.ensembles.weighted_majority_pass import majority_pass, weights_after
from classica.estimators.ensembles.weighted_majority_pool import ColumnPool
from tests.reference import online as reference

MEMBERS = [
    ("bayes", NaiveBayesClassifier()),
    ("tree", DecisionTreeClassifier(max_depth=2)),
    ("mean", NearestMeanClassifier()),
]


def table(rows=150, columns=4, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    return random.normal(size=(rows, columns)) + random.normal(size=(classes, columns))[y], y


def deterministic_bound(mistakes, experts, beta):
    return (mistakes * np.log(1 / beta) + np.log(experts)) / np.log(2 / (1 + beta))


# The pass


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 80),
    st.integers(1, 12),
    st.integers(2, 4),
    st.sampled_from([0.25, 0.5, 0.75]),
)
def test_a_pass_equals_the_reference_and_keeps_the_bounds(seed, rows, experts, classes, beta):
    random = np.random.default_rng(seed)
    truths = random.integers(0, classes, rows).astype(np.int32)
    lies = random.integers(0, classes, (rows, experts))
    answers = np.where(random.random((rows, experts)) < random.random(experts), truths[:, None], lies)
    answers = answers.astype(np.int32)
    found = majority_pass(answers, truths, np.zeros(experts, np.int64), beta, classes, None)
    weights, said = reference.weighted_majority(answers, truths, beta, classes)
    np.testing.assert_allclose(weights_after(found.expert_mistakes, beta), weights, rtol=1e-12)
    assert found.expert_mistakes.tolist() == (answers != truths[:, None]).sum(axis=0).tolist()
    if beta == 0.5:  # sums of powers of two are exact, and ties are ties
        assert found.mistakes == (said != truths).sum()
    best = found.expert_mistakes.min()
    assert found.mistakes <= deterministic_bound(best, experts, beta) + 1e-9
    assert found.expected_mistakes <= (best * np.log(1 / beta) + np.log(experts)) / (1 - beta) + 1e-9


def test_a_randomised_master_makes_as_many_mistakes_as_expected():
    random = np.random.default_rng(1)
    truths = random.integers(0, 2, 60).astype(np.int32)
    answers = np.where(
        random.random((60, 5)) < [0.9, 0.7, 0.5, 0.5, 0.3], truths[:, None], 1 - truths[:, None]
    )
    none = np.zeros(5, np.int64)
    runs = [
        majority_pass(answers.astype(np.int32), truths, none, 0.8, 2, random.random(60)) for _ in range(400)
    ]
    mistakes = np.array([run.mistakes for run in runs])
    assert abs(mistakes.mean() - runs[0].expected_mistakes) < 4 * mistakes.std() / 20
    bound = (runs[0].expert_mistakes.min() * np.log(1 / 0.8) + np.log(5)) / 0.2
    assert runs[0].expected_mistakes <= bound


def test_weights_do_not_underflow_together():
    assert weights_after(np.array([10_000, 10_001, 20_000]), 0.5).tolist() == [1, 0.5, 0]


def test_a_beta_of_zero_halves():
    assert weights_after(np.array([1, 0, 0, 3]), 0.0).tolist() == [0, 1, 1, 0]


# Experts on columns


def test_cuts_lie_in_the_middle_of_distinct_values():
    X = np.array([[0.0, 1, 5, 1], [0, 1, 5, 2], [0, 2, 5, 3], [1, 9, 5, 3]])
    # 0 | 1; 1, 2 | 9: above the middle one of three; constant; 1, 2 | 3
    assert ColumnPool.of(X, 2, 1).cuts.tolist() == [0.5, 5.5, 5, 2.5]


def test_cuts_of_huge_columns_are_finite():
    largest = np.finfo(float).max
    X = np.array([[-largest, largest], [largest, largest / 2]])
    assert ColumnPool.of(X, 2, 1).cuts.tolist() == [0, largest * 0.75]


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_experts_say_one_class_above_and_another_below(classes):
    X, _ = table(classes=classes)
    pool = ColumnPool.of(X, classes, 1)
    answers = pool.answers(X)
    pairs = [(a, b) for a in range(classes) for b in range(classes) if a != b]
    assert answers.shape == (len(X), 4 * len(pairs))
    for column in range(4):
        for way, (above, below) in enumerate(pairs):
            wanted = np.where(X[:, column] > pool.cuts[column], above, below)
            np.testing.assert_array_equal(answers[:, column * len(pairs) + way], wanted)
    weights = np.random.default_rng(0).random(pool.size)
    wanted = np.array([[weights[row == c].sum() for c in range(classes)] for row in answers])
    np.testing.assert_allclose(pool.shares(X, weights, classes, 1), wanted, rtol=1e-12)
    experts = np.random.default_rng(0).integers(0, pool.size, len(X))
    np.testing.assert_array_equal(pool.answer_of(X, experts), answers[np.arange(len(X)), experts])


@pytest.mark.parametrize("beta", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_master_keeps_the_bound_for_every_expert(beta, classes):
    X, y = table(rows=400, classes=classes)
    model = WeightedMajorityClassifier(beta=beta).fit(X, y)
    bounds = deterministic_bound(model.expert_mistakes_, model.n_experts_, beta)
    assert model.mistakes_ <= bounds.min()
    answers = ColumnPool(model.cuts_, classes).answers(X)
    weights, said = reference.weighted_majority(answers, y, beta, classes)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-10)
    if beta == 0.5:
        assert model.mistakes_ == (said != y).sum()
    shares = np.array([[weights[row == c].sum() for c in range(classes)] for row in answers])
    np.testing.assert_allclose(model.predict_proba(X), shares / shares.sum(axis=1, keepdims=True), rtol=1e-10)


def test_a_column_that_tells_the_class_wins():
    random = np.random.default_rng(4)
    X = random.integers(0, 2, (300, 30)).astype(float)
    model = WeightedMajorityClassifier().fit(X, X[:, 17])
    assert model.score(X, X[:, 17]) == 1
    assert model.mistakes_ <= np.log(60) / np.log(4 / 3)
    assert model.weights_.argmax() == 2 * 17 + 1  # the class 1 above, 0 below


# Members


def test_members_vote_by_their_mistakes():
    X, y = table()
    model = WeightedMajorityClassifier(MEMBERS, beta=0.7).fit(X, y)
    alone = np.column_stack([member.predict(X) for member in model.estimators_])
    weights, said = reference.weighted_majority(alone, y, 0.7, 3)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-10)
    assert model.expert_mistakes_.tolist() == (alone != y[:, None]).sum(axis=0).tolist()
    assert model.mistakes_ == (said != y).sum()


def test_fitted_members_stay_as_they_are():
    X, y = table()
    members = [(name, FrozenEstimator(member.fit(X[:50], y[:50]))) for name, member in MEMBERS]
    model = WeightedMajorityClassifier(members, prefitted=True).fit(X[50:], y[50:])
    wrong = [(member.predict(X[50:]) != y[50:]).sum() for _, member in members]
    assert model.expert_mistakes_.tolist() == wrong
    with pytest.raises(ParameterError, match="prefitted must be False for the member 'new'"):
        WeightedMajorityClassifier([("new", NearestMeanClassifier())], prefitted=True).fit(X, y)


def test_frames_with_words_reach_members_as_they_are():
    X, y = table(classes=2)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(c=np.where(y == 1, "red", "blue"))
    members = [("c45", C45Classifier()), ("bayes", NaiveBayesClassifier())]
    for mode in ("deterministic", "randomised"):
        model = WeightedMajorityClassifier(members, mode=mode, random_state=0).fit(frame, y)
        assert model.score(frame, y) > 0.9


def test_parameters_of_members_are_reached_by_name():
    model = WeightedMajorityClassifier(MEMBERS).set_params(tree__max_depth=5, mean="drop")
    X, y = table()
    assert len(model.fit(X, y).estimators_) == 2
    assert model.estimators_[1].max_depth == 5


# Following one expert


def test_a_randomised_master_follows_experts_by_weight():
    X, y = table(rows=4000)
    members = [("first", ChanceClassifier()), ("knn", KNeighborsClassifier(25))]
    model = WeightedMajorityClassifier(members, beta=0.999, mode="randomised", random_state=3).fit(X, y)
    new = np.random.default_rng(9).normal(size=(4000, 4))
    one, other = (member.predict(new) for member in model.estimators_)
    differ = one != other
    followed = (model.predict(new) == one)[differ]
    share = model.weights_[0] / model.weights_.sum()
    assert abs(followed.mean() - share) < 4 * np.sqrt(share * (1 - share) / differ.sum())
    np.testing.assert_array_equal(model.predict(new[::-1])[::-1], model.predict(new))
    assert set(np.unique(model.predict_proba(new))) == {0, 1}


def test_seeds_decide_whom_to_follow():
    X, y = table()
    said = [
        WeightedMajorityClassifier(beta=0.95, mode="randomised", random_state=s).fit(X, y).predict(X)
        for s in (1, 1, 2)
    ]
    np.testing.assert_array_equal(said[0], said[1])
    assert (said[0] != said[2]).any()


# Going on


def test_rows_can_come_in_pieces():
    X, y = table()
    whole = WeightedMajorityClassifier([("mean", FrozenEstimator(NearestMeanClassifier().fit(X, y)))])
    whole.set_params(prefitted=True)
    parts = WeightedMajorityClassifier(whole.estimators, prefitted=True)
    for start in range(0, 150, 11):
        parts.partial_fit(X[start : start + 11], y[start : start + 11], classes=[0, 1, 2])
    whole.fit(X, y)
    assert parts.mistakes_ == whole.mistakes_
    np.testing.assert_array_equal(parts.weights_, whole.weights_)


def test_members_judge_rows_before_they_learn_from_them():
    X, y = table(rows=300)
    members = [("mean", NearestMeanClassifier()), ("tree", DecisionTreeClassifier(max_depth=2))]
    model = WeightedMajorityClassifier(members).partial_fit(X[:100], y[:100])
    after_first = model.expert_mistakes_.copy()
    wrong = [(member.predict(X[100:]) != y[100:]).sum() for member in model.estimators_]
    tree = model.estimators_[1].predict(X)
    model.partial_fit(X[100:], y[100:])
    assert (model.expert_mistakes_ - after_first).tolist() == wrong
    fresh = NearestMeanClassifier().fit(X, y)
    np.testing.assert_allclose(model.estimators_[0].predict_proba(X), fresh.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(model.estimators_[1].predict(X), tree)  # cannot go on learning


def test_members_hear_of_all_classes():
    X, y = table(rows=300)
    few = y < 2
    model = WeightedMajorityClassifier(
        [("sgd", SGDClassifier(random_state=0)), ("mean", NearestMeanClassifier())]
    )
    model.partial_fit(X[few], y[few], classes=[0, 1, 2])
    model.partial_fit(X, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert 2 in model.estimators_[0].predict(X)
    with pytest.raises(DataError, match="first call, got 3"):
        model.partial_fit(X[:1], [3])


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"beta": 1.0}, "beta must be"),
        ({"beta": -0.1}, "beta must be"),
        ({"mode": "random"}, "mode must be"),
        ({"estimators": [("a__b", NearestMeanClassifier())]}, "free of '__'"),
        ({"estimators": [("beta", NearestMeanClassifier())]}, "must be different from .*, got 'beta'"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(ParameterError, match=reason):
        WeightedMajorityClassifier(**options).fit(*table())


def test_very_many_experts_are_announced_before_the_work(monkeypatch):
    monkeypatch.setattr("classica.estimators.ensembles.weighted_majority._MOST_EXPERTS", 10)
    X, y = np.arange(8.0)[:, None], np.arange(8) % 4
    with pytest.warns(UserWarning, match="^4 classes and 1 columns make 12 experts"):
        WeightedMajorityClassifier().fit(X, y)
    WeightedMajorityClassifier().fit(X, y % 3)  # warns of nothing


def test_a_block_of_rows_is_judged_in_well_under_a_second():
    X = np.random.default_rng(0).normal(size=(300, 10))
    start = time.perf_counter()
    pool = ColumnPool.of(X, 300, 1)
    assert pool.size == 10 * 300 * 299
    pool.answers(X[:1])
    assert time.perf_counter() - start < 1.0
