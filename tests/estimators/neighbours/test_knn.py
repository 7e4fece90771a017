import functools
import itertools

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.neighbors import KNeighborsClassifier as TheirClassifier
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from classica import KNeighborsClassifier, KNeighborsRegressor
from classica.errors import DataError, ParameterError
from tests.reference.neighbours import ranks, vote

#: Many tables here are smaller than K, which has its own test.
pytestmark = pytest.mark.filterwarnings("ignore:n_neighbors must be at most:UserWarning")

STRUCTURES = ["brute", "partial", "kd_tree", "ball_tree", "annulus"]
MINKOWSKI = ["euclidean", "manhattan", "chebyshev", "minkowski"]
METRICS = [*MINKOWSKI, "hamming", "cosine", "mahalanobis", "heom", "gower"]
SUPPORTED = {
    "brute": METRICS,
    "partial": METRICS,
    "kd_tree": MINKOWSKI,
    "ball_tree": [*MINKOWSKI, "hamming", "mahalanobis"],
    "annulus": MINKOWSKI,
}
PAIRS = [(s, m) for s in STRUCTURES for m in METRICS if m in SUPPORTED[s]]
TIES = ["decrease", "increase", "lowest"]

each_structure = pytest.mark.parametrize("structure", STRUCTURES)
each_pair = pytest.mark.parametrize(("structure", "metric"), PAIRS)
each_ties = pytest.mark.parametrize("ties", TIES)


def blobs(rows=120, columns=4, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return random.normal(size=(rows, columns)) + y[:, None], y


def message(call, error):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def voters_of(X, queries, k, **options):
    """Return all rows up to the K-th distance: with one class nothing else decides how many vote."""
    model = KNeighborsClassifier(k, **options).fit(X, np.zeros(len(X), dtype=int))
    return [why.rows.tolist() for why in model.explain(queries)], [
        why.distances for why in model.explain(queries)
    ]


# Equal to the oracle on tables where every rank is exact


def metric_options(metric, columns):
    """Return what the estimator and what the oracle are told about the metric."""
    if metric == "minkowski":
        return {"p": 3}, {}
    if metric == "mahalanobis":
        VI = np.diag([4.0, 1.0, 16.0, 1.0][:columns])
        return {"metric_params": {"VI": VI}}, {"VI": VI}
    if metric in ("heom", "gower"):
        return {"categorical_features": [0]}, {"categorical": [0]}
    return {}, {}


def directions(X):
    """Turn rows of integers into rows whose unit vectors are exact."""
    along = np.vstack([np.eye(4), -np.eye(4), list(itertools.product([-1, 1], repeat=4)), np.zeros((1, 4))])
    which = X.astype(int) @ np.array([1, 5, 11, 3][: X.shape[1]])
    return along[which % len(along)] * (1 + abs(X[:, :1]))


def ring(radius):
    return [p for p in itertools.product(range(-8, 9), repeat=2) if p[0] ** 2 + p[1] ** 2 == radius]


def exact_tables():
    """Rows and queries: integers, symmetric about zero, of a range that is a power of two."""
    grid = np.array(list(itertools.product(range(-2, 3), repeat=3)), dtype=float)
    others = np.array([[8.0, 8, 8], [-8, -8, -8], [1, 0, 0], [-1, 0, 0], [0, 2, 1], [0, -2, -1]])
    corners = [(-8, -8), (8, 8)]
    rings = np.array([*ring(25), *ring(50), *ring(5), (0, 0), *corners], dtype=float)
    return {
        "grid": (grid, np.vstack([grid[::9], [[5, -4, 3], [0, 0, 7]]])),
        "1000 copies": (np.vstack([others, np.zeros((1000, 3))]), np.vstack([others[2:5], [[0, 0, 0]]])),
        "rings": (rings, np.array([[0.0, 0], [1, 1], [3, 4], [-6, 2]])),
        "one row": (np.array([[2.0, -1, 3]]), np.array([[2.0, -1, 3], [0, 0, 0]])),
    }


EXACT = exact_tables()


@functools.cache
def oracle(table, metric):
    """Return the rows, the queries, labels and the rank of every row for every query."""
    X, queries = EXACT[table]
    if metric == "cosine":
        X, queries = directions(X), directions(queries)
    told = dict(metric_options(metric, X.shape[1])[1])
    if metric in ("heom", "gower"):
        spread = np.ptp(X, axis=0)
        told["ranges"] = np.where(spread > 0, spread, 1.0)
    y = (np.arange(len(X)) * 7) % 3
    return X, queries, y, ranks(queries, X, metric, **told)


def to_distance(rank, metric, columns):
    if metric == "minkowski":
        return rank ** (1 / 3)
    if metric in ("euclidean", "heom", "mahalanobis"):
        return np.sqrt(rank)
    return rank / columns if metric == "hamming" else rank


@pytest.mark.parametrize("table", EXACT)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@each_pair
def test_neighbours_and_ties_equal_the_oracle(structure, metric, dtype, table):
    X, queries, _, rank = oracle(table, metric)
    told = metric_options(metric, X.shape[1])[0]
    options = {"algorithm": structure, "metric": metric, "leaf_size": 8, **told}
    for k, n_jobs in ((1, 1), (2, 5), (5, 2), (12, 1), (len(X), 2), (len(X) + 3, 5)):
        rows, distances = voters_of(X.astype(dtype), queries.astype(dtype), k, n_jobs=n_jobs, **options)
        for i, listed in enumerate(rows):
            wanted = vote(rank[i], np.zeros(len(X), dtype=int), 1, k, "decrease")[1]
            assert listed == wanted.tolist()
            exact = to_distance(rank[i][wanted], metric, X.shape[1])
            np.testing.assert_allclose(distances[i], exact, rtol=4e-16, atol=0)


@pytest.mark.parametrize("table", EXACT)
@each_ties
@each_pair
def test_votes_equal_the_oracle(structure, metric, ties, table):
    X, queries, y, rank = oracle(table, metric)
    told = metric_options(metric, X.shape[1])[0]
    classes = len(set(y.tolist()))
    for dtype, k, n_jobs in (
        (np.float32, 1, 1),
        (np.float64, 4, 5),
        (np.float32, 6, 2),
        (np.float64, len(X), 2),
    ):
        model = KNeighborsClassifier(
            k, algorithm=structure, metric=metric, ties=ties, leaf_size=8, n_jobs=n_jobs, **told
        ).fit(X.astype(dtype), y)
        wanted = [vote(rank[i], y, classes, k, ties) for i in range(len(queries))]
        shares, (rows, used) = model.predict_proba(queries), model.neighbors_used(queries)
        assert shares.tolist() == [share.tolist() for share, _ in wanted]
        assert [r.tolist() for r in rows] == [r.tolist() for _, r in wanted]
        assert used.tolist() == [len(r) for _, r in wanted]
        assert model.predict(queries).tolist() == [int(share.argmax()) for share, _ in wanted]


@given(st.data())
def test_votes_equal_the_oracle_on_any_small_grid(data):
    columns = data.draw(st.integers(1, 3))
    row = st.lists(st.integers(-3, 3), min_size=columns, max_size=columns)
    X = np.array(data.draw(st.lists(row, min_size=1, max_size=40)), dtype=float)
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(X), max_size=len(X))))
    classes, codes = np.unique(y, return_inverse=True)
    k, ties = data.draw(st.integers(1, len(X))), data.draw(st.sampled_from(TIES))
    structure, metric = data.draw(st.sampled_from([(s, m) for s, m in PAIRS if m in MINKOWSKI]))
    model = KNeighborsClassifier(k, algorithm=structure, metric=metric, p=3, ties=ties, leaf_size=8)
    found = model.fit(X, y).predict_proba(X)
    wanted = [vote(rank, codes, len(classes), k, ties)[0] for rank in ranks(X, X, metric)]
    assert found.tolist() == [share.tolist() for share in wanted]


