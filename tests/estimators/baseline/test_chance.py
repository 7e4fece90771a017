import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from classica import ChanceClassifier
from classica.errors import DataError, ParameterError

DRAWING = ["stratified", "uniform"]
each_drawing = pytest.mark.parametrize("strategy", DRAWING)


def table(rows=10_000, seed=0):
    """Return rows whose labels are drawn with shares 0.5, 0.3 and 0.2."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, 3)).astype(np.float32).astype(np.float64)
    return X, random.choice(np.array(["a", "b", "c"]), size=rows, p=[0.5, 0.3, 0.2])


def fitted(strategy, random_state=0, **table_options):
    return ChanceClassifier(strategy, random_state=random_state).fit(*table(**table_options))


def message(call, error):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


# What is guessed


def test_shares_are_counted():
    model = ChanceClassifier().fit(np.zeros((4, 1)), ["b", "a", "b", "b"])
    assert model.classes_.tolist() == ["a", "b"]
    assert model.class_prior_.tolist() == [0.25, 0.75]
    assert model.n_parameters_ == 1


def test_shares_are_weighted():
    model = ChanceClassifier().fit(np.zeros((2, 1)), ["a", "b"], sample_weight=[3, 1])
    assert model.class_prior_.tolist() == [0.75, 0.25]


def test_majority_always_says_the_largest_class_and_gives_the_shares():
    model = ChanceClassifier().fit(np.zeros((4, 1)), ["b", "a", "b", "b"])
    assert model.predict([[1.0], [2.0]]).tolist() == ["b", "b"]
    assert model.predict_proba([[1.0], [2.0]]).tolist() == [[0.25, 0.75]] * 2


def test_a_tie_of_largest_classes_goes_to_the_first():
    model = ChanceClassifier().fit(np.zeros((5, 1)), ["c", "c", "b", "b", "a"])
    assert model.predict([[0.0]]).tolist() == ["b"]


@each_drawing
def test_a_drawn_label_is_certain(strategy):
    X, _ = table(rows=50)
    model = fitted(strategy)
    proba = model.predict_proba(X)
    assert set(proba.ravel()) == {0.0, 1.0}
    np.testing.assert_array_equal(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))


@each_drawing
def test_guesses_come_in_their_shares(strategy):
    X, _ = table(seed=1)
    model = fitted(strategy)
    shares = model.class_prior_ if strategy == "stratified" else np.full(3, 1 / 3)
    found = np.array([np.mean(model.predict(X) == label) for label in model.classes_])
    assert (abs(found - shares) < 4 * np.sqrt(shares * (1 - shares) / len(X))).all()


def test_expected_accuracies():
    X, y = table(seed=1)
    shares = np.array([np.mean(y == label) for label in "abc"])
    for strategy, expected in (
        ("majority", shares.max()),
        ("stratified", (shares**2).sum()),
        ("uniform", 1 / 3),
    ):
        model = ChanceClassifier(strategy, random_state=0).fit(X, y)
        spread = np.sqrt(expected * (1 - expected) / len(X))
        assert abs(model.score(X, y) - expected) < (1e-15 if strategy == "majority" else 4 * spread)


def test_a_class_of_share_zero_is_never_guessed():
    X, _ = table()
    model = ChanceClassifier("stratified", random_state=0)
    model.fit(X[:3], ["a", "b", "c"], sample_weight=[1, 0, 1])
    assert set(model.predict(X)) == {"a", "c"}


def test_one_class():
    for strategy in ("majority", "stratified", "uniform"):
        model = ChanceClassifier(strategy).fit([[0.0]], [7])
        assert model.predict([[1.0], [2.0]]).tolist() == [7, 7]
        assert model.predict_proba([[1.0]]).tolist() == [[1.0]]


# What a guess depends on


@each_drawing
def test_a_guess_does_not_depend_on_batch_or_order(strategy):
    X, _ = table(rows=200)
    model, order = fitted(strategy), np.random.default_rng(1).permutation(200)
    whole = model.predict(X)
    np.testing.assert_array_equal(whole, np.concatenate([model.predict(X[i : i + 1]) for i in range(200)]))
    np.testing.assert_array_equal(whole[order], model.predict(X[order]))


@each_drawing
@pytest.mark.parametrize(
    "kind",
    [
        lambda X: X.astype(np.float32),
        np.asfortranarray,
        sp.csr_matrix,
        sp.csc_array,
        lambda X: sp.csr_matrix(X.astype(np.float32)),
        np.ndarray.tolist,
    ],
    ids=["float32", "columns first", "csr", "csc", "sparse float32", "list"],
)
def test_a_guess_does_not_depend_on_the_kind_of_matrix(strategy, kind):
    X, _ = table(rows=200)
    X[::3, 1] = 0
    model = fitted(strategy)
    np.testing.assert_array_equal(model.predict(X), model.predict(kind(X)))


@each_drawing
def test_equal_rows_get_equal_guesses(strategy):
    X, _ = table(rows=20)
    guesses = fitted(strategy).predict(np.tile(X, (5, 1))).reshape(5, 20)
    assert (guesses == guesses[0]).all()


@each_drawing
def test_seeds_decide(strategy):
    X, _ = table(rows=200)
    first, again, other = (fitted(strategy, seed).predict(X) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert 0.2 < np.mean(first == other) < 0.8


@each_drawing
def test_seeds_are_independent(strategy):
    X, _ = table()
    first, other = (fitted(strategy, seed).predict(X) for seed in (0, 1))
    shares = {label: (np.mean(first == label), np.mean(other == label)) for label in "abc"}
    expected = sum(p * q for p, q in shares.values())
    assert abs(np.mean(first == other) - expected) < 4 * np.sqrt(expected * (1 - expected) / len(X))


@each_drawing
def test_without_a_seed_every_fit_draws_anew_and_keeps_its_guesses(strategy):
    X, y = table(rows=200)
    first, other = (ChanceClassifier(strategy).fit(X, y) for _ in range(2))
    assert first.seed_ != other.seed_
    np.testing.assert_array_equal(first.predict(X), first.predict(X))


def test_a_random_state_is_used_up():
    X, y = table(rows=20)
    state = np.random.RandomState(3)
    first, second = (ChanceClassifier(random_state=state).fit(X, y).seed_ for _ in range(2))
    assert first != second
    assert ChanceClassifier(random_state=np.random.RandomState(3)).fit(X, y).seed_ == first


@given(st.integers(0, 2**32 - 1))
def test_any_seed_is_taken(seed):
    model = ChanceClassifier("uniform", random_state=seed).fit([[0.0], [1.0]], [0, 1])
    assert 0 <= model.seed_ < 2**31
    assert set(model.predict([[0.0], [1.0]])) <= {0, 1}


# What it takes


@each_drawing
def test_missing_cells_are_content(strategy):
    X, y = table(rows=200)
    X[:100, 0] = np.nan
    model = ChanceClassifier(strategy, random_state=0).fit(X, y)
    guesses = model.predict(X)
    np.testing.assert_array_equal(guesses, model.predict(X.astype(np.float32)))
    assert set(guesses[:100]) == {"a", "b", "c"}
    frame = pd.DataFrame(X, columns=list("xyz"))
    named = ChanceClassifier(strategy, random_state=0).fit(frame, y)
    np.testing.assert_array_equal(guesses, named.predict(frame))


def test_infinity_is_refused():
    model = ChanceClassifier()
    assert message(lambda: model.fit([[1.0], [-np.inf]], [0, 1]), DataError) == (
        "X in column 0, row 1, must be finite, got -inf."
    )


def test_any_finite_value_is_taken():
    X = np.array([[1.7e308], [-1.7e308], [5e-324]])
    assert len(ChanceClassifier("uniform", random_state=0).fit(X, [0, 1, 2]).predict(X)) == 3


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"strategy": "best"}, "strategy must be 'majority', 'stratified' or 'uniform', got 'best'."),
        (
            {"random_state": -1},
            "random_state must be None, an integer from 0 to 2**32 - 1 or a numpy RandomState, got -1.",
        ),
        ({"n_jobs": 1.5}, "n_jobs must be None or an integer, got 1.5."),
    ],
)
def test_bad_parameters(parameters, text):
    model = ChanceClassifier(**parameters)
    assert message(lambda: model.fit([[0.0]], [0]), ParameterError) == text


def test_it_has_no_online_methods():
    assert not any(hasattr(ChanceClassifier(), name) for name in ("partial_fit", "merge", "forget"))
