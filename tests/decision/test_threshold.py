"""The threshold of two classes: by theory, and by search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.decision import choose_threshold, cost_threshold, least_cost
from classica.errors import DataError, ParameterError


@pytest.mark.parametrize(
    ("costs", "threshold"),
    [
        (None, 0.5),
        ([[0, 1], [1, 0]], 0.5),
        ([[0, 4], [1, 0]], 0.2),
        ([[0, 1], [4, 0]], 0.8),
        ([[2, 4], [3, 3]], 0.5),
        ([[0, 1], [0, 0]], 0.0),
        ([[3, 1], [1, 0]], -np.inf),
        ([[0, 1], [1, 2]], np.inf),
        ([[1, 1], [1, 1]], np.inf),
    ],
)
def test_the_threshold_of_costs(costs, threshold):
    assert cost_threshold(costs) == threshold


def test_costs_that_reward_being_wrong_have_no_threshold():
    with pytest.raises(
        ParameterError, match=r"^costs must be no higher for correct predictions than for wrong ones, got"
    ):
        cost_threshold([[1, 0], [0, 1]])


four = st.lists(st.integers(0, 16), min_size=4, max_size=4)


@given(four, st.integers(0, 256))
def test_above_the_threshold_the_second_class_is_said(costs, share):
    matrix = np.array(costs, dtype=float).reshape(2, 2)
    if matrix[1, 0] < matrix[0, 0] and matrix[0, 1] < matrix[1, 1]:
        return
    p = share / 256
    said = least_cost(np.array([[1 - p, p]]), matrix)[0]
    # Exactly: the threshold is a quotient, p times its divisor is not rounded.
    false_alarm, miss = matrix[1, 0] - matrix[0, 0], matrix[0, 1] - matrix[1, 1]
    assert said == (false_alarm * (1 - p) < miss * p)
    threshold = cost_threshold(matrix)
    if abs(p - threshold) > 1e-12:
        assert said == (p > threshold)


def brute(y, p, costs, threshold):
    return np.mean([costs[int(q > threshold)][t] for t, q in zip(y, p, strict=True)])


probability = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])


@given(
    st.lists(st.tuples(st.booleans(), probability), min_size=2).filter(
        lambda rows: len({y for y, _ in rows}) == 2
    )
)
def test_no_threshold_is_cheaper_than_the_one_chosen(rows):
    y, p = zip(*rows, strict=True)
    costs = [[0, 4], [1, 0]]
    choice = choose_threshold(y, p, costs)
    tried = np.unique([*p, 0.0, 1.0, *np.linspace(0, 1, 41)])
    assert choice.cost == pytest.approx(min(brute(y, p, costs, t) for t in tried), abs=1e-12)
    assert choice.cost == choice.costs.min() == choice.costs[choice.thresholds == choice.threshold]
    np.testing.assert_allclose(choice.costs, [brute(y, p, costs, t) for t in choice.thresholds], atol=1e-12)
    assert (np.diff(choice.thresholds) > 0).all()


@pytest.mark.parametrize("low", [0.5, 0.5 + 2**-53])
def test_neighbouring_doubles_are_told_apart(low):
    choice = choose_threshold([0, 1], [low, np.nextafter(low, 1)])
    assert (choice.threshold, choice.cost) == (low, 0)


def test_equally_cheap_thresholds_give_the_one_closest_to_theory():
    y, p = [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]
    assert choose_threshold(y, p).threshold == 0.5
    y, p = [0, 1, 0, 1], [0.1, 0.3, 0.6, 0.9]
    assert choose_threshold(y, p).threshold == 0.75
    assert choose_threshold(y, p, [[0, 1], [1, 0]]).cost == 0.25
    assert choose_threshold(y, p, [[0, 9], [1, 0]]).threshold == pytest.approx(0.2)


def test_labels_and_labelled_costs():
    y, p = ["no", "no", "yes", "yes"], [0.2, 0.4, 0.3, 0.9]
    dear_misses = {"no": {"yes": 10}, "yes": {"no": 1}}
    assert choose_threshold(y, p, dear_misses).threshold == pytest.approx(0.25)
    dear_alarms = {"no": {"yes": 1}, "yes": {"no": 10}}
    assert choose_threshold(y, p, dear_alarms).threshold == pytest.approx(0.65)


@pytest.mark.parametrize(
    ("y", "p", "message"),
    [
        ([0, 0], [0.1, 0.2], "Cannot choose a threshold: y must have two classes, got 1."),
        ([0, 1, 2], [0.1, 0.2, 0.3], "Cannot choose a threshold: y must have two classes, got 3."),
        ([0, 1], [0.1, 1.2], "probabilities must be numbers from 0 to 1, got 1.2."),
        ([0, 1], [0.1, np.nan], "probabilities must be numbers from 0 to 1, got nan."),
        ([0, 1, 1], [0.1, 0.2], "y must be 2 labels long, as long as probabilities, got 3."),
        ([0, 1], ["a", "a"], "probabilities must be one number for each row, got ['a', 'a']."),
        (
            [0, 1],
            [[0.1, 0.9]] * 2,
            "probabilities must be one number for each row, got [[0.1, 0.9], [0.1, 0.9]].",
        ),
        (None, [0.1], "y must be given, got None."),
        ([[0, 1]], [0.1], "y must be one label for each row, got [[0, 1]]."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(y, p, message):
    with pytest.raises(DataError) as refused:
        choose_threshold(y, p)
    assert str(refused.value) == message