@pytest.mark.parametrize(
    ("structure", "metric"), [(s, m) for s in STRUCTURES for m in METRICS if m not in SUPPORTED[s]]
)
def test_other_pairs_are_refused_in_one_sentence(structure, metric):
    structures = ", ".join(
        s for s in ["brute", "partial", "kd_tree", "annulus", "ball_tree"] if metric in SUPPORTED[s]
    )
    X, y = blobs(20)
    model = KNeighborsClassifier(algorithm=structure, metric=metric)
    assert message(lambda: model.fit(X, y), ParameterError) == (
        f"algorithm must be one of {structures} for the metric {metric!r}, got {structure!r}."
    )


def test_a_power_below_one_has_no_triangle_inequality():
    X, y = blobs(20)
    for structure in ("ball_tree", "annulus"):
        with pytest.raises(ParameterError, match="algorithm must be one of brute, partial, kd_tree for"):
            KNeighborsClassifier(algorithm=structure, p=0.5).fit(X, y)
    lists = [
        voters_of(X, X, 5, algorithm=structure, p=0.5)[0] for structure in ("brute", "partial", "kd_tree")
    ]
    assert lists[0] == lists[1] == lists[2]


# All structures agree to the last bit, whatever the numbers


def hard_tables():
    """Rows and queries on which norms go wrong; integers, so that direct differences are exact."""
    random = np.random.default_rng(1)
    whole = random.integers(-30, 31, size=(400, 6)).astype(float)
    far = random.integers(0, 3, size=(400, 6)) + 1e7 * random.integers(-1, 2, size=(400, 1))
    outliers = whole.copy()
    outliers[::97] *= 2.0**40
    constant = whole.copy()
    constant[:, [1, 4]] = 3.0
    tables = {
        "plain": whole,
        "shifted by 1e8": whole + 1e8,
        "tight clusters far apart": far,
        "about 1e18": whole * 2.0**55,
        "about 1e30": whole * 2.0**95,
        "about 1e140": whole * 2.0**460,
        "small": whole * 2.0**-120,
        "subnormal in single precision": whole * 2.0**-148,
        "squares almost subnormal": whole * 2.0**-530,
        "squares vanish": whole * 2.0**-550,
        "outliers": outliers,
        "duplicates": np.repeat(whole[:20], 20, axis=0),
        "constant columns": constant,
        "all equal": np.full((300, 5), 0.1),
        "wide": random.integers(-5, 6, size=(300, 70)).astype(float),
    }
    return {name: (X, np.vstack([X[:40], X[40:60] + (X[60:80] - X[80:100])])) for name, X in tables.items()}


HARD = hard_tables()
SINGLE = [name for name in HARD if name not in ("shifted by 1e8", "about 1e140")]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, np.float64) for name in HARD] + [(name, np.float32) for name in SINGLE if "squares" not in name],
)
@each_structure
def test_neighbours_are_those_of_direct_differences(structure, name, dtype):
    X, queries = (table.astype(dtype) for table in HARD[name])
    rank = ranks(queries, X, "euclidean")
    for k in (1, 7):
        rows, distances = voters_of(X, queries, k, algorithm=structure, leaf_size=8)
        for i, listed in enumerate(rows):
            wanted = vote(rank[i], np.zeros(len(X), dtype=int), 1, k, "decrease")[1]
            assert listed == wanted.tolist()
            assert distances[i].tolist() == np.sqrt(rank[i][wanted]).tolist()


def rough_tables():
    random = np.random.default_rng(2)
    normal = random.normal(size=(700, 5))
    return {
        "plain": normal,
        "shifted by 1e8": normal + 1e8,
        "tight clusters": normal * 1e-9 + random.integers(0, 5, size=(700, 1)),
        "1e30": normal * 1e30,
        "1e-30": normal * 1e-30,
        "subnormal": normal * 1e-310,
        "squares subnormal": normal * 1e-160,
        "many scales": normal * 10.0 ** random.integers(-20, 20, size=(700, 1)),
        "column scales": normal * 10.0 ** np.array([-8, -3, 0, 4, 9]),
        "wide": random.normal(size=(300, 40)),
    }


ROUGH = rough_tables()


@pytest.mark.parametrize("metric", ["minkowski3", *MINKOWSKI[:3], "hamming", "mahalanobis", "cosine", "heom"])
@pytest.mark.parametrize("name", ROUGH)
def test_structures_agree_to_the_last_bit(name, metric):
    X = ROUGH[name]
    queries = np.vstack([X[:30], X[30:60] * 1.01 + X[60:90] * 0.1])
    power, metric = (3, "minkowski") if metric == "minkowski3" else (2, metric)
    found = {
        s: voters_of(X, queries, 6, algorithm=s, metric=metric, p=power, leaf_size=16)
        for s in STRUCTURES
        if metric in SUPPORTED[s]
    }
    for rows, distances in found.values():
        assert rows == found["partial"][0]
        assert [d.tolist() for d in distances] == [d.tolist() for d in found["partial"][1]]


def test_a_few_queries_and_many_find_the_same():
    for X in (ROUGH["plain"], ROUGH["shifted by 1e8"], ROUGH["many scales"], ROUGH["wide"]):
        model = KNeighborsClassifier(algorithm="brute").fit(X, np.arange(len(X)) % 2)
        many = model.kneighbors(X[:50])
        few = [model.kneighbors(X[i : i + 1]) for i in range(50)]
        for part in (0, 1):
            assert many[part].tolist() == [one[part][0].tolist() for one in few]


@pytest.mark.parametrize("metric", [m for m in METRICS if m != "hamming"])
@pytest.mark.parametrize("name", [n for n in ROUGH if n not in ("subnormal", "squares subnormal")])
def test_a_row_is_at_distance_zero_from_itself(name, metric):
    X = ROUGH[name][:300]
    model = KNeighborsClassifier(1, metric=metric).fit(X, np.zeros(len(X), dtype=int))
    assert not model.kneighbors(X)[0].any()
    assert not any(model.kneighbors(X[i : i + 1])[0].item() for i in range(0, 300, 29))
    assert not any(model.kneighbors(X[i : i + 17])[0].any() for i in range(0, 280, 53))


