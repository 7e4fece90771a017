"""A row and its neighbours: those of the search, and drawn as a plane, pictures or a table."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits, load_iris
from sklearn.neighbors import KNeighborsClassifier as Theirs

from classica import KNeighborsClassifier
from classica.displays import NeighbourPanelDisplay
from classica.errors import ClassicaError
from tests.displays.drawing import assert_draws

IRIS = load_iris(as_frame=True)
DIGITS = load_digits()


@pytest.mark.parametrize("kind", [KNeighborsClassifier, Theirs])
def test_a_row_of_the_table_is_not_its_own_neighbour(kind):
    X = IRIS.data.to_numpy()
    X = np.vstack([X, X[:5], X[:5]])  # a row with two doubles at distance 0
    y = np.concatenate([IRIS.target, [0] * 10])
    display = NeighbourPanelDisplay.from_estimator(kind(4).fit(X, y), X, 2, y=y)
    distances = cdist(X[2:3], X)[0]
    distances[2] = np.inf
    np.testing.assert_allclose(display.distances, np.sort(distances)[:4], atol=1e-12)
    assert {152, 157} <= set(display.neighbours.tolist())
    assert 2 not in display.neighbours
    assert display.labels == [0] * 4
    assert display.truth == "0"
    assert display.view == "table"


def test_a_new_row_is_judged_by_the_classifier():
    X, y = IRIS.data.iloc[:, 2:], IRIS.target_names[IRIS.target]
    model = KNeighborsClassifier(7).fit(X, y)
    query = pd.DataFrame([[4.9, 1.6]], columns=X.columns)
    display = NeighbourPanelDisplay.from_estimator(model, X, query, y=y)
    assert display.said == model.predict(query)[0]
    np.testing.assert_array_equal(display.neighbours, model.kneighbors(query, return_distance=False)[0])
    assert display.view == "plane"
    assert f"{display.labels.count('virginica')} × virginica" in display.votes()
    assert_draws(display)


def test_square_tables_are_pictures():
    model = KNeighborsClassifier(7).fit(DIGITS.data, DIGITS.target)
    display = NeighbourPanelDisplay.from_estimator(model, DIGITS.data, 5, y=DIGITS.target)
    assert display.view == "images"
    assert_draws(display)


def test_categories_are_written_as_they_are():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "job": rng.choice(["clerk", "nurse"], 40),
            "age": rng.normal(40, 9, 40),
            "tall": rng.random(40) < 0.5,
        }
    )
    frame.loc[3, "job"] = None
    y = rng.integers(0, 2, 40)
    model = KNeighborsClassifier(5, metric="gower").fit(frame, y)
    display = NeighbourPanelDisplay.from_estimator(model, frame, frame.iloc[[7]], y=y)
    assert display.neighbours[0] == 7
    assert (
        display.cells[0] == display.query_cells == [frame.job[7], f"{frame.age[7]:.4g}", str(frame.tall[7])]
    )
    assert NeighbourPanelDisplay.from_estimator(model, frame, 3).query_cells[0] == "missing"
    assert_draws(display)


def test_a_wide_table_shows_the_columns_that_differ():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 40))
    display = NeighbourPanelDisplay.from_estimator(KNeighborsClassifier(9).fit(X, [0, 1] * 15), X, 0)
    svg = assert_draws(display)
    assert "16 of 40 columns are shown." in svg.replace("\n", " ")
    assert display.labels is None


@pytest.mark.parametrize(
    ("row", "options", "message"),
    [
        (150, {}, "row must be an integer from 0 to 149, got 150."),
        ([[1.0, 2, 3, 4]] * 2, {}, "row must be the index of a row or a table of one row, got"),
        (0, {"n_neighbors": 150}, "n_neighbors must be an integer from 1 to 149, got 150."),
        (0, {"view": "plane"}, "view must be 'images' or 'table' unless there are two columns of"),
        (0, {"view": "film"}, "view must be 'plane', 'images' or 'table' or None, got 'film'."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(row, options, message):
    X = IRIS.data.to_numpy()
    with pytest.raises(ClassicaError) as refused:
        NeighbourPanelDisplay.from_estimator(KNeighborsClassifier().fit(X, IRIS.target), X, row, **options)
    assert str(refused.value).startswith(message)
