"""Decision regions: what is drawn is what the classifier says."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from classica import (
    BayesDecisionClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearDiscriminantClassifier,
    NaiveBayesClassifier,
    QuadraticDiscriminantClassifier,
    SVMClassifier,
    TableClassifier,
)
from classica.displays import DecisionRegionsDisplay
from classica.displays.planes.regions_plot import borders
from classica.errors import DataError, ParameterError
from classica.tables import load_table
from tests.displays.drawing import assert_draws

IRIS = load_iris(as_frame=True)
NAMES = IRIS.target_names[IRIS.target]


@pytest.fixture(scope="module")
def mixed():
    """Numbers, two kinds of categories and gaps; the class depends on age, job and smoking."""
    rng = np.random.default_rng(0)
    rows = 160
    jobs = ["king", "pilot", "nurse", "clerk"]
    frame = pd.DataFrame(
        {
            "age": rng.normal(40, 10, rows),
            "job": pd.Categorical(rng.choice(jobs[1:], rows), categories=jobs),
            "smoker": rng.random(rows) < 0.3,
            "noise": rng.random(rows),
        }
    )  # fmt: skip
    risk = frame.age + 12 * (frame.job == "pilot") + 9 * frame.smoker + rng.normal(0, 3, rows)
    return frame, np.where(risk > 46, "ill", "well")


def grid(display):
    x, y = np.meshgrid(display.x.values, display.y.values)
    return x.ravel(), y.ravel()


@pytest.mark.parametrize(
    "make", [LinearDiscriminantClassifier, SVMClassifier, lambda: DecisionTreeClassifier(max_depth=3)]
)
def test_regions_are_what_the_refitted_classifier_says(make):
    display = DecisionRegionsDisplay.from_estimator(
        make(), IRIS.data, NAMES, features=[2, "petal width (cm)"], resolution=37
    )
    two = IRIS.data.iloc[:, [2, 3]]
    model = make().fit(two, NAMES)
    rows = pd.DataFrame(dict(zip(two.columns, grid(display), strict=True)))
    np.testing.assert_array_equal(display.classes[display.regions.ravel()], model.predict(rows))
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(display.probability.ravel(), model.predict_proba(rows).max(axis=1))
    else:
        assert display.probability is None
    np.testing.assert_array_equal(display.wrong, model.predict(two) != NAMES)
    assert "two of 4 columns." in display.describe()


def test_two_columns_need_no_refit():
    model = LinearDiscriminantClassifier().fit(IRIS.data.iloc[:, :2], NAMES)
    display = DecisionRegionsDisplay.from_estimator(model, IRIS.data.iloc[:, :2], NAMES, resolution=10)
    assert display.estimator_ is model
    assert display.note == ""


def test_others_are_held_at_typical_values(mixed):
    frame, y = mixed
    model = NaiveBayesClassifier().fit(frame, y)
    display = DecisionRegionsDisplay.from_estimator(
        model, frame, y, features=["age", "job"], others="typical", resolution=20
    )
    ages, jobs = grid(display)
    levels = np.array(display.y.levels)
    assert set(levels) == {"clerk", "nurse", "pilot"}  # a declared level without rows is no place to draw
    usual = frame.smoker.mode()[0]
    rows = pd.DataFrame(
        {
            "age": ages,
            "job": pd.Categorical(levels[jobs.astype(int)], categories=frame.job.cat.categories),
            "smoker": usual,
            "noise": frame.noise.median(),
        }
    )
    np.testing.assert_array_equal(display.classes[display.regions.ravel()], model.predict(rows))
    np.testing.assert_array_equal(display.wrong, model.predict(frame) != y)
    assert f"smoker = {usual}" in display.note
    assert f"noise = {frame.noise.median():.4g}" in display.note
    assert display.estimator_ is model


@pytest.mark.parametrize("others", ["refit", "typical"])
def test_all_kinds_of_frames_give_one_picture(mixed, others):
    frame, y = mixed
    plain = frame.assign(job=frame.job.astype(str))
    kinds = [
        plain,
        plain.set_index(np.arange(len(plain))[::-1]),
        pl.from_pandas(plain),
        pl.from_pandas(plain).to_arrow(),
    ]
    pictures = []
    for table in kinds:
        model = C45Classifier().fit(table, y)
        display = DecisionRegionsDisplay.from_estimator(
            model, table, y, features=["age", "job"], others=others, resolution=15
        )
        pictures.append((display.regions, display.probability, display.wrong, display.points))
    for picture in pictures[1:]:
        for first, other in zip(pictures[0], picture, strict=True):
            np.testing.assert_array_equal(first, other)


def test_arrays_sparse_matrices_and_pipelines():
    X = IRIS.data.to_numpy()
    model = make_pipeline(StandardScaler(with_mean=False), LogisticRegression(max_iter=1000)).fit(X, NAMES)
    shown = [
        DecisionRegionsDisplay.from_estimator(
            model, table, NAMES, features=(0, -1), others="typical", resolution=9
        )
        for table in (X, X.tolist(), csr_array(X))
    ]
    assert shown[0].x.name == "column 0"
    for other in shown[1:]:
        np.testing.assert_array_equal(shown[0].regions, other.regions)


@pytest.mark.parametrize("options", [{"others": "typical"}, {"others": "refit"}, {"features": "projection"}])
def test_a_classifier_with_the_schema_of_its_table(options):
    golf = load_table("golf")
    model = TableClassifier(C45Classifier(), golf.schema).fit(golf, golf.y)
    display = DecisionRegionsDisplay.from_estimator(model, golf.X, golf.y, resolution=6, **options)
    if "others" in options:
        assert isinstance(display.estimator_, TableClassifier)
        assert display.x.levels is not None
    assert model.schema == golf.schema
    assert_draws(display)


def test_rows_with_gaps_are_left_out():
    X = IRIS.data.copy()
    X.iloc[::10, 2] = np.nan
    display = DecisionRegionsDisplay.from_estimator(
        LinearDiscriminantClassifier(), X, NAMES, features=[2, 3], resolution=8
    )
    assert len(display.points) == 135
    assert np.isfinite(display.points).all()


def test_auto_finds_the_columns_that_tell():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((300, 12))
    y = (X[:, 3] > 0).astype(int) + (X[:, 8] > 0)
    display = DecisionRegionsDisplay.from_estimator(
        DecisionTreeClassifier(), X, y, features="auto", resolution=5
    )
    assert {display.x.name, display.y.name} == {"column 3", "column 8"}


def test_auto_finds_a_pair_that_tells_only_together():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((400, 5))
    y = (X[:, 1] * X[:, 4] > 0).astype(int)
    display = DecisionRegionsDisplay.from_estimator(DecisionTreeClassifier(), X, y, resolution=5)
    assert {display.x.name, display.y.name} == {"column 1", "column 4"}


@pytest.mark.parametrize("classes", [2, 3])
def test_the_projection_separates_what_can_be_separated(classes):
    rng = np.random.default_rng(0)
    y = rng.integers(0, classes, 200)
    means = np.zeros((classes, 30))
    means[:, 4] = 4 * np.arange(classes)
    X = (rng.standard_normal((200, 30)) + means[y]) @ rng.standard_normal((30, 30))  # no single column tells
    display = DecisionRegionsDisplay.from_estimator(
        LinearDiscriminantClassifier(), X, y, features="projection", resolution=20
    )
    assert display.wrong.mean() < 0.08
    assert display.x.title == "discriminant axis 1"
    assert display.y.title == ("principal axis 1" if classes == 2 else "discriminant axis 2")
    assert "refitted" in display.note
    again = DecisionRegionsDisplay.from_estimator(
        LinearDiscriminantClassifier(), X, y, features="projection", resolution=20
    )
    np.testing.assert_array_equal(display.regions, again.regions)


def test_a_projection_of_categories_and_constant_columns(mixed):
    frame, y = mixed
    display = DecisionRegionsDisplay.from_estimator(
        DecisionTreeClassifier(), frame.assign(same=1.0), y, features="projection", resolution=10
    )
    assert np.isfinite(display.points).all()
    assert_draws(display)


def test_what_is_rejected_is_where_the_decision_says_so():
    model = BayesDecisionClassifier(QuadraticDiscriminantClassifier(), reject_cost=0.2)
    display = DecisionRegionsDisplay.from_estimator(model, IRIS.data, NAMES, features=[0, 1], resolution=40)
    rows = pd.DataFrame(dict(zip(IRIS.data.columns[:2], grid(display), strict=True)))
    np.testing.assert_array_equal(display.rejected.ravel(), display.estimator_.rejects(rows))
    assert 0 < display.rejected.mean() < 1
    assert "rejected" in assert_draws(display)


def test_one_nearest_neighbour_has_its_cells():
    display = DecisionRegionsDisplay.from_estimator(
        KNeighborsClassifier(1), IRIS.data, NAMES, features=[2, 3], resolution=30
    )
    assert display.cells is not None
    assert_draws(display)
    for other in (KNeighborsClassifier(2), KNeighborsClassifier(1, p=1)):
        assert (
            DecisionRegionsDisplay.from_estimator(
                other, IRIS.data, NAMES, features=[2, 3], resolution=5
            ).cells
            is None
        )


def test_a_picture_of_many_rows_is_small_and_says_what_it_leaves_out():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((5000, 2))
    y = (X[:, 0] ** 2 + X[:, 1] > rng.standard_normal(5000)).astype(int)
    display = DecisionRegionsDisplay.from_estimator(LinearDiscriminantClassifier().fit(X, y), X, y)
    assert "600 of 5,000 rows are shown." in assert_draws(display)


def test_categories_on_both_axes_are_drawn(mixed):
    frame, y = mixed
    display = DecisionRegionsDisplay.from_estimator(
        DecisionTreeClassifier(), frame, y, features=["job", "smoker"]
    )
    assert display.regions.shape == (2, 3)
    svg = assert_draws(display)
    assert ">pilot</text>" in svg
    assert ">True</text>" in svg


def test_borders_lie_between_cells_of_different_classes():
    rng = np.random.default_rng(0)
    regions = rng.integers(0, 3, (6, 9))
    length = sum(np.abs(line[1] - line[0]).sum() for line in borders(regions))
    changes = (regions[:, 1:] != regions[:, :-1]).sum() + (regions[1:] != regions[:-1]).sum()
    assert length == changes
    for (x0, y0), (x1, y1) in borders(regions):
        for step in np.arange(max(x1 - x0, y1 - y0)).astype(int):
            column, row = int(x0), int(y0)
            upright = x0 == x1
            here = regions[row + step, column] if upright else regions[row, column + step]
            there = regions[row + step, column - 1] if upright else regions[row - 1, column + step]
            assert here != there


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"features": [0, 0]}, ParameterError, "features must be two different columns, got [0, 0]."),
        ({"features": [0, 9]}, ParameterError, "a feature must be a column of X such as 'sepal"),
        ({"features": "best"}, ParameterError, "features must be None, 'auto', 'projection' or two"),
        ({"others": "mean"}, ParameterError, "others must be 'refit' or 'typical', got 'mean'."),
        ({"resolution": 1}, ParameterError, "resolution must be an integer from 2 to 2000, got 1."),
    ],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(options, error, message):
    with pytest.raises(error) as refused:
        DecisionRegionsDisplay.from_estimator(LinearDiscriminantClassifier(), IRIS.data, NAMES, **options)
    assert str(refused.value).startswith(message)


def test_tables_that_make_no_plane_are_refused():
    model = LinearDiscriminantClassifier()
    with pytest.raises(DataError, match=r"^X must be a table of at least two columns, got 1\.$"):
        DecisionRegionsDisplay.from_estimator(model, IRIS.data.iloc[:, :1], NAMES)
    with pytest.raises(DataError, match=r"^X must be a frame or an array of numbers, got"):
        DecisionRegionsDisplay.from_estimator(model, [["a", "b"], ["c", "d"]], [0, 1])
