"""Forests: equal to trees grown one by one, however many threads, and to loops over the trees."""

import io
import pickle
from dataclasses import replace

import joblib
import numpy as np
import pytest

from classica.native import forests as native
from classica.samples import Samples
from classica.trees.forest import grow_forest
from classica.trees.growth import CATEGORY_SPLITS, CRITERIA, MISSING_POLICIES, GrowthRules, Target
from tests.layouts import LAYOUTS
from tests.reference import forest as reference
from tests.test_pool import seconds_until_interrupted
from tests.trees.growing import NAN, NUMBERS, mixed_table, plain_table, table_of, target_of

pytestmark = pytest.mark.native

NODE = np.dtype([("limit", np.float64), ("first_child", np.int32), ("question", np.uint32)])
LEVELS = 45  # some more than ever occur
POLICIES = [
    (categories, missing)
    for categories in CATEGORY_SPLITS
    for missing in MISSING_POLICIES
    if (categories, missing) != ("multiway", "surrogate")
]


def samples_of(rows, seed=1, weights=None, size=None, replace=True):
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)
    return Samples.of(None, weights, size, replace, seed, 1, rows=rows)


def learned_table(rows=250, criterion="gini", seed=0, weights=None):
    """Return cells, what is right, the ranks and the target of a table with every kind of column."""
    X, y, categorical = mixed_table(rows, seed)
    if criterion in NUMBERS:
        y = y + np.random.default_rng(9).normal(size=rows).round(2)
    return X, y, table_of(X, categorical, LEVELS), target_of(y, criterion, weights, classes=3)


def rules_of(**told):
    return GrowthRules(**{"seed": 7, "max_features": 3, "max_surrogates": 2} | told)


def assert_same_trees(forest, trees, smoothing=0.0):
    """Assert that a forest is a list of trees, node by node; numbers in leaves may be rounded differently."""
    assert len(forest) == len(trees)
    np.testing.assert_array_equal(forest.node_counts, [len(tree) for tree in trees])
    for number, tree in enumerate(trees):
        nodes = forest.trees(number, number + 1).nodes.view(NODE)[:, 0]
        inner, is_category = ~tree.is_leaf, np.diff(tree.levels_at) > 0
        np.testing.assert_array_equal(nodes["first_child"] >= 0, inner)
        np.testing.assert_array_equal(nodes["first_child"][inner], tree.first_child[inner])
        np.testing.assert_array_equal(nodes["question"][inner] & (2**29 - 1), tree.feature[inner])
        np.testing.assert_array_equal(nodes["question"][inner] >> 29 & 1, is_category[inner])
        cut = inner & ~is_category
        np.testing.assert_array_equal(nodes["limit"][cut], tree.threshold[cut])
        np.testing.assert_array_equal(nodes["question"][cut] >> 30, tree.missing_child[cut])
        for node in np.flatnonzero(is_category):
            start, levels = nodes["limit"][node : node + 1].view(np.uint32)
            told = forest.level_child[start : start + levels + 1]
            np.testing.assert_array_equal(told, [*tree.levels_of(node), tree.missing_child[node]])
        leaf = nodes[tree.is_leaf]
        if forest.holds_numbers:
            np.testing.assert_allclose(leaf["limit"], tree.value[tree.is_leaf, 0], rtol=1e-12, atol=1e-12)
        else:
            shares = tree.value[tree.is_leaf] + smoothing
            shares /= shares.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(forest.values[~leaf["first_child"]], shares, rtol=1e-14, atol=0)


# A forest is a list of trees


@pytest.mark.parametrize("max_features", [2, 3], ids=["sorted at nodes", "kept in order"])
@pytest.mark.parametrize("policies", POLICIES, ids=" ".join)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_forest_is_a_list_of_trees(criterion, policies, max_features):
    _, _, table, target = learned_table(criterion=criterion)
    categories, missing = policies
    rules = rules_of(criterion=criterion, categories=categories, missing=missing, max_features=max_features)
    samples = samples_of(250)
    forest = grow_forest(table, target, rules, 3, samples, 2)
    assert (forest.node_counts > 20).all()
    assert_same_trees(forest, reference.grow(table, target, rules, 3, samples))


