"""Learners that offer partial_fit, merge and forget: the result is that of a fresh fit."""

import numpy as np
import pytest

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
