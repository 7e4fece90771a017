import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.neighbors import NearestCentroid

from classica import ChanceClassifier, NearestMeanClassifier
from classica.errors import DataError, ParameterError

METRICS = ["euclidean", "scaled"]
each_metric = pytest.mark.parametrize("metric", METRICS)


def blobs(rows=120, columns=4, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return random.normal(size=(rows, columns)) * random.uniform(0.5, 2, columns) + y[:, None], y


def message(call, error):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


# The rule

HAND_X = np.array([[0.0, 0], [2, 0], [0, 4], [2, 4], [10, 0], [10, 2]])
HAND_Y = np.array(["a", "a", "a", "a", "b", "b"])


def test_means_and_distances_by_hand():
    model = NearestMeanClassifier().fit(HAND_X, HAND_Y)
    assert model.classes_.tolist() == ["a", "b"]
    assert model.means_.tolist() == [[1, 2], [10, 1]]
    assert model.mean_class_.tolist() == [0, 1]
    assert model.class_count_.tolist() == [4, 2]
    assert model.spreads_ is None
    assert model.distances([[1, 5], [10, 1]]) == pytest.approx(np.array([[3, 97**0.5], [82**0.5, 0]]))
    assert model.predict([[1, 5], [10, 1], [5.4, 1.5], [5.6, 1.5]]).tolist() == ["a", "b", "a", "b"]


def test_scaled_distances_by_hand():
    model = NearestMeanClassifier("scaled").fit(HAND_X, HAND_Y)
    # Class b does not vary in column 0: there the spread within all classes counts, sqrt(4 * 1 / 6).
    assert model.spreads_ == pytest.approx(np.array([[1, 2], [(4 / 6) ** 0.5, 1]]))
    assert model.distances([[3, 8]]) == pytest.approx(np.array([[13**0.5, (49 / (4 / 6) + 49) ** 0.5]]))


def test_a_point_closer_to_a_narrow_class_belongs_to_the_wide_one_when_scaled():
    X = np.array([[-0.5], [0.5], [6.0], [14.0]])
    y = np.array(["narrow", "narrow", "wide", "wide"])
    star = [[4.0]]
    assert NearestMeanClassifier().fit(X, y).predict(star) == "narrow"
    scaled = NearestMeanClassifier("scaled").fit(X, y)
    assert scaled.distances(star).tolist() == [[8, 1.5]]
    assert scaled.predict(star) == "wide"


def test_a_tie_goes_to_the_first_class():
    model = NearestMeanClassifier().fit([[0.0], [2.0], [4.0]], ["b", "a", "c"])
    assert model.predict([[1.0], [3.0]]).tolist() == ["a", "a"]


@each_metric
@pytest.mark.parametrize("priors", ["uniform", "empirical", [0.2, 0.3, 0.5]])
def test_the_posterior_is_the_softmax_of_the_score(metric, priors):
    X, y = blobs()
    model = NearestMeanClassifier(metric, priors=priors).fit(X, y)
    scores = -(model.distances(X) ** 2) / 2 + np.log(model.class_prior_)
    np.testing.assert_allclose(model.predict_proba(X), softmax(scores, axis=1), rtol=1e-12, atol=1e-300)


def test_the_posterior_by_hand():
    model = NearestMeanClassifier(priors=[0.75, 0.25]).fit([[0.0], [2.0]], [0, 1])
    odds = 3 * np.exp(-(0.5**2) / 2 + 1.5**2 / 2)
    assert model.predict_proba([[0.5]])[0, 0] == pytest.approx(odds / (1 + odds), rel=1e-15)


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12, 1e140])
@pytest.mark.parametrize("classes", [2, 5])
def test_labels_equal_those_of_scikit_learn(scale, classes):
    X, y = blobs(rows=300, classes=classes)
    X = X * scale
    ours, theirs = NearestMeanClassifier().fit(X, y), NearestCentroid().fit(X, y)
    np.testing.assert_allclose(ours.means_, theirs.centroids_, rtol=1e-13)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_the_scaled_label_does_not_depend_on_units():
    X, y = blobs()
    units = np.array([1e-9, 1e-3, 1e3, 1e9])
    np.testing.assert_array_equal(
        NearestMeanClassifier("scaled").fit(X, y).predict(X),
        NearestMeanClassifier("scaled").fit(X * units, y).predict(X * units),
    )


