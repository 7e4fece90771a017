import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.neighbors import KNeighborsRegressor as TheirRegressor

from classica import KNeighborsRegressor
from classica.errors import DataError, ParameterError
from tests.reference.neighbours import ranks, vote

#: Many tables here are smaller than K, which has its own test.
pytestmark = pytest.mark.filterwarnings("ignore:n_neighbors must be at most:UserWarning")

STRUCTURES = ["brute", "partial", "kd_tree", "ball_tree", "annulus"]
each_structure = pytest.mark.parametrize("structure", STRUCTURES)


def waves(rows=150, columns=3, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns))
    return X, np.sin(X).sum(axis=1) + random.normal(size=rows) * 0.1


def message(call, error):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


# The rule


def test_the_mean_of_the_nearest_targets():
    model = KNeighborsRegressor(2).fit([[0.0], [1.0], [3.0], [9.0]], [0.0, 1.0, 4.0, 81.0])
    assert model.predict([[0.4], [2.5], [100.0]]).tolist() == [0.5, 2.5, 42.5]


def test_rows_at_the_last_distance_all_take_part_or_only_the_first():
    X, y = [[0.0], [2.0], [2.0], [5.0]], [1.0, 3.0, 8.0, 90.0]
    assert KNeighborsRegressor(1).fit(X, y).predict([[1.0], [2.0]]) == pytest.approx([4.0, 5.5])
    assert KNeighborsRegressor(1, ties="lowest").fit(X, y).predict([[1.0], [2.0]]).tolist() == [1.0, 3.0]
    assert KNeighborsRegressor(2, ties="lowest").fit(X, y).predict([[1.0]]).tolist() == [2.0]


def test_weights_are_one_over_the_distance_and_zero_takes_all():
    X, y = [[0.0], [3.0], [3.0]], [1.0, 5.0, 8.0]
    model = KNeighborsRegressor(3, weights="distance").fit(X, y)
    assert model.predict([[1.0], [0.0], [3.0]]) == pytest.approx([(1 + 5 / 2 + 8 / 2) / 2, 1, 6.5])


def test_a_function_gives_the_weights():
    X, y = waves()
    model = KNeighborsRegressor(weights=lambda d: np.exp(-d)).fit(X, y)
    theirs = TheirRegressor(weights=lambda d: np.exp(-d)).fit(X, y)
    np.testing.assert_allclose(model.predict(X + 0.1), theirs.predict(X + 0.1), rtol=1e-12)


def test_weights_that_leave_nothing_are_an_error():
    model = KNeighborsRegressor(2, weights=np.zeros_like).fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="weight"):
        model.predict([[0.0]])


@each_structure
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_means_over_ties_equal_the_oracle(structure, dtype):
    random = np.random.default_rng(1)
    X, y = random.integers(-2, 3, size=(90, 2)).astype(dtype), random.integers(0, 50, 90) * 1.0
    rank = ranks(X, X, "euclidean")
    for k, n_jobs in ((1, 1), (4, 2), (30, 5), (90, 1), (200, 2)):
        model = KNeighborsRegressor(k, algorithm=structure, leaf_size=8, n_jobs=n_jobs).fit(X, y)
        lists = [vote(row, np.zeros(90, dtype=int), 1, k, "decrease")[1] for row in rank]
        assert model.predict(X).tolist() == [y[rows].sum() / len(rows) for rows in lists]
        model = KNeighborsRegressor(k, algorithm=structure, ties="lowest").fit(X, y)
        assert model.predict(X).tolist() == [y[rows[:k]].sum() / min(k, 90) for rows in lists]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "minkowski"])
@pytest.mark.parametrize("ties", ["include", "lowest"])
def test_equal_to_scikit_learn_without_ties(weights, metric, ties):
    X, y = waves()
    queries = waves(60, seed=2)[0]
    for k in (1, 4, 150):
        ours = KNeighborsRegressor(k, weights=weights, metric=metric, p=3, ties=ties).fit(X, y)
        theirs = TheirRegressor(k, weights=weights, metric=metric, p=3).fit(X, y)
        np.testing.assert_allclose(ours.predict(queries), theirs.predict(queries), rtol=1e-12, atol=1e-14)


def test_none_means_every_row_left_out():
    X, y = waves(40)
    X[::5] = X[0]
    found = KNeighborsRegressor(3).fit(X, y).predict(None)
    for i in range(40):
        rest = np.arange(40) != i
        assert KNeighborsRegressor(3).fit(X[rest], y[rest]).predict(X[i : i + 1])[0] == found[i]


def test_one_row_predicts_itself_and_cannot_be_left_out():
    model = KNeighborsRegressor().fit([[1.0, 2.0]], [7.0])
    assert model.n_neighbors_ == 1
    assert model.predict([[9.0, 9.0]]).tolist() == [7.0]
    with pytest.raises((DataError, ParameterError)):
        model.predict(None)


def test_predictions_lie_between_the_targets():
    X, y = waves()
    found = KNeighborsRegressor(weights="distance").fit(X, y).predict(X * 100)
    assert y.min() <= found.min() <= found.max() <= y.max()


# Metrics


def test_precomputed_and_called_metrics_equal_the_built_in_one():
    X, y = waves(50)
    model = KNeighborsRegressor(metric="manhattan").fit(X, y)
    square = KNeighborsRegressor(metric="precomputed").fit(ranks(X, X, "manhattan"), y)
    called = KNeighborsRegressor(metric=lambda a, b: abs(a - b).sum()).fit(X, y)
    assert square.predict(None).tolist() == called.predict(None).tolist() == model.predict(None).tolist()


