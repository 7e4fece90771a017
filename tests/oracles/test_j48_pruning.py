"""Error-based pruning against WEKA's J48: the same trees, node by node."""

import functools

import pytest

from classica.native.trees import spread_over_tree
from classica.trees.pruning.error_pruning import ErrorRules, collapsed, error_pruned
from tests.oracles import j48

#: Least cases in a branch, category splits, and how the tree is pruned; None: collapsed only.
VARIANTS = {
    "default": (2, "multiway", ErrorRules()),
    "no_raising": (2, "multiway", ErrorRules(raising=False)),
    "C0.05_M5": (5, "multiway", ErrorRules(confidence=0.05)),
    "binary": (2, "one_level", ErrorRules(categories="one_level")),
    "unpruned": (2, "multiway", None),
    "unpruned_M1": (1, "multiway", None),
    "binary_unpruned": (2, "one_level", None),
}
CASES = [
    (name, variant) for name in j48.NAMES for variant in VARIANTS if variant in j48.ORACLES[name]["trees"]
]


@functools.cache
def pruned(name, variant):
    least, categories, rules = VARIANTS[variant]
    tree = j48.grown(name, least, categories)
    if rules is None:
        return collapsed(tree)
    X, _, target = j48.table(name)
    return error_pruned(tree, X, target, rules)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_trees_are_those_of_j48(name, variant):
    tree, categories = pruned(name, variant), VARIANTS[variant][1]
    oracle = j48.ORACLES[name]["trees"][variant]
    assert j48.differences(name, tree, variant, categories) == []
    assert j48.counts(tree, categories) == (oracle["leaves"], oracle["size"])


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_training_errors_are_those_of_j48(name, variant):
    tree, (X, _, target) = pruned(name, variant), j48.table(name)
    shares = tree.value / tree.weight[:, None]
    predicted = spread_over_tree(X, tree.arrays(), tree.weight, shares, 1).argmax(axis=1)
    assert (predicted != target.codes).sum() == j48.ORACLES[name]["trees"][variant]["errors"]