@pytest.mark.parametrize("metric", METRICS)
def test_memory_order_batches_and_threads_change_no_bit(metric):
    X = np.random.default_rng(3).normal(size=(300, 20))
    y = np.arange(300) % 3
    first = KNeighborsClassifier(metric=metric, n_jobs=1).fit(X, y)
    second = KNeighborsClassifier(metric=metric, n_jobs=5).fit(np.asfortranarray(X), y)
    (d1, r1), (d2, r2) = first.kneighbors(X[:64]), second.kneighbors(np.asfortranarray(X[:64]))
    assert r1.tolist() == r2.tolist()
    assert d1.tolist() == d2.tolist()
    one_by_one = np.vstack([first.kneighbors(X[i : i + 1])[0] for i in range(64)])
    assert d1.tolist() == one_by_one.tolist()


@pytest.mark.parametrize("metric", [*MINKOWSKI, "hamming", "heom", "gower"])
def test_the_order_of_columns_does_not_matter(metric):
    X, queries, y, _ = oracle("grid", metric)
    shuffled = np.array([2, 0, 1])
    plain = KNeighborsClassifier(7, metric=metric, p=3).fit(X, y)
    other = KNeighborsClassifier(7, metric=metric, p=3).fit(X[:, shuffled], y)
    assert plain.predict_proba(queries).tolist() == other.predict_proba(queries[:, shuffled]).tolist()


@pytest.mark.parametrize("metric", METRICS)
def test_values_up_to_1e150_are_told_apart(metric):
    X = np.array([[1.0, 0.5], [0.9, 0.5], [0.3, 0.5], [-1.0, 0.4]]) * 1e150
    model = KNeighborsClassifier(2, metric=metric, p=3).fit(X, [0, 0, 1, 1])
    distances, rows = model.kneighbors(X)
    assert np.isfinite(distances).all()
    if metric != "hamming":
        assert rows[:, 0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("p", [3, 20, 200])
def test_a_large_power_still_tells_rows_apart(p):
    X = np.arange(30.0)[:, None] * np.array([[1000.0, 1.0]])
    _, rows = KNeighborsClassifier(1, p=p, algorithm="brute").fit(X, np.arange(30)).kneighbors(X + 10)
    assert rows[:, 0].tolist() == list(range(30))


# Weights


def test_distance_weights_are_one_over_the_distance():
    X, y = [[0.0], [1.0], [2.0], [6.0]], ["a", "b", "b", "a"]
    model = KNeighborsClassifier(4, weights="distance").fit(X, y)
    # Distances 3, 2, 1, 3: a has 1/3 + 1/3, b has 1/2 + 1.
    assert model.predict_proba([[3.0]])[0] == pytest.approx([4 / 13, 9 / 13], rel=1e-15)


def test_a_zero_distance_takes_all_the_weight():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], ["a", "a", "b", "c", "c"]
    model = KNeighborsClassifier(5, weights="distance").fit(X, y)
    assert model.predict_proba([[0.0]])[0] == pytest.approx([2 / 3, 1 / 3, 0])
    assert model.predict_proba([[1.0]])[0].tolist() == [0, 0, 1]


def test_distance_weights_survive_tiny_distances():
    X = np.array([[0.0], [3e-310], [1.0]])
    model = KNeighborsClassifier(2, weights="distance", metric="manhattan").fit(X, ["a", "b", "b"])
    assert model.predict_proba([[1e-310]])[0] == pytest.approx([2 / 3, 1 / 3], rel=1e-9)


def test_a_function_of_weights_gets_one_row_per_query():
    shapes = []

    def weights(distances):
        shapes.append(distances.shape)
        return 1 / (1 + distances)

    X, y = blobs(50)
    model = KNeighborsClassifier(5, weights=weights).fit(X, y)
    theirs = TheirClassifier(5, weights=lambda d: 1 / (1 + d)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)
    assert shapes == [(50, 5)]


def test_a_function_of_weights_is_called_once_per_length_of_list():
    shapes = []
    model = KNeighborsClassifier(1, weights=lambda d: shapes.append(d.shape) or np.ones_like(d))
    model.fit([[0.0], [2.0], [9.0]], [0, 1, 1]).predict([[0.0], [1.0], [8.0]])
    assert sorted(shapes) == [(1, 2), (2, 1)]


def test_weights_that_leave_nothing_are_an_error():
    model = KNeighborsClassifier(2, weights=np.zeros_like).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="weight"):
        model.predict_proba([[0.0]])


@each_ties
@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_weighted_votes_equal_the_oracle(weights, ties):
    random = np.random.default_rng(4)
    X, y = random.integers(-4, 5, size=(60, 2)) * 1.0, random.integers(0, 3, 60)
    queries = random.integers(-4, 5, size=(20, 2)) + 0.5
    model = KNeighborsClassifier(6, weights=weights, ties=ties, metric="chebyshev").fit(X, y)
    for query, share in zip(queries, model.predict_proba(queries), strict=True):
        rank = ranks([query], X, "chebyshev")[0]
        wanted, _ = vote(rank, y, 3, 6, ties, 1 / rank if weights == "distance" else None)
        assert share == pytest.approx(wanted, rel=1e-12)


# Choosing K


@pytest.mark.parametrize(
    ("rows", "classes", "k"),
    [(1, 1, 1), (2, 2, 1), (100, 1, 10), (50, 2, 5), (72, 2, 7), (48, 3, 4), (200, 2, 11)],
)
def test_sqrt_is_the_root_of_rows_per_class_and_odd_for_two(rows, classes, k):
    X, y = blobs(rows, classes=classes)
    assert KNeighborsClassifier("sqrt").fit(X, y).n_neighbors_ == k


def test_k_is_at_most_the_number_of_rows():
    X, y = blobs(4)
    model = KNeighborsClassifier(9).fit(X, y)
    assert model.n_neighbors_ == 4
    assert model.kneighbors(X)[0].shape == (4, 4)


def refitted_errors(X, y, k, ties, **options):
    """Return the errors of leave-one-out the slow way."""
    errors = 0
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        model = KNeighborsClassifier(k, ties=ties, **options).fit(X[rest], y[rest])
        errors += int(model.predict(X[i : i + 1])[0] != y[i])
    return errors


def small_tables():
    random = np.random.default_rng(5)
    X, y = blobs(22)
    return {
        "plain": (X, y),
        "heavy ties": (random.integers(0, 3, size=(25, 2)) * 1.0, random.integers(0, 3, 25)),
        "copies": (np.zeros((15, 2)), random.integers(0, 2, 15)),
        "two rows": (np.array([[0.0], [1.0]]), np.array([0, 1])),
        "one class": (X, np.zeros(22, dtype=int)),
    }