@each_metric
def test_number_of_parameters(metric):
    X, y = blobs(columns=4, classes=3)
    one = NearestMeanClassifier(metric).fit(X, y)
    two = NearestMeanClassifier(metric, n_means={0: 2}).fit(X, y)
    times = 2 if metric == "scaled" else 1
    assert one.n_parameters_ == 2 + times * 12
    assert two.n_parameters_ == 2 + times * 16


# Points on the boundary


def around(points, steps=4):
    """Return the points and their neighbours a few doubles away in each column."""
    found = [points]
    for direction in (-np.inf, np.inf):
        moved = points
        for _ in range(steps):
            moved = np.nextafter(moved, direction)
            found.append(moved)
    return np.concatenate(found)


def assert_predict_is_the_argmax(model, X):
    for rows in (X, sp.csr_matrix(X)):
        winner = model.predict_proba(rows).argmax(axis=1)
        np.testing.assert_array_equal(model.predict(rows), model.classes_[winner])


@pytest.mark.parametrize("scale", [1e-8, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("n_means", [1, 2])
@each_metric
def test_predict_is_the_argmax_between_means(metric, n_means, scale):
    X, y = blobs(rows=40)
    model = NearestMeanClassifier(metric, n_means=n_means).fit(X * scale, y)
    first, second = np.triu_indices(len(model.means_), 1)
    assert_predict_is_the_argmax(model, around((model.means_[first] + model.means_[second]) / 2))


@given(st.floats(0.01, 0.99), st.floats(0.1, 5), st.floats(-10, 10))
def test_predict_is_the_argmax_on_a_shifted_boundary(prior, gap, start):
    model = NearestMeanClassifier(priors=[prior, 1 - prior]).fit([[start], [start + gap]], [0, 1])
    boundary = start + gap / 2 + np.log(prior / (1 - prior)) / gap
    assert_predict_is_the_argmax(model, around(np.array([[boundary]]), steps=20))


# Rejecting


def test_rejects_rows_far_from_every_mean():
    model = NearestMeanClassifier(reject_distance=2.0).fit([[0.0], [10.0]], [0, 1])
    assert model.rejects([[2.0], [2.1], [5.0], [8.0], [12.1]]).tolist() == [False, True, True, False, True]
    assert model.predict([[2.1], [12.1]]).tolist() == [0, 1]


def test_without_a_limit_nothing_is_rejected():
    model = NearestMeanClassifier().fit([[0.0], [10.0]], [0, 1])
    assert not model.rejects([[1e140], [-1e140]]).any()


def test_the_limit_is_in_units_of_the_scaled_distance():
    X, y = np.array([[-4.0], [4.0], [99.0], [101.0]]), [0, 0, 1, 1]
    model = NearestMeanClassifier("scaled", reject_distance=2.0).fit(X, y)
    assert model.rejects([[7.9], [8.1], [102.1]]).tolist() == [False, True, True]


# Priors


def test_priors():
    X, y = np.arange(4.0).reshape(-1, 1), [0, 0, 0, 1]
    assert NearestMeanClassifier().fit(X, y).class_prior_.tolist() == [0.5, 0.5]
    assert NearestMeanClassifier(priors="empirical").fit(X, y).class_prior_.tolist() == [0.75, 0.25]
    assert NearestMeanClassifier(priors=[0.1, 0.9]).fit(X, y).class_prior_.tolist() == [0.1, 0.9]


def test_empirical_priors_are_weighted():
    model = NearestMeanClassifier(priors="empirical").fit([[0.0], [1.0]], [0, 1], sample_weight=[3, 1])
    assert model.class_prior_.tolist() == [0.75, 0.25]


@pytest.mark.parametrize(
    ("priors", "text"),
    [
        ([1.0], "priors must be one number for each of 2 classes, got [1.0]."),
        ([0.2, 0.3, 0.5], "priors must be one number for each of 2 classes, got [0.2, 0.3, 0.5]."),
        ([-0.5, 1.5], "priors must be positive with sum 1, got [-0.5, 1.5]."),
        ([0.0, 1.0], "priors must be positive with sum 1, got [0.0, 1.0]."),
        ([0.5, 0.6], "priors must be positive with sum 1, got [0.5, 0.6]."),
        ("other", "priors must be 'uniform' or 'empirical' or a sequence of finite numbers, got 'other'."),
        (None, "priors must be 'uniform' or 'empirical' or a sequence of finite numbers, got None."),
    ],
)
def test_bad_priors(priors, text):
    model = NearestMeanClassifier(priors=priors)
    assert message(lambda: model.fit([[0.0], [1.0]], [0, 1]), ParameterError) == text


# Several means

MODES_X = np.array([[-5.0], [-4.0], [4.0], [5.0], [-0.5], [0.5]])
MODES_Y = np.array([1, 1, 1, 1, 0, 0])


def test_a_class_of_two_modes_needs_two_means():
    one = NearestMeanClassifier().fit(MODES_X, MODES_Y)
    assert one.means_.tolist() == [[0], [0]]
    assert one.score(MODES_X, MODES_Y) < 0.5
    two = NearestMeanClassifier(n_means={1: 2}).fit(MODES_X, MODES_Y)
    assert two.means_.tolist() == [[0], [-4.5], [4.5]]
    assert two.mean_class_.tolist() == [0, 1, 1]
    assert two.score(MODES_X, MODES_Y) == 1
    assert two.distances([[4.0]]).tolist() == [[4, 0.5]]


def test_fewer_distinct_rows_than_means():
    X = np.array([[1.0], [1.0], [1.0], [5.0], [6.0], [6.0]])
    model = NearestMeanClassifier(n_means=5).fit(X, [0, 0, 0, 1, 1, 1])
    assert model.means_.tolist() == [[1], [5], [6]]
    assert model.mean_class_.tolist() == [0, 1, 1]


def test_means_of_unknown_classes_are_refused():
    model = NearestMeanClassifier(n_means={7: 2})
    assert message(lambda: model.fit(MODES_X, MODES_Y), ParameterError) == (
        "n_means must be keyed by class labels, got 7."
    )


@each_metric
def test_means_are_settled(metric):
    X, y = blobs(rows=200)
    model = NearestMeanClassifier(metric, n_means=3).fit(X, y)
    assert np.bincount(model.mean_class_).tolist() == [3, 3, 3]
    assert 1 <= model.n_iter_ <= model.max_iter
    scale = NearestMeanClassifier(metric).fit(X, y).spreads_
    for c in range(3):
        rows, means = X[y == c], model.means_[model.mean_class_ == c]
        gaps = (rows[:, None] - means) / (1 if scale is None else scale[c])
        closest = np.linalg.norm(gaps, axis=2).argmin(axis=1)
        np.testing.assert_allclose(means, [rows[closest == k].mean(axis=0) for k in range(3)], rtol=1e-12)


@each_metric
def test_several_means_do_not_depend_on_repetition_or_row_order(metric):
    X, y = blobs(rows=200)
    order = np.random.default_rng(3).permutation(len(X))
    fits = [(X, y), (X, y), (X[order], y[order])]
    first, again, shuffled = (NearestMeanClassifier(metric, n_means=3).fit(*table) for table in fits)
    np.testing.assert_array_equal(first.means_, again.means_)
    np.testing.assert_allclose(first.means_, shuffled.means_, rtol=1e-14)
    np.testing.assert_array_equal(first.predict(X), shuffled.predict(X))


@pytest.mark.parametrize("n_means", [1, 3])
@each_metric
def test_a_weight_equals_repetition(metric, n_means):
    X, y = blobs()
    times = np.random.default_rng(5).integers(0, 4, len(X))
    weighted = NearestMeanClassifier(metric, n_means=n_means, priors="empirical")
    repeated = NearestMeanClassifier(metric, n_means=n_means, priors="empirical")
    weighted.fit(X, y, sample_weight=times)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-14)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-12, atol=1e-300)
    np.testing.assert_array_equal(weighted.class_count_, repeated.class_count_)


