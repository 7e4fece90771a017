"""Random samples of rows: how many, how often, by weight, and the same for everyone who asks."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from classica.errors import DataError
from classica.native import row_samples as native
from classica.samples import Samples
from tests.layouts import LAYOUTS
from tests.reference import samples as reference


def drawn(weights=None, size=None, replace=True, seed=0, rows=None, X=None, threads=1, target=None):
    """Return samples of some rows; without a matrix they are known by their numbers alone."""
    weights = None if weights is None else np.asarray(weights, dtype=np.float64)
    count = rows if rows is not None or weights is None else len(weights)
    return Samples.of(
        X, weights, size, replace, seed, threads, rows=count if X is None else None, target=target
    )


def table(rows=200, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, 3))


# Draw by draw

weights_or_none = st.none() | st.lists(
    st.sampled_from([0.0, 0.25, 1.0, 2.0, 3.0, 1e-8, 1e8, 1 / 3]), min_size=1, max_size=30
).filter(any)


@given(
    weights_or_none,
    st.integers(1, 40),
    st.none() | st.floats(0.01, 1.0),
    st.booleans(),
    st.integers(0, 2**31),
    st.integers(0, 2**40),
)
def test_every_draw_is_that_of_the_reference(weights, rows, size, replace, seed, number):
    samples = drawn(weights, size, replace, seed, rows if weights is None else None)
    np.testing.assert_array_equal(samples.counts(number), reference.counts(samples, number))


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("weights", [None, "whole", "real"])
def test_many_draws_are_those_of_the_reference(weights, replace):
    random = np.random.default_rng(1)
    given = {None: None, "whole": random.integers(0, 4, 500), "real": random.exponential(size=500)}[weights]
    samples = drawn(given, 0.7, replace, rows=500)
    for number in (0, 1, 2, 99):
        np.testing.assert_array_equal(samples.counts(number), reference.counts(samples, number))


# Sizes


@pytest.mark.parametrize(
    ("wanted", "size"), [(None, 200), (1.0, 200), (0.5, 100), (0.003, 1), (1e-9, 1), (0.126, 25), (7, 7)]
)
@pytest.mark.parametrize("replace", [True, False])
def test_size(wanted, size, replace):
    samples = drawn(size=wanted, replace=replace, rows=200)
    counts = samples.counts(3)
    assert counts.sum() == size == samples.size
    assert len(samples.rows_of(3)) == size
    assert replace or counts.max() == 1


def test_all_rows_once_are_all_rows():
    np.testing.assert_array_equal(drawn(rows=50, replace=False).rows_of(0), np.arange(50))


def test_rows_of_a_sample_are_ascending_and_as_often_as_drawn():
    samples = drawn(rows=300)
    rows = samples.rows_of(5)
    assert (np.diff(rows) >= 0).all()
    np.testing.assert_array_equal(np.bincount(rows, minlength=300), samples.counts(5))


def test_whole_weights_are_counted_in_the_size():
    weights = [3, 0, 1, 2]
    assert drawn(weights).size == 6
    assert drawn(weights, 0.5).size == 3
    np.testing.assert_array_equal(drawn(weights, replace=False).counts(0), weights)
    counts = np.array([drawn(weights, 4, replace=False).counts(k) for k in range(200)])
    assert (counts <= weights).all()
    assert (counts.sum(axis=1) == 4).all()
    assert (counts.max(axis=0) == weights).all()


def test_other_weights_are_no_cases():
    weights = [0.5, 1.5, 0.0, 4.0]
    assert drawn(weights).size == 3
    np.testing.assert_array_equal(drawn(weights, replace=False).counts(0), [1, 1, 0, 1])


# By weight


def test_a_bootstrap_leaves_out_a_share_of_one_over_e():
    samples = drawn(rows=20_000)
    left_out = [(samples.counts(k) == 0).mean() for k in range(4)]
    # One standard deviation is 0.0022 for each.
    np.testing.assert_allclose(left_out, np.exp(-1), atol=0.009)


@pytest.mark.parametrize("replace", [True, False])
def test_rows_are_drawn_as_often_as_each_other(replace):
    samples = drawn(rows=20, size=5, replace=replace)
    found = sum(samples.counts(k).astype(int) for k in range(4000))
    # 1000 each; a standard deviation is at most 32.
    np.testing.assert_allclose(found, 1000, atol=130)


def test_rows_are_drawn_by_weight_again_and_again():
    weights = np.array([0.1, 0.2, 0.0, 0.7, 1.5])
    samples = drawn(weights)
    found = sum(samples.counts(k).astype(int) for k in range(5000))
    assert found[2] == 0
    # 20000 draws; a standard deviation is at most 71.
    np.testing.assert_allclose(found, 20_000 * weights / weights.sum(), atol=280)


def test_rows_are_drawn_by_weight_one_after_the_other():
    """The chance of a pair is that of one first, the other next, or the other way round."""
    weights = np.array([0.5, 1.0, 2.5])
    samples = drawn(weights, 2, replace=False)
    kept_out = sum((samples.counts(k) == 0).astype(int) for k in range(8000))
    share = weights / weights.sum()
    pair = [
        share[i] * share[j] * (1 / (1 - share[i]) + 1 / (1 - share[j])) for i, j in ((1, 2), (0, 2), (0, 1))
    ]
    assert sum(pair) == pytest.approx(1.0)
    # A standard deviation is at most 45.
    np.testing.assert_allclose(kept_out, 8000 * np.array(pair), atol=180)


@pytest.mark.parametrize("replace", [True, False])
def test_samples_by_weight_do_not_know_their_unit(replace):
    weights = np.random.default_rng(0).exponential(size=40)
    for factor in (2.0**-900, 2.0**900):
        one, other = (drawn(weights * unit, 0.5, replace) for unit in (1.0, factor))
        np.testing.assert_array_equal(one.counts(0), other.counts(0))


@pytest.mark.parametrize("replace", [True, False])
@pytest.mark.parametrize("size", [None, 0.4])
def test_a_whole_weight_is_a_repeated_row(size, replace):
    X, weights = table(), np.random.default_rng(1).integers(0, 4, 200)
    repeated = np.repeat(np.arange(200), weights)
    weighted = drawn(weights, size, replace, X=X)
    longer = drawn(None, size, replace, X=X[repeated])
    for number in range(5):
        found = np.bincount(repeated, longer.counts(number), minlength=200)
        np.testing.assert_array_equal(weighted.counts(number), found)


# What a sample depends on


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("replace", [True, False])
def test_it_does_not_matter_where_rows_stand(weights, replace):
    X, random = table(), np.random.default_rng(2)
    given = {None: None, "whole": random.integers(0, 4, 200), "real": random.exponential(size=200)}[weights]
    order = random.permutation(200)
    one = drawn(given, 0.6, replace, X=X)
    other = drawn(None if given is None else given[order], 0.6, replace, X=X[order])
    for number in range(5):
        np.testing.assert_array_equal(one.counts(number)[order], other.counts(number))


def test_rows_alike_are_told_apart_by_their_targets():
    X, y = np.repeat(table(10), 20, axis=0), np.tile(np.arange(20), 10)
    order = np.random.default_rng(0).permutation(200)
    one, other = drawn(X=X, target=y), drawn(X=X[order], target=y[order])
    for number in range(5):
        np.testing.assert_array_equal(one.counts(number)[order], other.counts(number))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_for_any_layout_and_number_of_threads(layout, threads):
    X = table(5000)
    one, other = drawn(X=X, threads=1), drawn(X=LAYOUTS[layout](X), threads=threads)
    np.testing.assert_array_equal(one.order, other.order)
    np.testing.assert_array_equal(one.counts(7), other.counts(7))


def test_sparse_rows_are_drawn_like_dense_ones():
    X = table() * (np.random.default_rng(3).random((200, 3)) < 0.5)
    np.testing.assert_array_equal(drawn(X=X).counts(1), drawn(X=sp.csr_array(X)).counts(1))


def test_samples_of_other_numbers_and_seeds_have_nothing_to_do_with_each_other():
    counts = np.array([drawn(rows=4000, seed=seed).counts(k) for seed in (0, 1) for k in range(5)])
    apart = np.corrcoef(counts)[~np.eye(10, dtype=bool)]
    # A standard deviation is 0.016.
    assert abs(apart).max() < 0.06


def test_a_sample_is_known_by_its_number_alone():
    one, other = drawn(rows=60), drawn(rows=60)
    later = [one.counts(k) for k in (4, 0, 2)]
    np.testing.assert_array_equal(later, [other.counts(k) for k in (4, 0, 2)])
    np.testing.assert_array_equal(one.counts(4), later[0])
    generator = np.random.RandomState(0)
    first, second = (drawn(rows=60, seed=generator) for _ in range(2))
    np.testing.assert_array_equal(first.counts(0), one.counts(0))
    assert (first.counts(0) != second.counts(0)).any()


# Errors


@pytest.mark.parametrize("replace", [True, False])
def test_more_than_there_is_cannot_be_drawn(replace):
    with pytest.raises(DataError, match=r"^max_samples must be at most 6, .*got 7\.$"):
        drawn([3, 0, 1, 2], 7, replace)
    with pytest.raises(DataError, match=r"^max_samples must be at most 20, .*got 21\.$"):
        drawn(rows=20, size=21, replace=replace)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ((np.arange(3), np.empty(0), 0, True, 0), "a sample has at least one row"),
        ((np.arange(0), np.empty(0), 1, True, 0), "a sample has at least one row"),
        ((np.arange(3), np.empty(0), 4, False, 0), "no more can be drawn than there are"),
        ((np.arange(3), np.ones(2), 2, True, 0), "there is one weight per row"),
        ((np.arange(4), np.empty(0), 2, True, 0), "samples must be numbers of rows"),
    ],
)
def test_the_kernel_refuses_what_cannot_be_drawn(rules, message):
    order, *others = rules
    with pytest.raises(ValueError, match=message):
        native.draw_sample((order.astype(np.uint32), *others), 0, 3)
