"""Numbers as arrays: models predict the same as from frames."""

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import MatrixEncoder, with_decision, with_encoder
from classica.comparison.plan.settings import Settings
from classica.tables import TableEncoder, decide_types, load_table, read_table


@pytest.mark.parametrize("name", ["naive-bayes", "tree", "c45", "knn", "bagging", "random-forest", "voting"])
def test_models_predict_the_same_from_arrays_as_from_frames(name):
    iris = load_table("iris")
    arrays = with_encoder(with_decision(Contender(name), Settings()), iris.schema)
    model = with_decision(Contender(name), Settings())
    frames = Pipeline([("table", TableEncoder.for_estimator(model, iris.schema)), ("model", model)])
    assert isinstance(arrays[:-1].fit_transform(iris.X), np.ndarray)
    assert isinstance(frames[:-1].fit_transform(iris.X), pl.DataFrame)
    found = [model.fit(iris.X, iris.y).predict_proba(iris.X) for model in (frames, arrays)]
    assert np.array_equal(*found)


def test_missing_numbers_are_nan_in_an_array():
    table = decide_types(
        read_table(pl.DataFrame({"a": [1, None, 3], "b": [0.5, 1.5, None], "y": ["u", "v", "u"]})), target="y"
    )
    model = with_decision(Contender("c45"), Settings())  # takes missing cells as they are
    found = MatrixEncoder.for_estimator(model, table.schema).fit_transform(table.X)
    assert np.array_equal(found, [[1, 0.5], [np.nan, 1.5], [3, np.nan]], equal_nan=True)


def test_categories_stay_a_frame_for_models_that_take_them():
    golf = load_table("golf")
    model = with_decision(Contender("id3"), Settings())
    found = MatrixEncoder.for_estimator(model, golf.schema).fit_transform(golf.X)
    assert found.equals(golf.X)
