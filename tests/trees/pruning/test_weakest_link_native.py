"""Weakest links: equal to the reference, and the smallest of the best trees at every alpha."""

import itertools

import numpy as np
import pytest

from classica.native.pruned_trees import weakest_links
from classica.trees.pruning.pruning_path import RISKS, node_risks, pruning_path
from tests.reference import pruning
from tests.trees.made import chain, random_tree, tree_of

pytestmark = pytest.mark.native


def links(tree, risk):
    return weakest_links(tree.first_child, tree.child_count, np.asarray(risk, dtype=float))


@pytest.mark.parametrize("most", [2, 5])
@pytest.mark.parametrize("seed", range(20))
def test_links_equal_the_reference(seed, most):
    random = np.random.default_rng(seed)
    tree = random_tree(random, int(random.integers(1, 60)), most)
    for by in RISKS:
        risk = node_risks(tree, by)
        expected = pruning.weakest_links(tree.first_child, tree.child_count, risk)
        np.testing.assert_allclose(links(tree, risk), expected, rtol=1e-9, atol=1e-11)


def subtrees(tree, node=0):
    """Yield the leaves of every tree that pruning below a node can leave."""
    yield [node]
    if not tree.is_leaf[node]:
        for parts in itertools.product(*(list(subtrees(tree, child)) for child in tree.children(node))):
            yield [leaf for part in parts for leaf in part]


@pytest.mark.parametrize("seed", range(20))
def test_the_tree_at_alpha_is_the_smallest_that_minimises(seed):
    tree = random_tree(np.random.default_rng(seed), 6, most=3)
    path = pruning_path(tree)
    every = [(tree.risk[leaves].sum() / tree.weight[0], len(leaves)) for leaves in subtrees(tree)]
    between = (path.alphas[:-1] + path.alphas[1:]) / 2
    for alpha in [*path.alphas, *between, path.alphas[-1] + 1]:
        cost, leaves = min((round(risk + alpha * leaves, 12), leaves) for risk, leaves in every)
        kept = tree.cut_at(path.collapsed(alpha))
        found = kept.risk[kept.is_leaf].sum() / tree.weight[0] + alpha * kept.leaf_count
        assert kept.leaf_count == leaves
        assert found == pytest.approx(cost, abs=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_path_tells_what_the_trees_are(seed):
    tree = random_tree(np.random.default_rng(seed), 40, most=4)
    path = pruning_path(tree, "gini")
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (path.node_alpha[1:] <= path.node_alpha[tree.parent[1:]]).all()
    for alpha, leaves, risk in zip(path.alphas, path.leaves, path.risks, strict=True):
        kept = tree.cut_at(path.collapsed(alpha))
        assert kept.leaf_count == leaves
        assert node_risks(kept, "gini")[kept.is_leaf].sum() / tree.weight[0] == pytest.approx(risk)
    assert path.leaves[-1] == 1


def test_a_root_alone():
    path = pruning_path(tree_of([0], [[3.0, 1.0]]))
    assert path.alphas.tolist() == [0]
    assert path.leaves.tolist() == [1]
    assert path.risks.tolist() == [0.25]


def test_splits_that_lower_no_risk_go_first():
    tree = tree_of([2, 2, 0, 0, 0], [[5.0, 3.0], [5.0, 1.0], [0.0, 2.0], [4.0, 0.0], [1.0, 1.0]])
    path = pruning_path(tree)
    assert path.node_alpha.tolist() == [0.25, 0, 0, 0, 0]
    assert path.leaves.tolist() == [2, 1]


def test_equal_alphas_make_one_step():
    # Sums of 0.1 and 0.2 differ from 0.3 by rounding; in exact arithmetic both branches weigh the same.
    tree = tree_of([2, 2, 2, 0, 0, 0, 0], np.ones((7, 1)))
    risk = np.array([0.9, 0.3, 0.1 + 0.2, 0.1, 0.1, 0.2 - 0.1, 0.1])
    assert 0.3 != 0.1 + 0.2
    alphas = links(tree, risk)
    assert alphas[1] == alphas[2] == pytest.approx(0.1)
    assert alphas[0] == pytest.approx(0.3)


def test_a_parent_weaker_than_its_child_takes_it_along():
    # The lower split alone is worth 3, both together 2 each: they go at once.
    tree = tree_of([2, 0, 2, 0, 0], np.ones((5, 1)))
    assert links(tree, [4, 0, 3, 0, 0]).tolist() == [2, 0, 2, 0, 0]


def test_ten_thousand_levels():
    tree, _, _ = chain(10_000, rows_each=2)
    path = pruning_path(tree)
    # Every level but the last halves what can be won: all links are equally weak.
    assert path.alphas.tolist() == pytest.approx([0, 2 / tree.weight[0] * 5000 / 10_000])
    assert path.leaves.tolist() == [10_001, 1]
    assert pruning_path(tree, "entropy").leaves[-1] == 1


@pytest.mark.parametrize("broken", [[0, -1, -1], [2, -1, -1], [-1, -1, -1]])
def test_children_must_lie_behind_their_parent(broken):
    first = np.array(broken, dtype=np.int32)
    with pytest.raises(ValueError, match="must lie behind"):
        weakest_links(first, np.array([2, 0, 0], dtype=np.int32), np.zeros(3))
