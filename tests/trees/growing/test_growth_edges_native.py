"""Growing where it is easy to go wrong: scales, weights, missing cells, very many branches, bad arrays."""

import itertools
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import pytest

from classica import DecisionTreeClassifier
from classica.errors import DataError, ParameterError
from classica.trees.growing.growth import CATEGORY_SPLITS, CRITERIA, MISSING_POLICIES, GrowthRules
from tests.reference import tree_reference as reference
from tests.test_pool import seconds_until_interrupted
from tests.trees.growing.growing import (
    NAN,
    NUMBERS,
    grown,
    last_nodes,
    mixed_table,
    plain_table,
    table_of,
    target_of,
)

pytestmark = pytest.mark.native

CLASSES = [criterion for criterion in CRITERIA if criterion not in NUMBERS]


def ends_well(script):
    """Run a script in a process of its own, which may die, and return whether it did not."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    return done.returncode == 0


# Surrogates


def test_divisions_into_many_have_no_surrogates():
    with pytest.raises(
        ParameterError, match=r"^missing must be other than 'surrogate', which .* got 'surrogate'\.$"
    ):
        DecisionTreeClassifier(categories="multiway", missing="surrogate").fit([[0.0], [1.0]], [0, 1])


def test_a_row_follows_a_surrogate_the_same_way_in_learning_and_after():
    """The last row misses the first column; in the second, its 4 is a value like any other: so cuts rpart."""
    X = np.array([[0, 1], [0, 1.5], [0, 2], [0, 3], [1, 1], [1, 10], [1, 11], [1, 12], [1, 13], [NAN, 4]])
    y = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0]
    tree = grown(X, y, missing="surrogate", max_surrogates=1, max_depth=1)
    assert tree.feature.tolist() == [0, -1, -1]
    assert tree.surrogates.threshold.tolist() == [3.5]
    assert np.bincount(last_nodes(tree, X), minlength=3)[1:].tolist() == tree.cases[1:].tolist()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_training_rows_with_surrogates_end_where_they_were_counted(criterion):
    X, y, categorical = mixed_table(800, seed=4, missing=0.2)
    told = {"criterion": criterion, "missing": "surrogate", "max_surrogates": 3, "min_cases_leaf": 3.0}
    tree = grown(X, y, categorical=categorical, **told)
    leaves = np.flatnonzero(tree.is_leaf)
    ended = np.bincount(last_nodes(tree, X), minlength=len(tree))
    np.testing.assert_array_equal(ended[leaves], tree.cases[leaves])


# Scales


@pytest.mark.parametrize("criterion", NUMBERS)
@pytest.mark.parametrize("power", [-60, -40, -30, 30, 60])
def test_the_unit_of_the_target_changes_nothing(criterion, power):
    """A power of two scales all sums without rounding."""
    X, _ = plain_table(rows=120)
    y = np.where(X[:, 1] > 0.2, 3.0, 0.0) + np.random.default_rng(0).random(120)
    one = grown(X, y, criterion=criterion, min_cases_leaf=5.0)
    other = grown(X, y * 2.0**power, criterion=criterion, min_cases_leaf=5.0)
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)
    factor = 2.0 ** (2 * power if criterion == "squared_error" else power)
    np.testing.assert_array_equal(one.gain * factor, other.gain)


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("power", [-40, 20, 40])
def test_the_unit_of_the_weights_changes_nothing(criterion, power):
    X, y = plain_table(rows=120)
    weights = np.full(120, 2.0**power)
    one = grown(X, y, criterion=criterion, min_cases_leaf=5.0)
    other = grown(X, y, criterion=criterion, weights=weights, min_cases_leaf=5.0)
    np.testing.assert_array_equal(one.feature, other.feature)
    np.testing.assert_array_equal(one.threshold, other.threshold)


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("rows", [10, 1000])
def test_a_perfect_split_gains_enough_for_any_number_of_rows(criterion, rows):
    X = np.repeat([0.0, 1.0], rows)[:, None]
    model = DecisionTreeClassifier(criterion, min_impurity_decrease=0.01).fit(X, X[:, 0])
    assert model.get_n_leaves() == 2


# Weights


def assert_gain_is_that_of_the_split(X, y, weights, **rules):
    tree = grown(X, y, weights=weights, max_depth=1, **rules)
    branch = last_nodes(tree, X) - 1
    wanted = reference.gain(rules.get("criterion", "gini"), y, weights, branch) if len(tree) > 1 else 0.0
    assert tree.gain[0] == pytest.approx(float(wanted), rel=1e-9, abs=1e-9 * weights.sum())


@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error"])
def test_what_is_left_of_a_side_without_rows_counts_for_nothing(criterion):
    """Known cells go left, missing ones into their own branch: only rounding is left on the right."""
    for seed in range(60):
        random = np.random.default_rng(seed)
        X = random.integers(0, 4, size=(12, 1)).astype(float)
        X[random.random(X.shape) < 0.3] = NAN
        y = random.integers(0, 2, 12)
        assert_gain_is_that_of_the_split(X, y, random.random(12), criterion=criterion, missing="own_branch")


@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error"])
def test_light_rows_next_to_heavy_ones_gain_what_they_say(criterion):
    for seed in range(60):
        random = np.random.default_rng(seed)
        X, y = random.random((30, 1)), random.integers(0, 3, 30)
        weights = random.choice([0.5, 2.0, 1e-6, 1e6], 30)
        assert_gain_is_that_of_the_split(X, y, weights, criterion=criterion)


def test_weights_are_repeated_rows_in_the_order_of_levels():
    """Absolute error puts levels in the order of their medians, which weights move."""
    X, y, _ = mixed_table(300, seed=12)
    X = X[:, [3, 4]]
    random = np.random.default_rng(4)
    counts = random.integers(1, 6, len(X))
    y = y + random.random(len(X))
    told = {"categorical": [0, 1], "criterion": "absolute_error", "categories": "subset", "max_depth": 2}
    weighted = grown(X, y, weights=counts.astype(float), cases=counts.astype(float), **told)
    repeated = grown(np.repeat(X, counts, axis=0), np.repeat(y, counts), **told)
    np.testing.assert_array_equal(weighted.feature, repeated.feature)
    np.testing.assert_array_equal(weighted.level_child, repeated.level_child)
    np.testing.assert_allclose(weighted.gain, repeated.gain, rtol=1e-9)


@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
def test_a_class_that_weighs_nothing_leaves_no_node_without_probabilities(categories):
    X = pd.DataFrame({"letter": pd.Categorical(list("aabbccdd"))})
    y = [0, 0, 1, 2, 1, 1, 2, 2]
    model = DecisionTreeClassifier(categories=categories, class_weight={0: 0.0, 1: 1.0, 2: 1.0}).fit(X, y)
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares[:, 0] == 0).all()


# Missing cells


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("policy", ["direction", "own_branch"])
@pytest.mark.parametrize("categories", ["numbers", *CATEGORY_SPLITS])
def test_known_cells_are_told_from_missing_ones(criterion, policy, categories):
    """A single known value: all that a node can be divided by is whether it is there."""
    X, y = np.array([[0.0], [0.0], [NAN], [NAN], [NAN]]), [0, 0, 1, 1, 1]
    told = {"criterion": criterion, "missing": policy}
    told |= {} if categories == "numbers" else {"categorical": [0], "categories": categories}
    tree = grown(X, y, **told)
    assert tree.child_count.tolist() == [2, 0, 0]
    assert tree.cases.tolist() == [5, 2, 3]
    assert last_nodes(tree, X).tolist() == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("policy", MISSING_POLICIES)
def test_no_node_is_empty(criterion, policy):
    for seed in range(40):
        random = np.random.default_rng(seed)
        X = random.integers(0, 3, size=(15, 2)).astype(float)
        X[random.random(X.shape) < 0.4] = NAN
        tree = grown(X, random.integers(0, 3, 15), categorical=[0, 1], criterion=criterion, missing=policy)
        assert tree.cases.min() > 0
        assert np.isfinite(tree.value).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_of_equal_branches_the_first_takes_missing_cells(criterion):
    """Both levels hold the same weights, in another order: their sums differ by rounding only."""
    X, y = np.repeat([0.0, 1.0, NAN], [8, 8, 4])[:, None], np.repeat([0, 1, 0, 1, 0, 1], [4, 4, 4, 4, 3, 1])
    one = np.array([0.1, 0.2, 0.3, 0.7])
    for order in itertools.permutations(range(4)):
        other = one[list(order)]
        weights = np.concatenate([one, 5 * one, other, 5 * other, np.ones(4)])
        told = {"criterion": criterion, "categories": "multiway", "weights": weights}
        assert grown(X, y, categorical=[0], **told, max_depth=1).missing_child[0] == 0


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_branch_of_missing_cells_has_enough_cases(criterion):
    """As every other branch of a cut, or of two sets of levels."""
    X, y = plain_table(rows=100)
    X[:, 1] = np.digitize(X[:, 1], [-0.5, 0.5])
    X[:3] = NAN
    for categories in ("subset", "one_level"):
        told = {"criterion": criterion, "categories": categories, "missing": "own_branch"}
        tree = grown(X, y, categorical=[1], **told, min_cases_leaf=10.0)
        assert tree.cases.min() >= 10


# Numbers that are large, and large numbers of things


@pytest.mark.parametrize("criterion", CRITERIA)
def test_thresholds_from_the_data_between_values_that_are_far_apart(criterion):
    X = np.array([[-1e308], [-1e308], [1e308], [1e308], [1.5e308]])
    y = [0, 0, 1, 1, 1]
    tree = grown(X, y, criterion=criterion, threshold="data")
    assert tree.threshold[0] == -1e308
    assert last_nodes(tree, X).tolist() == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("levels", [65_000, 65_534])
@pytest.mark.parametrize("missing", [False, True])
def test_more_branches_than_two_bytes_can_count(levels, missing):
    codes = np.arange(float(levels + missing))[:, None]
    codes[levels:] = NAN
    y = np.arange(len(codes)) % 2
    tree = grown(codes, y, categorical=[0], categories="multiway", missing="own_branch")
    assert tree.child_count[0] == levels + missing
    assert (tree.cases[1:] == 1).all()
    assert (last_nodes(tree, codes) == np.arange(len(codes)) + 1).all()


def test_more_branches_than_two_bytes_can_count_are_refused():
    codes = np.arange(65_535.0)[:, None]
    with pytest.raises(DataError, match=r"must be of at most 65534 levels, got 65535\.$"):
        grown(codes, np.arange(65_535) % 2, categorical=[0], categories="multiway")


@pytest.mark.parametrize("policy", MISSING_POLICIES)
@pytest.mark.parametrize("categories", ["multiway", "subset"])
def test_the_unit_of_the_weights_changes_no_gain_ratio(policy, categories):
    """Split information is about shares of the rows. Missing cells must not make it one of their number."""
    if (categories, policy) == ("multiway", "surrogate"):
        categories = "one_level"
    told = {"criterion": "entropy", "selection": "gain_ratio", "missing": policy, "categories": categories}
    for seed in range(10):
        random = np.random.default_rng(seed)
        y = random.integers(0, 2, 100)
        good, fair = (np.where(random.random(100) < share, y, 1 - y) for share in (0.95, 0.8))
        X = np.column_stack([good, fair, random.integers(0, 2, (100, 3))]).astype(float)
        X[:, 0][random.random(100) < 0.3] = NAN
        roots = {
            grown(X, y, categorical=range(5), weights=np.full(100, unit), max_depth=1, **told).feature[0]
            for unit in (2.0**-6, 1.0, 2.0**20)
        }
        assert len(roots) == 1


@pytest.mark.parametrize("criterion", ["absolute_error", "entropy"])
def test_ctrl_c_stops_the_search_of_one_node(criterion):
    """Medians for each of 300 levels against the others; a sum over 2000 classes at every cut."""
    random = np.random.default_rng(0)
    if criterion == "absolute_error":
        X, y = random.integers(0, 300, size=(300_000, 1)).astype(float), random.random(300_000)
    else:
        X, y = random.random((1_000_000, 1)), random.integers(0, 2000, 1_000_000)
    table, target = table_of(X, [0] if criterion in NUMBERS else []), target_of(y, criterion)
    rules = GrowthRules(criterion=criterion, categories="one_level")
    assert seconds_until_interrupted(lambda: table.grow(target, rules, 1)) < 1.0


# What is refused


@pytest.mark.parametrize(
    "call",
    [
        "grow(codes=np.array([0, 2, 1, 0, 1, 0], np.int32))",
        "grow(codes=np.array([0, -1, 1, 0, 1, 0], np.int32))",
        "grow(classes=0)",
        "grow(rows=np.array([0, 100_000_000], np.uint32))",
        "grow(rows=np.array([], np.uint32), codes=None, classes=0, values=y, criterion='squared_error')",
        "grow(criterion='squared_error')",
        "grow(codes=None, classes=0, values=y)",
        "grow(levels=(2, 2))",
        "grow(values_at=(0, 10**9), smallest_gap=1e-5)",
        "trees.apply_tree(X, (packed[:, :16].copy(), tree['level_child']), 1)",
        "trees.spread_over_tree(X, (packed, tree['level_child']), np.ones(3), np.ones((0, 2)), 1)",
        "trees.spread_over_tree(X * np.nan, (packed, tree['level_child']), np.ones(0), np.ones((3, 2)), 1)",
    ],
)
def test_arrays_that_do_not_fit_are_refused(call):
    script = """
        import numpy as np
        from classica.native import trees
        from classica.trees.growing.growth import GrowthRules

        X = np.arange(12.0).reshape(6, 2)
        y = np.arange(6.0)
        every, halves = np.arange(6, dtype=np.uint32), np.arange(6, dtype=np.int32) // 3
        ranks, columns = trees.rank_columns(X, 1)

        def grow(codes=halves, classes=2, values=None, rows=every, levels=(6, 6), values_at=(0, 6), **rules):
            kinds = np.array(levels), np.zeros(2, np.uint8), np.array(values_at)
            table = ranks, *kinds, np.concatenate(columns), np.empty(0)
            told = GrowthRules(**rules).for_kernel()
            return trees.grow_tree(table, codes, classes, values, None, None, rows, told, 1)

        tree = grow()
        links = tree["first_child"], tree["missing_child"], tree["child_count"]
        packed = trees.pack_questions(tree["feature"], tree["threshold"], tree["levels_at"], *links)
        try:
            CALL
        except ValueError:
            pass
        else:
            raise SystemExit(1)
    """
    assert ends_well(script.replace("CALL", call))
