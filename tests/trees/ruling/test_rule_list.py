"""Rules: conditions, the rules of a tree, and the parts of C4.5rules."""

import itertools
import json

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.special import comb
from scipy.stats import beta

from classica import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from classica.trees.pruning.pessimistic_error import pessimistic_errors
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.rule import Rule
from classica.trees.ruling.rule_selection import THEORY_WEIGHT, RuleChoice, rule_bits
from classica.trees.ruling.rule_simplification import halves, joined, simplified
from classica.trees.ruling.rule_table import RuleTable
from classica.trees.ruling.tree_rules import tree_rules
from classica.trees.showing.named_tree import NamedTree
from tests.trees.tables import GOLF, chain, mixed_table

# ---- Conditions.

CELLS = np.array([np.nan, -1.0, 0.0, 1.0, 2.0, 3.0])
NUMBERS = [
    Condition(0, low, high, known=known, missing=missing)
    for low, high in ((-np.inf, np.inf), (0.0, np.inf), (-np.inf, 2.0), (0.0, 2.0))
    for known in (True, False)
    for missing in (True, False)
]
LEVELS = [
    Condition(0, levels=levels, known=bool(levels), missing=missing)
    for levels in ((), (0,), (1, 2), (0, 2, 3))
    for missing in (True, False)
]


@pytest.mark.parametrize("kind", [NUMBERS, LEVELS], ids=["numbers", "levels"])
def test_a_meeting_holds_where_both_hold(kind):
    for one, other in itertools.product(kind, repeat=2):
        np.testing.assert_array_equal(one.meet(other).holds(CELLS), one.holds(CELLS) & other.holds(CELLS))


def test_a_cut_between_two_float32_numbers():
    low, high = np.float32(0.1), np.nextafter(np.float32(0.1), np.float32(1))
    cut = (float(low) + float(high)) / 2
    assert Condition(0, high=cut).holds(np.array([low, high])).tolist() == [True, False]


# ---- The rules of a tree.


def test_the_rules_of_the_golf_tree():
    rules = ID3Classifier().fit(GOLF.drop(columns="y"), GOLF["y"]).to_rules()
    assert str(rules) == (
        "1. if outlook = cloudy then 1 (4, confidence 0.71)\n"
        "2. if outlook = rain and windy = no then 1 (3, confidence 0.63)\n"
        "3. if outlook = rain and windy = yes then 0 (2, confidence 0.50)\n"
        "4. if outlook = sun and humidity = high then 0 (3, confidence 0.63)\n"
        "5. if outlook = sun and humidity = normal then 1 (2, confidence 0.50)\n"
        "Otherwise 1 (14/5, confidence 0.52)"
    )


@pytest.mark.parametrize("missing", ["direction", "own_branch"])
@pytest.mark.parametrize("categories", ["subset", "multiway", "one_level"])
def test_one_rule_per_leaf_and_one_condition_per_column(missing, categories):
    X, y, _ = mixed_table()
    model = DecisionTreeClassifier(missing=missing, categories=categories).fit(X, y)
    rules, matrix = model.to_rules(), model._query(X)
    assert len(rules) == model.get_n_leaves()
    for rule in rules:
        columns = [condition.column for condition in rule.conditions]
        assert len(set(columns)) == len(columns)
    held = np.array([rule.holds(matrix) for rule in rules])
    assert (held.sum(axis=0) == 1).all()
    answers = np.array([rule.answer for rule in rules])[held.argmax(axis=0)]
    assert answers.tolist() == model.predict(X).tolist()
    assert [rule.cases for rule in rules] == held.sum(axis=1).tolist()
    wrong = (answers != y) & held
    assert [rule.errors for rule in rules] == wrong.sum(axis=1).tolist()


def test_an_interval_is_one_condition():
    X = np.arange(10.0)[:, None]
    rules = DecisionTreeClassifier().fit(X, (X[:, 0] > 3) & (X[:, 0] <= 7)).to_rules()
    assert [rules.condition_words(rule) for rule in rules] == [
        ["0 <= 3.5"],
        ["0 > 3.5 and 0 <= 7.5"],
        ["0 > 7.5"],
    ]


