"""What is special to the rule classifier."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold, cross_val_score

from classica import C45Classifier, RuleSetClassifier
from tests.trees.tables import mixed_table, with_unseen_levels

DATA = Path(__file__).parents[2] / "data" / "oracles"


@pytest.fixture(scope="module")
def fitted():
    X, y, _ = mixed_table(rows=400)
    return RuleSetClassifier().fit(X, y), X, y


def test_the_first_rule_that_holds_answers(fitted):
    model, X, _ = fitted
    matrix = model._query(with_unseen_levels(X))
    held = np.array([rule.holds(matrix) for rule in model.rules_] + [np.ones(len(X), dtype=bool)])
    first = held.argmax(axis=0)
    assert model.deciding_rule(with_unseen_levels(X)).tolist() == first.tolist()
    answers = np.array([*(rule.answer for rule in model.rules_), model.rules_.default.answer])
    assert model.predict(with_unseen_levels(X)).tolist() == answers[first].tolist()


def test_cases_and_errors_are_those_of_the_rows_a_rule_is_first_for(fitted):
    model, X, y = fitted
    first = model.deciding_rule(X)
    for place, rule in enumerate([*model.rules_, model.rules_.default]):
        assert rule.cases == (first == place).sum()
        assert rule.errors == ((first == place) & (y != rule.answer)).sum()
        counts = np.array([((first == place) & (y == label)).sum() for label in model.classes_])
        if rule.cases:
            shares = model.predict_proba(X[first == place])
            np.testing.assert_allclose(shares - (counts + 1) / (counts.sum() + 3), 0, atol=1e-15)


def test_rules_are_of_use(fitted):
    model, *_ = fitted
    assert all(rule.conditions and rule.cases > 0 for rule in model.rules_)
    described = {(rule.answer, rule.conditions) for rule in model.rules_}
    assert len(described) == len(model.rules_)
    assert len(model.rules_) < model.grown_tree_.leaf_count
    # The rules of a class stand together.
    answers = [rule.answer for rule in model.rules_]
    assert sum(one != other for one, other in pairwise(answers)) <= 2


def test_a_condition_does_not_hold_for_a_missing_cell_or_a_new_level():
    X = pd.DataFrame({"x": ["a", "a", "a", "b", "b", "b", "b"]})
    model = RuleSetClassifier().fit(X, [0, 0, 0, 1, 1, 1, 1])
    asked = pd.DataFrame({"x": ["a", "b", None, "new"]})
    assert model.deciding_rule(asked).tolist()[2:] == [len(model.rules_)] * 2
    assert model.predict(asked).tolist()[:2] == [0, 1]


def test_the_default_is_the_most_frequent_class_of_the_rows_left():
    X = np.array([[0.0]] * 5 + [[1.0]] * 5 + [[np.nan]] * 3)
    y = ["a"] * 5 + ["b"] * 5 + ["c"] * 3
    model = RuleSetClassifier().fit(X, y)
    assert model.predict([[np.nan], [0.0], [1.0]]).tolist() == ["c", "a", "b"]
    assert model.rules_.default.cases == 3


def test_no_rows_left_for_the_default():
    X = np.repeat([[0.0], [1.0]], [4, 6], axis=0)
    model = RuleSetClassifier().fit(X, [0] * 4 + [1] * 6)
    left = model.rules_.default.cases
    assert model.predict([[np.nan]]).tolist() == ([1] if left in (0, 6) else [0])
    one_class = RuleSetClassifier().fit(X, [7] * 10)
    assert len(one_class.rules_) == 0
    assert one_class.predict([[5.0]]).tolist() == [7]
    assert str(one_class.rules_).startswith("Always 7 (10")


def test_a_lower_confidence_makes_shorter_lists():
    X, y, _ = mixed_table(rows=600, missing=0.0)
    long, short = (RuleSetClassifier(confidence=c).fit(X, y) for c in (0.5, 0.01))
    assert short.n_parameters_ < long.n_parameters_
    parameters = sum(
        sum([condition.levels is not None, np.isfinite(condition.low), np.isfinite(condition.high)])
        for rule in short.rules_
        for condition in rule.conditions
    )
    assert short.n_parameters_ == parameters + len(short.rules_) + 1


def test_rules_say_what_a_tree_must_say_in_many_places():
    # Eight ways to win at noughts and crosses: a tree repeats them in its branches, and does not find all.
    table = pd.read_csv(DATA / "tic-tac-toe.csv.gz")
    X, y = table.drop(columns="Class"), table["Class"]
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    rules = cross_val_score(RuleSetClassifier(), X, y, cv=folds).mean()
    tree = cross_val_score(C45Classifier(), X, y, cv=folds).mean()
    assert rules > 0.97
    assert rules > tree + 0.05
    won = [rule for rule in RuleSetClassifier().fit(X, y).rules_ if rule.answer == "positive"]
    assert len(won) == 8
    assert all(len(rule.conditions) == 3 and rule.errors == 0 for rule in won)


def test_labels_with_the_same_rules_under_other_names():
    X, y, _ = mixed_table(rows=200)
    words = RuleSetClassifier().fit(X, y)
    numbers = RuleSetClassifier().fit(X, pd.factorize(y, sort=True)[0])
    np.testing.assert_array_equal(words.predict_proba(X), numbers.predict_proba(X))
