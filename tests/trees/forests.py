"""Short ways to grow a forest, and to see that it is a list of trees."""

import numpy as np

from classica.samples import Samples
from classica.trees.growing.growth import CATEGORY_SPLITS, MISSING_POLICIES, GrowthRules
from tests.trees.growing.growing import NUMBERS, mixed_table, table_of, target_of

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
        missing_child = np.where(cut, nodes["question"] >> 30, tree.missing_child)
        for node in np.flatnonzero(is_category):
            start, levels = nodes["limit"][node : node + 1].view(np.uint32)
            *told, missing_child[node] = forest.level_child[start : start + levels + 1]
            np.testing.assert_array_equal(told, tree.levels_of(node))
        assert_same_children(forest, tree, inner, missing_child)
        leaf = nodes[tree.is_leaf]
        if forest.holds_numbers:
            np.testing.assert_allclose(leaf["limit"], tree.value[tree.is_leaf, 0], rtol=1e-12, atol=1e-12)
        else:
            shares = tree.value[tree.is_leaf] + smoothing
            shares /= shares.sum(axis=1, keepdims=True)
            np.testing.assert_allclose(forest.values[~leaf["first_child"]], shares, rtol=1e-14, atol=0)


def assert_same_children(forest, tree, inner, missing_child):
    """Assert where missing cells go; if everywhere, that is a child of most weight, of equal ones any."""
    found, wanted = missing_child[inner], tree.missing_child[inner]
    if len(forest.weight):
        first = tree.first_child[inner]
        np.testing.assert_allclose(tree.weight[first + found], tree.weight[first + wanted], rtol=1e-12)
    else:
        np.testing.assert_array_equal(found, wanted)
