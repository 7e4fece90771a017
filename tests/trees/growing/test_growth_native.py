"""Ranks, the best division of a node, and whole small trees: equal to the reference."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from classica.native import trees as native
from classica.trees.growing.growth import CATEGORY_SPLITS, CRITERIA, MISSING_POLICIES
from tests.layouts import LAYOUTS
from tests.reference import tree_reference as reference
from tests.trees.growing.growing import NAN, NUMBERS, grown, last_nodes

pytestmark = pytest.mark.native

DEFAULTS = "gini", "subset", "direction"
CLASSES = [criterion for criterion in CRITERIA if criterion not in NUMBERS]


def every_division(X, y, w, categorical, **rules):
    kinds = np.isin(np.arange(X.shape[1]), categorical)
    names = "criterion", "categories", "missing"
    if len(np.unique(y)) < 2:
        return []
    told = [rules.get(name, default) for name, default in zip(names, DEFAULTS, strict=True)]
    return reference.all_divisions(X, y, w, kinds, *told, rules.get("min_cases_leaf", 1))


def assert_best_split(X, y, *, categorical=(), weights=None, threads=1, **rules):
    """Assert that the root is divided in one of the best ways there are, and that its gain is right."""
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    tree = grown(X, y, categorical=categorical, weights=weights, threads=threads, max_depth=1, **rules)
    w = np.ones(len(X)) if weights is None else weights
    found = every_division(X, y, w, categorical, **rules)
    if not found:
        assert len(tree) == 1
        return
    is_number = rules.get("criterion") in NUMBERS
    slack = 1e-9 * float(abs(reference.cost(rules["criterion"], y, w)) if is_number else w.sum())
    wanted = reference.best(found, 0.0)
    np.testing.assert_allclose(tree.gain[0], float(wanted.gain), rtol=1e-9, atol=1e-3 * slack)
    branch = last_nodes(tree, X) - 1
    assert any(
        np.array_equal(branch[division.branch >= 0], division.branch[division.branch >= 0])
        for division in found
        if division.column == tree.feature[0] and division.gain >= wanted.gain - slack
    )


# Ranks

cells = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(allow_nan=True),
    st.sampled_from([-0.0, 5e-324, -5e-324, 2.2e-308, 1.0, np.nextafter(1, 2), np.inf, -np.inf, 1e308]),
)


def assert_ranks(X, threads=1):
    ranks, values = native.rank_columns(X, threads)
    for j, column in enumerate(X.astype(np.float64).T):
        known = ~np.isnan(column)
        wanted, places = np.unique(column[known], return_inverse=True)
        np.testing.assert_array_equal(values[j], wanted)
        assert not np.signbit(values[j][values[j] == 0]).any()
        np.testing.assert_array_equal(ranks[j][known], places)
        assert (ranks[j][~known] == native.MISSING_RANK).all()


@given(arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=cells))
def test_ranks_are_places_among_the_distinct_values(X):
    assert_ranks(X)


@given(
    arrays(np.float32, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=st.floats(width=32)),
)
def test_ranks_of_single_precision(X):
    assert_ranks(X)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_ranks_of_any_layout_by_any_number_of_threads(layout, threads):
    X = np.random.default_rng(0).normal(size=(500, 7)).round(2)
    X[::17] = NAN
    assert_ranks(LAYOUTS[layout](X), threads)


# The best division of a node

rules = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(CRITERIA),
        "categories": st.sampled_from(CATEGORY_SPLITS),
        "missing": st.sampled_from(MISSING_POLICIES),
    }
).filter(lambda told: told["missing"] != "surrogate" or told["categories"] != "multiway")
# Halves and whole numbers add up without rounding.
exact_weights = st.sampled_from([0.5, 1.0, 2.0, 3.0])


@st.composite
def tables(draw, most_rows=12, most_levels=5):
    """Draw cells, targets, which columns are categories, and weights or None."""
    rows, columns = draw(st.integers(1, most_rows)), draw(st.integers(1, 3))
    holes = st.one_of(st.integers(0, most_levels - 1).map(float), st.just(NAN))
    X = draw(arrays(np.float64, (rows, columns), elements=holes))
    y = draw(arrays(np.int32, rows, elements=st.integers(0, draw(st.integers(1, 3)))))
    categorical = [j for j in range(columns) if draw(st.booleans())]
    weights = draw(st.none() | arrays(np.float64, rows, elements=exact_weights))
    return X, y, categorical, weights


def known_by_one_level(X, categorical):
    """Return whether a column of categories asks for nothing but whether a cell is known."""
    levels = [np.unique(X[:, j]) for j in categorical]
    return any(len(found) == 2 and np.isnan(found[1]) for found in levels)


@settings(max_examples=400)
@given(tables(), rules)
def test_the_best_division_is_found(table, rules):
    X, y, categorical, weights = table
    assume(not known_by_one_level(X, categorical))
    # The order of medians does not promise the best subset; see below.
    assume(not (rules["criterion"] == "absolute_error" and rules["categories"] == "subset"))
    assert_best_split(X, y, categorical=categorical, weights=weights, **rules)


@given(tables(), rules, st.integers(2, 4))
def test_branches_of_cuts_have_enough_cases(table, rules, least):
    X, y, categorical, _ = table
    assume(not known_by_one_level(X, categorical))
    rules |= {"categories": "one_level", "min_cases_leaf": least}
    # A branch of its own for missing cells is looked at below.
    assume(rules["missing"] != "own_branch" or not np.isnan(X).any())
    assert_best_split(X, y, categorical=categorical, **rules)


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("missing", [False, True])
def test_many_values_are_searched_in_order(criterion, missing):
    """More than 256 distinct values: the columns are kept sorted, not counted."""
    random = np.random.default_rng(1)
    X = np.column_stack([random.permutation(300), random.integers(0, 290, 300), random.integers(0, 9, 300)])
    X = X.astype(np.float64)
    y = ((X[:, 1] > 120) + (random.random(300) < 0.3)).astype(int)
    if missing:
        X[random.random(X.shape) < 0.15] = NAN
    for policy in MISSING_POLICIES:
        assert_best_split(X, y, criterion=criterion, missing=policy)


@pytest.mark.parametrize("policy", MISSING_POLICIES)
@pytest.mark.parametrize("criterion", NUMBERS)
def test_many_values_are_searched_in_order_for_numbers(criterion, policy):
    random = np.random.default_rng(2)
    X = random.normal(size=(280, 2))
    y = np.where(X[:, 0] > 0.3, 5.0, 0.0) + random.integers(0, 9, 280)
    X[random.random(X.shape) < 0.1] = NAN
    assert_best_split(X, y, criterion=criterion, missing=policy)
    assert_best_split(X, y, criterion=criterion, missing=policy, weights=random.integers(1, 4, 280) * 0.5)


# Degenerate tables


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("policy", MISSING_POLICIES)
def test_nothing_divides(criterion, policy):
    told = {"criterion": criterion, "missing": policy}
    for X, y in (
        ([[1.0, 2.0]], [0]),  # one row
        ([[1.0]] * 4, [0, 1, 0, 1]),  # one value
        ([[NAN]] * 4, [0, 1, 0, 1]),  # none known
        ([[NAN, 7.0]] * 4, [0, 1, 0, 1]),
        ([[-0.0], [0.0], [-0.0], [0.0]], [0, 0, 1, 1]),  # zeros are one number
        ([[1.0], [2.0], [3.0]], [1, 1, 1]),  # one class
    ):
        tree = grown(np.array(X), y, **told)
        assert len(tree) == 1
        assert tree.gain[0] == 0
        assert tree.cases[0] == len(X)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_constant_and_missing_columns_are_passed_over(criterion):
    random = np.random.default_rng(3)
    X = random.normal(size=(30, 4)).round(1)
    X[:, 0], X[:, 2] = 5.0, NAN
    y = random.integers(0, 2, 30)
    for categorical in ([], [0, 2]):
        codes = np.where(np.isin(np.arange(4), categorical), np.abs(X), X)
        assert_best_split(codes, y, categorical=categorical, criterion=criterion)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
def test_a_division_that_gains_nothing_is_still_made(criterion, categories):
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    for categorical in ([], [0, 1]):
        told = {"categorical": categorical, "criterion": criterion, "categories": categories}
        tree = grown(X, [0, 1, 1, 0], **told)
        assert tree.feature.tolist() == [0, 1, 1, -1, -1, -1, -1]
        assert tree.gain[0] == pytest.approx(0, abs=1e-12)
        assert len(grown(X, [0, 1, 1, 0], **told, zero_gain=False)) == 1


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("threads", [1, 2])
def test_of_equal_divisions_the_first_column_and_the_lowest_cut_are_taken(criterion, threads):
    X = np.column_stack([[7.0] * 8, *[np.repeat([1.0, 2.0, 3.0, 4.0], 2)] * 3])
    for categorical in ([], [1, 2, 3]):
        tree = grown(
            X, [0, 0, 1, 1, 0, 0, 1, 1], categorical=categorical, criterion=criterion, threads=threads,
            categories="one_level", max_depth=1,
        )  # fmt: skip
        assert tree.feature[0] == 1
        assert last_nodes(tree, X).tolist() == [1, 1] + [2] * 6


@pytest.mark.parametrize("criterion", CLASSES)
@pytest.mark.parametrize("categories", CATEGORY_SPLITS)
def test_sixty_classes(criterion, categories):
    random = np.random.default_rng(4)
    X = np.column_stack([random.integers(0, 6, 150), random.integers(0, 40, 150)]).astype(np.float64)
    assert_best_split(X, np.arange(150) % 60, categorical=[0], criterion=criterion, categories=categories)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_weights_of_very_different_size(criterion):
    for seed in range(12):
        random = np.random.default_rng(seed)
        X = np.column_stack([random.integers(0, 5, 12), random.integers(0, 3, 12)]).astype(np.float64)
        weights = random.choice([0.5, 2.0, 2.0**-20, 2.0**20], 12)
        told = {"categorical": [1], "weights": weights, "criterion": criterion, "categories": "one_level"}
        assert_best_split(X, random.integers(0, 3, 12), **told)


# Values that are hard to tell apart

ONE_ULP = np.array([1.0, np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)])
HARD_VALUES = {
    "one ulp apart": ONE_ULP,
    "one ulp apart, negative": -ONE_ULP[::-1],
    "around zero": np.array([-5e-324, -0.0, 5e-324]),
    "subnormal": np.array([1e-320, 2e-320, 2.2250738585072014e-308]),
    "huge": np.array([-1.7e308, 1e308, 1.7e308]),
    "huge and next to it": np.array([np.nextafter(1.7e308, 0), 1.7e308, np.nextafter(1.7e308, np.inf)]),
    "of all sizes": np.array([-1e308, 1e-308, 1e308]),
}


@pytest.mark.parametrize("name", HARD_VALUES)
@pytest.mark.parametrize("many", [False, True])
def test_hard_values_are_told_apart(name, many):
    """Also in a column that is sorted because it has many values."""
    values = HARD_VALUES[name]
    x = np.repeat(values, 3)
    X = np.concatenate([x, 3.0 + np.arange(300)] if many else [x])[:, None]
    for cut in (1, 2):
        y = np.where(np.arange(len(X)) < 9, np.arange(len(X)) // 3 >= cut, 2).astype(int)
        tree = grown(X, y, rows=np.arange(9))
        assert tree.feature.tolist() == [0, -1, -1]
        assert values[cut - 1] <= tree.threshold[0] < values[cut]
        assert (tree.value[last_nodes(tree, X[:9])].argmax(axis=1) == y[:9]).all()


@pytest.mark.parametrize(
    "values",
    [
        [1.0, np.nextafter(np.float32(1), np.float32(2))],
        [-1e-45, 0.0, 1e-45],
        [-3e38, 3e38, np.nextafter(np.float32(3e38), np.float32(np.inf))],
    ],
)
def test_single_precision_values_are_told_apart(values):
    X = np.repeat(np.array(values, dtype=np.float32), 2)[:, None]
    y = np.repeat(np.arange(len(values)), 2)
    tree = grown(X, y)
    assert (tree.value[last_nodes(tree, X)].argmax(axis=1) == y).all()
    assert (tree.value[last_nodes(tree, X.astype(np.float64))].argmax(axis=1) == y).all()


# Sets of levels


@settings(max_examples=150)
@given(tables(most_rows=24, most_levels=8), rules)
def test_the_order_of_levels_gives_the_best_subset(table, rules):
    """Two classes, or means: only the cuts of one order are tried, and the best subset is among them."""
    X, y, _, weights = table
    X, y = X[:, :1], y % 2 if rules["criterion"] != "squared_error" else y
    assume(not known_by_one_level(X, [0]) and rules["criterion"] != "absolute_error")
    assert_best_split(X, y, categorical=[0], weights=weights, **rules | {"categories": "subset"})


@pytest.mark.parametrize("criterion", [*CLASSES, "squared_error"])
@pytest.mark.parametrize("levels", [30, 300])
def test_many_levels_are_cut_in_the_order_of_their_means(criterion, levels):
    random = np.random.default_rng(levels)
    codes = random.integers(0, levels, 3 * levels)
    values = random.integers(0, 2 if criterion in CLASSES else 50, len(codes))
    means = np.bincount(codes, values, levels) / np.maximum(np.bincount(codes, minlength=levels), 1)
    by_level = grown(codes[:, None], values, categorical=[0], criterion=criterion, max_depth=1)
    by_mean = grown(means[codes][:, None], values, criterion=criterion, max_depth=1)
    assert by_level.gain[0] == pytest.approx(by_mean.gain[0], rel=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("categories", ["multiway", "one_level"])
def test_three_hundred_levels(criterion, categories):
    random = np.random.default_rng(5)
    X = random.integers(0, 300, size=(400, 1)).astype(np.float64)
    assert_best_split(
        X, random.integers(0, 3, 400), categorical=[0], criterion=criterion, categories=categories
    )


def class_counts(codes, y, levels, classes):
    return np.array([np.bincount(y[codes == level], minlength=classes) for level in range(levels)])


def gains_of_subsets(criterion, counts):
    """Return what every subset of levels gains over the node, the last level never in it."""
    levels = len(counts)
    chosen = (np.arange(1, 2 ** (levels - 1))[:, None] >> np.arange(levels)) & 1
    sides = [chosen @ counts, (1 - chosen) @ counts]
    if criterion == "gini":
        parts = [(side**2).sum(axis=1) / side.sum(axis=1) for side in sides]
        return sum(parts) - (counts.sum(axis=0) ** 2).sum() / counts.sum()
    x_log_x = lambda n: n * np.log2(np.maximum(n, 1))  # noqa: E731
    parts = [x_log_x(side).sum(axis=1) - x_log_x(side.sum(axis=1)) for side in sides]
    return sum(parts) - x_log_x(counts.sum(axis=0)).sum() + x_log_x(counts.sum())


def graded_levels(levels, seed):
    """Return levels that mix two classes in all proportions, and one of a third class: no order is good."""
    random = np.random.default_rng(seed)
    codes = np.repeat(np.arange(levels), [*random.integers(40, 80, levels - 1), random.integers(90, 160)])
    second = random.random(len(codes)) < codes / (levels - 2)
    return codes, np.where(codes == levels - 1, 2, second).astype(int)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("levels", [9, 12])
def test_several_classes_try_every_subset_of_twelve_levels(criterion, levels):
    for seed in range(10):
        codes, y = graded_levels(levels, seed)
        tree = grown(codes[:, None], y, categorical=[0], criterion=criterion, max_depth=1)
        wanted = gains_of_subsets(criterion, class_counts(codes, y, levels, 3)).max()
        assert tree.gain[0] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_beyond_twelve_levels_several_classes_come_near_the_best_subset(criterion):
    shares = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        codes, y = random.integers(0, 14, 300), random.integers(0, 4, 300)
        tree = grown(codes[:, None], y, categorical=[0], criterion=criterion, max_depth=1)
        shares.append(tree.gain[0] / gains_of_subsets(criterion, class_counts(codes, y, 14, 4)).max())
    assert max(shares) <= 1 + 1e-12
    assert np.mean(shares) > 0.9


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "chi2"])
def test_beyond_twelve_levels_two_kinds_of_levels_are_told_apart(criterion):
    """Levels with one of two class distributions each: their main direction separates them."""
    random = np.random.default_rng(6)
    codes = np.repeat(np.arange(40), 25)
    kinds = random.permutation(40) % 2
    y = np.where(random.random(1000) < 0.9, kinds[codes], 2 + kinds[codes])
    tree = grown(codes[:, None], y, categorical=[0], criterion=criterion, max_depth=1)
    assert len(np.unique(kinds + 2 * tree.levels_of(0))) == 2


@settings(max_examples=100)
@given(tables(most_rows=20, most_levels=6), st.sampled_from(["direction", "fraction", "surrogate"]))
def test_subsets_by_absolute_error_gain_what_they_say(table, missing):
    """Their order is that of the medians of the levels: good, but not always the best of all."""
    X, y, _, weights = table
    X = X[:, :1]
    assume(not known_by_one_level(X, [0]))
    told = {"criterion": "absolute_error", "categories": "subset", "missing": missing}
    tree = grown(X, y, categorical=[0], weights=weights, max_depth=1, **told)
    w = np.ones(len(X)) if weights is None else weights
    found = every_division(X, y, w, [0], **told)
    assert len(tree) > 1 or not found
    if len(tree) > 1:
        branch = last_nodes(tree, X) - 1
        changed = [(d.branch != branch)[d.branch >= 0] for d in found]
        same = [d.gain for d, rows in zip(found, changed, strict=True) if rows.all() or not rows.any()]
        assert tree.gain[0] == pytest.approx(float(same[0]), rel=1e-9, abs=1e-9)


# Whole trees


@settings(max_examples=250)
@given(tables(), rules)
def test_a_tree_is_that_of_the_reference(table, rules):
    """Where no two divisions are equal, or the first is taken among equal ones."""
    X, y, categorical, weights = table
    if rules["categories"] == "subset":
        rules["categories"] = "one_level"
    if rules["missing"] in ("direction", "own_branch"):
        X[:, categorical] = np.nan_to_num(X[:, categorical])
        assume(rules["missing"] == "own_branch" or not np.isnan(X).any())
    anything = {"min_cases_split": 0.0, "min_cases_leaf": 0.0}  # also a part of a row
    tree = grown(X, y, categorical=categorical, weights=weights, **rules, **anything)
    w = np.ones(len(X)) if weights is None else weights
    kinds = np.isin(np.arange(X.shape[1]), categorical)
    wanted = reference.grow(X, y, w, kinds, **rules)
    assert tree.feature.tolist() == [column for column, *_ in wanted]
    np.testing.assert_allclose(tree.gain, [float(gain) for _, gain, *_ in wanted], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(tree.weight, [weights.sum() for *_, weights in wanted], rtol=1e-12)
    if rules["criterion"] not in NUMBERS:
        counts = [np.bincount(y[rows], weights, y.max() + 1) for _, _, rows, weights in wanted]
        np.testing.assert_allclose(tree.value, counts, rtol=1e-12, atol=1e-12)
    else:
        costs = [
            float(reference.cost(rules["criterion"], y[rows], weights)) for _, _, rows, weights in wanted
        ]
        np.testing.assert_allclose(tree.risk, costs, rtol=1e-9, atol=1e-9)
