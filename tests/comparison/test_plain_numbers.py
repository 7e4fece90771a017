"""Numbers as arrays: models say the same as of frames."""

import numpy as np
import polars as pl
import pytest
from sklearn.pipeline import Pipeline

from classica.comparison.contender import Contender
from classica.comparison.plain_numbers import PlainNumbers
from classica.comparison.preparing import decided, encoded
from classica.comparison.settings import Settings
from classica.data import load_table


@pytest.mark.parametrize("name", ["naive-bayes", "tree", "c45", "knn", "bagging", "random-forest", "voting"])
def test_models_say_the_same_of_arrays_as_of_frames(name):
    iris = load_table("iris")
    whole = encoded(decided(Contender(name), Settings()), iris.schema)
    without = Pipeline([step for step in whole.steps if not isinstance(step[1], PlainNumbers)])
    assert len(without.steps) == len(whole.steps) - 1
    said = [model.fit(iris.X, iris.y).predict_proba(iris.X) for model in (without, whole)]
    assert np.array_equal(*said)


def test_numbers_become_an_array_with_gaps_as_nan():
    frame = pl.DataFrame({"a": [1, None, 3], "b": [0.5, 1.5, None]})
    found = PlainNumbers().fit_transform(frame)
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, [[1, 0.5], [np.nan, 1.5], [3, np.nan]], equal_nan=True)


def test_a_frame_with_categories_stays_a_frame():
    golf = load_table("golf").X
    assert PlainNumbers().fit_transform(golf) is golf
    flags = pl.DataFrame({"a": [1.0, 2.0], "b": [True, False]})
    assert PlainNumbers().fit_transform(flags) is flags