SMALL = small_tables()


@pytest.mark.parametrize("name", SMALL)
@each_ties
def test_loo_picks_the_k_with_the_fewest_errors_of_refitting(ties, name):
    X, y = SMALL[name]
    errors = [refitted_errors(X, y, k, ties) for k in range(1, len(X))]
    assert KNeighborsClassifier("loo", ties=ties).fit(X, y).n_neighbors_ == int(np.argmin(errors)) + 1


@functools.cache
def oracle_errors(name, ties):
    """Return the leave-one-out errors of every K."""
    X, y = SMALL[name]
    classes, codes = np.unique(y, return_inverse=True)
    rank, errors = ranks(X, X, "euclidean"), []
    for k in range(1, len(X)):
        rest = ((np.delete(rank[i], i), np.delete(codes, i)) for i in range(len(X)))
        voted = [vote(*others, len(classes), k, ties)[0].argmax() for others in rest]
        errors.append(int((voted != codes).sum()))
    return errors


@pytest.mark.parametrize("name", SMALL)
@each_structure
def test_leave_one_out_errors_of_every_k_equal_the_oracle(structure, name):
    X, y = SMALL[name]
    model = KNeighborsClassifier(algorithm=structure, leaf_size=8).fit(X, y)
    for largest in (1, 4, 50):
        errors = model.leave_one_out_errors(largest)
        assert errors.rows == len(X)
        for ties in TIES:
            assert getattr(errors, ties).tolist() == oracle_errors(name, ties)[:largest]


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("metric", ["euclidean", "hamming", "precomputed"])
def test_leave_one_out_errors_equal_the_errors_of_left_out_predictions(metric, weights):
    X, y = np.random.default_rng(6).integers(0, 4, size=(60, 3)) * 1.0, np.arange(60) % 4
    X = ranks(X, X, "manhattan") if metric == "precomputed" else X
    for ties in TIES:
        found = []
        for k in range(1, 11):
            model = KNeighborsClassifier(k, metric=metric, ties=ties, weights=weights).fit(X, y)
            found.append(int((model.predict(None) != y).sum()))
        assert getattr(model.leave_one_out_errors(10), ties).tolist() == found


def test_leave_one_out_needs_two_rows():
    model = KNeighborsClassifier().fit([[0.0]], [0])
    text = "The training data must have at least 2 rows for leave-one-out, got 1."
    assert message(model.leave_one_out_errors, DataError) == text
    for call in (model.predict, model.predict_proba, model.neighbors_used, model.explain):
        assert message(lambda call=call: call(None), DataError) == text
    with pytest.raises((DataError, ParameterError)):
        model.kneighbors()


@pytest.mark.parametrize("largest", [0, -1, 2.5, "3"])
def test_the_largest_k_must_be_a_positive_integer(largest):
    X, y = blobs(10)
    with pytest.raises((DataError, ParameterError), match=f"got {largest!r}"):
        KNeighborsClassifier().fit(X, y).leave_one_out_errors(largest)


@pytest.mark.parametrize("metric", [*MINKOWSKI, "hamming", "cosine"])
def test_none_means_every_row_left_out(metric):
    X, y = blobs(60)
    X[::7] = X[0]
    model = KNeighborsClassifier(4, metric=metric).fit(X, y)
    distances, rows = model.kneighbors()
    shares = model.predict_proba(None)
    assert model.predict(None).tolist() == shares.argmax(axis=1).tolist()
    for i in range(60):
        rest = np.delete(np.arange(60), i)
        fresh = KNeighborsClassifier(4, metric=metric).fit(X[rest], y[rest])
        assert fresh.predict_proba(X[i : i + 1])[0].tolist() == shares[i].tolist()
        theirs = fresh.kneighbors(X[i : i + 1])
        assert theirs[0][0].tolist() == distances[i].tolist()
        assert rest[theirs[1][0]].tolist() == rows[i].tolist()


# Equal to scikit-learn where there are no ties


@pytest.mark.parametrize("metric", [*MINKOWSKI, "cosine", "mahalanobis"])
def test_kneighbors_equal_those_of_scikit_learn(metric):
    X, y = blobs(200)
    queries = blobs(50, seed=1)[0]
    told = {"VI": np.linalg.inv(np.cov(X, rowvar=False))} if metric == "mahalanobis" else None
    theirs = NearestNeighbors(n_neighbors=6, metric=metric, p=3, algorithm="brute", metric_params=told).fit(X)
    ours = KNeighborsClassifier(6, metric=metric, p=3).fit(X, y)
    for asked in ((queries,), ()):
        (d1, r1), (d2, r2) = ours.kneighbors(*asked), theirs.kneighbors(*asked)
        np.testing.assert_allclose(d1, d2, rtol=1e-9, atol=1e-15)
        assert r1.tolist() == r2.tolist()
        assert (d1.dtype, r1.dtype, d1.shape) == (np.float64, np.int64, d2.shape)
    rows = ours.kneighbors(queries, 3, return_distance=False)
    assert rows.tolist() == theirs.kneighbors(queries, 3, return_distance=False).tolist()


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("k", [1, 2, 4, 9])
def test_the_rule_lowest_is_that_of_scikit_learn(k, weights):
    X, y = blobs(200)
    queries = blobs(80, seed=1)[0]
    ours = KNeighborsClassifier(k, ties="lowest", weights=weights).fit(X, y)
    theirs = TheirClassifier(k, weights=weights).fit(X, y)
    assert ours.predict(queries).tolist() == theirs.predict(queries).tolist()
    np.testing.assert_allclose(ours.predict_proba(queries), theirs.predict_proba(queries), rtol=1e-12)


@pytest.mark.parametrize("wanted", [0, 13, 2.0, True, "2"])
def test_kneighbors_asks_for_a_possible_number(wanted):
    X, y = blobs(12)
    model = KNeighborsClassifier().fit(X, y)
    assert message(lambda: model.kneighbors(X, wanted), ParameterError) == (
        f"n_neighbors must be an integer from 1 to 12 (the rows), got {wanted!r}."
    )


# Rows come and go


def assert_same_model(model, fresh, queries):
    assert model.classes_.tolist() == fresh.classes_.tolist()
    assert (model.n_neighbors_, model.n_samples_fit_) == (fresh.n_neighbors_, fresh.n_samples_fit_)
    for asked in (queries, None):
        assert model.predict_proba(asked).tolist() == fresh.predict_proba(asked).tolist()
        k = min(fresh.n_neighbors_, fresh.n_samples_fit_ - 1)
        for mine, theirs in zip(model.kneighbors(asked, k), fresh.kneighbors(asked, k), strict=True):
            assert mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@each_pair
