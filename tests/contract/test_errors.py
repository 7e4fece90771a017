"""Bad input gets one sentence of a typed error: what must be what, and what was got."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from classica.errors import DataError, ParameterError
from tests.contract.cases import CARDS, CASES, CLASSIFIERS, build, table, table_for

#: A rule with what was got, what cannot be done with the reason, or a model that is not fitted.
FORMS = r" must (be|have|hold) .*(, got |: )|^Cannot .*: |^This \w+ is not fitted yet; call fit"


def message_of(error, call):
    with pytest.raises(error) as caught:
        call()
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert re.search(FORMS, text), text
    return text


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_one_dimension(card, parameters):
    X, y = table_for(card)
    model = build(card, parameters)
    assert "got 1" in message_of(DataError, lambda: model.fit(X[:, 0], y))
    model.fit(X, y)
    assert "X.reshape(1, -1)" in message_of(DataError, lambda: model.predict(X[0]))


@pytest.mark.parametrize(("card", "parameters"), CASES)
@pytest.mark.parametrize(
    ("value", "shown"), [(np.nan, "got NaN"), (np.inf, "got inf"), (-np.inf, "got -inf")]
)
def test_values_name_their_place(card, parameters, value, shown):
    X, y = table_for(card)
    model = build(card, parameters)
    if np.isnan(value) and model.__sklearn_tags__().input_tags.allow_nan:
        return
    bad = X.copy()
    bad[17, 3] = value
    text = message_of(DataError, lambda: model.fit(bad, y))
    assert "column 3, row 17" in text
    assert shown in text
    frame = pd.DataFrame(bad, columns=list("abcde"))
    assert "column 'd', row 17" in message_of(DataError, lambda: model.fit(frame, y))
    model.fit(X, y)
    assert text == message_of(DataError, lambda: model.predict(bad))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_text_in_a_numeric_matrix(card, parameters):
    X, y = table_for(card)
    if build(card, parameters).__sklearn_tags__().input_tags.categorical:
        return
    frame = pd.DataFrame(X, columns=list("abcde")).assign(c="red")
    assert "'c'" in message_of(DataError, lambda: build(card, parameters).fit(frame, y))
    words = X.astype(object)
    words[0, 0] = "red"
    assert "'red'" in message_of(DataError, lambda: build(card, parameters).fit(words, y))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize(("card", "parameters"), CLASSIFIERS)
def test_text_target_with_a_missing_value(card, parameters, missing):
    X, y = table()
    labels = y.astype(object)
    labels[5] = missing
    assert "row 5" in message_of(DataError, lambda: build(card, parameters).fit(X, labels))


@pytest.mark.parametrize(("card", "parameters"), CLASSIFIERS)
def test_targets_that_are_none(card, parameters):
    X, y = table()
    model = build(card, parameters)
    message_of(DataError, lambda: model.fit(X, y[:-1]))
    message_of(DataError, lambda: model.fit(X, X[:, 0]))
    message_of(DataError, lambda: model.fit(X, np.where(np.arange(len(y)) % 2, y, None)))


@pytest.mark.parametrize("card", CARDS)
def test_an_unknown_option_names_the_rule(card):
    X, y = table_for(card)
    for parameter in card.parameters:
        model = build(card, {}).set_params(**{parameter.name: "no such thing"})
        text = message_of(ParameterError, lambda m=model: m.fit(X, y))
        assert text.startswith(f"{parameter.name} must be {parameter.rule}")
        assert text.endswith("got 'no such thing'.")


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_prediction_before_fit(card, parameters):
    X, _ = table_for(card)
    message_of(NotFittedError, lambda: build(card, parameters).predict(X))


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_other_columns_at_prediction(card, parameters):
    X, y = table_for(card)
    model = build(card, parameters).fit(X, y)
    with pytest.raises(ValueError, match=r"X has 4 features, but \w+ is expecting 5 features as input\.$"):
        model.predict(X[:, :4])
