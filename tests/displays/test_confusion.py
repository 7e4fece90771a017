"""The confusion matrix: the lecture's numbers, and counts that add up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, recall_score

from classica.displays import ConfusionDisplay
from classica.errors import DataError
from tests.displays.drawing import assert_draws

# The 5 × 5 table of the CS 361 lecture: heart disease, 0 for none.
LECTURE = [[151, 7, 2, 3, 1], [32, 5, 9, 9, 0], [10, 9, 7, 9, 1], [6, 13, 9, 5, 2], [2, 3, 2, 6, 0]]

answers = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60)


def test_the_lectures_matrix():
    display = ConfusionDisplay.from_matrix(LECTURE, range(5))
    np.testing.assert_allclose(100 * display.class_errors, [7.93, 90.91, 80.56, 85.71, 100], atol=5e-3)
    assert 1 - display.error == pytest.approx(0.554455, abs=5e-7)
    assert display.worst_pairs(1) == [(1, 0, 32)]
    assert "55.4" not in assert_draws(display)


@settings(max_examples=20)
@given(answers)
def test_counts_add_up(pairs):
    truth, said = np.array(pairs).T
    names = np.array(["ant", "bee", "cat", "dog", "eel"])
    display = ConfusionDisplay.from_predictions(names[truth], names[said])
    assert display.counts.sum() == len(pairs)
    assert display.classes.tolist() == sorted(set(names[truth]) | set(names[said]))
    np.testing.assert_array_equal(
        display.counts.sum(axis=1), [(names[truth] == c).sum() for c in display.classes]
    )
    np.testing.assert_array_equal(
        display.counts.sum(axis=0), [(names[said] == c).sum() for c in display.classes]
    )
    assert 1 - display.error == pytest.approx(accuracy_score(truth, said))
    recalls = recall_score(
        names[truth], names[said], labels=display.classes, average=None, zero_division=np.nan
    )
    np.testing.assert_allclose(1 - display.class_errors, recalls)
    assert sum(count for *_, count in display.worst_pairs(25)) == (truth != said).sum()


def test_classes_keep_their_order_and_may_be_absent():
    display = ConfusionDisplay.from_predictions(
        ["low", "high"], ["low", "low"], classes=["low", "middle", "high"]
    )
    assert display.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    np.testing.assert_array_equal(display.class_errors, [0, np.nan, 1])
    assert_draws(display)


def test_twenty_classes_stay_readable():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 20, 3000)
    said = np.where(rng.random(3000) < 0.9, truth, (truth + rng.integers(0, 3, 3000)) % 20)
    names = np.array([f"a long name of class {k}" for k in range(20)])
    assert_draws(ConfusionDisplay.from_predictions(names[truth], names[said]))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2]], "counts must be a square table of 1 classes, got (1, 2)."),
        ([[-1]], "counts must be whole numbers of at least 0, got [[-1]]."),
    ],
)
def test_counts_that_are_none_are_refused(counts, message):
    with pytest.raises(DataError) as refused:
        ConfusionDisplay.from_matrix(counts, ["a"])
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("said", "classes", "message"),
    [
        ([0], None, "y_pred must be 2 labels long, as y_true, and at least 1, got 1."),
        ([0, 2], [0, 1], "y must have classes of the model, got 2 in row 1."),
    ],
)
def test_answers_that_do_not_fit_are_refused(said, classes, message):
    with pytest.raises(DataError) as refused:
        ConfusionDisplay.from_predictions([0, 1], said, classes=classes)
    assert str(refused.value) == message
