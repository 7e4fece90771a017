"""Weights and importances: the largest first, nothing lost."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from classica import KNeighborsClassifier, LogisticClassifier, RandomForestClassifier
from classica.displays import ImportanceDisplay, WeightsDisplay
from classica.errors import ClassicaError
from tests.displays.drawing import assert_draws

IRIS = load_iris(as_frame=True)


def test_weights_of_three_classes():
    model = LogisticClassifier().fit(IRIS.data, IRIS.target)
    display = WeightsDisplay.from_estimator(model, top=3)
    for line in range(3):
        shown = display.largest(line)
        magnitudes = np.abs([weight for _, weight in shown])
        assert (np.diff(magnitudes) <= 0).all()
        assert magnitudes[-1] >= np.sort(np.abs(model.coef_[line]))[-3]
        for name, weight in shown:
            assert model.coef_[line, list(IRIS.data.columns).index(name)] == weight
    assert_draws(display)


def test_weights_of_two_classes_and_many():
    assert_draws(WeightsDisplay.from_weights([[0.5, -2.0, 1.0]], ["no", "yes"]))
    svg = assert_draws(WeightsDisplay.from_weights(np.eye(20), range(20), top=2))
    assert "The first 6 of 20 classes." in svg.replace("\n", " ")


def test_importances_of_a_forest():
    model = RandomForestClassifier(20, random_state=0).fit(IRIS.data, IRIS.target)
    display = ImportanceDisplay.from_estimator(model)
    assert [value for _, value in display.ranked()] == sorted(model.feature_importances_, reverse=True)
    assert display.deviations is None
    assert_draws(display)


def test_repeated_importances_have_means_and_deviations():
    table = np.array([[0.0, 3.0, 1.0], [0.0, 5.0, -1.0]])
    display = ImportanceDisplay.from_importances(
        table, names=["a", "b", "c"], top=2, measure="loss when shuffled"
    )
    assert display.ranked() == [("b", 4.0), ("a", 0.0)]
    np.testing.assert_allclose(display.deviations, [0, np.sqrt(2), np.sqrt(2)])
    assert "loss when shuffled" in assert_draws(display)


BAD_WEIGHTS = [
    (
        ([[1.0]], ["a", "b", "c"], None),
        "weights must be of one line for each of 3 classes, or of one line for",
    ),
    (([["x"]], ["a", "b"], None), "weights must be numbers, got [['x']]."),
    (([[1.0]], ["a", "b"], ["p", "q"]), "names must be 1 names, one for each column, got 2."),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_WEIGHTS)
def test_weights_that_do_not_fit_are_refused(arguments, message):
    weights, classes, names = arguments
    with pytest.raises(ClassicaError) as refused:
        WeightsDisplay.from_weights(weights, classes, names=names)
    assert str(refused.value).startswith(message)


def test_what_has_no_weights_or_importances_is_refused():
    with pytest.raises(ClassicaError, match=r"^estimator must be a fitted linear classifier with coef_"):
        WeightsDisplay.from_estimator(KNeighborsClassifier())
    with pytest.raises(
        ClassicaError, match=r"^estimator must be a fitted estimator with feature_importances_"
    ):
        ImportanceDisplay.from_estimator(KNeighborsClassifier())
    with pytest.raises(ClassicaError, match=r"^top must be an integer of at least 1, got 0\.$"):
        ImportanceDisplay.from_importances([1.0], top=0)
