"""The search from coarse to fine: what it tries, when it stops, what it returns."""

import json

import numpy as np
import pytest
from matplotlib import pyplot
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from classica import KNeighborsClassifier, coarse_to_fine
from classica.errors import DataError, ParameterError
from classica.selection.search_space import Axis

X, Y = make_moons(120, noise=0.3, random_state=0)


class Hill(ClassifierMixin, BaseEstimator):
    """Scores by how close its parameters are to a place on a hill; refuses what lies beyond a cliff."""

    def __init__(self, a=1.0, b=0.0, kind="round"):
        self.a = a
        self.b = b
        self.kind = kind

    def fit(self, X, y):
        if self.a > 1e6:
            raise ValueError(f"a must be at most 1e6, got {self.a}.")
        self.classes_ = np.unique(y)
        return self

    def score(self, X, y):
        away = np.log10(self.a / 37) ** 2 + (self.b - 0.3) ** 2 + (self.kind == "square")
        return float(np.exp(-away))


GRID = {"a": [0.01, 1.0, 100.0, 10_000.0], "b": [-2.0, 0.0, 2.0]}


def test_the_first_round_is_the_grid():
    found = coarse_to_fine(SVC(), {"C": [0.1, 1, 10], "gamma": [0.1, 1]}, X, Y, cv=3, max_rounds=0)
    wanted = GridSearchCV(SVC(), {"C": [0.1, 1, 10], "gamma": [0.1, 1]}, cv=3).fit(X, Y)
    assert [point.parameters for point in found.points] == wanted.cv_results_["params"]
    np.testing.assert_allclose(
        [p.mean for p in found.points], wanted.cv_results_["mean_test_score"], rtol=1e-14
    )
    np.testing.assert_allclose(
        [p.deviation for p in found.points], wanted.cv_results_["std_test_score"], atol=1e-14
    )
    assert found.best_params == wanted.best_params_
    np.testing.assert_array_equal(found.best_estimator.predict(X), wanted.predict(X))
    assert found.gains == []
    assert not found.converged


def test_closer_looks_climb_the_hill():
    found = coarse_to_fine(Hill(), GRID, X, Y, tol=1e-4, max_rounds=20)
    assert found.converged
    assert found.best_score > 0.999
    assert found.best_params["a"] == pytest.approx(37, rel=0.1)
    assert found.best_params["b"] == pytest.approx(0.3, abs=0.05)
    assert max(found.gains[-2:]) <= 1e-4
    assert all(max(pair) > 1e-4 for pair in zip(found.gains[:-2], found.gains[1:-1], strict=True))
    assert min(found.gains[:2]) == 0  # it does not give up at a round that steps over the top
    # Far fewer points than a grid as fine as the last look would have.
    assert len(found.points) < 12 + 25 * len(found.gains)


def test_no_point_is_tried_twice():
    found = coarse_to_fine(Hill(), GRID, X, Y, tol=0, max_rounds=8)
    tried = [tuple(point.parameters.items()) for point in found.points]
    assert len(set(tried)) == len(tried)


def test_ratios_may_leave_the_range_and_steps_may_not():
    found = coarse_to_fine(
        Hill(), {"a": [0.01, 0.1, 1.0], "b": [0.0, 0.1, 0.2]}, X, Y, tol=1e-6, max_rounds=8
    )
    assert found.best_params["a"] > 1
    assert found.best_params["b"] == 0.2
    assert max(point.parameters["b"] for point in found.points) == 0.2


def test_whole_numbers_stay_whole_and_names_are_kept():
    found = coarse_to_fine(
        KNeighborsClassifier(), {"n_neighbors": [1, 16], "weights": ["uniform", "distance"]}, X, Y
    )
    assert all(type(point.parameters["n_neighbors"]) is int for point in found.points)
    assert min(point.parameters["n_neighbors"] for point in found.points) >= 1
    kinds = {point.parameters["weights"] for point in found.points if point.round > 0}
    assert kinds == {found.best_params["weights"]}


def test_names_alone_need_no_second_round():
    found = coarse_to_fine(Hill(), {"kind": ["square", "round"]}, X, Y)
    assert found.converged
    assert found.best_params == {"kind": "round"}
    assert found.gains == []


def test_of_equal_points_the_first_wins():
    found = coarse_to_fine(Hill(), {"kind": ["oval", "round"]}, X, Y)
    assert found.best_params == {"kind": "oval"}


def test_refused_points_lose_and_a_search_of_none_says_why():
    found = coarse_to_fine(Hill(), {"a": [1.0, 1e9]}, X, Y, tol=1e-3)
    assert found.points[1].mean == -np.inf
    assert np.isfinite(found.best_score)
    with pytest.raises(ValueError, match="a must be at most 1e6"):
        coarse_to_fine(Hill(), {"a": [1e8, 1e9]}, X, Y, refit=False)


def test_parts_scores_and_refit_are_as_asked():
    parts = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, Y))
    one = coarse_to_fine(SVC(), {"C": [0.1, 10]}, X, Y, cv=parts, scoring="f1", refit=False)
    other = GridSearchCV(SVC(), {"C": [0.1, 10]}, cv=parts, scoring="f1").fit(X, Y)
    np.testing.assert_allclose(
        [p.mean for p in one.points[:2]], other.cv_results_["mean_test_score"], rtol=1e-14
    )
    assert one.best_estimator is None
    assert len(one.points[0].scores) == 4


