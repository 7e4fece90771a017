"""The kernels of online machines against NumPy, on plain and on nasty rows."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from classica.native import online_learners as native
from classica.native import philox
from tests.reference import online as reference
from tests.test_pool import seconds_until_interrupted

pytestmark = pytest.mark.native


def some_tables():
    random = np.random.default_rng(0)
    normal = random.normal(size=(60, 5))
    return {
        "one row": normal[:1],
        "one column": normal[:, :1],
        "five columns": normal,
        "sixteen columns": random.normal(size=(40, 16)),
        "37 columns": random.normal(size=(40, 37)),
        "integers": random.integers(-3, 4, size=(60, 4)).astype(float),
        "zeros": np.zeros((9, 3)),
        "duplicates": np.repeat(normal[:4], 10, axis=0),
        "1e140": normal * 1e140,
        "1e-160": normal * 1e-160,
        "subnormal": normal * 1e-310,
        "scales": normal * [1e-12, 1e-6, 1.0, 1e6, 1e12],
        "mostly zero": normal * (random.random((60, 5)) < 0.2),
    }


TABLES = some_tables()
each_table = pytest.mark.parametrize("name", TABLES)


def sides_of(X, seed=1):
    return np.where(X.sum(axis=1) + np.random.default_rng(seed).normal(size=len(X)) > 0, 1, -1)


def state_of(machines, columns):
    return (*np.zeros((2, machines, columns + 1)), *np.zeros((3, machines), dtype=np.int64))


def train(X, sides, *, epochs=4, how=(False, False, 0, 0, 0), keep="last", intercept=True):
    codes = (sides < 0).astype(np.int32)
    state = state_of(1, X.shape[1])
    (mistakes, converged), changes = native.train_perceptrons(
        X,
        codes,
        np.array([[1, -1]], dtype=np.int8),
        how,
        keep,
        intercept,
        epochs,
        state,
        record=True,
        threads=1,
    )
    return state, mistakes[0][mistakes[0] >= 0].tolist(), bool(converged[0]), changes[0]


# Orders


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 9, 1000])
def test_an_order_is_drawn_by_fisher_and_yates(count):
    numbers = philox(5, 3, 0, count // 8 + 1).ravel()
    found = native.epoch_order(5, 3, count)
    assert found.tolist() == reference.epoch_order(numbers, count)
    assert sorted(found) == list(range(count))


def test_every_order_of_four_is_as_likely():
    found = [tuple(native.epoch_order(1, epoch, 4)) for epoch in range(24_000)]
    _, counts = np.unique(found, axis=0, return_counts=True)
    assert len(counts) == 24
    assert ((counts - 1000) ** 2 / 1000).sum() < 49.7  # chi-squared, 23 degrees of freedom, 0.1 %


# Perceptrons


@each_table
@pytest.mark.parametrize("zero", [0, 1])
@pytest.mark.parametrize("intercept", [False, True])
def test_a_perceptron_equals_the_reference(name, zero, intercept):
    X = TABLES[name]
    sides = sides_of(X)
    order = range(len(X))
    weights, survived, mistakes = reference.perceptron(X, sides, [order] * 4, intercept=intercept, zero=zero)
    state, found, converged, (rows, times) = train(
        X, sides, how=(False, False, 0, 0, zero), intercept=intercept
    )
    assert found == mistakes
    assert converged == (mistakes[-1] == 0)
    np.testing.assert_array_equal(state[0][0], weights[-1])
    assert len(rows) == len(weights) - 1
    assert np.diff(np.r_[0, times, state[2]]).tolist() == survived.tolist()
    assert state[3] == survived[-1]
    np.testing.assert_array_equal(weights[-1][:-1], sum(sides[rows, None] * X[rows], np.zeros(X.shape[1])))


@each_table
def test_the_average_and_the_pocket_equal_the_reference(name):
    X = TABLES[name]
    sides = sides_of(X)
    weights, survived, _ = reference.perceptron(X, sides, [range(len(X))] * 4)
    now, kept, seen, *_ = train(X, sides, keep="average")[0]
    scale = abs(X).max() * len(weights)
    mean = survived @ weights / survived.sum()
    np.testing.assert_allclose(now[0] - kept[0] / seen, mean, rtol=1e-12, atol=1e-14 * scale)
    now, kept, seen, last, longest = train(X, sides, keep="pocket")[0]
    pocket = now[0] if last > longest else kept[0]
    best = survived.argmax() if survived.max() > survived[-1] else len(survived) - 1
    assert max(last, longest) == survived.max()
    if np.count_nonzero(survived == survived.max()) == 1:
        np.testing.assert_array_equal(pocket, weights[best])


@each_table
@pytest.mark.parametrize("how", [(False, False, 0, 0, 0), (True, False, 7, 2, 0), (True, True, 7, 0, 1)])
@pytest.mark.parametrize("keep", native.KEEP)
def test_sparse_rows_give_the_same_changes(name, how, keep):
    X = TABLES[name]
    sides = sides_of(X)
    dense, found, _, changes = train(X, sides, how=how, keep=keep)
    for make in (sp.csr_array, sp.csr_matrix):
        state, again, _, same = train(make(X), sides, how=how, keep=keep)
        assert again == found
        np.testing.assert_array_equal(same[0], changes[0])
        np.testing.assert_array_equal(state[0], dense[0])
        np.testing.assert_array_equal(state[1], dense[1])


@pytest.mark.parametrize("keep", native.KEEP)
def test_single_precision_is_added_up_in_double(keep):
    X = TABLES["37 columns"].astype(np.float32)
    single, double = (train(rows, sides_of(X), keep=keep)[0] for rows in (X, X.astype(np.float64)))
    for one, other in zip(single, double, strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 40))
def test_random_tables(seed, rows, columns):
    random = np.random.default_rng(seed)
    X = random.integers(-2, 3, size=(rows, columns)).astype(float)  # products are exact: ties are ties
    sides = random.choice([-1, 1], size=rows)
    orders = [native.epoch_order(seed, epoch, rows) for epoch in range(3)]
    weights, _, mistakes = reference.perceptron(X, sides, orders)
    state, found, _, _ = train(X, sides, epochs=3, how=(True, False, seed, 0, 0))
    assert found == mistakes
    np.testing.assert_array_equal(state[0][0], weights[-1])


def test_machines_side_by_side_learn_as_alone():
    random = np.random.default_rng(3)
    X, codes = random.normal(size=(300, 6)), random.integers(0, 4, 300).astype(np.int32)
    sides = (2 * np.eye(4, dtype=np.int8) - 1).astype(np.int8)
    how = (True, False, 1, 0, 0)
    together = state_of(4, 6)
    progress, _ = native.train_perceptrons(
        X, codes, sides, how, "average", True, 5, together, record=False, threads=3
    )
    for machine in range(4):
        alone = state_of(1, 6)
        one = native.train_perceptrons(
            X, codes, sides[machine : machine + 1], how, "average", True, 5, alone, record=False, threads=1
        )
        np.testing.assert_array_equal(one[0][0][0], progress[0][machine])
        for array, of_all in zip(alone, together, strict=True):
            np.testing.assert_array_equal(array[0], of_all[machine])


def test_wrong_shapes_are_refused():
    X, sides = np.zeros((3, 2)), np.array([[1, -1]], dtype=np.int8)
    rest = ((True, False, 0, 0, 0), "last", True, 2)
    with pytest.raises(ValueError, match="one entry per row"):
        native.train_perceptrons(
            X, np.zeros(2, np.int32), sides, *rest, state_of(1, 2), record=False, threads=1
        )
    with pytest.raises(ValueError, match="those of a class"):
        native.train_perceptrons(
            X, np.full(3, 2, np.int32), sides, *rest, state_of(1, 2), record=False, threads=1
        )
    with pytest.raises(ValueError, match="intercept last"):
        native.train_perceptrons(
            X, np.zeros(3, np.int32), sides, *rest, state_of(1, 3), record=False, threads=1
        )
    with pytest.raises(ValueError, match="rows in one piece"):
        native.train_perceptrons(
            np.zeros((3, 2), order="F"),
            np.zeros(3, np.int32),
            sides,
            *rest,
            state_of(1, 2),
            record=False,
            threads=1,
        )


@pytest.mark.parametrize("shape", [(200_000, 5), (300, 20_000)])
def test_ctrl_c_stops_the_presentations(shape):
    X = np.random.default_rng(0).normal(size=shape)
    sides = np.random.default_rng(1).choice([-1, 1], len(X))
    for rows in (X, sp.csr_array(X)):
        waits = [
            seconds_until_interrupted(
                lambda rows=rows: train(rows, sides, epochs=10**6, how=(True, False, 0, 0, 0))
            )
            for _ in range(3)
        ]
        assert sorted(waits)[1] < 0.05
        assert max(waits) < 1.0


# Winnow


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 12), st.booleans())
def test_winnow_equals_the_reference(seed, rows, columns, balanced):
    random = np.random.default_rng(seed)
    X = (random.random((rows, columns)) < 0.4).astype(float)
    sides = random.choice([-1, 1], size=rows)
    orders = [native.epoch_order(seed, epoch, rows) for epoch in range(3)]
    threshold = float(random.integers(1, 2 * columns + 1))
    up, down, mistakes = reference.winnow(
        X, sides, orders, alpha=2.0, threshold=threshold, begin=1.0, balanced=balanced
    )
    weights = np.ones((1, columns))
    opposed = np.ones((1, columns)) if balanced else None
    for index in (np.int32, np.int64):
        weights[:] = 1.0
        if opposed is not None:
            opposed[:] = 1.0
        ones = sp.csr_array(X)
        ones.indices, ones.indptr = ones.indices.astype(index), ones.indptr.astype(index)
        found, _ = native.train_winnow(
            ones,
            (sides < 0).astype(np.int32),
            np.array([[1, -1]], dtype=np.int8),
            (True, False, seed, 0, -1),
            (threshold, 2.0, 0.5, 1e-300, 1e300),
            3,
            weights,
            opposed,
            1,
        )
        assert found[0][found[0] >= 0].tolist() == mistakes
        np.testing.assert_array_equal(weights[0], up)
        if opposed is not None:
            np.testing.assert_array_equal(opposed[0], down)


# Votes


@pytest.mark.parametrize("queries", [0, 1, 7, 8, 9, 100])
@pytest.mark.parametrize("of_zero", [0.0, 1.0])
def test_votes_equal_the_reference(queries, of_zero):
    random = np.random.default_rng(5)
    products = random.integers(-2, 3, size=(queries, 6)).astype(float)
    places = random.integers(0, 6, 40).astype(np.int32)
    signs, survivals = random.choice([-1.0, 1.0], 40), random.integers(1, 9, 40)
    scores = (signs * products[:, places]).cumsum(axis=1)
    wanted = np.where(scores == 0, of_zero, np.sign(scores)) @ survivals
    for threads in (1, 3):
        found = native.running_votes(products, places, signs, survivals, of_zero, threads)
        np.testing.assert_array_equal(found, wanted)


def test_votes_of_places_that_are_none_are_refused():
    with pytest.raises(ValueError, match="places must be columns"):
        native.running_votes(np.zeros((2, 1)), np.ones(1, np.int32), np.ones(1), np.ones(1, np.int64), 0.0, 1)