def test_adding_and_forgetting_equal_a_fresh_fit(structure, metric, dtype):
    X, y = blobs(90)
    X = X.round(1).astype(dtype)
    new = KNeighborsClassifier(4, algorithm=structure, metric=metric, leaf_size=8, p=3)
    options = new.get_params()
    model = new.fit(X[:30], y[:30])
    model.partial_fit(X[30:75], y[30:75]).partial_fit(X[75:], y[75:])
    assert_same_model(model, KNeighborsClassifier(**options).fit(X, y), X[:20] + dtype(0.25))
    gone = np.arange(90) % 4 == 1
    first = np.array(
        [np.flatnonzero((row == X).all(axis=1) & (y == label))[0] for row, label in zip(X, y, strict=True)]
    )
    gone &= first == np.arange(90)
    model.forget(X[gone], y[gone])
    assert_same_model(model, KNeighborsClassifier(**options).fit(X[~gone], y[~gone]), X[:20] + dtype(0.25))


@each_structure
def test_many_small_changes_equal_a_fresh_fit(structure):
    random = np.random.default_rng(7)
    X, y = random.normal(size=(3000, 4)), np.arange(3000) % 3
    held = list(range(40))
    model = KNeighborsClassifier(5, algorithm=structure, leaf_size=8, n_jobs=1).fit(X[held], y[held])
    queries = random.normal(size=(30, 4))
    for step, start in enumerate(range(40, 3000, 74)):
        added = list(range(start, start + 74))
        model.partial_fit(X[added], y[added])
        held += added
        gone = random.choice(held, size=60 if step % 5 else len(held) * 2 // 3, replace=False)
        model.forget(X[gone], y[gone])
        held = [i for i in held if i not in set(gone.tolist())]
    assert_same_model(
        model, KNeighborsClassifier(5, algorithm=structure, leaf_size=8).fit(X[held], y[held]), queries
    )


@each_structure
def test_one_row_at_a_time_equals_a_fresh_fit(structure):
    X, y = np.random.default_rng(8).integers(0, 3, size=(60, 2)) * 1.0, np.arange(60) % 2
    model = KNeighborsClassifier(3, algorithm=structure)
    for i in range(60):
        model.partial_fit(X[i : i + 1], y[i : i + 1])
    assert_same_model(model, KNeighborsClassifier(3, algorithm=structure).fit(X, y), X)
    for i in range(50):
        model.forget(X[i : i + 1], y[i : i + 1])
    assert_same_model(model, KNeighborsClassifier(3, algorithm=structure).fit(X[50:], y[50:]), X)


def test_of_equal_rows_the_first_is_forgotten():
    model = KNeighborsClassifier(2).fit([[1.0], [2.0], [1.0], [1.0]], ["a", "b", "a", "b"])
    model.forget([[1.0]], ["a"])
    assert_same_model(
        model, KNeighborsClassifier(2).fit([[2.0], [1.0], [1.0]], ["b", "a", "b"]), [[0.0], [3.0]]
    )


def test_new_classes_may_come_at_any_time():
    X, y = blobs(30)
    names = np.array(["b", "c", "a"])[y]
    model = KNeighborsClassifier().fit(X[names == "b"], names[names == "b"])
    model.partial_fit(X[names == "c"], names[names == "c"]).partial_fit(X[names == "a"], names[names == "a"])
    order = np.concatenate([np.flatnonzero(names == name) for name in "bca"])
    assert_same_model(model, KNeighborsClassifier().fit(X[order], names[order]), X)


def test_announced_classes_have_a_share_of_zero():
    model = KNeighborsClassifier().partial_fit([[0.0], [1.0]], ["b", "d"], classes=["a", "b", "c", "d"])
    assert model.classes_.tolist() == ["a", "b", "c", "d"]
    assert model.predict_proba([[0.0]]).tolist() == [[0, 1, 0, 0]]  # one each: K shrinks to the nearest
    model.partial_fit([[0.0]], ["c"], classes=["e"])
    assert model.classes_.tolist() == ["a", "b", "c", "d", "e"]
    assert model.predict(None).tolist() == ["c", "b", "b"]


def test_a_class_without_rows_is_forgotten():
    X, y = blobs(30)
    model = KNeighborsClassifier().fit(X, y).forget(X[y == 1], y[y == 1])
    assert_same_model(model, KNeighborsClassifier().fit(X[y != 1], y[y != 1]), X)


@pytest.mark.parametrize("k", ["sqrt", "loo", 200])
def test_k_is_chosen_anew(k):
    X, y = blobs(60)
    model = KNeighborsClassifier(k).fit(X[:10], y[:10]).partial_fit(X[10:], y[10:])
    assert_same_model(model, KNeighborsClassifier(k).fit(X, y), X)
    assert_same_model(model.forget(X[:20], y[:20]), KNeighborsClassifier(k).fit(X[20:], y[20:]), X)


@pytest.mark.parametrize(
    ("X", "y", "text"),
    [
        ([[7.0]], [0], "Cannot forget row 0: it is not a training row."),
        ([[0.0]], [1], "Cannot forget row 0: it is not a training row."),
        (
            [[1.0], [0.0], [0.0]],
            [1, 0, 0],
            "Cannot forget row 2: it is not a training row.",
        ),
        ([[0.0], [1.0]], [0, 1], "forget must leave at least one row, got all of them."),
    ],
)
def test_what_cannot_be_forgotten(X, y, text):
    model = KNeighborsClassifier().fit([[0.0], [1.0]], [0, 1])
    assert message(lambda: model.forget(X, y), DataError) == text
    assert model.n_samples_fit_ == 2
    assert model.predict([[0.0], [1.0]]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("learned", "forgotten"),
    [
        (np.array([0, 1, 1], np.int32), np.array([1], np.int64)),
        (np.array([0, 1, 1], np.uint8), [1]),
        (np.array([0.0, 1.0, 1.0]), [1]),
        (["a", "b", "b"], np.array(["b"], dtype=object)),
        (np.array(["a", "b", "b"], dtype=object), ["b"]),
        (["a", "b", "b"], pd.Series(["b"])),
        (pd.Series(["a", "b", "b"]), ["b"]),
    ],
    ids=["int32", "uint8", "float", "object", "from object", "series", "from series"],
)
def test_labels_are_forgotten_by_value_not_by_type(learned, forgotten):
    model = KNeighborsClassifier(1).fit([[0.0], [1.0], [2.0]], learned)
    assert model.forget([[1.0]], forgotten).n_samples_fit_ == 2


def test_negative_zero_is_zero_when_forgotten():
    model = KNeighborsClassifier().fit([[0.0], [1.0]], [0, 1])
    assert model.forget([[-0.0]], [0]).classes_.tolist() == [1]


def test_labels_of_another_kind_change_nothing():
    X, y = blobs(20)
    model = KNeighborsClassifier().fit(X, y)
    before = model.predict_proba(X).tolist()
    with pytest.raises(DataError):
        model.partial_fit(X[:3], ["a", "b", "c"])
    assert model.n_samples_fit_ == 20
    assert model.predict_proba(X).tolist() == before


def test_rows_added_in_double_precision_are_not_rounded():
    X, y = np.arange(8, dtype=np.float32)[:, None], [0, 1] * 4
    more = np.array([[0.1], [0.3]])
    model = KNeighborsClassifier(1).fit(X, y).partial_fit(more, [0, 1])
    assert model.kneighbors(more)[0].tolist() == [[0.0], [0.0]]


def test_an_unfitted_model_refuses_politely():
    for call in (
        lambda model: model.forget([[0.0]], [0]),
        lambda model: model.predict([[0.0]]),
        lambda model: model.kneighbors([[0.0]]),
        lambda model: model.leave_one_out_errors(),
        lambda model: model.explain([[0.0]]),
    ):
        text = "This KNeighborsClassifier is not fitted yet; call fit() first."
        assert message(lambda call=call: call(KNeighborsClassifier()), NotFittedError) == text


def test_fitting_again_starts_over():
    X, y = blobs(30)
    model = KNeighborsClassifier().fit(X, y).partial_fit(X, y).fit(X[:10, :2], y[:10])
    assert_same_model(model, KNeighborsClassifier().fit(X[:10, :2], y[:10]), X[:, :2])


# Other metrics


def test_precomputed_distances_vote_like_the_metric():
    X, y = blobs(60)
    square, queries = ranks(X, X, "manhattan"), ranks(X[:9] + 0.3, X, "manhattan")
    given_distances = KNeighborsClassifier(metric="precomputed").fit(square, y)
    model = KNeighborsClassifier(metric="manhattan").fit(X, y)
    assert given_distances.predict(queries).tolist() == model.predict(X[:9] + 0.3).tolist()
    assert given_distances.predict(None).tolist() == model.predict(None).tolist()
    assert given_distances.kneighbors()[1].tolist() == model.kneighbors()[1].tolist()
    errors = (given_distances.leave_one_out_errors(), model.leave_one_out_errors())
    assert errors[0].decrease.tolist() == errors[1].decrease.tolist()


def test_precomputed_rows_can_be_forgotten_but_not_added():
    X, y = blobs(20)
    square = ranks(X, X, "manhattan")
    model = KNeighborsClassifier(metric="precomputed").fit(square, y)
    text = "metric must be computed from rows to add rows, got 'precomputed'."
    assert message(lambda: model.partial_fit(square[:1], y[:1]), ParameterError) == text
    model.forget(square[:5], y[:5])
    fresh = KNeighborsClassifier(metric="precomputed").fit(square[5:, 5:], y[5:])
    assert_same_model(model, fresh, square[:, 5:])


def test_precomputed_distances_must_be_square():
    text = "X of precomputed distances must be square, got (2, 3)."
    model = KNeighborsClassifier(metric="precomputed")
    assert message(lambda: model.fit([[0.0, 1, 2], [1, 0, 1]], [0, 1]), DataError) == text


@pytest.mark.parametrize("metric", ["precomputed", lambda a, b: abs(a - b).sum()])
def test_only_brute_force_takes_distances_as_they_come(metric):
    for options in ({"algorithm": "kd_tree"}, {"approximate": True}):
        with pytest.raises(ParameterError, match=r"^algorithm must be 'auto' or 'brute' for the metric"):
            KNeighborsClassifier(metric=metric, **options).fit([[0.0, 1], [1, 0]], [0, 1])


def test_a_function_of_two_rows_is_a_metric():
    X, y = blobs(40)
    called = KNeighborsClassifier(
        metric=lambda a, b, scale: scale * abs(a - b).sum(), metric_params={"scale": 2.0}
    ).fit(X[:30], y[:30])
    model = KNeighborsClassifier(metric="manhattan").fit(X[:30], y[:30])
    assert called.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    np.testing.assert_allclose(called.kneighbors(X)[0], 2 * model.kneighbors(X)[0])
    assert called.predict(None).tolist() == model.predict(None).tolist()
    for changed in (called, model):
        changed.partial_fit(X[30:], y[30:]).forget(X[:5], y[:5])
    assert called.predict_proba(X).tolist() == model.predict_proba(X).tolist()


def test_mahalanobis_takes_a_covariance_or_its_inverse():
    X, y = blobs(80)
    V = np.cov(X, rowvar=False)
    learned = KNeighborsClassifier(metric="mahalanobis").fit(X, y).kneighbors(X[:9])
    for given_matrix in ({"V": V}, {"VI": np.linalg.inv(V)}):
        model = KNeighborsClassifier(metric="mahalanobis", metric_params=given_matrix).fit(X, y)
        np.testing.assert_allclose(model.kneighbors(X[:9])[0], learned[0], rtol=1e-9, atol=1e-12)
    exact = np.sqrt(ranks(X[:9], X, "mahalanobis", VI=np.linalg.inv(V)))
    np.testing.assert_allclose(np.sort(exact, axis=1)[:, :5], learned[0], rtol=1e-9, atol=1e-7)


def test_unknown_metric_parameters_are_refused():
    X, y = blobs(10)
    model = KNeighborsClassifier(metric="euclidean", metric_params={"w": [1, 2]})
    with pytest.raises(
        ParameterError, match="metric_params of euclidean must be V or VI, for mahalanobis only"
    ):
        model.fit(X, y)


def test_rows_of_zeros_are_at_cosine_distance_one_from_all_others():
    model = KNeighborsClassifier(3, metric="cosine").fit([[0.0, 0], [1, 0], [0, 3]], [0, 1, 2])
    assert model.kneighbors([[0.0, 0]])[0].tolist() == [[0, 1, 1]]
    assert model.kneighbors([[5.0, 0]])[0].tolist() == [[0, 1, 1]]


# The approximate search


def test_recall_is_a_share_and_one_when_exact():
    X, y = blobs(2000, columns=6)
    queries = blobs(100, columns=6, seed=1)[0]
    model = KNeighborsClassifier(approximate=True).fit(X, y)
    assert model.algorithm_ == "kd_tree"
    assert 0 < model.recall(queries) < 1
    assert KNeighborsClassifier().fit(X, y).recall(queries) == 1
    assert KNeighborsClassifier(approximate=True, leaf_size=5000).fit(X, y).recall(queries) == 1


def test_recall_counts_the_true_neighbours_found():
    X, y = blobs(500, columns=5)
    queries = blobs(40, columns=5, seed=1)[0]
    model = KNeighborsClassifier(4, approximate=True, leaf_size=16).fit(X, y)
    found, exact = model.kneighbors(queries, return_distance=False), KNeighborsClassifier(4).fit(X, y)
    true = exact.kneighbors(queries, return_distance=False)
    hits = sum(len(np.intersect1d(a, b)) for a, b in zip(found, true, strict=True))
    assert model.recall(queries) == hits / true.size


@pytest.mark.parametrize("rows", [33, 41, 100, 257])
def test_an_approximate_search_finds_k_rows_of_its_own(rows):
    X, y = blobs(rows, columns=2)
    for k in (1, 5, 20):
        model = KNeighborsClassifier(k, approximate=True, leaf_size=8).fit(X, y)
        for asked in (X, None):
            distances, found = model.kneighbors(asked)
            assert distances.shape == found.shape == (rows, k)
            exact = np.sqrt(((X[found] - X[:, None]) ** 2).sum(axis=2))
            np.testing.assert_allclose(distances, exact, atol=1e-12)
            assert np.isfinite(model.predict_proba(asked)).all()


def test_only_the_kd_tree_is_approximate():
    X, y = blobs(20)
    text = "algorithm must be 'kd_tree' (or 'auto') for approximate search, got 'ball_tree'."
    model = KNeighborsClassifier(algorithm="ball_tree", approximate=True)
    assert message(lambda: model.fit(X, y), ParameterError) == text


# Why


def test_an_explanation_names_the_neighbours_that_voted():
    X, y = [[1.0], [2.0], [4.0], [7.0]], ["a", "b", "b", "a"]
    model = KNeighborsClassifier(4).fit(X, y)
    near, far = model.explain([[0.0], [9.0]])
    assert (near.label, near.used, near.shares) == ("b", 3, {"a": 1 / 3, "b": 2 / 3})
    assert near.rows.tolist() == [0, 1, 2]
    assert near.distances.tolist() == [1, 2, 4]
    assert near.labels.tolist() == ["a", "b", "b"]
    assert (far.label, far.rows.tolist()) == ("b", [3, 2, 1])


def test_neighbors_used_gives_the_k_of_each_query():
    X, y = [[1.0], [2.0], [4.0], [7.0]], ["a", "b", "b", "a"]
    rows, used = KNeighborsClassifier(2).fit(X, y).neighbors_used([[0.0], [3.0], [9.0]])
    assert used.tolist() == [1, 2, 1]  # one each at 0 and at 9; two b's at distance 1 from 3
    assert [r.tolist() for r in rows] == [[0], [1, 2], [3]]
    rows, used = KNeighborsClassifier(2, ties="increase").fit(X, y).neighbors_used([[0.0], [5.5]])
    assert used.tolist() == [3, 3]


# Mixed columns

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
each_frame = pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)