def test_an_estimator_that_scores_grids_is_asked_once_a_round():
    class Together(Hill):
        asked = []  # noqa: RUF012

        def grid_scores(self, X, y, *, points, splits, scoring=None):
            self.asked.append(len(points))
            return np.array([[Hill(**point).score(X, y)] * len(splits) for point in points])

    found = coarse_to_fine(Together(), GRID, X, Y)
    alone = coarse_to_fine(Hill(), GRID, X, Y)
    assert len(Together.asked) == 1 + len(found.gains)
    assert sum(Together.asked) == len(found.points)
    np.testing.assert_allclose([p.mean for p in found.points], [p.mean for p in alone.points], rtol=1e-14)


def test_progress_is_told_round_by_round():
    lines = []
    found = coarse_to_fine(Hill(), GRID, X, Y, progress=lines.append)
    assert len(lines) == 1 + len(found.gains)
    assert lines[0].startswith("round 0: 12 points, best ")


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"grid": {}}, "grid must be a dict from parameters to lists of values, got {}"),
        ({"grid": {"a": 3.0}}, "grid['a'] must be a list of at least one value, got 3.0"),
        ({"grid": {"a": []}}, "grid['a'] must be a list of at least one value, got []"),
        ({"grid": {"a": [1.0, np.inf]}}, "grid['a'] must be finite where it holds numbers"),
        ({"grid": {"z": [1.0]}}, "grid must be keyed by parameters of Hill, got 'z'"),
        ({"tol": -1.0}, "tol must be"),
        ({"max_rounds": 1.5}, "max_rounds must be"),
    ],
)
def test_errors_are_one_sentence(wrong, text):
    with pytest.raises(ParameterError) as caught:
        coarse_to_fine(Hill(), **({"grid": GRID, "X": X, "y": Y} | wrong))
    assert text in str(caught.value)


def test_values_around_the_best_close_in():
    axis = Axis.of("C", [1.0, 10.0, 100.0])
    np.testing.assert_allclose(axis.closer(10.0, 1).values, 10.0 ** np.array([0, 0.5, 1, 1.5, 2]))
    np.testing.assert_allclose(axis.closer(10.0, 2).values, 10.0 ** np.array([0.5, 0.75, 1, 1.25, 1.5]))
    assert Axis.of("k", [3, 5]).closer(5, 1).values == (3, 4, 5, 6, 8)
    assert Axis.of("k", [0, 4]).closer(4, 1).values == (0, 2, 4)
    # Whole numbers for a parameter that is not: C = 1, 10, 100 is how people write it.
    np.testing.assert_allclose(
        Axis.of("C", [1, 10], 1.0).closer(10.0, 1).values, 10 ** np.array([0, 0.5, 1, 1.5, 2])
    )


@pytest.fixture(scope="module")
def searched():
    return coarse_to_fine(Hill(), GRID, X, Y, max_rounds=20)


def test_the_result_is_told_and_recorded(searched):
    text = str(searched)
    assert f"{len(searched.points)} points; the search has converged." in text
    assert f"{searched.best_score:.4f}" in text
    record = json.loads(json.dumps(searched.record()))
    assert record["best_params"] == searched.best_params
    assert len(record["points"]) == len(searched.points)


def test_a_refused_point_is_null_in_the_record():
    found = coarse_to_fine(Hill(), {"a": [1.0, 1e9]}, X, Y)
    assert json.loads(json.dumps(found.record()))["points"][1]["scores"] == [None] * 5


def test_the_surface_is_drawn(searched):
    axes = searched.plot()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("a", "b")
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    assert len(axes.collections[-1].get_offsets()) == len(searched.points)
    assert f"{searched.best_score:.4f}" in axes.get_legend().get_texts()[0].get_text()
    assert searched.plot("b", "a").get_xlabel() == "b"
    with pytest.raises(ParameterError, match="an axis must be one of a, b, got 'c'"):
        searched.plot("c")
    pyplot.close("all")


def test_one_parameter_is_drawn_as_a_line():
    found = coarse_to_fine(Hill(), {"a": [1.0, 10.0, 1e9]}, X, Y)
    axes = found.plot()
    assert axes.get_ylabel() == "mean score ± standard deviation"
    assert len(axes.lines[0].get_xdata()) == sum(np.isfinite(point.mean) for point in found.points)
    with pytest.raises(ParameterError, match="no numeric parameter"):
        coarse_to_fine(Hill(), {"kind": ["round"]}, X, Y).plot()
    pyplot.close("all")


def test_what_cannot_be_scored_is_no_result():
    with pytest.raises(ValueError, match="scoring"):
        coarse_to_fine(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, X, Y, scoring="nonsense")
    with pytest.raises(DataError, match="The mean score must be finite"):
        coarse_to_fine(Hill(), {"a": [1.0, 10.0]}, X, Y, scoring=lambda *_: np.nan)
    with pytest.raises(ValueError, match="a must be at most 1e6"):
        coarse_to_fine(Hill(), {"a": [1e8, 1e9]}, X, Y, refit=False)
