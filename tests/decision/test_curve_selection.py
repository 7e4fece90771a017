"""Calibration that selects: sigmoid or softmax, by held-out errors and then by log loss."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import has_fit_parameter

import classica as c
from classica import BayesDecisionClassifier
from classica.decision import calibration_for
from classica.decision.calibration import CalibratedClassifier
from classica.decision.curve_selection import is_better
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.decision.softmax_curve import SoftmaxCurve
from classica.errors import ParameterError
from tests.contract.cases import table

X, Y = table()
MACHINES = [
    c.SVMClassifier(),
    c.LinearSVMClassifier(),
    c.PerceptronClassifier(max_iter=5, random_state=0),
    c.PerceptronClassifier(max_iter=5, random_state=0, multi_class="one-vs-all"),
    c.KernelPerceptronClassifier(max_iter=3, random_state=0),
    c.WinnowClassifier(max_iter=5, random_state=0),
]


class Columns(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are the columns of X."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        return np.asarray(X, dtype=float)[:, self.classes_]

    def predict(self, X):
        return self.classes_[self.decision_function(X).argmax(axis=1)]


def unequal_classes(rows=1500, seed=0):
    """Return scores whose differences tell classes apart, while each by itself says little."""
    random = np.random.default_rng(seed)
    y = random.choice(4, size=rows, p=[0.70, 0.22, 0.04, 0.04])
    level = 5.0 * random.normal(size=(rows, 1))
    return level + 3.0 * np.eye(4)[y] + 0.8 * random.normal(size=(rows, 4)), y


def shifted_class(rows=1500, seed=0):
    """Return scores that each tell their class from the others, of which one is much too high."""
    random = np.random.default_rng(seed)
    y = random.choice(3, size=rows)
    return 3.0 * np.eye(3)[y] + random.normal(size=(rows, 3)) + [4.0, 0.0, 0.0], y


def fitted(method, rows, labels, weights=None, cv="auto"):
    return CalibratedClassifier(Columns(), method, cv).fit(rows, labels, weights)


def test_comparable_scores_of_unequal_classes_keep_their_predictions():
    scores, y = unequal_classes()
    sigmoid, auto = fitted("sigmoid", scores, y), fitted("auto", scores, y)
    raw = auto.estimator_.score(scores, y)
    assert auto.method_ == "softmax"
    assert [type(curve) for curve in auto.curves_] == [SoftmaxCurve]
    assert sigmoid.score(scores, y) < raw - 0.1
    assert auto.score(scores, y) == raw
    np.testing.assert_array_equal(auto.predict(scores), auto.estimator_.predict(scores))
    assert log_loss(y, auto.predict_proba(scores)) < log_loss(y, sigmoid.predict_proba(scores))
    np.testing.assert_array_equal(
        auto.predict_proba(scores), fitted("softmax", scores, y).predict_proba(scores)
    )


def test_scores_that_are_not_comparable_get_a_sigmoid_each():
    scores, y = shifted_class()
    auto = fitted("auto", scores, y)
    assert auto.method_ == "sigmoid"
    assert [type(curve) for curve in auto.curves_] == [SigmoidCurve] * 3
    assert auto.score(scores, y) > auto.estimator_.score(scores, y) + 0.2
    np.testing.assert_array_equal(
        auto.predict_proba(scores), fitted("sigmoid", scores, y).predict_proba(scores)
    )


@pytest.mark.parametrize("learner", MACHINES, ids=lambda learner: str(learner)[:40])
@pytest.mark.parametrize("classes", [3, 4])
def test_a_softmax_keeps_the_predictions_of_every_machine(learner, classes):
    X, y = table(rows=160, classes=classes)
    asked, _ = table(rows=500, classes=classes, seed=1)
    model = BayesDecisionClassifier(learner, calibration="softmax", cv="auto").fit(X, y)
    np.testing.assert_array_equal(model.predict(asked), model.estimator_.estimator_.predict(asked))
    assert log_loss(y, model.predict_proba(X)) < np.log(classes)


@pytest.mark.parametrize("cv", [3, StratifiedKFold(4), "auto"])
@pytest.mark.parametrize("learner", MACHINES, ids=lambda learner: str(learner)[:40])
def test_two_classes_have_platts_sigmoid_to_the_bit(learner, cv):
    y = Y == "ape"
    weighs = has_fit_parameter(learner, "sample_weight")
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(y)) if weighs else None
    expected = CalibratedClassifier(learner, "sigmoid", cv).fit(X, y, weights)
    for method in ("auto", "softmax"):
        found = CalibratedClassifier(learner, method, cv).fit(X, y, weights)
        assert found.method_ == "sigmoid"
        assert found.curves_ == expected.curves_
        np.testing.assert_array_equal(found.predict_proba(X), expected.predict_proba(X))


def test_a_sorted_table_is_calibrated_like_a_shuffled_one():
    """Folds of neighbouring rows would hold out whole values of the column that the rows are sorted by."""
    random = np.random.default_rng(0)
    value = np.repeat(np.arange(9), 40)
    y = (value + (random.random(360) < 0.1)) % 3
    X = np.eye(9)[value]
    learner = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="sigmoid", cv="auto")
    sorted_loss, mixed_loss = (
        log_loss(y, learner.fit(X[rows], y[rows]).predict_proba(X))
        for rows in (np.arange(360), random.permutation(360))
    )
    np.testing.assert_allclose(sorted_loss, mixed_loss, rtol=0.05)


def test_a_class_missing_outside_some_parts():
    scores, y = unequal_classes(rows=120)
    rare = y == 3
    parts = [(np.flatnonzero(~rare), np.flatnonzero(rare)), *StratifiedKFold(2).split(scores, y)]
    for method in ("auto", "softmax"):
        model = fitted(method, scores, y, cv=parts)
        assert np.isfinite(model.predict_proba(scores)).all()
        assert model.predict_proba(scores)[:, 3].min() > 0


def test_no_row_with_a_score_of_its_own_class():
    """Each class is held out whole: nothing tells how likely its own score makes it."""
    scores, y = shifted_class(rows=90)
    parts = [(np.flatnonzero(y != k), np.flatnonzero(y == k)) for k in range(3)]
    for method in ("auto", "softmax"):
        found = fitted(method, scores, y, cv=parts).predict_proba(scores)
        np.testing.assert_allclose(found, 1 / 3, rtol=1e-6)


def test_infinite_scores():
    scores, y = unequal_classes(rows=200)
    scores[5, y[5]], scores[7, y[7] - 1], scores[9] = np.inf, -np.inf, -np.inf
    for method in ("auto", "softmax"):
        model = fitted(method, scores, y)
        assert np.isfinite(model.predict_proba(scores)).all()
        assert model.predict_proba(scores)[5, y[5]] > 0.999


def test_a_frozen_classifier_may_have_more_classes_than_the_rows():
    frozen = FrozenEstimator(c.SVMClassifier().fit(X, Y))
    rows = np.flatnonzero(Y != "bee")
    for method in ("auto", "softmax"):
        model = CalibratedClassifier(frozen, method).fit(X[rows], Y[rows])
        assert model.classes_.tolist() == ["ape", "bee", "cat"]
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize("method", ["auto", "softmax"])
def test_weights_are_numbers_of_rows(method):
    scores, y = unequal_classes(rows=150)
    times = np.random.default_rng(2).integers(1, 4, len(y))
    frozen = FrozenEstimator(Columns().fit(scores, y))
    weighted = CalibratedClassifier(frozen, method).fit(scores, y, times)
    repeated = CalibratedClassifier(frozen, method).fit(np.repeat(scores, times, axis=0), np.repeat(y, times))
    assert weighted.method_ == repeated.method_
    np.testing.assert_allclose(
        weighted.predict_proba(scores), repeated.predict_proba(scores), rtol=0, atol=1e-9
    )


def test_one_class_has_no_curves():
    model = CalibratedClassifier(c.LinearSVMClassifier(), "auto").fit(X, ["a"] * len(X))
    assert model.method_ is None
    assert model.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]


def test_a_method_that_does_not_exist():
    rule = r"^method must be 'auto', 'sigmoid', 'isotonic' or 'softmax', got 'platt'\.$"
    with pytest.raises(ParameterError, match=rule):
        CalibratedClassifier(c.LinearSVMClassifier(), "platt").fit(X, Y)


def test_classifiers_with_scores_only_select():
    assert calibration_for(c.SVMClassifier()) == "auto"
    assert calibration_for(c.NaiveBayesClassifier()) is None


# The rule


def probabilities(correct, sure):
    """Return those of three classes, the first of which is true, for rows that are correct or not."""
    right = np.array([sure, (1 - sure) / 2, (1 - sure) / 2])
    return np.where(np.asarray(correct)[:, None], right, right[[1, 0, 2]])


def select(first, second, weights=None, rows=None):
    count = len(first)
    weights = np.ones(count) if weights is None else np.asarray(weights, dtype=float)
    rows = np.arange(count) if rows is None else rows
    return is_better(first, second, np.zeros(count, dtype=int), rows, weights)


def test_errors_decide_beyond_two_standard_errors():
    """Five rows against none are 5 > 2 √5 apart; four are 4 = 2 √4, and log loss decides."""
    for only_first, expected in ((5, True), (4, False)):
        correct = np.arange(20) < only_first
        first = probabilities(correct | (np.arange(20) >= 10), 0.34)
        second = probabilities(np.arange(20) >= 10, 0.99)
        second[:10] = [0.3399, 0.3401, 0.32]
        assert select(first, second) is expected
        assert select(second, first) is not expected


def test_equal_calibrations_leave_the_first():
    same = probabilities(np.arange(6) % 2 == 0, 0.8)
    assert select(same, same)


def test_rows_held_out_several_times_count_as_one():
    """Two rows, each held out five times, are two rows: too few to decide by errors."""
    first, second = probabilities([True] * 10, 0.4), np.tile([0.45, 0.46, 0.09], (10, 1))
    rows = np.arange(10) % 2
    assert not select(first, second, np.full(10, 0.2), rows)
    assert select(first, second)


def test_weights_decide_by_errors():
    first = probabilities([True, False], 0.4)
    second = np.array([[0.45, 0.46, 0.09], [0.46, 0.45, 0.09]])
    assert select(first, second, [20, 5])
    assert not select(first, second, [5, 20])


def test_a_probability_of_zero_is_a_large_loss_and_no_infinite_one():
    surest = probabilities([True] * 99 + [False], 1.0)
    hesitant = probabilities([True] * 99 + [False], 0.5)
    assert select(surest, hesitant)
