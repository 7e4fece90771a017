"""Reliability: bins that add up and say what scikit-learn's curve says."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from classica.displays import CalibrationDisplay
from classica.errors import ClassicaError
from tests.displays.drawing import assert_draws

RNG = np.random.default_rng(0)
SAID = RNG.random(600) ** 2
TRUE = (RNG.random(600) < SAID).astype(int)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_bins_are_those_of_scikit_learn(strategy):
    display = CalibrationDisplay.from_probabilities(TRUE, SAID, strategy=strategy, n_bins=8)
    observed, predicted = calibration_curve(TRUE, SAID, n_bins=8, strategy=strategy)
    known = display.counts > 0
    np.testing.assert_allclose(display.observed[known], observed)
    np.testing.assert_allclose(display.predicted[known], predicted)
    assert display.counts.sum() == 600
    assert display.brier == pytest.approx(brier_score_loss(TRUE, SAID))
    assert (display.low[known] <= display.observed[known] + 1e-12).all()
    assert (display.observed[known] <= display.high[known] + 1e-12).all()
    assert_draws(display)


def test_honest_probabilities_are_near_the_line_and_others_are_not():
    honest = CalibrationDisplay.from_probabilities(TRUE, SAID)
    bold = CalibrationDisplay.from_probabilities(TRUE, np.clip(1.8 * SAID - 0.4, 0, 1))
    assert honest.calibration_error < 0.05
    assert bold.calibration_error > 0.08
    inside = (honest.low <= honest.predicted) & (honest.predicted <= honest.high)
    assert inside.sum() >= 8


def test_several_classes_are_judged_by_their_answer_or_one_by_one():
    table = RNG.dirichlet([1, 1, 1], 400)
    y = np.array(["a", "b", "c"])[(table.cumsum(axis=1) < RNG.random((400, 1))).sum(axis=1)]
    display = CalibrationDisplay.from_probabilities(y, table)
    right = np.array(["a", "b", "c"])[table.argmax(axis=1)] == y
    assert np.nansum(display.observed * display.counts) == pytest.approx(right.sum())
    one = CalibrationDisplay.from_probabilities(y, table, positive="b")
    assert np.nansum(one.observed * one.counts) == pytest.approx((y == "b").sum())
    assert "predicted probability of the predicted class" in assert_draws(display)


def test_the_first_of_two_classes():
    first = CalibrationDisplay.from_probabilities(TRUE, SAID, positive=0)
    np.testing.assert_allclose(np.nansum(first.predicted * first.counts), (1 - SAID).sum())


@pytest.mark.parametrize(
    ("said", "options", "message"),
    [
        ([0.5, 1.5], {}, "probabilities must be from 0 to 1, got 1.5."),
        ([0.5, 0.5], {"n_bins": 0}, "n_bins must be an integer from 1 to 1000, got 0."),
        ([0.5, 0.5], {"strategy": "even"}, "strategy must be 'uniform' or 'quantile', got 'even'."),
    ],
)
def test_what_does_not_fit_is_refused(said, options, message):
    with pytest.raises(ClassicaError) as refused:
        CalibrationDisplay.from_probabilities([0, 1], said, **options)
    assert str(refused.value) == message
