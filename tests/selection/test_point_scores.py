"""Scores of many parameters on rows that are two tables already: those of the same rows as one split."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from classica import CARTClassifier, KNeighborsClassifier, LinearDiscriminantClassifier, SVMClassifier
from classica.estimators.base.grid_task import RowPair
from classica.selection.point_scores import pair_scores, point_scores

GRIDS = {
    "knn": (KNeighborsClassifier(), [{"n_neighbors": k} for k in (1, 3, 7)]),
    "cart": (CARTClassifier(random_state=0), [{"min_samples_leaf": 1}, {"min_samples_leaf": 5}]),
    "lda": (LinearDiscriminantClassifier(), [{"shrinkage": value} for value in (None, 0.1)]),
    "svm": (SVMClassifier(), [{"C": value} for value in (0.1, 1.0, 10.0)]),
}


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(0)
    y = np.arange(150) % 3
    return random.normal(size=(150, 4)) + y[:, None], y


def both_ways(model, points, rows):
    X, y = rows
    pipeline = make_pipeline(StandardScaler(), model)
    named = [{f"{pipeline.steps[-1][0]}__{name}": value for name, value in point.items()} for point in points]
    split = np.arange(100), np.arange(100, 150)
    together = point_scores(pipeline, X, y, named, [split], "accuracy")[:, 0]
    apart = pair_scores(pipeline, RowPair(X[:100], y[:100], X[100:], y[100:]), named, "accuracy")
    return together, apart


@pytest.mark.parametrize("name", GRIDS)
def test_two_tables_have_the_scores_of_one_split(name, rows):
    together, apart = both_ways(*GRIDS[name], rows)
    np.testing.assert_array_equal(apart, together)
    assert (apart > 0.5).all()


@pytest.mark.parametrize(("name", "refused"), [("knn", {"n_neighbors": 0}), ("svm", {"C": -1.0})])
def test_a_point_that_is_refused_spoils_no_other(name, refused, rows):
    model, points = GRIDS[name]
    together, apart = both_ways(model, [*points, refused], rows)
    np.testing.assert_array_equal(apart, together)
    assert apart[-1] == -np.inf
    assert np.isfinite(apart[:-1]).all()
