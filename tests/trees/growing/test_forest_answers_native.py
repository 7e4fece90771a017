"""Rows through a forest, what it says of rows it has not seen, and what columns are worth: by loops."""

import io
import pickle
from dataclasses import replace

import joblib
import numpy as np
import pytest

from classica.native import forests as native
from classica.trees.growing.forest import grow_forest
from classica.trees.growing.growth import MISSING_POLICIES
from tests.layouts import LAYOUTS
from tests.reference import tree_list as reference
from tests.trees.forests import POLICIES, learned_table, rules_of, samples_of
from tests.trees.growing.growing import NAN, plain_table, table_of, target_of

pytestmark = pytest.mark.native

# Rows through a forest


def queries(X):
    """Return other rows: more missing cells, levels that no node has seen, and such as are no levels."""
    random = np.random.default_rng(8)
    rows = X[random.integers(0, len(X), 700)].copy()
    for j in range(5):
        rows[random.random(700) < 0.1, j] = NAN
    rows[random.random(700) < 0.2, 4] = 44
    rows[random.random(700) < 0.05, 3] = 60
    rows[random.random(700) < 0.05, 3] = -1
    return rows


@pytest.mark.parametrize("policies", POLICIES, ids=" ".join)
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_rows_end_where_they_end_in_the_trees(criterion, policies):
    X, _, table, target = learned_table(criterion=criterion)
    categories, missing = policies
    rules = rules_of(criterion=criterion, categories=categories, missing=missing, max_features=2)
    samples = samples_of(250)
    forest = grow_forest(table, target, rules, 4, samples, 2)
    trees = reference.grow(table, target, rules, 4, samples)
    rows = queries(X)
    ends = native.apply_forest(rows, forest.arrays(), 4, 2)
    wanted = [reference.apply_tree(rows, tree.arrays(), 1) for tree in trees]
    np.testing.assert_array_equal(ends, np.transpose(wanted))
    means = np.mean([reference.said(tree, rows, missing == "fraction") for tree in trees], axis=0)
    found = native.forest_means(rows, forest.arrays(), forest.values, 2)
    np.testing.assert_allclose(found, means, rtol=1e-12, atol=1e-15)


def test_some_trees_of_a_forest_are_a_forest():
    X, _, table, target = learned_table()
    for missing in ("surrogate", "fraction", "direction"):
        forest = grow_forest(table, target, rules_of(missing=missing), 6, samples_of(250), 2)
        rows = queries(X)
        ends = native.apply_forest(rows, forest.arrays(), 6, 1)
        some = forest.trees(2, 5)
        assert len(some) == 3
        assert not some.nodes.flags.owndata
        np.testing.assert_array_equal(native.apply_forest(rows, some.arrays(), 3, 1), ends[:, 2:5])
        alone = [
            native.forest_means(rows, forest.trees(k, k + 1).arrays(), forest.values, 1) for k in (2, 3, 4)
        ]
        found = native.forest_means(rows, some.arrays(), forest.values, 1)
        np.testing.assert_allclose(found, np.mean(alone, axis=0), rtol=1e-13)


