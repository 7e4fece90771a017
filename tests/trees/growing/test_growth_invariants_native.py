"""What holds for every grown tree: sums, gains, where rows end, and what may not change it."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.native import trees as native
from classica.trees.growing.growth import (
    CATEGORY_SPLITS,
    CRITERIA,
    MISSING_POLICIES,
    GrowthRules,
    TreeTable,
)
from tests.layouts import LAYOUTS
from tests.reference import tree_reference as reference
from tests.test_pool import seconds_until_interrupted
from tests.trees.growing.growing import (
    NAN,
    NUMBERS,
    assert_same_tree,
    grown,
    last_nodes,
    mixed_table,
    paths,
    table_of,
    target_of,
)

pytestmark = pytest.mark.native

GROWN_BY = [
    (criterion, categories, policy)
    for number, criterion in enumerate(CRITERIA)
    for policy in MISSING_POLICIES
    for categories in (CATEGORY_SPLITS if number % 4 == 1 else ["subset"])
    # Surrogates imitate divisions into two.
    if (policy, categories) != ("surrogate", "multiway")
]


def rules_for(criterion, categories, policy):
    return {
        "criterion": criterion, "categories": categories, "missing": policy, "min_cases_leaf": 3.0,
        "min_cases_split": 8.0, "max_surrogates": 3 if policy == "surrogate" else 0,
    }  # fmt: skip


def sum_over_children(tree, values):
    """Return the sum over the children of each inner node, and the inner nodes."""
    inner = np.flatnonzero(~tree.is_leaf)
    sums = np.zeros((len(tree), *values.shape[1:]))
    np.add.at(sums, tree.parent[1:], values[1:])
    return sums[inner], inner


def costs(tree, criterion):
    """Return what each node still has to explain, from its class weights or its risk."""
    if criterion in NUMBERS:
        return tree.risk
    shares = tree.value / tree.weight[:, None]
    impurity = {
        "gini": 1 - (shares**2).sum(axis=1),
        "entropy": -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=1),
        "misclassification": 1 - shares.max(axis=1),
    }
    return tree.weight * impurity[criterion]


# Sums


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("criterion", "categories", "policy"), GROWN_BY)
def test_children_add_up_to_their_parent(criterion, categories, policy, weighted):
    X, y, categorical = mixed_table(900)
    weights = np.random.default_rng(1).integers(1, 7, len(X)) / 2 if weighted else None
    told = rules_for(criterion, categories, policy)
    tree = grown(X, y, categorical=categorical, weights=weights, **told)
    assert len(tree) > 20
    assert tree.cases[0] == len(X)
    assert tree.weight[0] == (weights.sum() if weighted else len(X))
    tolerance = 1e-12 if policy == "fraction" else 0
    added = [tree.cases, tree.weight]
    added += [tree.weight * tree.value[:, 0]] if criterion == "squared_error" else []
    added += [] if criterion in NUMBERS else [tree.value]
    for values in added:
        sums, inner = sum_over_children(tree, values)
        rounding = tolerance or (1e-12 if criterion == "squared_error" else 0)
        np.testing.assert_allclose(sums, values[inner], rtol=rounding, atol=rounding * len(X))
    if criterion not in NUMBERS:
        np.testing.assert_array_equal(tree.weight, tree.value.sum(axis=1))
        np.testing.assert_array_equal(tree.risk, tree.weight - tree.value.max(axis=1))


@pytest.mark.parametrize("policy", ["direction", "own_branch"])
@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
@pytest.mark.parametrize("criterion", [c for c in CRITERIA if c != "chi2"])
def test_gain_is_what_the_children_have_less_to_explain(criterion, categories, policy):
    X, y, categorical = mixed_table(700, seed=1)
    if (criterion, categories, policy) == ("absolute_error", "subset", "own_branch"):
        X[:, categorical] = np.nan_to_num(X[:, categorical])
    tree = grown(X, y, categorical=categorical, **rules_for(criterion, categories, policy))
    left, inner = sum_over_children(tree, costs(tree, criterion))
    np.testing.assert_allclose(tree.gain[inner], costs(tree, criterion)[inner] - left, rtol=1e-9, atol=1e-9)
    assert (tree.gain[tree.is_leaf] == 0).all()
    assert (tree.gain >= -1e-9).all()


@pytest.mark.parametrize("policy", ["direction", "own_branch"])
def test_gain_by_chi_square_is_that_of_the_table_of_children_and_classes(policy):
    X, y, categorical = mixed_table(700, seed=2)
    tree = grown(X, y, categorical=categorical, **rules_for("chi2", "subset", policy))
    for node in np.flatnonzero(~tree.is_leaf):
        table = tree.value[tree.children(node)]
        branch, codes = np.nonzero(table)
        wanted = reference.gain("chi2", codes, table[branch, codes], branch)
        assert tree.gain[node] == pytest.approx(float(wanted), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("criterion", NUMBERS)
def test_values_of_numbers_are_means_and_medians(criterion):
    X, _, categorical = mixed_table(400, seed=3)
    y = np.random.default_rng(3).normal(size=400).round(1) * 1e3
    tree = grown(X, y, categorical=categorical, criterion=criterion, min_cases_leaf=5.0)
    for rows, nodes in paths(tree, last_nodes(tree, X)):
        for node in np.unique(nodes):
            values = y[rows[nodes == node]]
            if len(values) == tree.cases[node]:
                center = np.mean(values) if criterion == "squared_error" else np.median(values)
                assert tree.value[node, 0] == pytest.approx(center, rel=1e-12, abs=1e-9)


# Where rows end


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("criterion", "categories", "policy"),
    [told for told in GROWN_BY if told[2] in ("direction", "own_branch")],
)
def test_training_rows_end_where_they_were_counted(criterion, categories, policy, weighted):
    X, y, categorical = mixed_table(800, seed=4, missing=0.2)
    weights = np.random.default_rng(2).integers(1, 7, len(X)) / 2 if weighted else None
    told = rules_for(criterion, categories, policy)
    for threshold in ("midpoint", "data"):
        tree = grown(X, y, categorical=categorical, weights=weights, threshold=threshold, **told)
        nodes = last_nodes(tree, X)
        assert tree.is_leaf[nodes].all()
        leaves = np.flatnonzero(tree.is_leaf)
        np.testing.assert_array_equal(np.bincount(nodes, minlength=len(tree))[leaves], tree.cases[leaves])
        totals = np.bincount(nodes, weights, len(tree))
        np.testing.assert_array_equal(totals[leaves], tree.weight[leaves])
        if criterion not in NUMBERS:
            counts = np.zeros_like(tree.value)
            np.add.at(counts, (nodes, y), 1.0 if weights is None else weights)
            np.testing.assert_array_equal(counts[leaves], tree.value[leaves])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
def test_parts_of_training_rows_end_where_they_were_counted(criterion, categories, weighted):
    X, y, categorical = mixed_table(500, seed=5, missing=0.2)
    weights = np.random.default_rng(3).random(len(X)) + 0.5 if weighted else np.ones(len(X))
    told = rules_for(criterion, categories, "fraction")
    tree = grown(X, y, categorical=categorical, weights=weights if weighted else None, **told)
    shares = native.spread_over_tree(X, tree.arrays(), tree.weight, np.eye(len(tree)), 1)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-12)
    assert (shares[:, ~tree.is_leaf] == 0).all()
    leaves = np.flatnonzero(tree.is_leaf)
    np.testing.assert_allclose((weights @ shares)[leaves], tree.weight[leaves], rtol=1e-9)
    if criterion not in NUMBERS:
        counts = [(weights * (y == c)) @ shares for c in range(3)]
        np.testing.assert_allclose(np.transpose(counts)[leaves], tree.value[leaves], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_any_layout_end_in_the_same_nodes(layout, threads):
    X, y, categorical = mixed_table(1500, seed=6)
    X = X.astype(np.float32).astype(np.float64)
    for policy in ("surrogate", "fraction"):
        tree = grown(X, y, categorical=categorical, **rules_for("gini", "subset", policy))
        arrays, shares = tree.arrays(), tree.value / tree.weight[:, None]
        spread = native.spread_over_tree(X, arrays, tree.weight, shares, 1)
        for other in (LAYOUTS[layout](X), LAYOUTS[layout](X.astype(np.float32))):
            np.testing.assert_array_equal(last_nodes(tree, other, threads), last_nodes(tree, X))
            found = native.spread_over_tree(other, arrays, tree.weight, shares, threads)
            np.testing.assert_array_equal(found, spread)


def test_a_missing_cell_divides_a_row_by_the_weights_of_the_children():
    X = np.array([[0.0, 0.0]] * 3 + [[0.0, 1.0]] * 2 + [[1.0, 0.0]] * 4 + [[1.0, 1.0]])
    y = [0, 0, 0, 1, 1, 1, 1, 1, 1, 0]
    tree = grown(X, y, missing="fraction")
    assert tree.leaf_count == 4
    shares = tree.value / tree.weight[:, None]
    told = tree.arrays(), tree.weight, shares, 1
    spread = native.spread_over_tree(np.array([[NAN, 0.0], [0.0, NAN], [NAN, NAN]]), *told)
    first = np.bincount([0, 1], [0.5, 0.5]) if tree.feature[0] == 0 else [3 / 7, 4 / 7]
    np.testing.assert_allclose(spread[0], first, rtol=1e-12)
    second = [3 / 5, 2 / 5] if tree.feature[0] == 0 else None
    np.testing.assert_allclose(spread[1], second, rtol=1e-12)
    np.testing.assert_allclose(spread[2], [0.4, 0.6], rtol=1e-12)


@pytest.mark.parametrize("threshold", ["midpoint", "data"])
def test_a_value_at_the_threshold_goes_left_in_learning_and_after(threshold):
    """The middle of 1 and 3 is a value of the table: of rows that are elsewhere in the tree."""
    X = np.array([[1.0, 0.0], [3.0, 0.0], [2.0, 1.0], [2.0, 1.0], [2.0, 1.0]])
    y = [0, 1, 2, 2, 2]
    tree = grown(X, y, threshold=threshold)
    assert tree.feature.tolist() == [1, 0, -1, -1, -1]
    assert tree.threshold[1] == 2.0
    assert last_nodes(tree, np.array([[2.0, 0.0]])).tolist() == [3]
    assert last_nodes(tree, np.array([[np.nextafter(2.0, 3.0), 0.0]])).tolist() == [4]


def test_thresholds_from_the_data_are_the_largest_value_up_to_the_middle():
    X, y, categorical = mixed_table(600, seed=7)
    told = rules_for("entropy", "multiway", "fraction")
    middle = grown(X, y, categorical=categorical, **told)
    data = grown(X, y, categorical=categorical, threshold="data", **told)
    np.testing.assert_array_equal(middle.feature, data.feature)
    assert np.isfinite(middle.threshold).sum() > 20
    for node in np.flatnonzero(np.isfinite(middle.threshold)):
        values = np.unique(X[:, middle.feature[node]])
        slack = 1e-9 * abs(middle.threshold[node])
        assert data.threshold[node] == values[values <= middle.threshold[node] + slack].max()


# What was not there in learning


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("policy", MISSING_POLICIES)
def test_missing_cells_that_were_never_missing_go_to_the_larger_child(criterion, policy):
    X, y, categorical = mixed_table(600, seed=8, missing=0)
    tree = grown(X, y, categorical=categorical, **rules_for(criterion, "subset", policy))
    inner = np.flatnonzero(~tree.is_leaf)
    for node in inner:
        sizes = tree.weight[tree.children(node)]
        assert sizes[tree.missing_child[node]] == sizes.max()
        assert tree.missing_child[node] == np.argmax(sizes)
    assert (tree.missing_child[tree.is_leaf] == -1).all()
    node = 0
    while not tree.is_leaf[node]:
        node = tree.children(node)[tree.missing_child[node]]
    if policy != "fraction":
        assert last_nodes(tree, np.full((1, 7), NAN)).tolist() == [node]


@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
@pytest.mark.parametrize("code", [-1.0, 4.0, 40.0, 1e9, -1e9, 1e300])
def test_a_level_that_was_not_there_stops_at_the_node(categories, code):
    codes = np.repeat([0.0, 1.0, 3.0], 4)[:, None]  # level 2 is known to the table only
    tree = grown(codes, [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2], categorical=[0], categories=categories)
    for unseen in (code, 2.0):
        assert last_nodes(tree, np.array([[unseen]])).tolist() == [0]
        spread = native.spread_over_tree(np.array([[unseen]]), tree.arrays(), tree.weight, tree.value, 1)
        np.testing.assert_array_equal(spread, tree.value[:1])
    assert (last_nodes(tree, codes) > 0).all()


def test_a_level_that_was_not_there_stops_below_too():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 2.0], [1.0, 2.0]])
    tree = grown(X, [0, 1, 2, 2], categorical=[1], categories="multiway", max_depth=5)
    below = grown(X[:, [0, 1]], [0, 1, 2, 2], categorical=[1], categories="one_level")
    assert last_nodes(tree, np.array([[0.0, -1.0]])).tolist() == [0]
    assert below.feature[0] == 0
    assert last_nodes(below, np.array([[0.0, 2.0], [0.0, -1.0]])).tolist() == [1, 1]


# What may not change a tree


@pytest.mark.parametrize(("criterion", "categories", "policy"), GROWN_BY)
@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_grows_the_same_tree(criterion, categories, policy, threads):
    X, y, categorical = mixed_table(600, seed=9)
    told = rules_for(criterion, categories, policy)
    one = grown(X, y, categorical=categorical, **told)
    assert_same_tree(grown(X, y, categorical=categorical, threads=threads, **told), one)


@pytest.mark.parametrize("policy", ["direction", "surrogate"])
@pytest.mark.parametrize("limit", [{}, {"max_leaves": 40}, {"max_features": 3, "seed": 5}])
def test_any_number_of_threads_grows_the_same_large_tree(policy, limit):
    """More than 4096 rows: the top of the tree is grown by all threads, the rest side by side."""
    X, y, categorical = mixed_table(12_000, seed=10)
    told = {**rules_for("gini", "subset", policy), "min_cases_leaf": 20.0, **limit}
    one = grown(X, y, categorical=categorical, **told)
    for threads in (2, 5):
        assert_same_tree(grown(X, y, categorical=categorical, threads=threads, **told), one)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_grows_the_same_tree(layout):
    X, y, categorical = mixed_table(600, seed=11)
    X = X.astype(np.float32).astype(np.float64)
    wanted = grown(X, y, categorical=categorical, criterion="entropy")
    for other in (LAYOUTS[layout](X), LAYOUTS[layout](X.astype(np.float32))):
        assert_same_tree(grown(other, y, categorical=categorical, criterion="entropy"), wanted)


@pytest.mark.parametrize(("criterion", "categories", "policy"), GROWN_BY)
def test_whole_weights_are_repeated_rows(criterion, categories, policy):
    X, y, categorical = mixed_table(300, seed=12)
    if categories == "subset" and criterion == "absolute_error":
        categorical = []
    random = np.random.default_rng(4)
    counts = random.integers(1, 4, len(X))
    y = y + random.integers(0, 64, len(X)) / 64 if criterion in NUMBERS else y  # adds up without rounding
    told = rules_for(criterion, categories, policy)
    weights = counts.astype(np.float64)
    weighted = grown(X, y, categorical=categorical, weights=weights, cases=weights, **told)
    repeated = grown(np.repeat(X, counts, axis=0), np.repeat(y, counts), categorical=categorical, **told)
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_array_equal(weighted.threshold, repeated.threshold)
    np.testing.assert_array_equal(weighted.level_child, repeated.level_child)
    np.testing.assert_allclose(weighted.value, repeated.value, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(weighted.cases, repeated.cases, rtol=1e-9)
    np.testing.assert_allclose(weighted.gain, repeated.gain, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("policy", ["direction", "own_branch", "surrogate"])
@pytest.mark.parametrize("criterion", [c for c in CRITERIA if c not in NUMBERS])
def test_the_order_of_rows_changes_nothing(criterion, policy):
    X, y, categorical = mixed_table(700, seed=13)
    told = rules_for(criterion, "subset", policy)
    order = np.random.default_rng(5).permutation(len(X))
    one, other = (grown(X[o], y[o], categorical=categorical, **told) for o in (np.arange(len(X)), order))
    assert_same_tree(one, other)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_tree_of_some_rows_is_that_of_a_table_of_them(criterion):
    X, y, categorical = mixed_table(900, seed=14)
    random = np.random.default_rng(6)
    table = table_of(X, categorical)
    for policy in MISSING_POLICIES:
        rules = GrowthRules(**rules_for(criterion, "one_level", policy))
        for rows in (
            np.sort(random.choice(900, 500, replace=False)),
            random.permutation(900)[:300],
            random.integers(0, 900, 900),  # drawn with replacement
            np.array([5, 5, 5]),
        ):
            some = table.grow(target_of(y, criterion), rules, 1, rows=rows)
            target = target_of(y[rows], criterion, classes=3)
            alone = table_of(X[rows], categorical, levels=40).grow(target, rules, 1)
            np.testing.assert_array_equal(some.feature, alone.feature)
            np.testing.assert_array_equal(some.threshold, alone.threshold)
            np.testing.assert_allclose(some.gain, alone.gain, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(some.value, alone.value, rtol=1e-12, atol=1e-12)
            np.testing.assert_array_equal(last_nodes(some, X), last_nodes(alone, X))


@given(st.integers(0, 10_000), st.sampled_from(CRITERIA), st.sampled_from([-3.0, 0.25, 2.0, 1024.0]))
def test_an_increasing_change_of_scale_changes_no_split(seed, criterion, scale):
    X, y, _ = mixed_table(40, seed=seed, missing=0)
    X = X[:, :3]
    one, other = grown(X, y, criterion=criterion), grown(abs(scale) * X + 8, y, criterion=criterion)
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.gain, other.gain)


# Depth, and time


@pytest.fixture(scope="module")
def chain():
    """Classes that alternate along a line: every cut takes a single row off an end."""
    X = np.arange(10_500.0)[:, None]
    return X, grown(X, np.arange(len(X)) % 2)


def test_a_chain_of_ten_thousand_levels_grows(chain):
    X, tree = chain
    assert tree.depth[-1] > 10_000
    assert tree.leaf_count == len(X)
    assert (tree.risk[tree.is_leaf] == 0).all()
    assert (tree.child_count[~tree.is_leaf] == 2).all()
    nodes = last_nodes(tree, X)
    assert (tree.value[nodes].argmax(axis=1) == np.arange(len(X)) % 2).all()


def test_a_chain_of_ten_thousand_levels_is_cut(chain):
    X, tree = chain
    depth, parent = tree.depth, tree.parent
    assert parent[0] == -1
    assert (depth[1:] == depth[parent[1:]] + 1).all()
    started = time.perf_counter()
    cut = tree.cut_at(depth == 5000)
    assert time.perf_counter() - started < 2
    assert cut.depth[-1] == 5000
    assert len(cut) == (depth <= 5000).sum()
    np.testing.assert_array_equal(cut.value, tree.value[depth <= 5000])
    kept = last_nodes(cut, X)
    np.testing.assert_array_equal(np.bincount(kept, minlength=len(cut))[cut.is_leaf], cut.cases[cut.is_leaf])
    assert len(tree.cut_at(np.ones(len(tree), dtype=bool))) == 1
    assert_same_tree(tree.cut_at(np.zeros(len(tree), dtype=bool)), tree)


def test_a_row_goes_through_ten_thousand_levels_in_parts(chain):
    _, tree = chain
    shares = tree.value / tree.weight[:, None]
    rows = np.array([[0.0], [10_499.0], [NAN]])
    found = native.spread_over_tree(rows, tree.arrays(), tree.weight, shares, 1)
    np.testing.assert_allclose(found, [[1, 0], [0, 1], [0.5, 0.5]], rtol=1e-9)


@pytest.mark.parametrize("policy", ["direction", "surrogate", "fraction"])
def test_cutting_keeps_what_is_above(policy):
    X, y, categorical = mixed_table(500, seed=15)
    tree = grown(X, y, categorical=categorical, **rules_for("gini", "subset", policy))
    random = np.random.default_rng(7)
    for share in (0.05, 0.3, 1.0):
        collapsed = random.random(len(tree)) < share
        cut, nodes = tree.cut_at(collapsed), last_nodes(tree, X)
        stopped = {}  # where each row would stop in the whole tree
        for rows, on_path in paths(tree, nodes):
            stopped |= {
                row: node
                for row, node in zip(rows.tolist(), on_path.tolist(), strict=True)
                if collapsed[node] or row not in stopped
            }
        wanted = tree.value[[stopped[row] for row in range(len(X))]]
        np.testing.assert_array_equal(cut.value[last_nodes(cut, X)], wanted)


@pytest.mark.parametrize(
    ("policy", "threads"), [("direction", 1), ("direction", 2), ("surrogate", 1), ("fraction", 1)]
)
def test_ctrl_c_stops_growing(policy, threads):
    random = np.random.default_rng(0)
    X, y = random.random((200_000, 20)), random.integers(0, 2, 200_000)
    X[0] = NAN
    table = TreeTable.of(X, np.zeros(20, dtype=bool), np.zeros(20, dtype=np.int64), 2)
    rules = GrowthRules(missing=policy, max_surrogates=5 if policy == "surrogate" else 0)
    assert seconds_until_interrupted(lambda: table.grow(target_of(y), rules, threads)) < 1.0
    assert len(table.grow(target_of(y), GrowthRules(max_depth=1), threads)) == 3
