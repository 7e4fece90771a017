"""What predictions must be: one rule behind all of them, weights that count, input left alone."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from tests.contract.cases import (
    CARDS,
    CASES,
    CLASSIFIERS,
    assert_close,
    assert_same,
    build,
    outputs,
    table,
    table_for,
    within,
)


@pytest.mark.parametrize(("card", "parameters"), CLASSIFIERS)
@pytest.mark.parametrize("classes", [2, 3])
def test_predict_is_the_argmax(card, parameters, classes):
    X, y = table(rows=400, classes=classes)
    model = build(card, parameters).fit(X, y)
    if hasattr(model, "predict_proba"):
        winner = model.predict_proba(X).argmax(axis=1)
    else:
        scores = model.decision_function(X)
        winner = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), model.classes_[winner])


@pytest.mark.parametrize(("card", "parameters"), CLASSIFIERS)
def test_probabilities_are_probabilities(card, parameters):
    X, y = table()
    model = build(card, parameters).fit(X, y)
    if hasattr(model, "predict_proba"):
        proba = model.predict_proba(X)
        assert proba.dtype == np.float64
        assert proba.shape == (len(X), 3)
        assert (proba >= 0).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_a_weight_equals_repetition(card, parameters):
    X, y = table_for(card)
    weights = np.arange(len(X)) % 4  # 0 removes the row
    model = build(card, parameters)
    if has_fit_parameter(model, "sample_weight"):
        repeated = build(card, parameters).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        weighted = outputs(model.fit(X, y, sample_weight=weights), X)
        assert_close(outputs(repeated, X), weighted, within(card, 1e-12))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_unit_weights_change_nothing(card, parameters):
    X, y = table_for(card)
    model = build(card, parameters)
    if has_fit_parameter(model, "sample_weight"):
        plain = build(card, parameters).fit(X, y)
        assert_same(outputs(plain, X), outputs(model.fit(X, y, sample_weight=np.ones(len(X))), X))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_input_is_not_modified(card, parameters):
    X, y = table_for(card)
    X_before, y_before = X.copy(), y.copy()
    outputs(build(card, parameters).fit(X, y), X)
    np.testing.assert_array_equal(X, X_before)
    np.testing.assert_array_equal(y, y_before)


@pytest.mark.parametrize(("card", "parameters"), CLASSIFIERS)
@pytest.mark.parametrize("labels", [[0, 1, 2], [-5, 0, 7], ["a", "b", "c"], [0.0, 1.0, 2.0]])
def test_labels_come_back_as_they_were(card, parameters, labels):
    X, _ = table()
    y = np.array(labels)[np.arange(len(X)) % 3]
    model = build(card, parameters).fit(X, y)
    assert model.predict(X).dtype == y.dtype
    assert set(model.predict(X)) <= set(labels)


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_number_of_parameters_is_told(card, parameters):
    X, y = table_for(card)
    assert build(card, parameters).fit(X, y).n_parameters_ > 0


@pytest.mark.parametrize("card", CARDS)
def test_a_subclass_may_have_parameters_of_its_own(card):
    class Own(card.estimator):
        def __init__(self, mine=1):
            super().__init__(**card.test_parameters[0])
            self.mine = mine

    X, y = table_for(card, rows=60)
    model = clone(Own(mine=2)).fit(X, y)
    assert len(model.predict(X[:3])) == 3
    assert model.mine == 2