def test_missing_cells_are_spoken_of_where_they_matter():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]])
    seen = DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert "if 0 > 3.5 (or missing) then 1" in str(seen.to_rules())
    unseen = DecisionTreeClassifier().fit(X[:5], [0, 0, 0, 1, 1])
    assert "missing" not in str(unseen.to_rules())


def test_rules_with_numbers_have_no_confidence():
    rules = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [3.0]], [0.1, 0.3, 7.0]).to_rules()
    assert str(rules).startswith("1. if 0 <= 2.5 then 0.2 (2/0.02)\n2. if 0 > 2.5 then 7 (1)\nOtherwise 2.46")
    assert {rule.confidence for rule in rules} == {None}


def test_a_tree_without_questions_has_no_rules():
    rules = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "a"]).to_rules()
    assert str(rules) == "Always a (2, confidence 0.50)"
    assert list(rules) == []


def test_plain_data():
    X, y, _ = mixed_table()
    rules = DecisionTreeClassifier(max_depth=4).fit(X, y).to_rules()
    record = json.loads(json.dumps(rules.to_json(), allow_nan=False))
    assert record["format"] == "classica-rules"
    assert len(record["rules"]) == len(rules)
    for written, rule in zip(record["rules"], rules, strict=True):
        assert written["answer"] == rule.answer
        assert written["words"] == rules.condition_words(rule)
        assert [one["column"] for one in written["conditions"]] == [one.column for one in rule.conditions]
    assert record["default"]["conditions"] == []


def test_long_rules_have_a_line_per_condition():
    X, y, _ = mixed_table()
    text = DecisionTreeClassifier().fit(X, y).to_rules().to_text()
    assert max(len(line) for line in text.splitlines()) < 130
    assert "\n   and " in text


def test_rules_of_a_deep_tree():
    rules = tree_rules(NamedTree.of(*chain(10_000)))
    assert len(rules) == 10_001
    assert max(len(rule.conditions) for rule in rules) == 2


# ---- The pessimistic error.


def test_limits_printed_by_quinlan():
    rates = pessimistic_errors([6, 9, 1], [0, 0, 0]) / [6, 9, 1]
    assert rates == pytest.approx([0.206, 0.143, 0.750], abs=5e-4)


def test_limits_are_close_to_the_binomial_ones():
    n, e = np.meshgrid([50, 200, 1000], [5, 10, 20])
    # At the exact limit, so few errors or fewer have the probability 0.25.
    exact = beta.ppf(0.75, e + 1, n - e)
    assert pessimistic_errors(n, e, 0.25) / n == pytest.approx(exact, rel=0.02)


def test_limits_rise_with_errors_and_fall_with_confidence():
    errors = np.linspace(0, 30, 301)
    limits = pessimistic_errors(30, errors)
    assert (np.diff(limits) >= 0).all()
    assert (limits >= errors).all()
    assert (limits <= 30).all()
    assert pessimistic_errors(30, 3, 0.1) > pessimistic_errors(30, 3, 0.25) > pessimistic_errors(30, 3, 0.5)
    assert pessimistic_errors([0, 0.5, 2], [0, 0.5, 2]).tolist() == [0.0, 0.5, 2.0]


# ---- Simplifying.


def plainly_simplified(conditions, X, weights, wrong, confidence):
    """Drop what is best dropped, counting everything again each time."""

    def rate(left):
        holds = np.ones(len(X), dtype=bool)
        for one in left:
            holds &= one.holds(X[:, one.column])
        n, e = weights[holds].sum(), wrong[holds].sum()
        return pessimistic_errors(n, e, confidence) / n if n else 1.0

    left = halves(conditions)
    while left:
        without = [rate(left[:k] + left[k + 1 :]) for k in range(len(left))]
        best = int(np.argmin(without))
        if without[best] > rate(left):
            break
        del left[best]
    return joined(left)


