"""Learners that offer partial_fit, merge and forget: the result is that of a fresh fit."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold, cross_val_predict

from classica.errors import ClassicaError
from tests.contract.cases import CASES, assert_close, build, outputs, table

MERGEABLE = [case for case in CASES if hasattr(build(*case.values), "merge")]


def same_model(first, second, X, tolerance=1e-10):
    np.testing.assert_array_equal(first.classes_, second.classes_)
    assert_close(outputs(first, X), outputs(second, X), tolerance)
    if hasattr(first, "class_count_"):
        np.testing.assert_array_equal(first.class_count_, second.class_count_)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_merge_equals_a_fit_on_both(card, parameters, shift):
    X, y = table()
    X = X + shift
    whole = build(card, parameters).fit(X, y)
    parts = build(card, parameters).fit(X[:50], y[:50]).merge(build(card, parameters).fit(X[50:], y[50:]))
    same_model(whole, parts, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_merge_works_in_any_order(card, parameters):
    X, y = table()
    parts = [slice(0, 30), slice(30, 37), slice(37, 120)]
    forth, back = (
        [build(card, parameters).fit(X[part], y[part]) for part in order] for order in (parts, parts[::-1])
    )
    same_model(forth[0].merge(forth[1]).merge(forth[2]), back[0].merge(back[1].merge(back[2])), X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_merge_leaves_the_other_model_alone(card, parameters):
    X, y = table()
    other = build(card, parameters).fit(X[50:], y[50:])
    before = outputs(other, X)
    build(card, parameters).fit(X[:50], y[:50]).merge(other)
    assert_close(before, outputs(other, X), 0)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_merge_joins_different_classes(card, parameters):
    X, y = table()
    first, second = y != "cat", y != "ape"
    parts = build(card, parameters).fit(X[first], y[first])
    parts.merge(build(card, parameters).fit(X[second], y[second]))
    whole = build(card, parameters).fit(np.vstack([X[first], X[second]]), np.r_[y[first], y[second]])
    same_model(whole, parts, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_partial_fit_equals_a_fit_on_all(card, parameters):
    X, y = table()
    model = build(card, parameters)
    for start in range(0, len(X), 13):
        model.partial_fit(X[start : start + 13], y[start : start + 13])
    same_model(build(card, parameters).fit(X, y), model, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_forget_equals_a_fit_on_the_rest(card, parameters, shift):
    X, y = table()
    X = X + shift
    model = build(card, parameters).fit(X, y).forget(X[60:], y[60:])
    same_model(build(card, parameters).fit(X[:60], y[:60]), model, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_forget_drops_an_emptied_class(card, parameters):
    X, y = table()
    gone = y == "bee"
    model = build(card, parameters).fit(X, y).forget(X[gone], y[gone])
    same_model(build(card, parameters).fit(X[~gone], y[~gone]), model, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_weights_go_and_come(card, parameters):
    X, y = table()
    weights = 0.5 + np.arange(len(X)) % 3
    model = build(card, parameters).fit(X, y, sample_weight=weights)
    model.forget(X[60:], y[60:], sample_weight=weights[60:])
    same_model(build(card, parameters).fit(X[:60], y[:60], sample_weight=weights[:60]), model, X)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
@pytest.mark.parametrize("shift", [0.0, 1e6])
@pytest.mark.parametrize("cv", [4, KFold(5, shuffle=True, random_state=0), LeaveOneOut()], ids=repr)
def test_cross_validation_equals_refitting(card, parameters, shift, cv):
    X, y = table(rows=60)
    model = build(card, parameters)
    found = model.cross_val_posteriors(X + shift, y, cv)
    expected = cross_val_predict(build(card, parameters), X + shift, y, cv=cv, method="predict_proba")
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
@pytest.mark.parametrize("cv", [3, "loo"])
def test_cross_validation_with_weights(card, parameters, cv):
    X, y = table(rows=60)
    weights = 0.5 * (np.arange(len(X)) % 4)  # a quarter of the rows only tests
    found = build(card, parameters).cross_val_posteriors(X, y, cv, sample_weight=weights)
    splitter = LeaveOneOut() if cv == "loo" else StratifiedKFold(cv)
    for train, test in splitter.split(X, y):
        model = build(card, parameters).fit(X[train], y[train], sample_weight=weights[train])
        np.testing.assert_allclose(found[test], model.predict_proba(X[test]), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
@pytest.mark.parametrize("cv", [KFold(4), LeaveOneOut()], ids=repr)
def test_a_class_absent_from_a_training_part_has_probability_zero_there(card, parameters, cv):
    X, y = table(rows=61)
    y[:-1][y[:-1] == "ape"] = "bee"
    y[-1] = "ape"
    found = build(card, parameters).cross_val_posteriors(X, y, cv)
    assert found[-1, 0] == 0
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)
    other = build(card, parameters).fit(X[:-1], y[:-1])
    if isinstance(cv, LeaveOneOut):
        np.testing.assert_allclose(found[-1:, 1:], other.predict_proba(X[-1:]), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE[:1])
@pytest.mark.parametrize(
    ("cv", "reason"),
    [
        ("two", "cv must be an integer"),
        ([([0, 1], [2, 3])], "cv must test every row once, got row 0 tested 0 times."),
        ([([0, 1], [2, 3]), ([2], [0, 1])], "cv must train on every row"),
        ([], "cv must be a splitter"),
        ([1, 2], "cv must split the 4 rows"),
        ([([0, 1, 2, 3], [4])], "cv must split the 4 rows"),
        (9, "cv must split the 4 rows"),
    ],
)
def test_splits_that_cannot_be_taken_away_are_refused(card, parameters, cv, reason):
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    with pytest.raises(ClassicaError, match=reason):
        build(card, parameters).cross_val_posteriors(X, y, cv)


@pytest.mark.parametrize(("card", "parameters"), MERGEABLE)
def test_forgetting_the_only_row_in_which_a_column_varies(card, parameters):
    X, y = table(rows=40)
    X = np.c_[X, np.full(len(X), 0.1)]
    X[7, -1] = 123.4
    rest = np.arange(len(X)) != 7
    fresh = build(card, parameters).fit(X[rest], y[rest])
    same_model(fresh, build(card, parameters).fit(X, y).forget(X[7:8], y[7:8]), X[rest])
    left_out = build(card, parameters).cross_val_posteriors(X, y, LeaveOneOut())
    np.testing.assert_allclose(left_out[7:8], fresh.predict_proba(X[7:8]), rtol=0, atol=1e-10)
