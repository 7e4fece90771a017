"""Rules simplified together and chosen by running sums, against one rule and one sum at a time."""

import numpy as np
import pytest
import scipy.sparse as sp

from classica.native.pruned_trees import count_rules
from classica.trees.ruling.condition import Condition
from classica.trees.ruling.rule_selection import RuleChoice
from classica.trees.ruling.rule_simplification import RulesTogether, simplified

pytestmark = pytest.mark.native


def table(rows, seed):
    random = np.random.default_rng(seed)
    X = np.c_[random.normal(size=(rows, 4)).round(1), random.integers(0, 5, (rows, 2))]
    X[random.random(X.shape) < 0.05] = np.nan
    codes = (X[:, 0] + random.normal(size=rows) > 0.2).astype(np.int32) + (X[:, 4] == 2)
    return np.asfortranarray(X), codes.astype(np.int32), random.integers(0, 4, rows).astype(np.float64)


def paths(count, seed):
    random = np.random.default_rng(seed)
    for _ in range(count):
        columns = random.choice(6, random.integers(0, 7), replace=False).tolist()
        conditions = []
        for column in columns:
            if column > 3:
                levels = tuple(sorted(random.choice(5, random.integers(1, 4), replace=False).tolist()))
                conditions.append(Condition(column, levels=levels))
            else:
                low, high = np.sort(random.normal(size=2)).tolist()
                bounds = [(low, high), (low, np.inf), (-np.inf, high)][random.integers(3)]
                conditions.append(Condition(column, *bounds))
        yield int(random.integers(3)), tuple(conditions)


@pytest.mark.parametrize("rows", [0, 1, 511, 1300])
@pytest.mark.parametrize("most", [1, 5000, 1 << 24])
@pytest.mark.parametrize("threads", [1, 3])
def test_rules_are_simplified_together_as_alone(rows, most, threads, monkeypatch):
    monkeypatch.setattr("classica.trees.ruling.rule_simplification._MOST_CELLS", most)
    X, codes, weights = table(rows, rows)
    rules = list(paths(60, rows))
    found = list(RulesTogether(X, codes, weights, 0.25, threads).simplified(rules))
    wanted = [
        simplified(conditions, X, weights, weights * (codes != code), 0.25) for code, conditions in rules
    ]
    assert found == wanted


def test_counts_of_rules_by_hand():
    fails = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=np.uint8)
    asked = np.array([1, 1, 0], dtype=np.uint8)
    starts, answers = np.array([0, 2, 3]), np.array([0, 1], dtype=np.int32)
    codes, weights = np.array([0, 0, 1, 1], dtype=np.int32), np.array([1.0, 2.0, 4.0, 8.0])
    cases, errors = count_rules(fails, asked, starts, answers, codes, weights, 1)
    assert cases.tolist() == [3.0, 5.0, 1.0, 15.0, 15.0]
    assert errors.tolist() == [0.0, 4.0, 0.0, 3.0, 3.0]


@pytest.mark.parametrize("seed", range(12))
def test_rules_are_chosen_by_running_sums_as_by_adding_up_again(seed):
    random = np.random.default_rng(seed)
    covers = sp.csr_matrix((random.random((40, 300)) < random.random((40, 1)) * 0.3).astype(np.float64))
    weights = random.integers(0, 3, 300).astype(np.float64)
    of_class = np.asarray(covers[:7].sum(axis=0)).ravel() > random.integers(0, 2, 300)
    choice = RuleChoice(covers, random.random(40) * 20, of_class, weights)
    again = RuleChoice(covers, choice._bits, of_class, weights)
    assert choice._sums_are_exact
    again._sums_are_exact = False
    none = np.zeros(40, dtype=bool)
    for start in (none, ~none, random.random(40) < 0.5):
        np.testing.assert_array_equal(choice._improved(start), again._improved(start))
    np.testing.assert_array_equal(choice.best(), again.best())