CELLS = {
    "colour": ["red", "blue", None, "red", "green", "blue", "red", "green"],
    "size": [0.0, 4.0, 1.0, None, 2.0, 2.0, 3.0, 1.0],
    "wet": [True, False, True, True, None, False, False, True],
    "age": [16.0, 0.0, 4.0, 8.0, 8.0, None, 2.0, 12.0],
}
ASKED = {
    "colour": ["red", "violet", None, "blue", None],
    "size": [1.0, 3.0, None, 9.0, None],
    "wet": [True, None, False, False, None],
    "age": [8.0, 4.0, None, None, None],
}
MIXED_Y = np.array([0, 1, 2, 0, 1, 2, 0, 1])


def codes_of(cells):
    """Return the cells as numbers, by hand; the only unseen colour is violet."""
    code = {None: np.nan, "blue": 0, "green": 1, "red": 2, "violet": -1}
    columns = [[code[v] for v in cells["colour"]], cells["size"], cells["wet"], cells["age"]]
    return np.array(columns, dtype=float).T


@pytest.mark.parametrize("metric", ["heom", "gower"])
@each_frame
def test_frames_of_mixed_columns_equal_the_oracle(frame, metric):
    rank = ranks(
        codes_of(ASKED), codes_of(CELLS), metric, ranges=np.array([1.0, 4, 1, 16]), categorical=[0, 2]
    )
    for structure, k, ties in itertools.product(["brute", "partial", "auto"], [1, 3, 8], TIES):
        model = KNeighborsClassifier(k, metric=metric, algorithm=structure, ties=ties)
        model.fit(frame(CELLS), MIXED_Y)
        wanted = [vote(row, MIXED_Y, 3, k, ties) for row in rank]
        assert model.predict_proba(frame(ASKED)).tolist() == [share.tolist() for share, _ in wanted]
        assert [r.tolist() for r in model.neighbors_used(frame(ASKED))[0]] == [r.tolist() for _, r in wanted]
    distances = KNeighborsClassifier(8, metric=metric).fit(frame(CELLS), MIXED_Y).kneighbors(frame(ASKED))[0]
    assert distances.tolist() == to_distance(np.sort(rank, axis=1), metric, 4).tolist()


