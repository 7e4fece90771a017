"""Learning and validation curves: against plain fits, on known laws, and where nothing can be told."""

import json
import math

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from classica import KNeighborsClassifier
from classica.diagnosis import diagnose
from classica.displays import LearningCurveDisplay, ValidationCurveDisplay
from classica.errors import ClassicaError
from classica.selection import LearningCurve, learning_curve, validation_curve
from classica.selection.extrapolation import extrapolate_errors
from classica.selection.power_law import fit_power_law
from classica.statistics.stratified_order import ordered_splits

SIZES = np.array([50, 90, 160, 280, 500])


def test_every_beginning_of_a_training_part_has_the_shares_of_the_classes():
    y = np.repeat(["a", "b", "c"], [100, 50, 10])
    (train, test), *_ = ordered_splits(StratifiedKFold(5).split(y, y), y, seed=0)
    assert sorted([*train, *test]) == list(range(160))
    shares = np.array([100, 50, 10]) / 160
    for size in range(1, len(train) + 1):
        counts = np.array([np.sum(y[train[:size]] == label) for label in "abc"])
        assert (np.abs(counts - size * shares) <= 1).all()


def test_errors_are_those_of_plain_fits():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(random_state=0)
    curve = learning_curve(model, X, y, 5, sizes=[20, 60, 120], random_state=3)
    assert curve.sizes.tolist() == [20, 60, 120]
    assert curve.rows == 150
    for fold, (train, test) in enumerate(ordered_splits(StratifiedKFold(5).split(X, y), y, 3)):
        for place, size in enumerate(curve.sizes):
            fitted = clone(model).fit(X[train[:size]], y[train[:size]])
            assert curve.test_errors[place, fold] == pytest.approx(1 - fitted.score(X[test], y[test]))
            own = 1 - fitted.score(X[train[:size]], y[train[:size]])
            assert curve.train_errors[place, fold] == pytest.approx(own)
    again = learning_curve(model, X, y, 5, sizes=np.array([20, 60, 120]) / 120, random_state=3)
    np.testing.assert_array_equal(again.test_errors, curve.test_errors)


def test_a_law_is_found_again():
    law = fit_power_law(SIZES.astype(float), 0.08 + 2.0 * SIZES**-0.6, np.full(5, 0.01))
    assert (law.a, law.b, law.c) == pytest.approx((0.08, 2.0, 0.6), rel=0.02)
    assert law.misfit < 1e-6
    flat = fit_power_law(SIZES.astype(float), np.full(5, 0.2), np.full(5, 0.01))
    assert flat(1000) == pytest.approx(0.2, abs=1e-6)


def covered(a, b, c, campaigns):
    """Return how often the interval holds the true gain, of how many that were told."""
    rng = np.random.default_rng(0)
    gain = b * 550**-c - b * 1100**-c
    told = held = 0
    for _ in range(campaigns):
        errors = rng.binomial(55, (a + b * SIZES**-c)[:, None] * np.ones(10)) / 55
        ahead = extrapolate_errors(SIZES, errors, 550, 2.0, 0.95)
        told += ahead.known
        held += ahead.known and ahead.low <= gain <= ahead.high
    return held, told


def test_the_interval_of_the_gain_holds_the_truth():
    held, told = covered(0.08, 2.0, 0.6, campaigns=40)
    assert told >= 36
    assert held >= 0.9 * told


@pytest.mark.full
@pytest.mark.parametrize("law", [(0.08, 2.0, 0.6), (0.2, 0.5, 0.3), (0.1, 0.0, 0.5), (0.02, 5.0, 1.0)])
def test_the_interval_of_the_gain_holds_the_truth_for_many_laws(law):
    held, told = covered(*law, campaigns=400)
    print(f"law {law}: {held} of {told} intervals hold the true gain, {400 - told} could not be told")
    assert held >= 0.93 * told


def test_digits_would_gain_from_more_rows_for_a_tree_and_noise_would_not():
    X, y = load_digits(return_X_y=True)
    curve = learning_curve(DecisionTreeClassifier(random_state=0), X, y, 10)
    ahead = curve.extrapolate()
    assert ahead.low > 0.005
    assert ahead.rows == 1797
    assert ahead.more_rows == 3594
    assert str(ahead).startswith("Doubling the rows would lower the error by about 3.")
    assert "3 times the rows would lower" in str(curve.extrapolate(3))
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), np.arange(400) % 2
    ahead = learning_curve(KNeighborsClassifier(15), X, y, 10).extrapolate()
    assert not ahead.known or ahead.low == 0