@pytest.mark.parametrize("seed", range(20))
def test_simplified_as_by_counting_everything_again(seed):
    random = np.random.default_rng(seed)
    X = np.c_[random.normal(size=(200, 3)), random.integers(0, 4, 200)]
    X[random.random(X.shape) < 0.05] = np.nan
    weights = random.integers(1, 4, 200).astype(float)
    wrong = weights * ((X[:, 0] + random.normal(size=200) * 0.5 > 0.2) | (X[:, 3] == 2))
    conditions = [
        Condition(0, high=0.5),
        Condition(1, low=-1.5, high=1.0),
        Condition(2, low=-2.0),
        Condition(3, levels=(0, 1, 3)),
    ]
    found = simplified(conditions, X, weights, wrong, 0.25)
    assert found == plainly_simplified(conditions, X, weights, wrong, 0.25)


def test_conditions_that_say_nothing_are_dropped():
    X = np.random.default_rng(0).normal(size=(500, 2))
    wrong = (X[:, 0] > 0).astype(float)
    conditions = [Condition(0, low=-1.0, high=0.0), Condition(1, low=-0.5, high=0.5)]
    assert simplified(conditions, X, np.ones(500), wrong, 0.25) == (Condition(0, high=0.0),)
    nothing = simplified([Condition(1, high=0.1)], X, np.ones(500), wrong, 0.25)
    assert nothing in ((), (Condition(1, high=0.1),))


# ---- Choosing.


def test_bits_of_exceptions():
    # 6 rows, 3 of the class; the rule holds for two of them and for one other.
    covers = sp.csr_matrix(np.array([[1.0, 1, 0, 1, 0, 0]]))
    of_class = np.array([True, True, True, False, False, False])
    choice = RuleChoice(covers, np.array([4.0]), of_class, np.ones(6))
    assert choice.cost(np.array([True])) == pytest.approx(
        THEORY_WEIGHT * 4 + np.log2(comb(3, 1)) + np.log2(comb(3, 1))
    )
    assert choice.cost(np.array([False])) == pytest.approx(np.log2(comb(6, 3)))


@pytest.mark.parametrize("seed", range(20))
def test_no_single_change_is_cheaper_and_few_rules_are_chosen_best(seed):
    random = np.random.default_rng(seed)
    covers = (random.random((7, 60)) < 0.25).astype(float)
    of_class = covers[:3].any(axis=0) ^ (random.random(60) < 0.1)
    weights = random.integers(1, 3, 60).astype(float)
    choice = RuleChoice(sp.csr_matrix(covers), random.uniform(2, 6, 7), of_class, weights)
    found = choice.best()
    for rule in range(7):
        other = found.copy()
        other[rule] = not other[rule]
        assert choice.cost(other) >= choice.cost(found) - 1e-9
    everything = [np.array(bits, dtype=bool) for bits in itertools.product([0, 1], repeat=7)]
    least = min(choice.cost(chosen) for chosen in everything)
    assert choice.cost(found) <= least * 1.1


def test_bits_of_a_rule():
    values = [9, 4]
    assert rule_bits([Condition(0, low=1.0)], values) == pytest.approx(1 + 1 + 3)
    assert rule_bits([Condition(0, low=1.0, high=2.0)], values) == pytest.approx(1 + 2 * (1 + 3))
    assert rule_bits([Condition(1, levels=(2,))], values) == pytest.approx(1 + 2)
    assert rule_bits([Condition(1, levels=(2, 3))], values) == pytest.approx(1 + 4)
    both = [Condition(0, low=1.0), Condition(1, levels=(2,))]
    assert rule_bits(both, values) == pytest.approx(5 + 3 - 1)  # either may come first


# ---- Many rules at once.


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_table_finds_the_first_rule(dtype):
    random = np.random.default_rng(0)
    X = np.c_[random.integers(-4, 5, (500, 2)) / 4, random.integers(-1, 4, 500)]
    X[random.random(X.shape) < 0.1] = np.nan
    X = X.astype(dtype)
    rules = [
        Rule((Condition(0, low=0.5), Condition(2, levels=(1, 2))), "a", 1, 0),
        Rule((Condition(1, low=-0.5, high=0.5),), "b", 1, 0),
        Rule((Condition(2, levels=(3,)),), "a", 1, 0),
    ]
    held = np.array([rule.holds(X) for rule in rules] + [np.ones(len(X), dtype=bool)])
    assert RuleTable.of(rules).first(X).tolist() == held.argmax(axis=0).tolist()
    assert RuleTable.of([]).first(X).tolist() == [0] * len(X)