def test_a_class_of_weight_zero_is_no_class():
    model = NearestMeanClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2], sample_weight=[1, 0, 1])
    assert model.classes_.tolist() == [0, 2]


def test_weights_whose_sum_overflows_are_refused():
    X, y = blobs(rows=6)
    with pytest.raises(DataError, match="sample_weight must have a finite sum"):
        NearestMeanClassifier(priors="empirical").fit(X, y, sample_weight=np.full(6, 1e308))


def test_too_few_iterations_are_told():
    X, y = blobs(rows=300, classes=1)
    model = NearestMeanClassifier(n_means=4, max_iter=1)
    with pytest.warns(ConvergenceWarning) as caught:
        model.fit(X, y)
    [warning] = caught
    assert str(warning.message) == (
        "k-means must converge within max_iter iterations, got 1 that were not enough."
    )
    assert warning.filename == __file__
    assert np.isfinite(model.predict_proba(X)).all()


# Sparse rows


def sparse_blobs():
    X, y = blobs(rows=300, columns=20)
    return X * (np.random.default_rng(1).random(X.shape) < 0.2), y


@pytest.mark.parametrize("n_means", [1, 3])
@each_metric
def test_sparse_rows_equal_dense_rows(metric, n_means):
    X, y = sparse_blobs()
    X[5] = 0
    dense = NearestMeanClassifier(metric, n_means=n_means).fit(X, y)
    for kind in (sp.csr_matrix, sp.csc_array):
        sparse = NearestMeanClassifier(metric, n_means=n_means).fit(kind(X), y)
        np.testing.assert_allclose(sparse.means_, dense.means_, rtol=1e-13)
        for model in (sparse, dense):
            np.testing.assert_array_equal(model.predict(kind(X)), dense.predict(X))
            np.testing.assert_allclose(
                model.predict_proba(kind(X)), dense.predict_proba(X), rtol=0, atol=1e-9
            )


