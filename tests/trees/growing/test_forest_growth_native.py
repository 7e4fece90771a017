"""Growing as forests do it: columns sorted at the nodes that ask for them, and values put into groups."""

import numpy as np
import pytest

from classica.native import forests as native
from classica.native import philox
from classica.trees.growing.forest import grow_forest
from classica.trees.growing.growth import CRITERIA, GrowthRules
from tests.reference import tree_list as reference
from tests.trees.forests import assert_same_trees, learned_table, rules_of, samples_of
from tests.trees.growing.growing import (
    NAN,
    NUMBERS,
    assert_same_tree,
    last_nodes,
    paths,
    table_of,
    target_of,
)

pytestmark = pytest.mark.native

SEED = 7


def column_order(key, columns):
    """Return the columns in the order in which a node draws them."""
    order = list(range(columns))
    draws = (philox(key, 0, 0, -(-columns // 4)).ravel() >> np.uint64(11)) * 2.0**-53
    for k in range(columns):
        other = k + int(draws[k] * (columns - k))
        order[k], order[other] = order[other], order[k]
    return order


def best_of_drawn(X, y, rules, key, max_features, weights=None):
    """Return the division of a node: all drawn columns are kept in order, none is sorted at the node."""
    order = column_order(key, X.shape[1])
    columns = np.sort(order[:max_features])
    for others in [[], *([column] for column in order[max_features:])]:
        columns = columns if not len(others) else np.array(others)
        target = target_of(y, rules.get("criterion", "gini"), weights, classes=int(y.max()) + 1)
        stump = table_of(X[:, columns]).grow(target, GrowthRules(max_depth=1, **rules), 1)
        if len(stump) > 1:
            return columns[stump.feature[0]], stump
    return None, None


def assert_best_of_drawn(tree, X, y, max_features, counts=None, max_depth=-1, **rules):
    """Assert of every node that its split is the best there is in the columns it has drawn."""
    counts = np.ones(len(X), dtype=np.int64) if counts is None else counts
    there = np.flatnonzero(counts)
    rows_of = [[] for _ in range(len(tree))]
    for rows, nodes in paths(tree, last_nodes(tree, X[there])):
        for row, node in zip(there[rows].tolist(), nodes.tolist(), strict=True):
            rows_of[node].append(row)
    keys = {0: int(reference.philox(SEED, 0, 2**192)[0])}
    for node in np.flatnonzero(tree.depth != max_depth):
        rows = np.repeat(rows_of[node], counts[rows_of[node]])
        column, stump = best_of_drawn(X[rows], y[rows], rules, keys[node], max_features)
        assert tree.is_leaf[node] == (column is None)
        if column is None:
            continue
        assert tree.feature[node] == column
        assert tree.threshold[node] == stump.threshold[0]
        np.testing.assert_allclose(tree.gain[node], stump.gain[0], rtol=1e-9)
        for place, child in enumerate(tree.children(node)):
            keys[child] = int(philox(keys[node], place + 1, 0, 1)[0, 0])


def wide_table(rows, seed=0, columns=10):
    """Return columns of every kind that is sorted in its own way, and classes that depend on them."""
    random = np.random.default_rng(seed)
    crowded = np.where(random.random(rows) < 0.9, random.integers(0, 12, rows), random.random(rows) * 1e6)
    X = np.column_stack(
        [
            random.normal(size=rows),  # all different
            random.integers(0, 3, rows),
            random.integers(0, max(rows // 3, 2), rows),
            np.floor(2.0 ** (random.random(rows) * 20)),  # most are few numbers, a few are many
            crowded,
            random.normal(size=rows).round(1),
            np.repeat(1.0, rows),
            *random.normal(size=(columns - 7, rows)),
        ]
    )
    signal = X[:, 0] + (X[:, 1] == 1) + (X[:, 3] > 30) + (X[:, 4] > 5) + X[:, 7]
    return X, np.digitize(signal + random.normal(size=rows), [0.5, 2.0])


def one_tree(X, y, counts=None, trees=2, threads=1, **rules):
    """Return the first tree of a forest as a tree of its own, after a look that it is the same."""
    criterion = rules.get("criterion", "gini")
    table, target = table_of(X), target_of(y, criterion)
    samples = None if counts is None else samples_of(len(X), weights=counts, replace=False)
    rules = GrowthRules(seed=SEED, **rules)
    forest = grow_forest(table, target, rules, trees, samples, threads)
    alone = reference.grow(table, target, rules, trees, samples)
    assert_same_trees(forest, alone)
    return alone[0]


# Columns sorted at nodes


@pytest.mark.parametrize("rows", [2, 5, 31, 32, 33, 63, 64, 65, 66, 130, 700])
@pytest.mark.parametrize("max_features", [1, 3, 4], ids=["sorted", "still sorted", "kept in order"])
def test_nodes_of_any_size_find_the_best_of_their_columns(rows, max_features):
    X, y = wide_table(rows)
    tree = one_tree(X, y, max_features=max_features)
    assert_best_of_drawn(tree, X, y, max_features)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_finds_the_best_of_its_columns(criterion):
    X, y = wide_table(300, seed=1)
    y = y + np.random.default_rng(0).integers(0, 50, 300) if criterion in NUMBERS else y
    tree = one_tree(X, y, criterion=criterion, max_features=2, max_depth=5)
    assert_best_of_drawn(tree, X, y, 2, criterion=criterion, max_depth=5)


@pytest.mark.parametrize("missing", ["direction", "own_branch"])
def test_missing_cells_are_sorted_behind_all_others(missing):
    X, y = wide_table(900, seed=2)
    random = np.random.default_rng(0)
    X[random.random(X.shape) < 0.2] = NAN
    X[:, 8] = np.where(random.random(900) < 0.99, NAN, 1.0)  # one value, and cells without
    tree = one_tree(X, y, max_features=2, missing=missing)
    assert_best_of_drawn(tree, X, y, 2, missing=missing)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("rows", [4095, 4096, 4097, 9000])
def test_large_nodes_pick_their_rows_from_the_sorted_table(rows, threads):
    """Below 4096 rows, or a quarter of the table, a node sorts; the first levels of these trees see both."""
    X, y = wide_table(rows, seed=3)
    tree = one_tree(X, y, max_features=2, max_depth=4, threads=threads)
    assert_best_of_drawn(tree, X, y, 2, max_depth=4)


@pytest.mark.parametrize("missing", [False, True])
def test_a_node_of_a_quarter_of_the_table(missing):
    """Samples of 4096 to 4200 rows of a table of 16400: at least 4096, below and above a quarter."""
    X, y = wide_table(16_400, seed=4)
    if missing:
        X[np.random.default_rng(1).random(X.shape) < 0.1] = NAN
    table, target = table_of(X), target_of(y)
    for size in (4096, 4099, 4100, 4101, 4102, 4200):
        rules, samples = rules_of(max_features=2, max_depth=2), samples_of(16_400, size=size, replace=False)
        forest = grow_forest(table, target, rules, 2, samples, 1)
        trees = reference.grow(table, target, rules, 2, samples)
        assert_same_trees(forest, trees)
        assert_best_of_drawn(trees[0], X, y, 2, counts=samples.counts(0).astype(np.int64), max_depth=2)


@pytest.mark.parametrize("count", [1, 2, 255, 256, 700])
@pytest.mark.parametrize("rows", [300, 4500])
def test_rows_that_are_there_very_often(count, rows):
    """Labels hold counts up to 255."""
    X, y = wide_table(rows, seed=5)
    counts = np.random.default_rng(0).integers(0, 3, rows)
    counts[:3] = count
    tree = one_tree(X, y, counts=counts, max_features=2, max_depth=6)
    assert tree.cases[0] == counts.sum()
    assert_best_of_drawn(tree, X, y, 2, counts=counts, max_depth=6)


@pytest.mark.parametrize("classes", [2, 255, 256, 257, 400])
@pytest.mark.parametrize("rows", [900, 4500])
def test_any_number_of_classes(classes, rows):
    """Labels hold 256 classes."""
    X, _ = wide_table(rows, seed=6)
    y = np.arange(rows) % classes
    X[:, 0] = y + np.random.default_rng(0).normal(size=rows)
    counts = np.random.default_rng(1).integers(1, 3, rows)
    tree = one_tree(X, y, counts=counts, max_features=3, max_depth=3)
    assert_best_of_drawn(tree, X, y, 3, counts=counts, max_depth=3)


@pytest.mark.parametrize("levels", [127, 128, 129, 253, 254, 255, 256, 257, 300])
def test_columns_with_about_as_many_values_as_are_counted(levels):
    """Up to 256 are counted where a node has twice as many rows; ranks up to 254 take a byte."""
    random = np.random.default_rng(levels)
    X = random.integers(0, levels, (700, 9)).astype(np.float64)
    X[:levels] = np.arange(levels)[:, None]
    y = ((X[:, 0] + X[:, 1] > levels) + (random.random(700) < 0.2)).astype(int)
    X[random.random(X.shape) < 0.03] = NAN
    tree = one_tree(X, y, max_features=2)
    assert_best_of_drawn(tree, X, y, 2)


@pytest.mark.parametrize("levels", [65_534, 65_535, 65_536])
def test_columns_with_about_as_many_values_as_fit_two_bytes(levels):
    random = np.random.default_rng(0)
    X = np.column_stack([random.permutation(levels) for _ in range(4)]).astype(np.float64)
    y = ((X[:, 0] > levels - 3000) ^ (X[:, 1] > levels - 9000)).astype(int)
    X = np.vstack([X, np.full((1, 4), NAN)])
    y = np.append(y, 0)
    tree = one_tree(X, y, max_features=1, max_depth=6, min_cases_leaf=2.0)
    assert_best_of_drawn(tree, X, y, 1, min_cases_leaf=2.0, max_depth=6)


def test_crowded_ranks_in_a_node():
    """In the second branch nearly all rows have one of twenty of two thousand values."""
    random = np.random.default_rng(0)
    spread, crowd = random.permutation(2000.0 * np.arange(2000)), random.integers(0, 20, 2000) * 1.0
    crowd[:3] = 1e7
    X = np.concatenate([spread, crowd])[:, None] + np.zeros((1, 4))
    X = np.column_stack([X, np.arange(4000) >= 2000])
    y = np.where(X[:, 4] > 0, 1 + (X[:, 0] > 9), 0)
    tree = one_tree(X, y, max_features=1)
    assert_best_of_drawn(tree, X, y, 1)


def test_copies_of_one_column_give_the_tree_of_that_column():
    random = np.random.default_rng(0)
    x = random.normal(size=2000).round(2)
    y = (np.sin(5 * x) + random.normal(size=2000) > 0).astype(int)
    plain = table_of(x[:, None]).grow(target_of(y), GrowthRules(), 1)
    for max_features in (1, 3, 4, 12):
        tree = one_tree(np.repeat(x[:, None], 12, axis=1), y, max_features=max_features)
        assert len(set(tree.feature[~tree.is_leaf])) > 3 or max_features == 12
        for name in ("threshold", "first_child", "gain", "value"):
            np.testing.assert_allclose(getattr(tree, name), getattr(plain, name), rtol=1e-12, atol=1e-9)


# Values in groups


@pytest.mark.parametrize("most", [2, 3, 16, 255])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_put_into_groups(most, weighted):
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=3000), random.exponential(size=3000) ** 3, np.arange(3000) % 9])
    X[random.random(X.shape) < 0.1] = NAN
    weights = random.exponential(size=3000) if weighted else None
    table = table_of(X)
    binned = table.binned(most, weights)
    w = np.ones(3000) if weights is None else weights
    for j in range(3):
        known = ~np.isnan(X[:, j])
        groups = binned.ranks[j][known]
        assert len(np.unique(groups)) == len(binned.values[j]) == binned.levels[j] <= most
        np.testing.assert_array_equal(binned.ranks[j][~known], table.ranks[j][~known])
        order = np.argsort(X[known, j], kind="stable")
        assert (np.diff(groups[order].astype(int)) >= 0).all()
        if j < 2:
            heavy = np.bincount(groups, w[known])
            # A group is as heavy as any other, but for a value at each end.
            np.testing.assert_allclose(heavy, w[known].sum() / most, atol=2 * w.max())
            for group, highest in enumerate(binned.values[j]):
                assert X[known, j][groups == group].max() == highest


def test_few_values_are_left_as_they_are():
    random = np.random.default_rng(0)
    X = np.column_stack([random.integers(0, 16, 500), random.normal(size=500).round(0), np.full(500, NAN)])
    y = (X[:, 0] + X[:, 1] > 8).astype(int)
    table = table_of(X)
    for rules in (GrowthRules(), GrowthRules(max_features=1, seed=3)):
        assert_same_tree(
            table.grow(target_of(y), rules, 1), table.binned(16, None).grow(target_of(y), rules, 1)
        )


@pytest.mark.parametrize("threshold", ["midpoint", "data"])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_rows_are_routed_as_they_were_in_training(criterion, threshold):
    """Where a row ends says what was learned from it, so the rows of leaves must be as many as there were."""
    X, _, table, target = learned_table(2000, criterion)
    rules = rules_of(criterion=criterion, max_features=2, min_cases_leaf=3.0)
    samples = samples_of(2000)
    for most in (2, 7, 100):
        binned = table.binned(most, None)
        forest = grow_forest(binned, target, rules, 3, samples, 2, threshold=threshold)
        trees = reference.grow(binned, target, rules, 3, samples, threshold)
        assert_same_trees(forest, trees)
        ends = native.apply_forest(X, forest.arrays(), 3, 1)
        for number, tree in enumerate(trees):
            counts = np.bincount(ends[:, number], samples.counts(number), minlength=len(tree))
            np.testing.assert_array_equal(counts[tree.is_leaf], tree.cases[tree.is_leaf])


def test_a_tree_of_groups_is_the_best_tree_of_groups():
    """The same tree as that of a table in which each value is the number of its group."""
    X, y = wide_table(1500, seed=8)
    table = table_of(X)
    binned = table.binned(20, None)
    rules = GrowthRules(max_features=2, seed=3)
    tree = binned.grow(target_of(y), rules, 1)
    coded = table_of(binned.ranks.T.astype(np.float64)).grow(target_of(y), rules, 1)
    for name in ("feature", "first_child", "gain", "value"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(coded, name))
    np.testing.assert_array_equal(last_nodes(tree, X), last_nodes(coded, binned.ranks.T.astype(np.float64)))
