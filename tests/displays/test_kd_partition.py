"""The k-d partition: halves at the median, cells that hold their rows and fill the plane."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classica import KNeighborsClassifier
from classica.displays import KDPartitionDisplay
from classica.errors import DataError, ParameterError
from tests.displays.drawing import assert_draws

coordinates = st.integers(-6, 6).map(float)
tables = st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=40)


@settings(max_examples=20)
@given(tables, st.sampled_from(["widest", "alternate"]), st.integers(1, 4))
def test_cells_hold_their_rows_and_halve_them(rows, axis, leaf_size):
    X = np.array(rows)
    display = KDPartitionDisplay.from_points(X, axis=axis, leaf_size=leaf_size)
    for cell in display.cells:
        assert (X[cell.rows] >= cell.low).all()
        assert (X[cell.rows] <= cell.high).all()
        spreads = np.ptp(X[cell.rows], axis=0)
        if cell.axis < 0:
            assert len(cell.rows) <= leaf_size or spreads.max() == 0
        else:
            assert len(cell.rows) > leaf_size
            below = (X[cell.rows, cell.axis] <= cell.cut).sum()
            above = (X[cell.rows, cell.axis] >= cell.cut).sum()
            assert min(below, above) >= len(cell.rows) // 2  # the cut is a median
            if axis == "widest":
                assert spreads[cell.axis] == spreads.max()
    for level in range(display.depth + 1):
        shown = KDPartitionDisplay.from_points(X, axis=axis, leaf_size=leaf_size, level=level).drawn_cells()
        assert sum(np.prod(cell.high - cell.low) for cell in shown) == pytest.approx(
            (display.x.high - display.x.low) * (display.y.high - display.y.low)
        )
        assert sorted(np.concatenate([cell.rows for cell in shown])) == list(range(len(X)))


def test_axes_take_turns():
    rng = np.random.default_rng(0)
    display = KDPartitionDisplay.from_points(rng.random((64, 2)) * [100, 1], axis="alternate")
    assert display.depth == 6
    assert all(cell.axis == cell.level % 2 for cell in display.cells if cell.axis >= 0)


def test_the_leaf_size_is_that_of_the_classifier():
    rng = np.random.default_rng(0)
    X, y = rng.random((100, 2)), rng.integers(0, 2, 100)
    display = KDPartitionDisplay.from_estimator(KNeighborsClassifier(leaf_size=16).fit(X, y), X, y, level=2)
    assert max(len(cell.rows) for cell in display.cells if cell.axis < 0) <= 16
    assert display.level == 2
    assert len(display.cuts(1)) == 1
    assert len(display.cuts(2)) == 2
    assert "Level 2 of 3: 4 cells of rows: 25 each." in display.describe()
    assert_draws(display)
    assert_draws(KDPartitionDisplay.from_points(X, level=0))


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ParameterError, match=r"^level must be an integer of at least 0 or None, got -1\.$"):
        KDPartitionDisplay.from_points([[0.0, 1.0]], level=-1)
    with pytest.raises(ParameterError, match=r"^axis must be 'widest' or 'alternate', got 'x'\.$"):
        KDPartitionDisplay.from_points([[0.0, 1.0]], axis="x")
    with pytest.raises(
        DataError, match=r"^knn must be a nearest-neighbour estimator with a leaf_size, got None\.$"
    ):
        KDPartitionDisplay.from_estimator(None, [[0.0, 1.0]])
