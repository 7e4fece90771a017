"""Scores of answers against counts made by hand and scikit-learn's metrics."""

import json
import math

import numpy as np
import pytest
from sklearn import metrics

from classica.errors import DataError
from classica.metrics.measures import metric
from classica.metrics.score_sums import ScoreSums, classification_scores

TRUTH = np.array(["a", "a", "a", "b", "b", "c"])
SAID = np.array(["a", "a", "b", "b", "c", "c"])
CLASSES = ["a", "b", "c"]


def test_counts_made_by_hand():
    found = classification_scores(TRUTH, SAID, CLASSES)
    assert found.confusion.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert (found.rows, found.answered, found.rejected, found.unknown) == (6, 6, 0, 0)
    assert found.accuracy == pytest.approx(4 / 6)
    assert [score.error for score in found.classes] == pytest.approx([1 / 3, 1 / 2, 0])
    assert [score.precision for score in found.classes] == pytest.approx([1, 1 / 2, 1 / 2])
    assert [score.f1 for score in found.classes] == pytest.approx([0.8, 0.5, 2 / 3])
    assert [score.rows for score in found.classes] == [3, 2, 1]
    assert (found.log_loss, found.brier, found.mean_cost) == (None, None, None)


def test_the_interval_is_wilsons():
    found = classification_scores(["a"] * 10, ["a"] * 8 + ["b"] * 2, ["a", "b"])
    z, p, n = 1.959963984540054, 0.8, 10
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert found.interval == pytest.approx((middle - half, middle + half), abs=1e-12)


def test_probabilities():
    shares = np.random.default_rng(0).dirichlet(np.ones(3), size=6)
    found = classification_scores(TRUTH, SAID, CLASSES, probabilities=shares)
    assert found.log_loss == pytest.approx(metrics.log_loss(TRUTH, shares, labels=CLASSES))
    codes = np.array([CLASSES.index(label) for label in TRUTH])
    by_hand = np.mean(
        [sum((p - (k == c)) ** 2 for k, p in enumerate(row)) for row, c in zip(shares, codes, strict=True)]
    )
    assert found.brier == pytest.approx(by_hand)
    second = np.array([0.2, 0.7, 0.4])
    pair = np.column_stack([1 - second, second])
    two = classification_scores(["a", "b", "b"], ["a", "b", "a"], ["a", "b"], probabilities=pair)
    assert two.brier == pytest.approx(metrics.brier_score_loss([0, 1, 1], second))


def test_costs_of_answers_and_of_none():
    costs = np.array([[0, 5, 1], [2, 0, 1], [1, 7, 0.0]])
    found = classification_scores(TRUTH, SAID, CLASSES, costs=costs)
    assert found.mean_cost == pytest.approx((2 + 7) / 6)
    rejected = [False, False, True, False, True, False]
    some = classification_scores(TRUTH, SAID, CLASSES, costs=costs, rejected=rejected, reject_cost=0.5)
    assert some.mean_cost == pytest.approx((0.5 + 0.5) / 6)
    assert (some.answered, some.rejected, some.accuracy) == (4, 2, 1.0)


def test_labels_the_model_does_not_know_are_wrong_and_counted():
    shares = np.full((3, 2), 0.5)
    found = classification_scores(
        ["a", "z", "b"], ["a", "a", "b"], ["a", "b"], probabilities=shares, costs=1 - np.eye(2)
    )
    assert found.labels == ["a", "b", "z"]
    assert found.confusion.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
    assert (found.unknown, found.mean_cost, found.accuracy) == (1, 0.0, pytest.approx(2 / 3))
    assert found.log_loss == pytest.approx(math.log(2))


def test_nothing_answered():
    found = classification_scores(["a", "b"], ["a", "a"], ["a", "b"], rejected=[True, True], reject_cost=0.3)
    assert (found.accuracy, found.interval, found.mean_cost) == (None, None, 0.3)
    assert found.classes[0].precision is None
    json.dumps(found.record(), allow_nan=False)


def test_a_class_never_said_and_one_never_true():
    found = classification_scores(["a", "a"], ["a", "b"], ["a", "b", "c"])
    assert (found.classes[1].error, found.classes[2].precision) == (None, None)
    json.dumps(found.record(), allow_nan=False)


@pytest.mark.parametrize("labels", [[0, 1, 1], [False, True, True], [0.5, 1.5, 1.5]])
def test_labels_of_other_kinds(labels):
    found = classification_scores(np.array(labels), np.array(labels), np.unique(labels))
    assert found.accuracy == 1.0
    json.dumps(found.record())


@pytest.mark.parametrize("size", [1, 7, 100])
def test_rows_may_come_some_at_a_time(size):
    """To the last bit: sums are rounded once."""
    rng = np.random.default_rng(1)
    shares = rng.dirichlet(np.full(3, 0.05), size=100)  # many close to 0 and 1
    truth, said = rng.choice([*CLASSES, "z"], 100), rng.choice(CLASSES, 100)
    costs, left = rng.random((3, 3)), rng.random(100) < 0.2
    whole = classification_scores(
        truth, said, CLASSES, probabilities=shares, costs=costs, rejected=left, reject_cost=0.1
    )
    sums = ScoreSums(CLASSES, costs, 0.1)
    for part in np.array_split(rng.permutation(100), 100 // size):
        sums.add(truth[part], said[part], shares[part], left[part])
    assert json.dumps(sums.scores().record()) == json.dumps(whole.record())


def test_row_losses_are_those_of_the_metrics():
    shares = np.vstack([np.eye(3), np.random.default_rng(0).dirichlet(np.ones(3), 200)])
    truth = np.random.default_rng(1).choice(CLASSES, 203)
    assert metric("log_loss")(truth, None, shares, CLASSES) == metrics.log_loss(truth, shares, labels=CLASSES)
    assert classification_scores(["a"], ["a"], ["a"], probabilities=np.ones((1, 1))).log_loss == 0.0
    with pytest.raises(DataError, match="y must be labels among"):
        metric("log_loss")(["z"], None, shares[:1], CLASSES)