def test_votes_are_all_weight_on_the_first_of_the_largest_shares():
    _, _, table, target = learned_table()
    forest = grow_forest(table, target, rules_of(max_depth=3), 5, samples_of(250), 1)
    votes = replace(forest, values=np.array([[0.4, 0.4, 0.2], [0.0, 0.5, 0.5]])).votes()
    np.testing.assert_array_equal(votes, [[1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(forest.votes().sum(axis=1), 1)
    assert len(np.unique(forest.values, axis=0)) == len(forest.values)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rows_in_any_layout(layout, dtype):
    X, y = plain_table(900)
    X = X.astype(dtype)
    forest = grow_forest(table_of(X), target_of(y), rules_of(), 5, samples_of(900), 2)
    other = LAYOUTS[layout](X)
    wanted = native.forest_means(X, forest.arrays(), forest.values, 1)
    np.testing.assert_array_equal(native.forest_means(other, forest.arrays(), forest.values, 2), wanted)
    ends = native.apply_forest(X.astype(np.float64), forest.arrays(), 5, 1)
    np.testing.assert_array_equal(native.apply_forest(other, forest.arrays(), 5, 2), ends)


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_a_forest_read_where_it_lies_in_a_file(missing, tmp_path):
    X, _, table, target = learned_table()
    forest = grow_forest(table, target, rules_of(missing=missing), 4, samples_of(250), 1)
    wanted = native.forest_means(X, forest.arrays(), forest.values, 1)
    joblib.dump((forest, X), tmp_path / "forest")
    mapped, rows = joblib.load(tmp_path / "forest", mmap_mode="r")
    assert isinstance(mapped.nodes, np.memmap)
    assert not mapped.nodes.flags.writeable
    np.testing.assert_array_equal(native.forest_means(rows, mapped.arrays(), mapped.values, 2), wanted)
    some = mapped.trees(1, 3)
    ends = native.apply_forest(X, forest.arrays(), 4, 1)
    np.testing.assert_array_equal(native.apply_forest(rows, some.arrays(), 2, 1), ends[:, 1:3])
    again = pickle.load(io.BytesIO(pickle.dumps(some)))
    np.testing.assert_array_equal(native.apply_forest(rows, again.arrays(), 2, 1), ends[:, 1:3])


# Out of the bag


@pytest.mark.parametrize("missing", ["direction", "fraction", "surrogate"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_out_of_bag_by_brute_force(criterion, weighted, missing):
    X, y, table, target = learned_table(criterion=criterion)
    weights = np.random.default_rng(1).exponential(size=250) if weighted else None
    rules, samples = rules_of(criterion=criterion, missing=missing), samples_of(250)
    forest = grow_forest(table, target, rules, 7, samples, 2)
    right = target.codes, target.classes, target.values, weights
    found = native.out_of_bag(X, forest.arrays(), forest.values, samples.for_kernel(), *right, 2)
    w = np.ones(250) if weights is None else weights
    sums, voters = np.zeros_like(found[0]), np.zeros(250)
    for number, tree in enumerate(reference.grow(table, target, rules, 7, samples)):
        outside = samples.counts(number) == 0
        sums[outside] += reference.said(tree, X, missing == "fraction")[outside]
        voters += outside
        asked = voters > 0
        wrong = reference.errors(sums[asked] / voters[asked, None], y[asked])
        np.testing.assert_allclose(found[2][number], w[asked] @ wrong, rtol=1e-12)
        np.testing.assert_allclose(found[3][number], w[asked].sum(), rtol=1e-12)
    np.testing.assert_allclose(found[0], sums, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(found[1], voters)


@pytest.mark.parametrize("missing", ["direction", "fraction", "surrogate"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_importances_by_brute_force(criterion, weighted, missing):
    X, y, table, target = learned_table(criterion=criterion)
    weights = np.random.default_rng(1).exponential(size=250) if weighted else None
    rules, samples = rules_of(criterion=criterion, missing=missing), samples_of(250)
    forest = grow_forest(table, target, rules, 4, samples, 2)
    right = target.codes, target.classes, target.values, weights
    found = native.out_of_bag_importances(
        X, forest.arrays(), forest.values, samples.for_kernel(), *right, 3, 2
    )
    wanted = np.zeros(7)
    for number, tree in enumerate(reference.grow(table, target, rules, 4, samples)):
        outside = np.flatnonzero(samples.counts(number) == 0)
        w = None if weights is None else weights[outside]

        def error(rows, tree=tree, outside=outside, w=w):
            said = reference.said(tree, rows, missing == "fraction")
            return np.average(reference.errors(said, y[outside]), weights=w)

        for j in range(7):
            exchanged = reference.shuffled(X, outside, j, number << 32 | j, 3)
            wanted[j] += (error(exchanged) - error(X[outside])) / 4
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-13)
    assert wanted.max() > 0  # four trees are too few to say of which column
    assert (found[5:] == 0).all()


def test_no_row_out_of_the_bag():
    X, _, table, target = learned_table()
    samples = samples_of(250, replace=False)
    forest = grow_forest(table, target, rules_of(), 3, samples, 1)
    given = X, forest.arrays(), forest.values, samples.for_kernel(), target.codes, 3, None, None
    for nothing in native.out_of_bag(*given, 1):
        assert not nothing.any()
    assert not native.out_of_bag_importances(*given, 0, 1).any()


def test_gains_are_the_mean_share_of_each_column():
    _, _, table, target = learned_table()
    rules, samples = rules_of(), samples_of(250)
    forest = grow_forest(table, target, rules, 5, samples, 2)
    wanted = np.zeros(7)
    for tree in reference.grow(table, target, rules, 5, samples):
        gain = np.maximum(tree.gain, 0.0)
        wanted += np.bincount(tree.feature[gain > 0], gain[gain > 0], minlength=7) / gain.sum() / 5
    np.testing.assert_allclose(forest.mean_gains(len(wanted)), wanted, rtol=1e-12)
    assert forest.mean_gains(len(wanted)).sum() == pytest.approx(1.0)
