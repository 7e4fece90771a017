"""Margins: ±1 of the decision function, the support the machine names, slacks."""

import numpy as np
import pytest
from matplotlib import pyplot
from sklearn.datasets import load_iris, make_moons
from sklearn.svm import SVC, LinearSVC

from classica import KNeighborsClassifier, LinearSVMClassifier, SVMClassifier
from classica.displays import MarginDisplay
from classica.errors import ClassicaError
from tests.displays.drawing import assert_draws, closed_figures

IRIS = load_iris()
TWO = IRIS.data[50:, 2:]
SIDES = IRIS.target_names[IRIS.target[50:]]


@pytest.mark.parametrize(
    "model",
    [
        SVMClassifier(kernel="linear"),
        SVMClassifier(C=10),
        LinearSVMClassifier(alpha=0.01),
        LinearSVMClassifier(alpha=0.01, solver="sgd", random_state=0),
        SVC(kernel="poly"),
        LinearSVC(),
    ],
    ids=["linear", "rbf", "exact", "sgd", "sklearn-poly", "sklearn-linear"],
)
def test_margins_and_plane_are_the_decision_function(model):
    model.fit(TWO, SIDES)
    display = MarginDisplay.from_estimator(model, TWO, SIDES, resolution=25)
    scores = model.decision_function(TWO)
    np.testing.assert_allclose(display.margins, np.where(SIDES == "virginica", scores, -scores))
    np.testing.assert_array_equal(display.slacks, np.maximum(1 - display.margins, 0))
    x, y = np.meshgrid(display.x.values, display.y.values)
    expected = model.decision_function(np.column_stack([x.ravel(), y.ravel()]))
    np.testing.assert_allclose(display.scores.ravel(), expected)
    assert_draws(display)


def test_drawn_lines_are_the_boundary_and_both_margins():
    X, y = make_moons(120, noise=0.2, random_state=0)
    model = SVMClassifier(C=10).fit(X, y)
    display = MarginDisplay.from_estimator(model, X, y, resolution=300)
    with closed_figures():
        display.plot(pyplot.subplots()[1])
        lines = next(c for c in display.ax_.collections if hasattr(c, "allsegs"))
    for level, segments in zip((-1, 0, 1), lines.allsegs, strict=True):
        np.testing.assert_allclose(model.decision_function(np.concatenate(segments)), level, atol=5e-3)


def test_support_and_width_are_those_of_the_machine():
    model = SVMClassifier(kernel="linear").fit(TWO, SIDES)
    display = MarginDisplay.from_estimator(model, TWO, SIDES)
    np.testing.assert_array_equal(display.support, model.support_)
    assert display.width == pytest.approx(model.margin_width_[0])
    outside = np.setdiff1d(np.arange(len(SIDES)), display.support)
    assert (display.margins[outside] >= 1 - 1e-3).all()
    assert MarginDisplay.from_estimator(SVMClassifier().fit(TWO, SIDES), TWO, SIDES).width is None


def test_more_columns_are_a_histogram():
    model = LinearSVMClassifier(alpha=0.01).fit(IRIS.data[50:], SIDES)
    display = MarginDisplay.from_estimator(model, IRIS.data[50:], SIDES)
    assert display.scores is None
    assert_draws(display)


def test_one_class_against_all_others():
    model = LinearSVMClassifier(alpha=0.01).fit(IRIS.data, IRIS.target)
    display = MarginDisplay.from_estimator(model, IRIS.data, IRIS.target, positive=2)
    scores = model.decision_function(IRIS.data)[:, 2]
    np.testing.assert_array_equal(display.margins, np.where(IRIS.target == 2, scores, -scores))
    assert display.sides == ("all others", "2")
    assert_draws(display)


def test_what_has_no_margin_is_refused():
    for model, message in (
        (KNeighborsClassifier(), "estimator must be a classifier with decision_function, got"),
        (
            SVMClassifier(),
            "positive must be one of the 3 classes [0, 1, 2], got None.",
        ),
    ):
        with pytest.raises(ClassicaError) as refused:
            MarginDisplay.from_estimator(model.fit(IRIS.data, IRIS.target), IRIS.data, IRIS.target)
        assert str(refused.value).startswith(message)
    with pytest.raises(ClassicaError, match=r"^estimator must be for two classes, or score each class"):
        MarginDisplay.from_estimator(
            SVMClassifier().fit(IRIS.data, IRIS.target), IRIS.data, IRIS.target, positive=1
        )
