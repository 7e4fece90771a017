"""Forests: equal to trees grown one by one, and the same for any number of threads."""

from dataclasses import replace

import numpy as np
import pytest

from classica.native import forests as native
from classica.trees.growing.forest import grow_forest
from classica.trees.growing.growth import CRITERIA, MISSING_POLICIES, Target
from tests.reference import tree_list as reference
from tests.test_pool import seconds_until_interrupted
from tests.trees.forests import (
    LEVELS,
    POLICIES,
    assert_same_trees,
    learned_table,
    rules_of,
    samples_of,
)
from tests.trees.growing.growing import plain_table, table_of, target_of

pytestmark = pytest.mark.native

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
    numbers, rules = Target(values=y.astype(np.float64)), rules_of(criterion="squared_error")
    with pytest.raises(ValueError, match="only classes can be balanced"):
        grow_forest(table, numbers, rules, 1, samples, 1, balances_samples=True)
    with pytest.raises(ValueError, match="samples must be numbers of rows"):
        grow_forest(table, target_of(y), rules_of(), 1, samples_of(31), 1)