def test_categorical_columns_of_pandas_and_polars_are_categories():
    told = {"metric": "heom", "n_neighbors": 2}
    text = KNeighborsClassifier(**told).fit(pl.DataFrame(CELLS), MIXED_Y).predict_proba(pl.DataFrame(ASKED))
    first = pd.DataFrame(CELLS).astype({"colour": "category", "wet": "boolean"})
    model = KNeighborsClassifier(**told).fit(first, MIXED_Y)
    assert (
        model.predict_proba(pd.DataFrame(ASKED).astype({"colour": "category", "wet": "boolean"})).tolist()
        == text.tolist()
    )
    second = pl.DataFrame(CELLS).cast({"colour": pl.Categorical})
    asked = pl.DataFrame(ASKED).cast({"colour": pl.Categorical})
    assert KNeighborsClassifier(**told).fit(second, MIXED_Y).predict_proba(asked).tolist() == text.tolist()


@pytest.mark.parametrize(
    "chosen", [["kind"], [1], [-1], np.array([1]), [False, True], np.array([False, True])], ids=str
)
def test_categories_are_chosen_by_name_number_or_mask(chosen):
    frame = pd.DataFrame({"size": [0.0, 1, 2, 4], "kind": [10.0, 20, 30, 10]})
    model = KNeighborsClassifier(4, metric="heom", categorical_features=chosen).fit(frame, [0, 1, 1, 0])
    distances, rows = model.kneighbors(pd.DataFrame({"size": [0.0], "kind": [99.0]}))
    assert rows.tolist() == [[0, 1, 2, 3]]
    assert distances[0] == pytest.approx(np.sqrt([1, 1 + 1 / 16, 1 + 1 / 4, 2]))
    if np.asarray(chosen).dtype.kind != "U":
        table = KNeighborsClassifier(4, metric="heom", categorical_features=chosen)
        table.fit(frame.to_numpy(), [0, 1, 1, 0])
        assert table.kneighbors([[0.0, 99.0]])[0].tolist() == distances.tolist()