def test_mixed_frames():
    frame = pd.DataFrame({"colour": ["red", "blue", "red", None], "size": [0.0, 0, 4, 4]})
    model = KNeighborsRegressor(1, metric="heom").fit(frame, [1.0, 2.0, 3.0, 4.0])
    asked = pd.DataFrame({"colour": ["red", "blue", "violet", None], "size": [1.0, 1, 0, None]})
    # Violet differs from all: the two rows of size 0 tie. All missing: every row is equally far.
    assert model.predict(asked).tolist() == [1.0, 2.0, 1.5, 2.5]


@pytest.mark.parametrize("k", [1, 5, 20])
def test_an_approximate_prediction_is_a_mean_of_targets(k):
    X, y = waves(257)
    model = KNeighborsRegressor(k, approximate=True, leaf_size=8).fit(X, y)
    for found in (model.predict(X), model.predict(None)):
        assert y.min() <= found.min() <= found.max() <= y.max()


# Rows come and go


def assert_same_model(model, fresh, queries):
    assert (model.n_neighbors_, model.n_samples_fit_) == (fresh.n_neighbors_, fresh.n_samples_fit_)
    for asked in (queries, None):
        assert model.predict(asked).tolist() == fresh.predict(asked).tolist()


@each_structure
def test_adding_and_forgetting_equal_a_fresh_fit(structure):
    X, y = waves(90)
    model = KNeighborsRegressor(4, algorithm=structure, leaf_size=8)
    for start in range(0, 90, 18):
        model.partial_fit(X[start : start + 18], y[start : start + 18])
    fresh = KNeighborsRegressor(4, algorithm=structure, leaf_size=8)
    assert_same_model(model, fresh.fit(X, y), X + 0.1)
    gone = np.arange(90) % 3 > 0
    assert_same_model(model.forget(X[gone], y[gone]), fresh.fit(X[~gone], y[~gone]), X + 0.1)


@pytest.mark.parametrize("metric", ["mahalanobis", "heom", "gower", "cosine"])
def test_metrics_that_depend_on_the_data_are_made_anew(metric):
    X, y = waves(60)
    model = KNeighborsRegressor(metric=metric).fit(X[:20], y[:20]).partial_fit(X[20:] * 3, y[20:])
    both = np.vstack([X[:20], X[20:] * 3])
    assert_same_model(model, KNeighborsRegressor(metric=metric).fit(both, y), X)
    model.forget(both[30:], y[30:])
    assert_same_model(model, KNeighborsRegressor(metric=metric).fit(both[:30], y[:30]), X)


def test_integer_targets_are_forgotten_as_numbers():
    model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [3, 4]).forget([[0.0]], [3.0])
    assert model.predict([[0.0]]).tolist() == [4]


# Errors


@pytest.mark.parametrize(
    ("X", "y", "text"),
    [
        (
            [[7.0]],
            [0.5],
            "Cannot forget row 0: it is not a training row.",
        ),
        (
            [[0.0]],
            [1.5],
            "Cannot forget row 0: it is not a training row.",
        ),
        ([[0.0], [1.0]], [0.5, 1.5], "forget must leave at least one row, got all of them."),
    ],
)
def test_what_cannot_be_forgotten(X, y, text):
    model = KNeighborsRegressor().fit([[0.0], [1.0]], [0.5, 1.5])
    assert message(lambda: model.forget(X, y), DataError) == text
    assert model.predict([[0.0]]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("y", "text"),
    [
        ([1.0], "y for 2 rows of X must be 2 numbers long, got 1."),
        ([1.0, np.nan], "y must be finite, got nan in row 1."),
        ([1.0, np.inf], "y must be finite, got inf in row 1."),
        (None, "Cannot fit: KNeighborsRegressor requires y to be passed, but the target y is None."),
    ],
)
def test_bad_targets_are_refused(y, text):
    assert message(lambda: KNeighborsRegressor().fit([[0.0], [1.0]], y), DataError) == text


def test_text_is_no_target():
    with pytest.raises(DataError, match=r"^y must hold one number per row"):
        KNeighborsRegressor().fit([[0.0], [1.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be an integer of at least 1, got 0."),
        ({"n_neighbors": "sqrt"}, "n_neighbors must be an integer of at least 1, got 'sqrt'."),
        ({"ties": "decrease"}, "ties must be 'include' or 'lowest', got 'decrease'."),
    ],
)
def test_bad_parameters_are_named(options, text):
    assert message(lambda: KNeighborsRegressor(**options).fit([[0.0]], [0.0]), ParameterError) == text


def test_an_unfitted_model_refuses_politely():
    text = "This KNeighborsRegressor is not fitted yet; call fit() first."
    assert message(lambda: KNeighborsRegressor().predict([[0.0]]), NotFittedError) == text
    assert message(lambda: KNeighborsRegressor().forget([[0.0]], [0.0]), NotFittedError) == text


def test_searches_and_cross_validation():
    X, y = waves()
    search = GridSearchCV(
        KNeighborsRegressor(), {"n_neighbors": [1, 5], "weights": ["uniform", "distance"]}, cv=3
    )
    assert search.fit(X, y).best_score_ > 0.5
    assert cross_validate(KNeighborsRegressor(), X, y, cv=3)["test_score"].min() > 0.3
