"""Interactions: none where effects add up, all where only both columns together matter."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from classica import CARTClassifier, LogisticClassifier, NaiveBayesClassifier, RandomForestClassifier
from classica.errors import ClassicaError
from classica.inspection import Interactions, interactions, partial_dependence
from classica.recorded import from_record

WINE = load_wine(as_frame=True)


@pytest.mark.parametrize("model", [LogisticClassifier(), NaiveBayesClassifier()], ids=["logistic", "bayes"])
def test_scores_that_are_sums_over_columns_have_no_interaction(model):
    model.fit(WINE.data, WINE.target)
    found = interactions(model, WINE.data, ["alcohol", "color_intensity", "hue"])
    assert len(found.pairs) == 3
    assert found.strongest.strength < 0.02
    assert "hardly interact" in str(found)


def test_exclusive_or_is_found_among_other_columns():
    random = np.random.default_rng(0)
    X = random.normal(size=(800, 4))
    y = (X[:, 1] > 0) ^ (X[:, 3] > 0)
    model = RandomForestClassifier(50, random_state=0).fit(X, y)
    found = interactions(model, X[:300], [0, 1, 2, 3])
    assert {found.strongest.first, found.strongest.second} == {"x1", "x3"}
    assert found.strongest.strength > 0.9
    assert found.pairs[1].strength < found.strongest.strength - 0.1


def test_the_surface_of_one_column_is_its_partial_dependence_on_average():
    model = CARTClassifier().fit(WINE.data, WINE.target)
    found = interactions(model, WINE.data, ["proline", "flavanoids"], grid_size=5)
    assert found.average.shape == (len(found.first_values), len(found.second_values))
    # A line of the surface is the partial dependence where all rows have one value of the second column.
    rows = WINE.data.copy()
    second = dict(zip(found.second_values, found.average.T, strict=True))
    some = rows[rows["flavanoids"].isin(second)].index[:3]
    code = WINE.target_names.tolist().index(WINE.target_names[found.label])
    for row in some:
        alone = rows.assign(flavanoids=rows.loc[row, "flavanoids"])
        line = partial_dependence(model, alone, "proline", grid_size=5)
        assert line.values == found.first_values
        np.testing.assert_allclose(line.average[code], second[rows.loc[row, "flavanoids"]])


def test_a_result_survives_json():
    found = interactions(NaiveBayesClassifier().fit(WINE.data, WINE.target), WINE.data, [0, 1])
    again = from_record(Interactions, found.record())
    assert again.pairs == found.pairs
    np.testing.assert_array_equal(again.average, found.average)


def test_one_column_is_refused():
    model = NaiveBayesClassifier().fit(WINE.data, WINE.target)
    with pytest.raises(ClassicaError, match=r"^columns must be at least two different columns"):
        interactions(model, WINE.data, ["alcohol", 0])
