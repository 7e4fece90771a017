import numpy as np
import pytest

from benchmarks.agreement import (
    accuracy_not_lower,
    accuracy_within_chance,
    same_labels,
    same_neighbours,
    same_shares,
)
from benchmarks.benchmark import Data
from benchmarks.rows.nearest_mean_float32 import same_but_for_ties


@pytest.fixture
def data() -> Data:
    labels = np.array([0, 0, 1, 1])
    rows = np.array([[-1], [-1], [1], [1]], dtype=np.float32)
    return Data(rows, labels, np.array([[-1], [0], [1], [1]], dtype=np.float32), labels.copy())


def test_same_labels(data):
    answer = np.array([0, 1, 1, 1])
    assert same_labels(data, answer, answer) is None
    assert same_labels(data, answer, 1 - answer) == "4 different labels of 4"
    assert same_labels(data, answer, answer[:2]) == "shapes (4,) and (2,)"


def test_accuracy_not_lower(data):
    right, worse = data.new_labels, np.array([0, 0, 1, 0])
    assert accuracy_not_lower()(data, right, worse) is None
    assert accuracy_not_lower()(data, worse, right) == "accuracy 0.7500 against 1.0000"
    assert accuracy_not_lower(slack=0.25)(data, worse, right) is None


def test_accuracy_within_chance():
    truth = np.zeros(1000, dtype=int)
    data = Data(np.zeros((1000, 1)), truth, np.zeros((1000, 1)), truth.copy())
    rows = np.arange(1000)
    peer = (rows < 100).astype(int)  # wrong on 100
    others = ((rows >= 100) & (rows < 200)).astype(int)  # wrong on 100 others
    assert accuracy_within_chance(data, others, peer) is None
    slightly_worse = ((rows >= 100) & (rows < 240)).astype(int)  # 40 behind, 240 apart: √240 = 15.5
    assert accuracy_within_chance(data, slightly_worse, peer) is None
    worse = ((rows >= 100) & (rows < 260)).astype(int)  # 60 behind, 260 apart: √260 = 16.1
    assert accuracy_within_chance(data, worse, peer) == "accuracy 0.8400 against 0.9000"
    assert accuracy_within_chance(data, peer, worse) is None


def test_same_shares(data):
    rng = np.random.default_rng(0)
    fair, also_fair = rng.random((2, 10_000)) < 0.5
    unfair = rng.random(10_000) < 0.6
    assert same_shares(data, fair.astype(int), also_fair.astype(int)) is None
    assert "share of class 0" in str(same_shares(data, fair.astype(int), unfair.astype(int)))


def test_same_shares_when_one_class_is_never_drawn(data):
    zeros = np.zeros(1000, dtype=int)
    assert same_shares(data, zeros, zeros) is None
    assert same_shares(data, zeros, zeros + 1) is not None


def test_float32_labels_may_differ_only_at_ties(data):
    ours = np.array([0, 0, 1, 1])
    assert same_but_for_ties(data, ours, np.array([0, 1, 1, 1])) is None
    difference = same_but_for_ties(data, ours, np.array([0, 0, 1, 0]))
    assert difference == "1 labels of 4 that rounding does not explain"


def test_neighbours_may_differ_only_at_ties():
    labels = np.arange(4) % 2
    rows = np.array([[0.0], [1.0], [-1.0 - 1e-7], [3.0]])
    data = Data(rows, labels, np.array([[0.0], [0.0]]), labels[:2].copy())
    ours = np.array([[0, 1, 2], [0, 1, 2]])
    check = same_neighbours(tie=1e-6)
    assert check(data, ours, ours) is None
    assert check(data, ours, np.array([[0, 2, 1], [0, 1, 2]])) is None
    assert check(data, ours, np.array([[0, 1, 3], [0, 1, 2]])) == (
        "1 neighbours of 6 that rounding does not explain"
    )
    assert check(data, ours, ours[:, :2]) == "shapes (2, 3) and (2, 2)"
    assert same_neighbours(tie=1e-9)(data, ours, np.array([[0, 2, 1], [0, 1, 2]])) is not None
