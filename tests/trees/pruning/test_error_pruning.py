"""C4.5's error-based pruning: estimates, replacement, raising."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine, make_classification

from classica import DecisionTreeClassifier
from classica.errors import ParameterError
from classica.native.trees import apply_tree
from classica.trees.growing.growth import Target
from classica.trees.pruning.error_pruning import ErrorRules, collapsed, error_pruned
from tests.reference import pruning
from tests.trees.made import chain, random_tree, tree_of

pytestmark = pytest.mark.native


def pruned(tree, X, codes, **rules):
    target = Target(np.asarray(codes, dtype=np.int32), tree.value.shape[1])
    X = np.asarray(X, dtype=float)
    return error_pruned(tree, X, target, ErrorRules(**rules))


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
@pytest.mark.parametrize("most", [2, 5])
@pytest.mark.parametrize("seed", range(10))
def test_replacement_equals_the_reference(seed, most, confidence):
    tree = random_tree(np.random.default_rng(seed), 60, most)
    kept = collapsed(tree)
    expected = pruning.replaced(kept.first_child, kept.child_count, kept.value, confidence)
    found = pruned(tree, np.zeros((1, 1)), [0], confidence=confidence, raising=False)
    assert len(found) == len(kept.cut_at(expected))
    np.testing.assert_array_equal(found.value, kept.cut_at(expected).value)


def test_fractions_of_cases_are_estimated_on_a_line():
    # Half a case: between none and one error. At a confidence of 0.25, of two cases one error too many.
    tree = tree_of([2, 0, 0], [[9.5, 3.5], [9.5, 0.5], [0.0, 3.0]])
    expected = pruning.replaced(tree.first_child, tree.child_count, tree.value, 0.25)
    found = pruned(tree, np.zeros((1, 1)), [0], raising=False)
    assert found.leaf_count == (1 if expected[0] else 2)


def test_splits_that_correct_no_error_collapse_first():
    tree = tree_of([2, 2, 0, 0, 0], [[5.0, 3.0], [5.0, 1.0], [0.0, 2.0], [4.0, 0.0], [1.0, 1.0]])
    assert collapsed(tree).child_count.tolist() == [2, 0, 0]
    assert collapsed(tree).value.tolist() == [[5, 3], [5, 1], [0, 2]]


# A split of few rows above a good one: the good one takes its place.

LOW = [(0.0, 5.0, 1), (0.0, 6.0, 0)]  # rows of the first branch: value of column 0, of column 1, class
HIGH = [(1.0, 2.0, 0)] * 12 + [(1.0, 8.0, 1)] * 12


def raising_case():
    rows = LOW + HIGH
    X, codes = np.array([row[:2] for row in rows]), [row[2] for row in rows]
    value = [[13, 13], [1, 1], [12, 12], [12, 0], [0, 12]]
    return (
        tree_of([2, 0, 2, 0, 0], value, feature=[0, -1, 1, -1, -1], threshold=[0.5, 0, 4.0, 0, 0]),
        X,
        codes,
    )


def test_the_largest_branch_is_raised_and_counted_anew():
    tree, X, codes = raising_case()
    found = pruned(tree, X, codes)
    assert found.feature.tolist() == [1, -1, -1]
    assert found.threshold[0] == 4.0
    # Both rows of the small branch have large values in column 1.
    assert found.value.tolist() == [[13, 13], [12, 0], [1, 13]]
    assert found.cases.tolist() == [26, 12, 14]
    assert found.risk.tolist() == [13, 0, 1]
    assert pruned(tree, X, codes, raising=False).feature.tolist() == [0, -1, 1, -1, -1]


def raised_levels(categories):
    """Return what becomes of a branch on levels 0 to 2 when rows of level 3 join it."""
    X = np.array([(0.0, 3.0)] * 2 + [(1.0, 0.0)] * 12 + [(1.0, 1.0)] * 12 + [(1.0, 2.0)] * 10)
    codes = [0, 1] + [0] * 12 + [1] * 12 + [0] * 10
    if categories == "multiway":
        shape, levels = [2, 0, 3, 0, 0, 0], [[], [], [0, 1, 2, -1], [], [], []]
        value = [[23, 13], [1, 1], [22, 12], [12, 0], [0, 12], [10, 0]]
    else:
        shape, levels = [2, 0, 2, 0, 0], [[], [], [1, 0, 1, -1], [], []]
        value = [[23, 13], [1, 1], [22, 12], [0, 12], [22, 0]]
    tree = tree_of(
        shape, value, [0, -1, 1, *[-1] * (len(shape) - 3)], [0.5, 0, np.nan] + [0] * (len(shape) - 3), levels
    )
    return pruned(tree, X, codes, categories=categories), X


def test_a_level_new_to_a_raised_branch_becomes_a_leaf():
    found, X = raised_levels("multiway")
    assert found.feature.tolist() == [1, -1, -1, -1, -1]
    assert found.levels_of(0).tolist() == [0, 1, 2, 3]
    assert found.value.tolist() == [[23, 13], [12, 0], [0, 12], [10, 0], [1, 1]]
    assert np.bincount(apply_tree(X, found.arrays(), 1)).tolist() == [0, 12, 12, 10, 2]


@pytest.mark.parametrize("categories", ["one_level", "subset"])
def test_a_level_new_to_one_of_two_sets_joins_the_others(categories):
    found, _ = raised_levels(categories)
    assert found.levels_of(0).tolist() == [1, 0, 1, 1]
    assert found.value.tolist() == [[23, 13], [0, 12], [23, 1]]


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
@pytest.mark.parametrize("raising", [False, True])
def test_counts_are_those_of_the_rows(missing, raising):
    random = np.random.default_rng(0)
    X, y = make_classification(400, 6, n_informative=3, flip_y=0.3, random_state=0)
    X[random.random(X.shape) < 0.1] = np.nan
    model = DecisionTreeClassifier(
        missing=missing, min_samples_leaf=3, prune="error", raising=raising, max_surrogates=2
    ).fit(X, y)
    tree = model.tree_
    assert 1 < len(tree) < len(model.grown_tree_)
    np.testing.assert_allclose(tree.value[0], np.bincount(y))
    for node in np.flatnonzero(~tree.is_leaf):
        children = tree.children(node)
        np.testing.assert_allclose(tree.value[children].sum(axis=0), tree.value[node])
        np.testing.assert_allclose(tree.cases[children].sum(), tree.cases[node])
    np.testing.assert_allclose(tree.risk, tree.weight - tree.value.max(axis=1))
    if missing in ("direction", "own_branch"):  # every row ends in one leaf, the one it was counted in
        last = np.bincount(model.apply(X), minlength=len(tree))
        np.testing.assert_array_equal(last[tree.is_leaf], tree.cases[tree.is_leaf])


def test_nothing_is_raised_to_a_leaf_that_is_worse():
    X, y = load_breast_cancer(return_X_y=True)
    sizes = [
        DecisionTreeClassifier(prune="error", confidence=confidence).fit(X, y).get_n_leaves()
        for confidence in (0.01, 0.1, 0.25, 0.5)
    ]
    assert sizes == sorted(sizes)
    assert 1 < sizes[0] < sizes[-1]


def test_weights_are_rows_repeated():
    X, y = load_wine(return_X_y=True)
    y = np.where(np.random.default_rng(1).random(len(y)) < 0.2, 2, y)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    settings = {"min_samples_leaf": 3, "prune": "error"}
    weighted = DecisionTreeClassifier(**settings).fit(X, y, weights).tree_
    repeated = (
        DecisionTreeClassifier(**settings).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).tree_
    )
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_allclose(weighted.value, repeated.value)
    np.testing.assert_allclose(weighted.cases, repeated.cases)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layouts_make_no_difference(dtype):
    X, y = make_classification(300, 5, flip_y=0.2, random_state=1)
    X = X.astype(np.float32).astype(dtype)
    first = DecisionTreeClassifier(prune="error").fit(X, y).tree_
    second = DecisionTreeClassifier(prune="error").fit(np.asfortranarray(X), y).tree_
    np.testing.assert_array_equal(first.threshold, second.threshold)
    np.testing.assert_array_equal(first.value, second.value)


@pytest.mark.parametrize("raising", [False, True])
def test_ten_thousand_levels(raising):
    tree, X, codes = chain(10_000, rows_each=2)
    assert len(pruned(tree, X, codes, raising=raising)) == len(tree)
    one_each, X, codes = chain(10_000)
    assert len(pruned(one_each, X, codes, raising=raising)) == 1


@pytest.mark.parametrize("confidence", [0, 0.6, "low"])
def test_confidence_outside_its_range_is_refused(confidence):
    with pytest.raises(ParameterError, match=r"confidence must be a number above 0 of at most 0.5"):
        DecisionTreeClassifier(prune="error", confidence=confidence).fit([[0.0], [1.0]], [0, 1])