@each_metric
def test_entries_stored_in_parts_are_added_up(metric):
    X, y = sparse_blobs()
    whole = sp.csr_matrix(X)
    parts = sp.csr_matrix(
        (np.repeat(whole.data / 2, 2), np.repeat(whole.indices, 2), whole.indptr * 2), shape=X.shape
    )
    dense = NearestMeanClassifier(metric).fit(X, y)
    np.testing.assert_allclose(dense.distances(parts), dense.distances(X), rtol=1e-9)
    np.testing.assert_allclose(
        NearestMeanClassifier(metric).fit(parts, y).predict_proba(X), dense.predict_proba(X), atol=1e-9
    )


# Small and degenerate tables


def test_one_class():
    model = NearestMeanClassifier("scaled").fit([[0.0], [2.0]], ["only", "only"])
    assert model.predict([[9.0]]).tolist() == ["only"]
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]


def test_one_row():
    model = NearestMeanClassifier("scaled", n_means=3).fit([[7.0, 8.0]], [3])
    assert model.means_.tolist() == [[7, 8]]
    assert model.spreads_.tolist() == [[1, 1]]


def test_a_class_of_one_row_takes_the_spread_within_the_others():
    X = np.array([[0.0], [4.0], [10.0]])
    model = NearestMeanClassifier("scaled").fit(X, [0, 0, 1])
    assert model.spreads_ == pytest.approx(np.array([[2], [(8 / 3) ** 0.5]]))


@pytest.mark.parametrize("rows", [4, 4000, 40_000])
@pytest.mark.parametrize("value", [0.1, 2 / 3, -1e8 / 3])
def test_a_constant_column_is_not_scaled(rows, value):
    X, y = blobs(rows=rows, columns=1, classes=2)
    model = NearestMeanClassifier("scaled").fit(np.c_[X, np.full(rows, value)], y)
    assert model.spreads_[:, 1].tolist() == [1, 1]
    np.testing.assert_array_equal(
        model.predict(np.c_[X, np.full(rows, value + 1)]),
        NearestMeanClassifier("scaled").fit(X, y).predict(X),
    )