def test_no_column_may_be_chosen():
    frame = pd.DataFrame({"size": [0.0, 1, 2, 4], "kind": [10.0, 20, 30, 10]})
    none = KNeighborsClassifier(metric="heom", categorical_features=None).fit(frame, [0, 1, 1, 0])
    empty = KNeighborsClassifier(metric="heom", categorical_features=[]).fit(frame, [0, 1, 1, 0])
    assert none.kneighbors(frame)[0].tolist() == empty.kneighbors(frame)[0].tolist()


@pytest.mark.parametrize("chosen", [["shape"], [2], [True], [-3]], ids=str)
def test_chosen_columns_must_exist(chosen):
    frame = pd.DataFrame({"size": [0.0, 1], "kind": [10.0, 20]})
    model = KNeighborsClassifier(metric="heom", categorical_features=chosen)
    assert message(lambda: model.fit(frame, [0, 1]), DataError) == (
        f"categorical_features must name columns of X (2 of them), got {chosen!r}."
    )


@pytest.mark.parametrize("metric", ["heom", "gower"])
def test_missing_numbers_in_arrays(metric):
    X = np.array([[0.0, np.nan], [4.0, 2.0], [np.nan, 0.0], [2.0, 1.0]])
    model = KNeighborsClassifier(4, metric=metric).fit(X, [0, 1, 0, 1])
    rank = ranks(X, X, metric, ranges=np.array([4.0, 2.0]))
    assert model.kneighbors(X)[0].tolist() == to_distance(np.sort(rank, axis=1), metric, 2).tolist()


def test_other_metrics_refuse_missing_cells():
    with pytest.raises(DataError, match=r"X in column 0, row 1, must be a number, got NaN"):
        KNeighborsClassifier().fit([[0.0], [np.nan]], [0, 1])


@pytest.mark.parametrize("metric", ["heom", "gower"])
@each_frame
def test_mixed_rows_come_and_go(frame, metric):
    def part(rows):
        return frame({name: [cells[i] for i in rows] for name, cells in CELLS.items()})

    def fresh(rows):
        return KNeighborsClassifier(2, metric=metric).fit(part(rows), MIXED_Y[rows])

    model = (
        fresh([0, 1, 2, 3])
        .partial_fit(part([4, 5]), MIXED_Y[[4, 5]])
        .partial_fit(part([6, 7]), MIXED_Y[[6, 7]])
    )
    assert_same_model(model, fresh([0, 1, 2, 3, 4, 5, 6, 7]), frame(ASKED))
    model.forget(part([2, 4]), MIXED_Y[[2, 4]])
    assert_same_model(model, fresh([0, 1, 3, 5, 6, 7]), frame(ASKED))


def test_categories_that_come_later_are_as_good_as_the_first():
    def table(*colours):
        return pd.DataFrame({"colour": list(colours)})

    model = KNeighborsClassifier(1, metric="heom").fit(table("red", "blue"), [0, 1])
    model.partial_fit(table("green", "violet"), [2, 3])
    fresh = KNeighborsClassifier(1, metric="heom").fit(table("red", "blue", "green", "violet"), [0, 1, 2, 3])
    asked = table("violet", "green", "red", "pink")
    assert model.kneighbors(asked, 4)[0].tolist() == fresh.kneighbors(asked, 4)[0].tolist()
    assert model.predict(asked).tolist() == fresh.predict(asked).tolist() == [3, 2, 0, 0]


def test_a_constant_column_counts_for_nothing_among_the_rows():
    X = np.array([[7.0, 0], [7.0, 2], [7.0, 8]])
    for metric in ("heom", "gower"):
        model = KNeighborsClassifier(1, metric=metric).fit(X, [0, 1, 2])
        assert model.predict([[7.0, 0.9], [7.0, 3], [7.0, 99]]).tolist() == [0, 1, 2]


# In scikit-learn's company


def test_pipelines_searches_and_jobs():
    X, y = blobs(120)
    pipe = make_pipeline(StandardScaler(), KNeighborsClassifier(n_jobs=1))
    grid = {"kneighborsclassifier__n_neighbors": [1, 5, "sqrt", "loo"], "kneighborsclassifier__ties": TIES}
    search = GridSearchCV(pipe, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.6
    scores = cross_validate(KNeighborsClassifier(metric="precomputed"), ranks(X, X, "manhattan"), y, cv=3)
    assert scores["test_score"].min() > 0.5
    model = KNeighborsClassifier().fit(X, y)
    parts = joblib.Parallel(n_jobs=2, prefer="threads")(
        joblib.delayed(model.predict_proba)(X[i::4]) for i in range(4)
    )
    for i in range(4):
        assert parts[i].tolist() == model.predict_proba(X[i::4]).tolist()


def test_mixed_frames_cross_validate():
    random = np.random.default_rng(9)
    colour = random.choice(["red", "green", "blue"], 90)
    frame = pd.DataFrame({"colour": colour, "size": random.normal(size=90)})
    scores = cross_validate(KNeighborsClassifier(3, metric="heom"), frame, colour == "red", cv=3)
    assert scores["test_score"].min() > 0.9


def test_a_model_survives_joblib(tmp_path):
    X, y = blobs(600)
    for structure in STRUCTURES:
        model = KNeighborsClassifier(algorithm=structure).fit(X, y)
        joblib.dump(model, tmp_path / "model.joblib")
        for mode in (None, "r"):
            loaded = joblib.load(tmp_path / "model.joblib", mmap_mode=mode)
            assert_same_model(loaded, model, X[:20])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"n_neighbors": 0}, "n_neighbors must be an integer of at least 1 or 'sqrt' or 'loo', got 0."),
        (
            {"n_neighbors": "all"},
            "n_neighbors must be an integer of at least 1 or 'sqrt' or 'loo', got 'all'.",
        ),
        ({"ties": "random"}, "ties must be 'decrease', 'increase' or 'lowest', got 'random'."),
        ({"weights": "triangle"}, "weights must be 'uniform' or 'distance' or a function, got 'triangle'."),
        ({"p": 0}, "p must be a number above 0, got 0."),
        ({"leaf_size": 0}, "leaf_size must be an integer of at least 1, got 0."),
        ({"metric_params": [1]}, "metric_params must be None or a dict, got [1]."),
    ],
)
def test_bad_parameters_are_named(options, text):
    assert message(lambda: KNeighborsClassifier(**options).fit([[0.0]], [0]), ParameterError) == text


@pytest.mark.parametrize("kind", [KNeighborsClassifier, KNeighborsRegressor])
def test_fewer_rows_than_neighbours_are_worth_a_word(kind):
    X, y = np.arange(5.0)[:, None], [0, 1, 0, 1, 0]
    said = r"^n_neighbors must be at most 5, the number of rows, got 10: all rows vote\.$"
    with pytest.warns(UserWarning, match=said):
        model = kind(10).fit(X, y)
    assert model.n_neighbors_ == 5
    kind(5).fit(X, y).predict(X)
    more_to_come = kind(10).partial_fit(X, y).partial_fit(X + 5, y)  # warns of nothing
    assert more_to_come.n_neighbors_ == 10