@pytest.mark.parametrize(
    ("errors", "reason"),
    [
        (np.full((3, 10), 0.1), "3 usable sizes; at least 4"),
        (np.full((5, 2), 0.1), "2 folds; at least 3"),
        (np.linspace(0.1, 0.4, 5)[:, None] + np.linspace(0, 0.01, 10), "the error increases"),
        (
            np.array([0.3, 0.1, 0.3, 0.1, 0.1])[:, None] + np.linspace(0, 0.01, 10),
            "power law",
        ),
    ],
)
def test_what_cannot_be_told_is_not(errors, reason):
    sizes = SIZES[: len(errors)]
    ahead = LearningCurve(sizes, errors * 0, errors, 550).extrapolate()
    assert not ahead.known
    assert math.isnan(ahead.gain)
    assert str(ahead).startswith("Cannot extrapolate the learning curve: ")
    assert reason in str(ahead)
    json.dumps(ahead.record(), allow_nan=False)


def test_a_curve_that_ends_early_says_nothing_about_twice_the_rows():
    """In the order of time the first fold learns from a sixth of the rows, and no size may be larger."""
    errors = 0.1 + 2 / SIZES[:, None] + np.linspace(0, 0.01, 10)
    assert "the curve ends at 500 of 3,000 rows" in str(
        LearningCurve(SIZES, errors, errors, 3000).extrapolate()
    )


def test_folds_that_never_differ_leave_no_room_but_a_few_rows():
    errors = np.full((5, 10), 0.3)
    ahead = LearningCurve(SIZES, errors, errors, 550).extrapolate()
    assert ahead.known
    assert ahead.low == 0
    assert ahead.gain == pytest.approx(0, abs=1e-6)
    assert 0 < ahead.high < 0.02
    none = LearningCurve(SIZES, errors * 0, errors * 0, 550).extrapolate()
    assert (none.gain, none.low, none.high) == (0, 0, 0)


def test_folds_that_differ_too_much_say_nothing():
    rng = np.random.default_rng(0)
    errors = np.clip(0.4 + 1 / np.sqrt(SIZES)[:, None] + rng.normal(0, 0.5, (5, 3)), 0, 1)
    ahead = LearningCurve(SIZES, errors * 0, errors, 550).extrapolate()
    assert "the folds differ too much" in str(ahead)


def test_sizes_that_fail_are_left_out():
    errors = 0.1 + 2 / SIZES[:, None] + np.linspace(0, 0.01, 10)
    errors = np.vstack([np.full(10, np.nan), errors])
    curve = LearningCurve(np.array([1, *SIZES]), errors, errors, 550)
    assert curve.extrapolate().known
    # One row of one class: the model says so by failing, and the curve goes on.
    X, y = load_iris(return_X_y=True)
    found = learning_curve(_NeedsTwoClasses(), X, y, 5, sizes=[1, 30, 60, 90, 120])
    assert np.isnan(found.test_errors[0]).all()
    assert not np.isnan(found.test_errors[1:]).any()


class _NeedsTwoClasses(DecisionTreeClassifier):
    def fit(self, X, y):
        if len(np.unique(y)) < 2:
            raise ValueError("Cannot choose a threshold: y must have two classes, got one.")
        return super().fit(X, y)


def test_a_regressor_is_cut_by_chance():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    curve = learning_curve(LinearRegression(), X, X @ [1.0, 2.0], KFold(3), sizes=[10, 40])
    np.testing.assert_allclose(curve.test_errors, 0, atol=1e-9)


def test_validation_curve_finds_the_best_value():
    X, y = make_classification(300, 10, flip_y=0.2, random_state=0)
    curve = validation_curve(KNeighborsClassifier(), X, y, "n_neighbors", [1, 5, 25, 200], cv=5)
    assert curve.train_errors[0].tolist() == [0] * 5
    assert curve.best in (5, 25)
    assert f"The test error is lowest for n_neighbors={curve.best}." in str(curve)
    assert curve.record()["values"] == [1, 5, 25, 200]


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("n_neighbors", [1, 5, 50], "log"),
        ("weights", ["uniform", "distance"], "linear"),
        ("p", [2, 1], "linear"),
    ],
)
def test_pictures_of_validation_curves(name, values, scale):
    X, y = load_iris(return_X_y=True)
    ax = Figure().subplots()
    display = ValidationCurveDisplay.from_estimator(KNeighborsClassifier(), X, y, name, values, ax=ax)
    assert display.ax_ is ax
    assert ax.get_xscale() == scale
    labels = ax.get_legend_handles_labels()[1]
    assert labels == ["training error", "test error", f"best: {display.curve.best}"]


