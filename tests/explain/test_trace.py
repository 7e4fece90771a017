"""Traces are the lectures' computations, and end with what classifiers learn."""

import itertools
import json

import numpy as np
import pytest

from classica import (
    AdaBoostClassifier,
    ID3Classifier,
    KNeighborsClassifier,
    NaiveBayesClassifier,
    PerceptronClassifier,
    TableClassifier,
    WinnowClassifier,
    catalog,
)
from classica.errors import DataError
from classica.explain import trace_model
from classica.tables import load_table

GOLF, IRIS = load_table("golf"), load_table("iris")


def steps(trace, title):
    return [section for section in trace.sections if section.title.startswith(title)]


def test_golf_has_the_lectures_gains():
    [root, *_] = trace_model(ID3Classifier(), GOLF).sections[0].data["nodes"]
    gains = {column["column"]: round(column["gain"], 3) for column in root["columns"]}
    assert gains == {"outlook": 0.247, "temperature": 0.029, "humidity": 0.152, "windy": 0.048}
    assert root["chosen"] == "outlook"
    text = trace_model(ID3Classifier(), GOLF).text()
    assert "14 rows (0: 5, 1: 9), entropy 0.940286" in text
    assert "outlook is chosen: it has the highest gain." in text


@pytest.mark.parametrize("slug", [c.slug for c in catalog.cards() if not c.slug.endswith("regressor")])
def test_every_classifier_is_traced(slug):
    card = catalog.card(slug)
    found = trace_model(card.build(**card.test_parameters[0]), GOLF, row=3)
    assert found.kind == slug
    assert found.text(5)
    json.dumps(found.record(), allow_nan=False)


@pytest.mark.parametrize("table", [GOLF, IRIS], ids=["golf", "iris"])
@pytest.mark.parametrize("settings", [{}, {"zero": "first"}, {"multi_class": "all-vs-all"}])
def test_the_last_change_of_a_perceptron_leaves_what_it_learned(table, settings):
    estimator = PerceptronClassifier("plain", max_iter=30, shuffle=False, **settings)
    learned = TableClassifier(estimator, table.schema).fit(table, table.y).estimator_
    changes = steps(trace_model(estimator, table), "Mistakes and")
    assert [len(section.rows) for section in changes] == learned.n_updates_.tolist()
    last = np.array([section.rows[-1][4:] for section in changes])
    np.testing.assert_allclose(last[:, :-1], learned.coef_, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(last[:, -1], learned.intercept_, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("balanced", [False, True])
def test_the_last_change_of_winnow_leaves_what_it_learned(balanced):
    estimator = WinnowClassifier(balanced=balanced, shuffle=False)
    learned = TableClassifier(estimator, GOLF.schema).fit(GOLF, GOLF.y).estimator_
    [changes] = steps(trace_model(estimator, GOLF), "Mistakes and")
    assert len(changes.rows) == learned.n_updates_[0]
    weights = learned.weights_ - (learned.opposed_weights_ if balanced else 0.0)
    np.testing.assert_allclose([changes.rows[-1][4:]], weights, rtol=1e-12)


def test_rows_are_traced_in_the_order_of_the_table():
    found = trace_model(PerceptronClassifier("plain", random_state=1), GOLF)
    [changes] = steps(found, "Mistakes and")
    first = [row[1] for row in changes.rows if row[0] == 1]
    assert first == sorted(first)


def test_naive_bayes_goes_from_counts_to_the_product():
    found = trace_model(NaiveBayesClassifier(alpha=0), GOLF, row=4)
    [counts] = steps(found, "outlook: level counts")
    assert counts.rows == [["cloudy", 0.0, 4.0], ["rain", 2.0, 3.0], ["sun", 3.0, 2.0]]
    [table] = steps(found, "outlook: probability")
    np.testing.assert_allclose([row[1:3] for row in table.rows], [[0, 4 / 9], [2 / 5, 3 / 9], [3 / 5, 2 / 9]])
    assert "posterior" in steps(found, "The product for row 4")[0].text


def test_neighbours_have_distances_to_all_other_rows():
    found = trace_model(KNeighborsClassifier(3), IRIS, row=71)
    [distances] = steps(found, "Distances from row 71")
    assert len(distances.rows) == len(IRIS) - 1
    assert 71 not in [row[0] for row in distances.rows]
    assert [row[1] for row in distances.rows] == sorted(row[1] for row in distances.rows)


def test_boosting_has_weights_that_follow_from_error_and_vote():
    found = trace_model(AdaBoostClassifier(n_estimators=3), GOLF)
    rounds = steps(found, "Round ")
    for before, after in itertools.pairwise(rounds):
        weights = np.array([row[1] for row in before.rows])
        wrong = np.array([row[2] == "misclassified" for row in before.rows])
        error, vote = before.facts["error ε"], before.facts["vote α"]
        assert weights[wrong].sum() == pytest.approx(error)
        assert vote == pytest.approx(0.5 * np.log((1 - error) / error))
        heavier = weights * np.exp(np.where(wrong, vote, -vote))
        np.testing.assert_allclose(heavier / heavier.sum(), [row[1] for row in after.rows])


def test_a_row_that_is_not_there_is_refused():
    with pytest.raises(DataError, match="from 1 to 14"):
        trace_model(ID3Classifier(), GOLF, row=0)
