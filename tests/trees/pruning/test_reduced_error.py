"""Reduced-error pruning: nothing that can be cut loses as little on the rows held out."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, make_classification

from classica import DecisionTreeClassifier
from classica.errors import ParameterError
from classica.native.trees import apply_tree
from classica.trees.pruning.from_leaves import leaf_sums, worth_no_split
from classica.trees.pruning.held_out_losses import reduced_error_pruned
from classica.trees.pruning.row_folds import cases_held_out
from tests.trees.made import chain, random_tree, task_of


def subtrees(tree, node=0):
    yield [node]
    if not tree.is_leaf[node]:
        for parts in itertools.product(*(list(subtrees(tree, child)) for child in tree.children(node))):
            yield [leaf for part in parts for leaf in part]


@pytest.mark.parametrize("seed", range(20))
def test_the_smallest_tree_of_least_loss_is_kept(seed):
    random = np.random.default_rng(seed)
    tree = random_tree(random, 6, most=3)
    losses = random.integers(0, 4, len(tree)).astype(float)
    least = min((losses[leaves].sum(), len(leaves)) for leaves in subtrees(tree))
    kept = worth_no_split(tree, losses, np.zeros(len(tree)))
    leaves = np.flatnonzero(kept)
    # Of the nodes that are leaves, those below others do not count.
    parent = tree.parent
    ends = [k for k in leaves if not any(kept[a] for a in ancestors(parent, k))]
    assert (losses[ends].sum(), len(ends)) == least


def ancestors(parent, node):
    while parent[node] >= 0:
        node = parent[node]
        yield node


def test_rows_that_go_no_further_count_in_both():
    tree = random_tree(np.random.default_rng(0), 1)
    losses = np.array([3.0, 1.0, 1.0])
    assert worth_no_split(tree, losses, np.zeros(3)).tolist() == [False, True, True]
    assert worth_no_split(tree, losses, np.array([1.0, 0, 0])).tolist() == [True, True, True]


def test_sums_over_leaves():
    tree = random_tree(np.random.default_rng(0), 30, most=4)
    sums = leaf_sums(tree, np.ones(len(tree)))
    assert sums[0] == tree.leaf_count
    np.testing.assert_array_equal(sums[tree.is_leaf], 1)
    deep, _, _ = chain(10_000)
    assert leaf_sums(deep, np.ones(len(deep)))[0] == 10_001


def brute_force(tree, X, codes):
    """Return which nodes are leaves, deciding one node after the other from the leaves up."""
    collapsed = tree.is_leaf.copy()
    for node in range(len(tree) - 1, -1, -1):
        before = loss_of(tree, collapsed, X, codes)
        trial = collapsed.copy()
        trial[node] = True
        if loss_of(tree, trial, X, codes) <= before:
            collapsed = trial
    return tree.cut_at(collapsed)


def loss_of(tree, collapsed, X, codes):
    kept = tree.cut_at(collapsed)
    return (kept.value[apply_tree(X, kept.arrays(), 1)].argmax(axis=1) != codes).sum()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("categories", [False, True])
def test_the_estimator_decides_from_the_leaves_up(categories, weighted):
    X, y = make_classification(300, 5, n_informative=3, flip_y=0.2, random_state=0)
    X, y = X.round(1), y.astype(np.int32)
    settings = {"prune": "reduced", "random_state": 0}
    if categories:  # many levels: some held-out rows have one that their node has not
        X[:, 0] = np.random.default_rng(0).integers(0, 40, len(X))
        settings |= {"categories": "multiway", "categorical_features": [0]}
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float) if weighted else None
    model = DecisionTreeClassifier(**settings).fit(X, y, weights)
    task, cases = task_of(model._query(X), y, weights=weights).case_by_case()
    kept, out = cases_held_out(task, cases, 1 / 3, 0)
    grown_on = DecisionTreeClassifier(**{**settings, "prune": None}).fit(X[kept], y[kept])
    np.testing.assert_array_equal(model.grown_tree_.value, grown_on.tree_.value)
    expected = brute_force(model.grown_tree_, task.X[out], y[out])
    np.testing.assert_array_equal(model.tree_.value, expected.value)
    assert 1 < len(model.tree_) < len(model.grown_tree_)


def test_no_row_held_out_is_in_favour_of_no_split():
    model = DecisionTreeClassifier(prune="reduced", random_state=0).fit([[0.0], [1.0]], [0, 1])
    assert model.grown_tree_.leaf_count == 2
    assert model.get_n_leaves() == 1


def test_share_of_rows_held_out():
    X, y = make_classification(300, 5, random_state=0)
    y = np.arange(300) % 3
    few = DecisionTreeClassifier(prune="reduced", held_out=0.1, random_state=0).fit(X, y)
    many = DecisionTreeClassifier(prune="reduced", held_out=0.5, random_state=0).fit(X, y)
    assert few.grown_tree_.cases[0] == 270
    assert many.grown_tree_.cases[0] == 150
    with pytest.raises(ParameterError, match=r"held_out must be a number above 0 of at most 0.9, got 1"):
        DecisionTreeClassifier(held_out=1).fit(X, y)


def test_regression_trees_lose_deviations():
    X, y = load_diabetes(return_X_y=True)
    task = task_of(X, values=y, criterion="squared_error")
    grown, judges = task.grow(np.arange(300)), np.arange(300, len(X))
    kept = reduced_error_pruned(grown, task, judges)

    def loss(tree):
        return np.square(tree.value[apply_tree(X[judges], tree.arrays(), 1), 0] - y[judges]).sum()

    assert 1 < kept.leaf_count < grown.leaf_count / 5
    assert loss(kept) < loss(grown)
    for node in np.flatnonzero(~kept.is_leaf):  # no split of the rest can go
        assert loss(kept.cut_at(np.arange(len(kept)) == node)) > loss(kept)