def test_picture_of_a_learning_curve():
    X, y = load_digits(return_X_y=True)
    display = LearningCurveDisplay.from_estimator(
        KNeighborsClassifier(1), X, y, 3, sizes=(0.1, 0.2, 0.4, 0.6, 1.0), ax=Figure().subplots()
    )
    labels = display.ax_.get_legend_handles_labels()[1]
    assert labels[:2] == ["training error", "test error"]
    law = display.ax_.lines[-1]
    assert law.get_xdata()[-1] == pytest.approx(2 * 1797)
    ahead = display.curve.extrapolate()
    assert law.get_ydata()[-1] == pytest.approx(ahead.error - ahead.gain)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda X, y: learning_curve(KNeighborsClassifier(), X, y, sizes=[500]),
            "sizes must be shares up to 1 or whole numbers from 1 to 120, the training rows of a fold, "
            "got [500].",
        ),
        (
            lambda X, y: learning_curve(KNeighborsClassifier(), X, y, sizes=[0.5, 1.5]),
            "sizes must be shares up to 1 or whole numbers from 1 to 120, the training rows of a fold, "
            "got [0.5, 1.5].",
        ),
        (
            lambda X, y: learning_curve(KNeighborsClassifier(), X, y).extrapolate(1),
            "times must be a number above 1, got 1.",
        ),
        (
            lambda X, y: validation_curve(KNeighborsClassifier(), X, y, "k", [1]),
            "name must be a parameter of KNeighborsClassifier, got 'k'.",
        ),
        (
            lambda X, y: validation_curve(KNeighborsClassifier(), X, y, "p", []),
            "values must be at least one value, got [].",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ClassicaError) as refused:
        call(*load_iris(return_X_y=True))
    assert str(refused.value) == message


def noisy_line(rows):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 2))
    return X, 100 * X[:, 0] + rng.normal(0, 20, rows)


def test_curves_of_a_regressor_are_in_units_of_the_target():
    """1 - R² of a regressor was printed as a percentage, up to "error 105.55%"."""
    X, y = noisy_line(200)
    curve = learning_curve(DecisionTreeRegressor(max_depth=1), X, y, KFold(5), sizes=[5, 20, 60, 160])
    assert curve.measure == "RMSE"
    for fold, (train, test) in enumerate(ordered_splits(KFold(5).split(X), None, 0)):
        fitted = DecisionTreeRegressor(max_depth=1).fit(X[train], y[train])
        wanted = np.sqrt(np.mean((fitted.predict(X[test]) - y[test]) ** 2))
        assert curve.test_errors[-1, fold] == pytest.approx(wanted)
    assert "training RMSE" in str(curve)
    assert "%" not in str(curve)
    assert "points" not in str(curve)
    assert "would lower the RMSE by about" in str(curve.extrapolate())
    depths = validation_curve(DecisionTreeRegressor(random_state=0), X, y, "max_depth", [1, 3, None])
    assert depths.measure == "RMSE"
    assert "%" not in str(depths)
    assert f"The test RMSE is lowest for max_depth={depths.best}." in str(depths)
    for each in (curve, depths):
        ax = each.plot(Figure().subplots())
        assert ax.get_ylabel() == "RMSE (mean ± standard deviation over folds)"
        assert ax.get_legend_handles_labels()[1][:2] == ["training RMSE", "test RMSE"]
        assert "%" not in "".join(label.get_text() for label in ax.get_yticklabels())
        assert "%" not in "".join(ax.get_legend_handles_labels()[1])


def test_findings_from_the_curve_of_a_regressor_are_in_its_units():
    sizes, folds = np.array([50, 100, 200, 400]), np.linspace(-0.5, 0.5, 10)
    falling = LearningCurve(sizes, np.zeros((4, 10)), 20 + 9000 / sizes[:, None] + folds, 500, "RMSE")
    (found,) = diagnose({"a": [0.8] * 5}, 0.2, learning=falling).findings
    assert found.code == "E103"
    assert "lower the RMSE by about" in found.detail
    flat = LearningCurve(sizes, np.zeros((4, 10)), 20 + 0 * sizes[:, None] + folds, 500, "RMSE")
    (found,) = diagnose({"a": [0.8] * 5}, 0.2, learning=flat).findings
    assert found.code == "E104"
    assert "lower the RMSE by at most" in found.detail
    assert "points" not in found.detail
