"""Voronoi cells: every point of a cell is nearest to its row, and the cells fill the frame."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path
from scipy.spatial.distance import cdist

from classica import KNeighborsClassifier
from classica.displays import VoronoiDisplay
from classica.errors import DataError
from tests.displays.drawing import assert_draws


def area(cell):
    x, y = cell.T
    return 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def frame_area(display):
    return (display.x.high - display.x.low) * (display.y.high - display.y.low)


def assert_cells_are_right(display):
    assert sum(area(cell) for cell in display.cells) == pytest.approx(frame_area(display), rel=1e-9)
    scale = np.hypot(display.x.high - display.x.low, display.y.high - display.y.low)
    for row, place in enumerate(display.cell_of_row):
        cell, point = display.cells[place], display.points[row]
        assert Path(cell).contains_point(point)
        own = np.linalg.norm(cell - point, axis=1)
        nearest = cdist(cell, display.points).min(axis=1)
        np.testing.assert_allclose(own, nearest, atol=1e-9 * scale)  # no corner is nearer to another row


coordinates = st.integers(-8, 8).map(lambda k: k / 4)
tables = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=25)


@settings(max_examples=20)
@given(tables)
def test_cells_of_any_rows_duplicates_and_lines_among_them(rows):
    display = VoronoiDisplay.from_points(np.array(rows), np.arange(len(rows)) % 3)
    assert len(display.cells) == len(set(rows))
    assert_cells_are_right(display)


@pytest.mark.full
def test_cells_of_many_random_tables():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        scale = 10.0 ** rng.integers(-3, 4, 2)
        X = rng.standard_normal((rng.integers(1, 80), 2)) * scale
        assert_cells_are_right(VoronoiDisplay.from_points(X, np.arange(len(X)) % 2))
    print("2,000 tables")


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, 2.0]],
        [[0.0, 0.0]] * 4,
        [[float(i), 2.0 * i] for i in range(7)],
        [[float(i), 5.0] for i in range(7)],
        [[float(i), float(j)] for i in range(6) for j in range(6)],
        [[1e6 + i, 1e-6 * (i % 3)] for i in range(9)],
    ],
    ids=["one", "duplicates", "diagonal", "level", "lattice", "scales"],
)
def test_degenerate_tables(X):
    display = VoronoiDisplay.from_points(X, ["a"] * len(X))
    assert_cells_are_right(display)


def test_cells_say_what_one_nearest_neighbour_says():
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((60, 2)), rng.integers(0, 3, 60)
    X[30:40] = X[:10]  # of other classes at times
    model = KNeighborsClassifier(1).fit(X, y)
    display = VoronoiDisplay.from_estimator(model, X, y)
    queries = rng.uniform([display.x.low, display.y.low], [display.x.high, display.y.high], (500, 2))
    said = model.predict(queries)
    inside = np.array([Path(cell).contains_points(queries) for cell in display.cells])
    alone = inside.sum(axis=0) == 1
    assert alone.sum() > 490
    np.testing.assert_array_equal(
        display.classes[display.cell_codes[inside.argmax(axis=0)]][alone], said[alone]
    )


def test_borders_are_the_edges_two_cells_share():
    display = VoronoiDisplay.from_points([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], ["a", "b", "b"])
    between, within = display.borders()
    assert [edge[:, 0].tolist() for edge in between] == [[0.5, 0.5]]
    assert [edge[:, 0].tolist() for edge in within] == [[1.5, 1.5]]


def test_it_draws_few_and_many_rows():
    rng = np.random.default_rng(0)
    assert_draws(VoronoiDisplay.from_points(rng.random((200, 2)), rng.integers(0, 10, 200)))
    assert_draws(VoronoiDisplay.from_points(rng.random((900, 2)), rng.integers(0, 2, 900)), largest=200_000)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (
            [[1.0, 2.0, 3.0]],
            "X must be a table of two columns of numbers, got ['column 0', 'column 1', 'column 2'].",
        ),
        ([[1.0, np.nan]], "X must be finite, got [1.0, nan]."),
    ],
)
def test_what_has_no_cells_is_refused(X, message):
    with pytest.raises(DataError) as refused:
        VoronoiDisplay.from_points(X, [0])
    assert str(refused.value) == message


def test_only_one_nearest_neighbour_has_cells():
    model = KNeighborsClassifier(2).fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    with pytest.raises(
        DataError, match=r"^estimator must be a nearest-neighbour classifier with one neighbour"
    ):
        VoronoiDisplay.from_estimator(model, [[0.0, 0.0], [1.0, 1.0]], [0, 1])
