"""Pictures of what drives a model: they show what was computed, and say what was left out."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine

from classica import LogisticClassifier, NaiveBayesClassifier
from classica.displays import (
    CoefficientDisplay,
    ColumnImportanceDisplay,
    DependenceDisplay,
    InteractionDisplay,
)
from classica.errors import ClassicaError
from classica.inspection import (
    coefficient_intervals,
    cross_val_importance,
    interactions,
    partial_dependence,
    permutation_importance,
)
from tests.displays.drawing import assert_draws
from tests.inspection.test_permuting import MissingTeller

WINE = load_wine(as_frame=True)
BAYES = NaiveBayesClassifier().fit(WINE.data, WINE.target)


def test_importances_in_percentage_points_or_units_of_the_metric():
    found = cross_val_importance(NaiveBayesClassifier(), WINE.data, WINE.target, 3, n_repeats=2)
    display = ColumnImportanceDisplay.from_importances(found, top=5)
    assert [each.column for each in display.shown] == found.names(5)
    svg = assert_draws(display)
    assert "The 5 most important of 13 columns." in svg.replace("\n", " ")
    assert "percentage points" in svg
    assert f"{found.columns[0].column} {100 * found.columns[0].drop.mean:.3g} points" in display.describe()
    loss = permutation_importance(BAYES, WINE.data, WINE.target, scoring="log_loss", n_repeats=1)
    assert "rise of log loss" in assert_draws(ColumnImportanceDisplay.from_importances(loss))
    own = permutation_importance(BAYES, WINE.data, WINE.target, scoring=lambda m, X, y: 0.5, n_repeats=1)
    assert "interval" not in assert_draws(ColumnImportanceDisplay.from_importances(own))
    with pytest.raises(ClassicaError, match=r"^top must be an integer of at least 1, got 0\.$"):
        ColumnImportanceDisplay.from_importances(found, top=0)


def test_dependence_on_a_number_has_curves_of_single_rows():
    found = partial_dependence(BAYES, WINE.data, "proline")
    display = DependenceDisplay.from_dependence(found)
    assert display.lines == [0, 1, 2]
    svg = assert_draws(display)
    assert "30 single rows" in svg
    assert display.describe().startswith("Partial dependence on proline. P(")


def test_dependence_on_levels_with_missing_values():
    words = pl.Series(["low", "high", None] * 20, dtype=pl.Enum(["low", "high"]))
    frame = pl.DataFrame({"a <b>&": words, "n": [1.0, None, 3.0] * 20})
    model = MissingTeller().fit(frame, np.arange(60) % 2)
    for column in frame.columns:
        svg = assert_draws(DependenceDisplay.from_dependence(partial_dependence(model, frame, column)))
        assert "missing" in svg
    assert "a &lt;b&gt;&amp;" in assert_draws(
        DependenceDisplay.from_dependence(partial_dependence(model, frame, 0))
    )


def test_many_classes_are_the_ones_that_vary_most():
    random = np.random.default_rng(0)
    X = random.normal(size=(260, 2))
    y = np.digitize(X[:, 0], np.linspace(-2, 2, 9))
    found = partial_dependence(NaiveBayesClassifier().fit(X, y), X, 0)
    display = DependenceDisplay.from_dependence(found)
    assert len(display.lines) == 6
    assert f"The 6 of {len(found.classes)} classes" in assert_draws(display).replace("\n", " ")


def test_the_surface_of_a_pair():
    found = interactions(BAYES, WINE.data, ["proline", "alcohol"], grid_size=6)
    svg = assert_draws(InteractionDisplay.from_interactions(found))
    assert "proline" in svg
    assert svg.count("<text") >= found.average.size


def test_coefficients_of_two_and_of_many_classes():
    two = WINE.target == 1
    model = LogisticClassifier().fit(WINE.data, two)
    display = CoefficientDisplay.from_coefficients(coefficient_intervals(model, WINE.data, two), top=5)
    shown = display.shown(display.labels[0])
    assert len(shown) == 5
    assert abs(shown[0].estimate) == max(abs(term.estimate) for term in display.coefficients.terms)
    assert "The 5 largest of 13 coefficients." in assert_draws(display).replace("\n", " ")
    three = coefficient_intervals(LogisticClassifier().fit(WINE.data, WINE.target), WINE.data, WINE.target)
    display = CoefficientDisplay.from_coefficients(three)
    assert display.labels == [0, 1, 2]
    assert_draws(display)