def test_a_spread_below_the_resolution_counts_as_none():
    X = np.array([[1.0], [1.0 + 2**-51], [5.0], [6.0]])
    model = NearestMeanClassifier("scaled").fit(X, [0, 0, 1, 1])
    assert model.spreads_ == pytest.approx(np.array([[(0.25 / 2) ** 0.5], [0.5]]))


def test_values_beyond_the_limit_are_refused():
    fitted = NearestMeanClassifier().fit([[0.0], [1e150]], [0, 1])
    text = "X in column 0, row 0, must be at most 1e+150 in magnitude, got 1.1e+150."
    assert message(lambda: fitted.predict([[1.1e150]]), DataError) == text
    assert message(lambda: NearestMeanClassifier().fit([[1.1e150]], [0]), DataError) == text


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"metric": "other"}, "metric must be 'euclidean' or 'scaled', got 'other'."),
        ({"reject_distance": 0}, "reject_distance must be None or a number above 0, got 0."),
        ({"max_iter": 0}, "max_iter must be an integer of at least 1, got 0."),
        ({"n_jobs": 0}, "n_jobs must be None or an integer other than 0, got 0."),
        (
            {"n_means": 0},
            "n_means must be an integer of at least 1 or a dict from class labels to integers of at least 1, "
            "got 0.",
        ),
    ],
)
def test_bad_parameters(parameters, text):
    model = NearestMeanClassifier(**parameters)
    assert message(lambda: model.fit(HAND_X, HAND_Y), ParameterError) == text


def test_more_jobs_than_the_machine_can_count_give_the_same_answer():
    model = NearestMeanClassifier(n_jobs=2**40).fit(HAND_X, HAND_Y)
    assert model.predict(HAND_X).tolist() == HAND_Y.tolist()


# Adding rows


def assert_same_model(found, wanted, tolerance=1e-12):
    np.testing.assert_array_equal(found.classes_, wanted.classes_)
    np.testing.assert_array_equal(found.class_count_, wanted.class_count_)
    np.testing.assert_allclose(found.means_, wanted.means_, rtol=tolerance)
    np.testing.assert_allclose(found.class_prior_, wanted.class_prior_, rtol=tolerance)
    if wanted.spreads_ is None:
        assert found.spreads_ is None
    else:
        np.testing.assert_allclose(found.spreads_, wanted.spreads_, rtol=tolerance)


@each_metric
def test_partial_fit_takes_new_labels_at_any_time(metric):
    X, y = blobs()
    order = np.argsort(y, kind="stable")
    model = NearestMeanClassifier(metric, priors="empirical")
    for part in np.array_split(order, 7):
        model.partial_fit(X[part], y[part])
    assert_same_model(model, NearestMeanClassifier(metric, priors="empirical").fit(X, y))


@each_metric
@pytest.mark.parametrize("priors", ["uniform", "empirical", [0.2, 0.3, 0.4, 0.1]])
def test_an_announced_class_has_probability_zero_until_it_is_seen(metric, priors):
    X, y = blobs()
    model = NearestMeanClassifier(metric, priors=priors).partial_fit(X, y, classes=[2, 1, 0, 3])
    assert model.classes_.tolist() == [0, 1, 2, 3]
    assert not model.predict_proba(X)[:, 3].any()
    assert set(model.predict(X)) <= {0, 1, 2}
    assert np.isinf(model.distances(X)[:, 3]).all()
    model.partial_fit(X[:4] + 50, [3] * 4)
    assert model.predict(X[:1] + 50) == 3


def test_an_announced_class_that_comes_first_is_not_predicted():
    model = NearestMeanClassifier().partial_fit([[1.0], [2.0]], ["b", "c"], classes=["a", "b", "c"])
    assert model.predict([[1.5], [9.0], [-9.0]]).tolist() == ["b", "c", "b"]


