"""Decision trees as the lectures compute them: every printed gain, to six digits."""

import numpy as np
import pandas as pd
import pytest

from classica import DecisionTreeClassifier, ID3Classifier
from classica.trees.tracing.split_measures import split_measures
from tests.trees.tables import GOLF, SAIL, SHAPES, TEN_POINTS


def digits(wanted):
    """Compare with a number printed with six decimals."""
    return pytest.approx(wanted, abs=5e-7)


def fitted(table, **parameters):
    X, y = table[table.columns[:-1]], table[table.columns[-1]]
    model = DecisionTreeClassifier("entropy", categories="multiway", **parameters).fit(X, y)
    return model, model.trace(X, y)


# Of the lecture's C, T, H and V: gain, gain ratio, Gini gain, chi2.
GOLF_ROOT = {
    "outlook": (0.246750, 0.156428, 0.116327, 3.54667),
    "temperature": (0.029223, 0.018773, 0.018707, 0.57037),
    "humidity": (0.151836, 0.151836, 0.091837, 2.8),
    "windy": (0.048127, 0.048849, 0.030612, 0.93333),
}


@pytest.mark.parametrize("column", GOLF_ROOT)
def test_the_root_of_the_golf_table(column):
    root = fitted(GOLF)[1][0]
    assert root.summary["counts"] == [5, 9]
    assert root.summary["entropy"] == digits(0.940286)
    found = root.column(column).measures
    gain, ratio, gini, chi2 = GOLF_ROOT[column]
    assert found.gain == digits(gain)
    assert found.gain_ratio == digits(ratio)
    assert found.gini_gain == digits(gini)
    assert found.chi2 == pytest.approx(chi2, abs=5e-6)


def test_the_table_of_the_outlook():
    root = fitted(GOLF)[1][0]
    assert root.chosen == "outlook"
    found = root.column("outlook")
    assert list(found.branches) == ["cloudy", "rain", "sun"]
    assert found.measures.counts.tolist() == [[0, 4], [2, 3], [3, 2]]
    assert found.measures.shares == pytest.approx([4 / 14, 5 / 14, 5 / 14])
    assert found.measures.entropies == pytest.approx([0, 0.970951, 0.970951], abs=5e-7)


def test_id3_asks_for_the_outlook_then_humidity_and_wind():
    X, y = GOLF.drop(columns="y"), GOLF["y"]
    model = ID3Classifier().fit(X, y)
    assert model.get_n_leaves() == 5
    chosen = {tuple(found.path): found.chosen for found in model.trace(X, y).nodes if found.chosen}
    assert chosen == {(): "outlook", ("outlook = sun",): "humidity", ("outlook = rain",): "windy"}


def test_it_prints_as_on_the_slide():
    printed = str(fitted(GOLF)[1])
    assert printed.startswith(
        "Node 0: all rows\n"
        "  14 rows (0: 5, 1: 9), entropy 0.940286\n"
        "\n"
        "  outlook   0  1   share  entropy\n"
        "    cloudy  0  4  0.2857   0.0000\n"
        "    rain    2  3  0.3571   0.9710\n"
        "    sun     3  2  0.3571   0.9710\n"
    )
    assert (
        "  column           gain  split info  gain ratio  Gini gain  error gain      chi2\n"
        "  outlook      0.246750    1.577406    0.156428   0.116327    0.071429  3.546667  <- chosen\n"
        "  temperature  0.029223    1.556657    0.018773   0.018707    0.000000  0.570370\n"
        "  humidity     0.151836    1.000000    0.151836   0.091837    0.071429  2.800000\n"
        "  windy        0.048127    0.985228    0.048849   0.030612    0.000000  0.933333\n"
        "  outlook is chosen: it has the highest gain.\n"
    ) in printed


def test_shapes_have_the_gains_of_golf():
    root = fitted(SHAPES)[1][0]
    for column, golf in zip(("Color", "Outline", "Dot"), ("outlook", "humidity", "windy"), strict=True):
        found = root.column(column).measures
        gain, ratio, gini, chi2 = GOLF_ROOT[golf]
        assert found.gain == digits(gain)
        assert found.gain_ratio == digits(ratio)
        assert found.gini_gain == digits(gini)
        assert found.chi2 == pytest.approx(chi2, abs=5e-6)
    # The slide counts every pair of classes once: half.
    printed = [root.column(column).measures.gini_gain / 2 for column in ("Color", "Outline", "Dot")]
    assert np.round(printed, 3).tolist() == [0.058, 0.046, 0.015]


@pytest.mark.parametrize(
    ("colour", "outline", "dot"), [("green", 0.970951, 0.019973), ("red", 0.019973, 0.970951)]
)
def test_the_second_level_of_the_shapes(colour, outline, dot):
    [node] = [found for found in fitted(SHAPES)[1].nodes if list(found.path) == [f"Color = {colour}"]]
    assert node.column("Outline").measures.gain == digits(outline)
    assert node.column("Dot").measures.gain == digits(dot)
    assert node.chosen == ("Outline" if outline > dot else "Dot")


def test_sailing():
    model, trace = fitted(SAIL)
    root = trace[0]
    assert root.summary["entropy"] == digits(0.881291)
    gains = {"Outlook": 0.395816, "Company": 0.281291, "Sailboat": 0.034852}
    for column, gain in gains.items():
        assert root.column(column).measures.gain == digits(gain)
    assert root.chosen == "Outlook"
    asked = pd.DataFrame([["sunny", "no", "big"], ["rainy", "big", "small"]], columns=SAIL.columns[:3])
    assert model.predict(asked).tolist() == ["yes", "yes"]


@pytest.mark.parametrize(("column", "cut", "gain"), [("x2", 1, 0.0348516), ("x1", 3, 1.0), ("x2", 3, 0.0)])
def test_splits_of_the_ten_points(column, cut, gain):
    found = split_measures(TEN_POINTS[column] > cut, TEN_POINTS["class"] > 0)
    assert found.entropy == 1
    assert found.gain == pytest.approx(gain, abs=5e-8)


def test_the_branches_of_x2_above_1():
    found = split_measures(TEN_POINTS["x2"] > 1, TEN_POINTS["class"] > 0)
    assert found.counts.tolist() == [[2, 1], [3, 4]]
    assert found.entropies == pytest.approx([0.918, 0.985], abs=5e-4)


def test_the_best_cut_of_the_ten_points():
    _, trace = fitted(TEN_POINTS)
    root = trace[0]
    assert root.chosen == "x1"
    assert list(root.column("x1").branches) == ["≤ 3.125", "> 3.125"]
    assert root.column("x1").measures.gain == 1
    assert root.column("x2").measures.gain < 0.3
