import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from classica import WinnowClassifier
from classica.errors import DataError, ParameterError


def disjunction(random, rows, columns, literals, density=0.3):
    X = (random.random((rows, columns)) < density).astype(float)
    return X, X[:, random.permutation(columns)[:literals]].any(axis=1).astype(int)


# The rule


def test_changes_by_hand():
    model = WinnowClassifier(shuffle=False, max_iter=1, threshold=2)
    model.fit([[1, 1, 0], [1, 0, 1], [0, 1, 1]], [1, 0, 0])
    # 1 + 1 is not above 2: doubled; 2 + 1 is above 2: halved; 2 + 0.5 is above 2: halved.
    assert model.weights_.tolist() == [[1, 1, 0.25]]
    assert model.mistakes_.tolist() == [[3]]


def test_balanced_changes_by_hand():
    model = WinnowClassifier(shuffle=False, max_iter=1, threshold=1, balanced=True)
    model.fit([[1, 1, 0], [1, 0, 1]], [1, 0])
    assert model.weights_.tolist() == [[1, 2, 0.5]]  # 0 is not above 1; then 1.5 + 0 is above 1
    assert model.opposed_weights_.tolist() == [[1, 0.5, 2]]
    assert model.decision_function([[0, 1, 0], [0, 0, 1]]).tolist() == [0.5, -2.5]


def test_a_sum_at_the_threshold_is_the_first_class():
    model = WinnowClassifier(shuffle=False, threshold=2).fit([[1, 1], [0, 0]], [0, 1])
    assert model.decision_function([[1, 1]]) == 0
    assert model.predict([[1, 1]]) == 0
    assert model.mistakes_[0].tolist() == [1]  # only the row of zeros, which no weight can help


def test_the_threshold_is_the_number_of_columns():
    assert WinnowClassifier().fit([[1, 0, 0], [0, 1, 0]], [0, 1]).threshold_ == 3


# Littlestone's bound


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 200),
    st.integers(1, 6),
    st.sampled_from([1.2, 1.5, 2.0, 3.0]),
    st.sampled_from([None, 2.0, 10.0]),
)
def test_mistakes_on_a_disjunction(seed, columns, literals, alpha, threshold):
    random = np.random.default_rng(seed)
    k = min(literals, columns)
    X, y = disjunction(random, 150, columns, k, density=random.uniform(0.02, 0.6))
    model = WinnowClassifier(alpha, threshold=threshold, max_iter=10_000, random_state=seed)
    model.fit(X, y)
    if len(model.classes_) == 1:
        return
    theta = float(columns if threshold is None else threshold)
    grows = k * (np.floor(np.log(theta) / np.log(alpha) + 1e-9) + 1)
    bound = (1 + alpha) * grows + alpha / (alpha - 1) * columns / theta
    assert model.converged_
    assert model.mistakes_.sum() <= bound + 1e-9
    if alpha == 2 and threshold is None:
        assert model.mistakes_.sum() <= 3 * k * (np.log2(columns) + 1) + 2
    assert (model.predict(X) == y).all()


def test_many_irrelevant_columns_cost_little():
    random = np.random.default_rng(0)
    mistakes = [
        WinnowClassifier(random_state=0, max_iter=100)
        .fit(*disjunction(random, 3000, columns, 3, density=8 / columns))
        .mistakes_.sum()
        for columns in (50, 800)
    ]
    assert mistakes[1] < 3 * mistakes[0]


def test_balanced_weights_learn_what_speaks_against():
    random = np.random.default_rng(1)
    X = (random.random((400, 10)) < 0.5).astype(float)
    y = ((X[:, 0] == 1) & (X[:, 1] == 0)).astype(int)
    balanced, plain = (
        WinnowClassifier(1.5, threshold=1.0, balanced=b, max_iter=200, random_state=0).fit(X, y)
        for b in (True, False)
    )
    assert balanced.converged_
    assert balanced.score(X, y) == 1
    assert not plain.converged_


# What counts as a one


def test_values_above_binarize_are_ones():
    X = np.array([[0.2, 0.9], [0.7, 0.1], [0.8, 0.6], [0.1, 0.2]])
    y = [0, 1, 1, 0]
    given_ones = WinnowClassifier(binarize=None, random_state=0).fit((X > 0.5).astype(float), y)
    cut = WinnowClassifier(binarize=0.5, random_state=0).fit(X, y)
    np.testing.assert_array_equal(cut.weights_, given_ones.weights_)
    np.testing.assert_array_equal(cut.predict(X), given_ones.predict((X > 0.5).astype(float)))


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_other_values_are_refused(make):
    X = np.zeros((5, 4))
    X[3, 2] = 0.5
    with pytest.raises(DataError, match=r"X must be .*, got 0\.5 in column 2, row 3\."):
        WinnowClassifier(binarize=None).fit(make(X), [0, 1, 0, 1, 0])


def test_zeros_of_a_sparse_matrix_are_no_ones():
    X = sp.csr_array(np.eye(3))
    with pytest.raises(ParameterError, match="binarize must be at least 0 for a sparse matrix"):
        WinnowClassifier(binarize=-1.0).fit(X, [0, 1, 0])


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])
def test_sparse_rows_give_the_same(balanced, multi_class):
    random = np.random.default_rng(2)
    X, y = (random.random((150, 9)) < 0.3).astype(float), random.integers(0, 3, 150)
    dense, sparse = (
        WinnowClassifier(balanced=balanced, multi_class=multi_class, random_state=0).fit(rows, y)
        for rows in (X, sp.csr_array(X))
    )
    np.testing.assert_array_equal(dense.weights_, sparse.weights_)
    np.testing.assert_array_equal(dense.decision_function(X), sparse.decision_function(sp.csr_array(X)))


# Weights that would overflow, rows that come later


@pytest.mark.parametrize("balanced", [False, True])
def test_weights_stay_finite_whatever_happens(balanced):
    X = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    model = WinnowClassifier(1e6, balanced=balanced, max_iter=3000, shuffle=False).fit(X, [0, 1, 1])
    vectors = [model.weights_] + ([model.opposed_weights_] if balanced else [])
    for weights in vectors:
        assert np.isfinite(weights).all()
        assert (weights > 0).all()
    assert np.isfinite(model.decision_function(X)).all()


def test_rows_can_come_in_pieces():
    X, y = disjunction(np.random.default_rng(3), 100, 12, 2)
    whole = WinnowClassifier(shuffle=False, max_iter=1).fit(X, y)
    parts = WinnowClassifier(shuffle=False)
    for start in range(0, 100, 9):
        parts.partial_fit(X[start : start + 9], y[start : start + 9], classes=[0, 1])
    np.testing.assert_array_equal(parts.weights_, whole.weights_)
    assert parts.mistakes_.sum() == whole.mistakes_.sum()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"alpha": 1.0}, "alpha must be a number above 1"),
        ({"threshold": 0}, "threshold must be"),
        ({"initial_weight": 0.0}, "initial_weight must be"),
        ({"binarize": "yes"}, "binarize must be"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(ParameterError, match=reason):
        WinnowClassifier(**options).fit([[0, 1], [1, 0]], [0, 1])