def test_labels_of_another_kind_cannot_be_added():
    model = NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(DataError, match="y must hold labels"):
        model.partial_fit([[2.0]], ["a"])


def test_announced_classes_of_another_kind_are_refused():
    with pytest.raises(DataError, match="y must hold labels"):
        NearestMeanClassifier().partial_fit([[0.0], [1.0]], [0, 1], classes=["a", "b"])


def test_partial_fit_with_other_columns_leaves_the_model_alone():
    model = NearestMeanClassifier().fit(HAND_X, HAND_Y)
    with pytest.raises(ValueError, match="1 features"):
        model.partial_fit(HAND_X[:, :1], HAND_Y)
    assert_same_model(model, NearestMeanClassifier().fit(HAND_X, HAND_Y), 0)


# Merging and forgetting


@each_metric
def test_merge_equals_a_fit_on_both(metric):
    X, y = blobs()
    for shift in (0, 1e8):
        first, second = (NearestMeanClassifier(metric).fit(X[p] + shift, y[p]) for p in (y < 2, y > 0))
        both = np.r_[np.flatnonzero(y < 2), np.flatnonzero(y > 0)]
        assert_same_model(first.merge(second), NearestMeanClassifier(metric).fit(X[both] + shift, y[both]))


@each_metric
@pytest.mark.parametrize("shift", [0.0, 1e8])
@pytest.mark.parametrize("rows", [6_000, 60_000])
def test_forgetting_nearly_all_rows_equals_a_fit_on_the_rest(metric, shift, rows):
    X, y = blobs(rows=rows)
    X, left = X + shift, rows // 1000
    model = NearestMeanClassifier(metric, priors="empirical").fit(X, y).forget(X[left:], y[left:])
    fresh = NearestMeanClassifier(metric, priors="empirical").fit(X[:left], y[:left])
    if metric == "scaled":
        # Double-double sums of squares carry 2^-104 of what they once held, per row.
        error = abs(model.spreads_**2 - fresh.spreads_**2)
        assert (
            error <= 1e-15 * fresh.spreads_**2 + rows * 2.0**-104 * rows / left * (X**2).mean(axis=0)
        ).all()
        np.testing.assert_allclose(model.means_, fresh.means_, rtol=1e-15)
    else:
        assert_same_model(model, fresh)


def test_forgetting_all_but_equal_rows_leaves_no_spread():
    X, y = blobs(rows=3000)
    X[:6] = X[0]
    model = NearestMeanClassifier("scaled").fit(X, y).forget(X[6:], y[6:])
    assert_same_model(model, NearestMeanClassifier("scaled").fit(X[:6], y[:6]))


chunks = [(X, y) for X, y in (blobs(rows=18, seed=seed) for seed in range(5))]
operations = st.lists(
    st.tuples(st.sampled_from(["add", "merge", "forget"]), st.integers(0, len(chunks) - 1)), max_size=12
)


@given(operations, st.sampled_from([0.0, 1e8]), st.sampled_from(METRICS))
def test_any_order_of_operations_equals_a_fresh_fit(steps, shift, metric):
    tables = [(X + shift, y) for X, y in chunks]
    model, held = NearestMeanClassifier(metric).fit(*tables[0]), [0]
    for operation, k in steps:
        if operation == "add":
            model.partial_fit(*tables[k])
        elif operation == "merge":
            model.merge(NearestMeanClassifier(metric).fit(*tables[k]))
        elif k not in held or held == [k]:
            continue
        else:
            model.forget(*tables[k])
            held.remove(k)
            continue
        held.append(k)
    X, y = (np.concatenate([tables[k][part] for k in held]) for part in (0, 1))
    assert_same_model(model, NearestMeanClassifier(metric).fit(X, y))


@given(st.lists(st.floats(0.001, 1000), min_size=12, max_size=12), st.integers(1, 11))
def test_weights_come_and_go(weights, left):
    X, y = blobs(rows=12, classes=1)
    weights = np.array(weights)
    model = NearestMeanClassifier().fit(X, y, sample_weight=weights)
    model.forget(X[left:], y[left:], sample_weight=weights[left:])
    wanted = NearestMeanClassifier().fit(X[:left], y[:left], sample_weight=weights[:left])
    np.testing.assert_allclose(model.means_, wanted.means_, rtol=1e-12)


