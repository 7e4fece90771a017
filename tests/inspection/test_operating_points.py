"""Thresholds of two classes: counts as scikit-learn has them, and where costs put the operating point."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, precision_score, recall_score

from classica.errors import ClassicaError
from classica.inspection import OperatingCurve, operating_curve
from classica.recorded import from_record


def held_out(rows=600, seed=0):
    random = np.random.default_rng(seed)
    p = random.beta(1, 4, rows)
    return np.where(random.random(rows) < p, "bad", "good"), p


def test_rates_and_costs_are_those_of_the_predictions():
    y, p = held_out()
    costs = [[0, 1], [5, 0]]  # "good" for a "bad" row costs 5
    found = operating_curve(y, p, "bad", costs)
    for index in range(0, len(found.thresholds), 17):
        predicted = np.where(p > found.thresholds[index], "bad", "good")
        (tp, fn), (fp, tn) = confusion_matrix(y, predicted, labels=["bad", "good"])
        assert found.recall[index] == pytest.approx(recall_score(y, predicted, pos_label="bad"))
        assert found.false_alarms[index] == pytest.approx(fp / (fp + tn))
        assert found.costs[index] == pytest.approx((5 * fn + fp) / len(y))
        if tp + fp:
            assert found.precision[index] == pytest.approx(precision_score(y, predicted, pos_label="bad"))


def test_the_costs_imply_a_threshold_and_the_cheapest_is_cheapest():
    y, p = held_out()
    found = operating_curve(y, p, "bad", [[0, 1], [5, 0]])
    probable, implied, cheapest = found.points
    assert (probable.threshold, implied.threshold) == (0.5, pytest.approx(1 / 6))
    assert implied is found.implied
    assert cheapest.cost <= found.costs.min() + 1e-12
    assert cheapest.cost <= implied.cost <= probable.cost
    assert str(found).startswith("With these costs, predict bad above a probability of 0.167")


def test_balanced_costs_put_the_threshold_at_the_share_of_the_class():
    y, p = held_out()
    found = operating_curve(y, p, "bad")
    assert found.is_balanced
    assert found.implied.threshold == pytest.approx(np.mean(y == "bad"))
    # The mean cost is then one minus the balanced accuracy.
    balanced = (found.implied.recall + 1 - found.implied.false_alarms) / 2
    assert found.implied.cost == pytest.approx(1 - balanced)


def test_the_second_class_is_positive_by_default():
    y, p = held_out()
    found = operating_curve(y, 1 - p)
    assert found.positive == "good"
    assert found.positives == np.sum(y == "good")
    again = from_record(OperatingCurve, found.record())
    np.testing.assert_array_equal(again.recall, found.recall)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ClassicaError, match=r"^y must be of two classes"):
        operating_curve(["a", "b", "c"], [0.1, 0.2, 0.3])
    with pytest.raises(ClassicaError, match=r"^positive must be one of \['a', 'b'\], got 'c'\.$"):
        operating_curve(["a", "b"], [0.1, 0.2], "c")
