"""Partial dependence: scikit-learn's brute force exactly, on the columns and levels of the table."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine
from sklearn.inspection import partial_dependence as sklearn_dependence

from classica import C45Classifier, LogisticClassifier, NaiveBayesClassifier, RandomForestClassifier
from classica.errors import ClassicaError
from classica.inspection import PartialDependence, partial_dependence
from classica.recorded import from_record
from tests.inspection.test_permuting import MissingTeller

WINE = load_wine(as_frame=True)


@pytest.mark.parametrize(
    "model", [RandomForestClassifier(20, random_state=0), LogisticClassifier()], ids=["forest", "logistic"]
)
def test_it_equals_scikit_learn_on_the_same_grid(model):
    model.fit(WINE.data, WINE.target)
    found = partial_dependence(model, WINE.data, "proline", grid_size=15, curves=178)
    theirs = sklearn_dependence(
        model,
        WINE.data,
        ["proline"],
        custom_values={"proline": np.array(found.values)},
        method="brute",
        kind="both",
    )
    np.testing.assert_array_equal(found.values, theirs["grid_values"][0])
    np.testing.assert_allclose(found.average, theirs["average"], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found.individual, theirs["individual"][found.shown])


def test_the_grid_of_a_number_is_its_quantiles():
    model = NaiveBayesClassifier().fit(WINE.data, WINE.target)
    found = partial_dependence(model, WINE.data, "alcohol", grid_size=10)
    cells = WINE.data["alcohol"].to_numpy()
    wanted = np.quantile(cells, np.linspace(0.05, 0.95, 10), method="inverted_cdf")
    np.testing.assert_array_equal(found.values, np.unique(wanted))
    few = partial_dependence(model, WINE.data.assign(alcohol=WINE.data["alcohol"].round()), "alcohol")
    assert list(few.values) == sorted(set(WINE.data["alcohol"].round()))


def test_levels_keep_their_order_and_missing_values_come_last():
    random = np.random.default_rng(0)
    kind = random.integers(0, 4, 300)
    words = pl.Series(["low", "high", "middle", None])[kind].cast(pl.Enum(["low", "middle", "high"]))
    frame = pl.DataFrame({"kind": words, "number": random.normal(size=300)})
    model = MissingTeller().fit(frame, kind == 3)
    found = partial_dependence(model, frame, "kind")
    assert found.values == ("low", "middle", "high", None)
    assert not found.is_numeric
    np.testing.assert_allclose(found.average[1], [0, 0, 0, 1], atol=0.01)
    assert str(found).endswith("and 100.0% with missing.")


def test_rare_levels_are_left_out_and_counted():
    words = [f"w{index}" for index in range(30)] + ["w3", "w5"] * 20
    frame = pl.DataFrame({"word": pl.Series(words, dtype=pl.Enum(sorted(set(words))))})
    model = C45Classifier().fit(frame, np.arange(len(words)) % 2)
    found = partial_dependence(model, frame, "word")
    assert len(found.values) == 12
    assert {"w3", "w5"} <= set(found.values)
    assert found.left_out == 18


def test_the_class_that_varies_most_is_shown():
    random = np.random.default_rng(2)
    X = random.normal(size=(300, 1))
    y = np.where(X[:, 0] > 1, "c", random.choice(["a", "b"], 300))
    found = partial_dependence(NaiveBayesClassifier().fit(X, y), X, 0)
    assert found.classes.tolist()[found.shown] == "c"
    assert found.effect == np.ptp(found.average[found.shown])


def test_a_model_without_probabilities_counts_by_its_predictions():
    class Sign:
        classes_ = np.array([0, 1])

        def predict(self, X):
            return (X[:, 0] > 0).astype(int)

    X = np.array([[-1.0, 0], [2.0, 0], [3.0, 0]])
    found = partial_dependence(Sign(), X, "x0")
    np.testing.assert_array_equal(found.average, [[1, 0, 0], [0, 1, 1]])


def test_a_result_survives_json():
    found = partial_dependence(NaiveBayesClassifier().fit(WINE.data, WINE.target), WINE.data, 0)
    again = from_record(PartialDependence, found.record())
    np.testing.assert_array_equal(again.average, found.average)
    assert again.values == found.values


def test_what_does_not_fit_is_refused():
    model = NaiveBayesClassifier().fit(WINE.data, WINE.target)
    with pytest.raises(ClassicaError, match=r"^column must be one of alcohol"):
        partial_dependence(model, WINE.data, "nothing")
    with pytest.raises(ClassicaError, match=r"^grid_size must be an integer of at least 2, got 1\.$"):
        partial_dependence(model, WINE.data, 0, grid_size=1)