def test_a_light_row_is_left_when_a_heavy_one_is_forgotten():
    model = NearestMeanClassifier().fit([[0.0], [1.0]], [0, 0], sample_weight=[1e-6, 1e7])
    model.forget([[1.0]], [0], sample_weight=[1e7])
    assert model.class_count_ == pytest.approx(1e-6, rel=1e-12)
    assert model.means_ == pytest.approx(0, abs=1e-12)


def test_forgetting_every_row_of_a_class_drops_it():
    X, y = blobs()
    model = NearestMeanClassifier("scaled").fit(X, y).forget(X[y == 1], y[y == 1])
    assert_same_model(model, NearestMeanClassifier("scaled").fit(X[y != 1], y[y != 1]))
    assert set(model.predict(X)) == {0, 2}


def test_what_was_forgotten_can_be_learned_again():
    X, y = blobs()
    model = NearestMeanClassifier("scaled").fit(X, y).forget(X[y == 1], y[y == 1])
    assert_same_model(model.partial_fit(X[y == 1], y[y == 1]), NearestMeanClassifier("scaled").fit(X, y))


@pytest.mark.parametrize(
    ("X", "y", "text"),
    [
        ([[0.0], [0.0]], [0, 0], "Cannot forget more rows of class 0 than were learned."),
        ([[0.0]], [7], "y must be a label seen in training, got 7."),
        ([[0.0], [1.0]], [0, 1], "forget must leave at least one row, got all of them."),
    ],
)
def test_what_cannot_be_forgotten(X, y, text):
    model = NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1])
    assert message(lambda: model.forget(X, y), DataError) == text
    assert model.class_count_.tolist() == [1, 1]


def test_an_unfitted_model_has_nothing_to_forget():
    text = "This NearestMeanClassifier is not fitted yet; call fit() first."
    assert message(lambda: NearestMeanClassifier().forget([[0.0]], [0]), NotFittedError) == text


def test_merging_unfitted_models_is_refused():
    fitted, fresh = NearestMeanClassifier().fit([[0.0]], [0]), NearestMeanClassifier()
    text = (
        "other must be a fitted NearestMeanClassifier() with the same columns, got NearestMeanClassifier()."
    )
    assert message(lambda: fitted.merge(fresh), ParameterError) == text
    text = "This NearestMeanClassifier is not fitted yet; call fit() first."
    assert message(lambda: fresh.merge(fitted), NotFittedError) == text


@pytest.mark.parametrize(
    "other",
    [
        NearestMeanClassifier("scaled").fit([[0.0]], [0]),
        NearestMeanClassifier(priors="empirical").fit([[0.0]], [0]),
        NearestMeanClassifier(n_means=2).fit([[0.0]], [0]),
        NearestMeanClassifier().fit([[0.0, 1.0]], [0]),
        ChanceClassifier().fit([[0.0]], [0]),
    ],
    ids=["metric", "priors", "means", "columns", "kind"],
)
def test_merging_other_models_is_refused(other):
    model = NearestMeanClassifier().fit([[0.0]], [0])
    assert message(lambda: model.merge(other), ParameterError) == (
        f"other must be a fitted NearestMeanClassifier() with the same columns, got {other!r}."
    )


def test_models_of_other_thread_counts_merge():
    model = NearestMeanClassifier(n_jobs=1).fit([[0.0]], [0])
    assert model.merge(NearestMeanClassifier(n_jobs=2).fit([[2.0]], [0])).means_.tolist() == [[1]]


@pytest.mark.parametrize("method", ["partial_fit", "merge", "forget"])
def test_the_methods_exist_for_one_mean_only(method):
    assert hasattr(NearestMeanClassifier(), method)
    assert not hasattr(NearestMeanClassifier(n_means=2), method)
    assert not hasattr(NearestMeanClassifier(n_means={0: 2}), method)
