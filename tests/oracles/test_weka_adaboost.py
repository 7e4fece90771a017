"""WEKA's AdaBoostM1 over decision stumps, on real tables: every vote, every stump, and what they say."""

import functools
import gzip
import json

import numpy as np
import pytest
from sklearn.base import clone

from classica import AdaBoostClassifier, DecisionTreeClassifier
from tests.oracles.tree_tables import DATA, WEKA, read

ORACLES = json.loads(gzip.decompress((DATA / "adaboost_weka.json.gz").read_bytes()))
#: WEKA keeps a first stump that is no better than chance as it is, without a vote; ours votes with 1.
ALONE = [name for name, oracle in ORACLES.items() if oracle["alphas"] == [0]]
VOTING = [name for name in ORACLES if name not in ALONE]

#: In how many rounds two stumps gain the same and WEKA does not take the first column: which one it takes is
#: up to the rounding of its sums. The tables are symmetric: votes and errors are the same all the same.
PARTED = {"car": 1, "tic-tac-toe": 1}


class AnyTree(DecisionTreeClassifier):
    """The same tree, but boosted round by round like any other classifier."""


@functools.cache
def boosted(name, rounds=50, tree=DecisionTreeClassifier):
    """A stump has a third branch for missing cells; levels are asked for one at a time."""
    table = read(name)
    stump = tree(
        "entropy",
        max_depth=1,
        categories="one_level",
        missing="own_branch",
        categorical_features=table.categorical.tolist(),
    )
    return AdaBoostClassifier(stump, rounds, multiclass="m1").fit(table.X, table.y.astype(int))


def test_all_tables_are_here():
    assert len(ORACLES) == 31
    assert sum(len(WEKA[name]["classes"]) == 2 for name in VOTING) == 16
    assert ALONE == ["glass", "optdigits", "segment", "soybean", "vehicle"]


@pytest.mark.parametrize("tree", [DecisionTreeClassifier, AnyTree])
@pytest.mark.parametrize("name", VOTING)
def test_votes_are_half_of_wekas(name, tree):
    alphas = np.array(ORACLES[name]["alphas"])
    for rounds in (10, 50):
        model = boosted(name, rounds, tree)
        assert model.n_rounds_ == min(rounds, len(alphas))
        np.testing.assert_allclose(2 * model.estimator_weights_, alphas[:rounds], rtol=1e-9, atol=1e-11)
        assert (model.stopped_ is None) == (len(alphas) >= rounds)


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("rounds", [10, 50])
def test_training_errors_are_those_of_weka(name, rounds):
    table, model = read(name), boosted(name, rounds)
    errors = ORACLES[name][f"I{rounds}"]["errors"]
    assert (model.predict(table.X) != table.y).sum() == errors
    assert model.staged_errors_[-1] * len(table.y) == pytest.approx(errors, abs=1e-6)


@pytest.mark.parametrize("name", VOTING)
@pytest.mark.parametrize("rounds", [10, 50])
def test_posteriors_are_those_of_weka(name, rounds):
    """Its are the softmax of its votes, which are twice ours; but one stump alone gives its own shares."""
    model, said = boosted(name, rounds), ORACLES[name][f"I{rounds}"]["posteriors"]
    if model.n_rounds_ > 1 and name not in PARTED:
        found = np.zeros((len(said), len(WEKA[name]["classes"])))
        found[:, model.classes_] = model.predict_proba(read(name).X[: len(said)])
        np.testing.assert_allclose(found, said, rtol=1e-7, atol=1e-10)


def branches_of(stump, table):
    """Return where WEKA's stump sends each row: low or the level, high or another, missing."""
    cells, at = table.X[:, stump["column"]], stump["at"]
    first = cells == at if table.categorical[stump["column"]] else cells <= at
    return np.where(np.isnan(cells), 2, np.where(first, 0, 1))


def gain_of(branches, codes, weights):
    """Return what a division takes off the entropy, times the weight of all rows."""

    def part(rows):
        counts = np.bincount(codes[rows], weights[rows])
        counts = counts[counts > 0]
        return (counts * np.log2(counts)).sum() - counts.sum() * np.log2(counts.sum())

    every = np.ones(len(codes), dtype=bool)
    return sum(part(branches == b) for b in np.unique(branches)) - part(every)


def same_division(first, second):
    """Return whether two lists of branches divide the rows alike, whatever branches are called."""
    return len(set(zip(first.tolist(), second.tolist(), strict=True))) == len(np.unique(first))


@pytest.mark.parametrize("name", ORACLES)
def test_stumps_are_those_of_weka(name):
    """In every round, from the weights that WEKA's own stumps have made."""
    table, parted = read(name), 0
    codes, weights = table.y.astype(int), np.full(len(table.y), 1 / len(table.y))
    stump = boosted(name).estimators_[0]
    for theirs in ORACLES[name]["stumps"]:
        branches, ours = branches_of(theirs, table), clone(stump).fit(table.X, codes, sample_weight=weights)
        gain = gain_of(branches, codes, weights)
        assert ours.tree_.gain[0] == pytest.approx(gain, rel=1e-9)
        if not same_division(ours.apply(table.X), branches):  # as good as the other but for rounding
            assert ours.tree_.gain[0] == pytest.approx(gain, rel=1e-13)
            parted += 1
        wrong = np.array(theirs["classes"])[branches] != codes
        error = weights[wrong].sum()
        weights = np.where(wrong, weights / error, weights / (1 - error)) / 2
    assert parted == PARTED.get(name, 0)