@pytest.mark.parametrize(
    "told",
    [
        {"max_features": 0},
        {"max_features": 0, "top_features": 3},
        {"max_leaves": 9},
        {"max_depth": 3},
        {"min_cases_leaf": 8.0, "min_cases_split": 30.0},
        {"selection": "gain_ratio"},
        {"min_gain": 2.0, "zero_gain": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("threshold", ["midpoint", "data"])
def test_a_forest_is_a_list_of_trees_with_other_rules(told, threshold):
    _, _, table, target = learned_table()
    rules, samples = rules_of(**told), samples_of(250)
    forest = grow_forest(table, target, rules, 4, samples, 2, threshold=threshold)
    assert_same_trees(forest, reference.grow(table, target, rules, 4, samples, threshold))


DRAWS = {
    "all rows": lambda random: None,
    "bootstrap": lambda random: samples_of(250),
    "small bootstrap": lambda random: samples_of(250, size=0.3),
    "parts": lambda random: samples_of(250, size=0.6, replace=False),
    "whole weights": lambda random: samples_of(250, weights=random.integers(0, 4, 250)),
    "parts by whole weights": lambda random: samples_of(250, 1, random.integers(0, 4, 250), 0.5, False),
    "real weights": lambda random: samples_of(250, weights=random.exponential(size=250)),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights of classes"])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
@pytest.mark.parametrize("draw", DRAWS)
def test_a_forest_is_a_list_of_trees_on_any_samples(draw, criterion, weighted):
    random = np.random.default_rng(5)
    weights = random.choice([0.5, 1.0, 3.0], 250) if weighted else None
    _, _, table, target = learned_table(criterion=criterion, weights=weights)
    samples, rules = DRAWS[draw](random), rules_of(criterion=criterion, max_features=2)
    forest = grow_forest(table, target, rules, 4, samples, 2)
    assert_same_trees(forest, reference.grow(table, target, rules, 4, samples))


def test_a_tree_knows_nothing_of_rows_it_has_not_drawn():
    """The trees are those of tables that hold nothing but the rows that were drawn."""
    X, y, table, target = learned_table()
    samples, rules = samples_of(250, size=0.4), rules_of(max_features=2)
    alone = []
    for number in range(4):
        rows = samples.rows_of(number)
        only = table_of(X[rows], [3, 4], LEVELS), target_of(y[rows], classes=3)
        seed = reference.philox(7, number, 2**192)[0]
        alone.append(only[0].grow(only[1], replace(rules, seed=int(seed)), 1))
    assert_same_trees(grow_forest(table, target, rules, 4, samples, 1), alone)


def test_weights_and_cases_without_samples():
    random = np.random.default_rng(2)
    weights = random.choice([0.25, 1.0, 2.0], 250)
    _, _, table, target = learned_table(weights=weights)
    target = replace(target, cases=np.maximum(weights, 1.0))
    rules = rules_of(min_cases_leaf=4.0, min_weight_leaf=3.0)
    forest = grow_forest(table, target, rules, 3, None, 2)
    assert_same_trees(forest, reference.grow(table, target, rules, 3, None))


def test_classes_weigh_the_same_in_each_sample():
    _, y, table, target = learned_table()
    samples, rules = samples_of(250), rules_of()
    trees = []
    for number in range(3):
        rows = samples.rows_of(number)
        counts = np.bincount(y[rows], minlength=3)
        weighted = replace(target, weights=(len(rows) / (3 * counts))[y])
        alone = replace(rules, seed=int(reference.philox(7, number, 2**192)[0]))
        trees.append(table.grow(weighted, alone, 1, rows=rows))
    forest = grow_forest(table, target, rules, 3, samples, 2, balances_samples=True)
    assert_same_trees(forest, trees)


def test_smoothing_adds_to_the_weight_of_each_class():
    X, _, table, target = learned_table()
    samples, rules = samples_of(250), rules_of(min_cases_leaf=10.0)
    forest = grow_forest(table, target, rules, 3, samples, 1, smoothing=1.0)
    trees = reference.grow(table, target, rules, 3, samples)
    assert_same_trees(forest, trees, smoothing=1.0)
    wanted = np.mean([reference.said(tree, X, False, 1.0) for tree in trees], axis=0)
    found = native.forest_means(X, forest.arrays(), forest.values, 2)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)


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
    assert (wanted[:2] > 0).all()
    assert (found[5:] == 0).all()


def test_no_row_out_of_the_bag():
    X, _, table, target = learned_table()
    samples = samples_of(250, replace=False)
    forest = grow_forest(table, target, rules_of(), 3, samples, 1)
    given = X, forest.arrays(), forest.values, samples.for_kernel(), target.codes, 3, None, None
    sums, voters, errors, judged = native.out_of_bag(*given, 1)
    assert not (sums.any() or voters.any() or errors.any() or judged.any())
    assert not native.out_of_bag_importances(*given, 0, 1).any()


def test_gains_are_the_mean_share_of_each_column():
    _, _, table, target = learned_table()
    rules, samples = rules_of(), samples_of(250)
    forest = grow_forest(table, target, rules, 5, samples, 2)
    wanted = np.zeros(7)
    for tree in reference.grow(table, target, rules, 5, samples):
        gain = np.maximum(tree.gain, 0.0)
        wanted += np.bincount(tree.feature[gain > 0], gain[gain > 0], minlength=7) / gain.sum() / 5
    np.testing.assert_allclose(forest.gains, wanted, rtol=1e-12)
    assert forest.gains.sum() == pytest.approx(1.0)


# Threads


def everything(X, table, target, rules, trees, samples, threads):
    forest = grow_forest(table, target, rules, trees, samples, threads)
    arrays, right = forest.arrays(), (target.codes, target.classes, target.values, None)
    judged = X, arrays, forest.values, samples.for_kernel(), *right
    return [
        *arrays[:-1],
        forest.values,
        forest.gains,
        native.forest_means(X, arrays, forest.values, threads),
        native.apply_forest(X, arrays, trees, threads),
        *native.out_of_bag(*judged, threads),
        native.out_of_bag_importances(*judged, 4, threads),
    ]


@pytest.mark.parametrize("trees", [1, 3, 9], ids="{} trees".format)
@pytest.mark.parametrize("missing", MISSING_POLICIES)
@pytest.mark.parametrize("criterion", ["entropy", "squared_error"])
def test_the_same_for_any_number_of_threads(criterion, missing, trees):
    """Few trees are grown by all threads together, many side by side; 6000 rows are shared by columns."""
    rows = 600 if missing == "fraction" else 6000
    X, _, table, target = learned_table(rows, criterion)
    rules = rules_of(criterion=criterion, missing=missing, max_features=2, min_cases_leaf=20.0)
    one = everything(X, table, target, rules, trees, samples_of(rows), 1)
    for threads in (2, 5):
        other = everything(X, table, target, rules, trees, samples_of(rows), threads)
        for first, second in zip(one, other, strict=True):
            np.testing.assert_array_equal(first, second)


def test_ctrl_c_stops_growing_and_asking():
    X, y = plain_table(60_000, columns=10)
    table, target, samples = table_of(X, threads=2), target_of(y), samples_of(60_000)
    rules = rules_of()
    assert seconds_until_interrupted(lambda: grow_forest(table, target, rules, 200, samples, 2)) < 1.0
    forest = grow_forest(table, target, rules, 4, samples, 2)
    again = forest.trees(0, 4)
    assert seconds_until_interrupted(lambda: native.apply_forest(X, again.arrays(), 4, 2)) < 1.0
    judged = X, forest.arrays(), forest.values, samples.for_kernel(), target.codes, 3, None, None
    assert seconds_until_interrupted(lambda: native.out_of_bag(*judged, 2)) < 1.0
    assert seconds_until_interrupted(lambda: native.out_of_bag_importances(*judged, 0, 2)) < 1.0


def test_what_cannot_be_grown_is_refused():
    X, y = plain_table(30)
    table, samples = table_of(X), samples_of(30)
    with pytest.raises(ValueError, match="a forest has at least one tree"):
        grow_forest(table, target_of(y), rules_of(), 0, samples, 1)
    with pytest.raises(ValueError, match="only classes can be balanced"):
        numbers = Target(values=y.astype(np.float64))
        rules = rules_of(criterion="squared_error")
        grow_forest(table, numbers, rules, 1, samples, 1, balances_samples=True)
    with pytest.raises(ValueError, match="samples must be numbers of rows"):
        grow_forest(table, target_of(y), rules_of(), 1, samples_of(31), 1)
