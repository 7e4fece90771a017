import numpy as np
import pytest
from scipy.special import expit
from sklearn.covariance import OAS, ledoit_wolf, shrunk_covariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from classica import LinearDiscriminantClassifier
from classica.errors import DataError, ParameterError
from tests.estimators.gaussian.gaussian_cases import (
    CROSS,
    assert_cross_validation_equals_refitting,
    assert_finite,
    blobs,
)
from tests.reference import gaussian


def residuals(X, y):
    return X - np.array([X[y == c].mean(axis=0) for c in np.unique(y)])[np.searchsorted(np.unique(y), y)]


# The rule

HAND_X = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2], [6, 0], [6, 4], [8, 0], [8, 4]])
HAND_Y = np.array(["a"] * 4 + ["b"] * 4)


def test_means_covariance_and_boundary_by_hand():
    model = LinearDiscriminantClassifier().fit(HAND_X, HAND_Y)
    assert model.means_.tolist() == [[1, 1], [7, 2]]
    # Squares: 4 + 4 in the first column, 4 + 16 in the second; products cancel; divisor 8 - 2.
    np.testing.assert_allclose(model.covariance_, [[8 / 6, 0], [0, 20 / 6]], rtol=1e-15, atol=1e-15)
    # a = inverse covariance times (6, 1); the plane passes through the middle (4, 1.5).
    np.testing.assert_allclose(model.coef_, [[6 * 6 / 8, 1 * 6 / 20]], rtol=1e-14)
    np.testing.assert_allclose(model.intercept_, [-(4.5 * 4 + 0.3 * 1.5)], rtol=1e-14)
    assert model.predict([[3.99, 1.5], [4.01, 1.5], [4.05, 0], [3.9, 4]]).tolist() == ["a", "b", "a", "b"]
    np.testing.assert_allclose(model.decision_function([[5, 1.5]]), [4.5], rtol=1e-14)


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("priors", ["empirical", "uniform"])
def test_posteriors_equal_the_formula(classes, priors):
    X, y = blobs(classes=classes)
    given = None if priors == "empirical" else np.full(classes, 1 / classes)
    found = LinearDiscriminantClassifier(priors=priors).fit(X, y).predict_proba(X)
    wanted = gaussian.posteriors(X, y, X, shared=True, priors=given)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-300)


def test_attributes():
    X, y = blobs(columns=5, classes=4)
    model = LinearDiscriminantClassifier().fit(X, y)
    pooled, _ = gaussian.class_covariances(X, y)
    np.testing.assert_allclose(model.covariance_, pooled, rtol=1e-11, atol=1e-13)
    assert model.classes_.tolist() == [0, 1, 2, 3]
    assert model.class_count_.tolist() == np.bincount(y).tolist()
    np.testing.assert_allclose(model.class_prior_, np.bincount(y) / len(y), rtol=1e-15)
    assert model.means_.shape == model.coef_.shape == (4, 5)
    assert model.intercept_.shape == (4,)
    assert model.scalings_.shape == (5, 3)
    assert model.xbar_.shape == (5,)
    assert model.axis_deviations_.shape == model.explained_variance_ratio_.shape == (3,)
    assert (np.diff(model.axis_deviations_) < 0).all()
    assert model.explained_variance_ratio_.sum() == pytest.approx(1)
    assert (model.rank_, model.shrinkage_) == (5, 0)


@pytest.mark.parametrize(("classes", "columns"), [(2, 1), (2, 7), (3, 4), (10, 2)])
def test_number_of_parameters(classes, columns):
    X, y = blobs(rows=60, columns=columns, classes=classes)
    wanted = classes - 1 + classes * columns + columns * (columns + 1) // 2
    assert LinearDiscriminantClassifier().fit(X, y).n_parameters_ == wanted


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_weights_and_intercept_reproduce_the_scores(classes):
    X, y = blobs(classes=classes)
    model = LinearDiscriminantClassifier().fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    found = model.decision_function(X)
    np.testing.assert_allclose(found, scores[:, 0] if classes == 2 else scores, rtol=1e-11, atol=1e-11)
    assert found.shape == ((len(X),) if classes == 2 else (len(X), classes))


def test_two_classes_have_the_logistic_form():
    X, y = blobs(classes=2)
    model = LinearDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(model.decision_function(X)), rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 0], expit(-model.decision_function(X)), rtol=1e-12)


@pytest.mark.parametrize("classes", [1, 2, 4])
def test_answers_agree(classes):
    X, y = blobs(classes=classes)
    model = LinearDiscriminantClassifier().fit(X, y)
    assert_finite(model, X)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-12)


def test_log_posteriors_where_posteriors_round_to_zero():
    model = LinearDiscriminantClassifier().fit([[-1.0], [1.0], [99.0], [101.0]], [0, 0, 1, 1])
    # Variance 4 / 2; the gap of the squared distances at x is 200 x - 10000 over twice that.
    assert model.predict_proba([[-1000.0]]).tolist() == [[1, 0]]
    assert model.predict_log_proba([[-1000.0]])[0] == pytest.approx([0, -(200 * 1000 + 10000) / 4])


# Priors and weights


@pytest.mark.parametrize("priors", [[0.2, 0.3, 0.5], (0.98, 0.01, 0.01), np.array([1, 1, 1]) / 3])
def test_given_priors(priors):
    X, y = blobs()
    model = LinearDiscriminantClassifier(priors=priors).fit(X, y)
    wanted = gaussian.posteriors(X, y, X, shared=True, priors=priors)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(model.class_prior_, priors, rtol=1e-15)


@pytest.mark.parametrize("shrinkage", [None, 0.3, "oas", "auto"])
def test_a_weight_equals_repetition(shrinkage):
    X, y = blobs()
    times = np.random.default_rng(5).integers(0, 4, len(X))
    weighted = LinearDiscriminantClassifier(shrinkage).fit(X, y, sample_weight=times)
    repeated = LinearDiscriminantClassifier(shrinkage).fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.covariance_, repeated.covariance_, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-12)


def test_a_class_of_weight_zero_is_no_class():
    X, y = blobs()
    weights = (y != 1).astype(float)
    model = LinearDiscriminantClassifier().fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 2]
    other = LinearDiscriminantClassifier().fit(X[y != 1], y[y != 1])
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-14)


def weighted_reference(X, y, w):
    labels = np.unique(y)
    counts = np.array([w[y == c].sum() for c in labels])
    means = np.array([w[y == c] @ X[y == c] / w[y == c].sum() for c in labels])
    gaps = X - means[y]
    covariance = (w[:, None] * gaps).T @ gaps / (w.sum() - len(labels))
    return gaussian.softmax(gaussian.log_joint(X, means, [covariance] * len(labels), counts / counts.sum()))


@pytest.mark.parametrize("shift", [0.0, 1e6, 1e8])
def test_fractional_weights(shift):
    X, y = blobs()
    X = np.round(X * 2**20) / 2**20  # exact behind the shift too
    w = np.random.default_rng(6).uniform(0.1, 2, len(X))
    found = LinearDiscriminantClassifier().fit(X + shift, y, sample_weight=w).predict_proba(X + shift)
    np.testing.assert_allclose(found, weighted_reference(X, y, w), rtol=0, atol=1e-10)


@pytest.mark.parametrize(("size", "weight"), [(1.0, 5e306), (1e149, 1e12)])
def test_weights_that_overflow_are_refused(size, weight):
    X, y = blobs(rows=20)
    with pytest.raises(DataError, match=r"^sample_weight must keep weighted squares of X finite"):
        LinearDiscriminantClassifier().fit(X / abs(X).max() * size, y, sample_weight=np.full(20, weight))


def test_weights_as_large_as_can_be():
    X, y = blobs()
    model = LinearDiscriminantClassifier().fit(X, y, sample_weight=np.full(len(X), 1e290))
    pooled, _ = gaussian.class_covariances(X, y)
    np.testing.assert_allclose(model.covariance_, pooled * (len(X) - 3) / len(X), rtol=1e-11, atol=1e-13)


# Shrinkage


@pytest.mark.parametrize("amount", [0, 0.1, 0.5, 1.0])
def test_a_given_amount_of_shrinkage(amount):
    X, y = blobs()
    model = LinearDiscriminantClassifier(amount).fit(X, y)
    pooled, _ = gaussian.class_covariances(X, y)
    np.testing.assert_allclose(model.covariance_, shrunk_covariance(pooled, amount), rtol=1e-10, atol=1e-12)
    assert model.shrinkage_ == amount


@pytest.mark.parametrize(("rows", "columns"), [(120, 4), (40, 30), (12, 30)])
def test_oas(rows, columns):
    X, y = blobs(rows, columns)
    theirs = OAS(assume_centered=True).fit(residuals(X, y))
    model = LinearDiscriminantClassifier("oas").fit(X, y)
    assert model.shrinkage_ == pytest.approx(theirs.shrinkage_, rel=1e-10)
    # Theirs is of the covariance with divisor n.
    wanted = theirs.covariance_ * rows / (rows - 3)
    np.testing.assert_allclose(model.covariance_, wanted, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("rows", "columns"), [(120, 4), (40, 30), (12, 30)])
def test_auto_is_ledoit_and_wolf_on_standardised_residuals(rows, columns):
    X, y = blobs(rows, columns)
    X = X * 10.0 ** np.arange(columns).clip(max=6)
    gaps = residuals(X, y)
    scale = gaps.std(axis=0)
    covariance, amount = ledoit_wolf(gaps / scale, assume_centered=True)
    model = LinearDiscriminantClassifier("auto").fit(X, y)
    assert model.shrinkage_ == pytest.approx(amount, rel=1e-9)
    found = model.covariance_ / np.outer(scale, scale) * (rows - 3) / rows
    np.testing.assert_allclose(found, covariance, rtol=0, atol=1e-10)


@pytest.mark.parametrize("shrinkage", [-0.1, 1.1, "ledoit", np.nan, True])
def test_bad_shrinkage(shrinkage):
    with pytest.raises(ParameterError, match="shrinkage must be None"):
        LinearDiscriminantClassifier(shrinkage).fit(*blobs())


@pytest.mark.parametrize("priors", [[0.5, 0.5], [0.2, 0.2, 0.2], [0, 0.5, 0.5], "flat"])
def test_bad_priors(priors):
    with pytest.raises(ParameterError, match="priors must be"):
        LinearDiscriminantClassifier(priors=priors).fit(*blobs())


# Axes


@pytest.mark.parametrize(("classes", "columns"), [(2, 4), (3, 4), (5, 3), (4, 6)])
def test_classes_are_round_along_the_axes(classes, columns):
    X, y = blobs(rows=200, columns=columns, classes=classes)
    model = LinearDiscriminantClassifier().fit(X, y)
    Z = model.transform(X)
    assert Z.shape == (200, min(classes - 1, columns))
    within, _ = gaussian.class_covariances(Z, y)
    np.testing.assert_allclose(within, np.eye(Z.shape[1]), rtol=0, atol=1e-10)
    means = np.array([Z[y == c].mean(axis=0) for c in range(classes)])
    between = (model.class_prior_[:, None] * means).T @ means * len(y) / (classes - 1)
    # Uncorrelated between classes too, and as far apart as told.
    np.testing.assert_allclose(between, np.diag(model.axis_deviations_**2), rtol=0, atol=1e-9 * between.max())
    np.testing.assert_allclose(model.class_prior_ @ means, 0, rtol=0, atol=1e-11)


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_axes_are_those_of_scikit_learn(classes):
    X, y = blobs(rows=200, columns=6, classes=classes)
    ours = LinearDiscriminantClassifier().fit(X, y)
    theirs = LinearDiscriminantAnalysis().fit(X, y)
    # Up to sign and one scale: the divisor of their covariance has changed between versions.
    mine, other = ours.transform(X), theirs.transform(X)
    scales = (mine * other).sum(axis=0) / (other**2).sum(axis=0)
    np.testing.assert_allclose(abs(scales), abs(scales[0]), rtol=1e-8)
    np.testing.assert_allclose(mine, scales * other, rtol=0, atol=1e-8)
    ratio = theirs.explained_variance_ratio_[: classes - 1]
    np.testing.assert_allclose(ours.explained_variance_ratio_, ratio, rtol=1e-8, atol=1e-14)


def test_the_number_of_axes_is_capped():
    X, y = blobs(columns=5, classes=4)
    whole = LinearDiscriminantClassifier().fit(X, y).transform(X)
    for count in (1, 2, 3, 9):
        model = LinearDiscriminantClassifier(n_components=count).fit(X, y)
        np.testing.assert_array_equal(model.transform(X), whole[:, :count])
        assert model.explained_variance_ratio_.shape == (min(count, 3),)
    one = LinearDiscriminantClassifier().fit(X[:, :1], y)
    assert one.transform(X[:, :1]).shape == (len(X), 1)
    alone = LinearDiscriminantClassifier().fit(X, np.zeros(len(X)))
    assert alone.transform(X).shape == (len(X), 0)


def test_the_largest_entry_of_each_axis_is_positive():
    model = LinearDiscriminantClassifier().fit(*blobs(columns=5, classes=4))
    largest = abs(model.scalings_).argmax(axis=0)
    assert (model.scalings_[largest, range(3)] > 0).all()


def test_names_and_frames_of_the_axes():
    X, y = blobs()
    model = LinearDiscriminantClassifier().set_output(transform="pandas").fit(X, y)
    names = ["lineardiscriminantclassifier0", "lineardiscriminantclassifier1"]
    assert model.get_feature_names_out().tolist() == names
    assert model.transform(X).columns.tolist() == names
    assert LinearDiscriminantClassifier().fit_transform(X, y).shape == (len(X), 2)


# Invariance


def test_maps_of_the_table_change_nothing():
    X, y = blobs(classes=4)
    random = np.random.default_rng(3)
    rotation = np.linalg.qr(random.normal(size=(4, 4)))[0]
    plain = LinearDiscriminantClassifier().fit(X, y)
    for matrix, shift in [
        (random.normal(size=(4, 4)), random.normal(size=4)),
        (np.diag([1e-12, 1e-3, 1e5, 1e12]), np.zeros(4)),
        (100 * rotation, np.full(4, 1e3)),
    ]:
        moved = X @ matrix + shift
        model = LinearDiscriminantClassifier().fit(moved, y)
        np.testing.assert_array_equal(model.predict(moved), plain.predict(X))
        np.testing.assert_allclose(model.predict_proba(moved), plain.predict_proba(X), rtol=0, atol=1e-8)


def test_a_mean_of_1e8_beside_a_spread_of_1():
    X, y = blobs(classes=3)
    X = np.round(X * 2**20) / 2**20
    near, far = (LinearDiscriminantClassifier().fit(X + shift, y) for shift in (0, 1e8))
    np.testing.assert_array_equal(near.predict(X), far.predict(X + 1e8))
    np.testing.assert_allclose(near.predict_proba(X), far.predict_proba(X + 1e8), rtol=0, atol=1e-10)
    np.testing.assert_allclose(near.transform(X), far.transform(X + 1e8), rtol=0, atol=1e-6)


# Degenerate tables


def test_fewer_rows_than_columns():
    random = np.random.default_rng(8)
    X, y = random.normal(size=(12, 40)), np.arange(12) % 3
    model = LinearDiscriminantClassifier().fit(X, y)
    assert model.rank_ == 12 - 3
    assert_finite(model, X)
    assert (model.predict(X) == y).all()


def test_one_row_decides_a_class():
    assert LinearDiscriminantClassifier().fit([[0], [1], [1]], [0, 1, 1]).predict([[0], [1]]).tolist() == [
        0,
        1,
    ]


def test_every_class_has_one_row():
    X = np.random.default_rng(9).normal(size=(6, 3))
    model = LinearDiscriminantClassifier().fit(X, range(6))
    assert model.rank_ == 0
    assert_finite(model, X)
    assert model.predict(X).tolist() == list(range(6))


@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 1e8 + 0.1])
def test_a_constant_column_changes_nothing(value):
    X, y = blobs()
    wide = np.column_stack([X[:, :2], np.full(len(X), value), X[:, 2:]])
    model, plain = (LinearDiscriminantClassifier().fit(table, y) for table in (wide, X))
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), rtol=0, atol=1e-12)
    assert model.rank_ == 4
    other = wide + 100 * (np.arange(5) == 2)
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(wide))


@pytest.mark.parametrize("table", [np.full((6, 2), 0.1), np.zeros((6, 2))])
def test_a_table_that_never_varies_gives_the_priors(table):
    model = LinearDiscriminantClassifier().fit(table, [0, 0, 0, 0, 1, 1])
    assert_finite(model, table)
    np.testing.assert_allclose(model.predict_proba(table[:1]), [[4 / 6, 2 / 6]], rtol=1e-14)


@pytest.mark.parametrize(
    "extra", [lambda X: X[:, :1], lambda X: X.sum(axis=1, keepdims=True), lambda X: 3 * X]
)
def test_columns_that_depend_on_others_change_nothing(extra):
    X, y = blobs()
    wide = np.column_stack([X, extra(X)])
    model, plain = (LinearDiscriminantClassifier().fit(table, y) for table in (wide, X))
    assert model.rank_ == 4
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), rtol=0, atol=1e-6)


def test_a_column_constant_within_classes_decides():
    X, y = blobs()
    wide = np.column_stack([X, y * 0.1 + 5])
    assert (LinearDiscriminantClassifier().fit(wide, y).predict(wide) == y).all()


def test_classes_in_parallel_planes_are_told_apart():
    random = np.random.default_rng(10)
    y = np.arange(90) % 3
    plane = random.normal(size=(2, 6))
    X = random.normal(size=(90, 2)) @ plane + 0.5 * random.normal(size=(3, 6))[y]
    model = LinearDiscriminantClassifier().fit(X, y)
    assert model.rank_ == 2
    assert (model.predict(X) == y).all()
    assert_finite(model, X)


def test_a_single_class():
    X, _ = blobs()
    model = LinearDiscriminantClassifier().fit(X, np.full(len(X), "only"))
    assert set(model.predict(X)) == {"only"}
    assert (model.predict_proba(X) == 1).all()
    assert model.decision_function(X).shape == (len(X), 1)


@pytest.mark.parametrize("spread", [1.0, 1e-8, 1e-100, 1e-150])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_absurdly_far_away(spread, classes):
    X, y = blobs(classes=classes)
    model = LinearDiscriminantClassifier().fit(X * spread, y)
    far = 1e150 * np.array([[1, 1, 1, 1], [-1, 1, -1, 1], [0, 0, 0, -1], [1, -1, 0, 0]])
    assert_finite(model, far)


def test_threads_do_not_change_a_bit():
    X, y = blobs(rows=9000, columns=7, classes=4)
    alone = LinearDiscriminantClassifier("auto", n_jobs=1).fit(X, y)
    for n_jobs in (2, 3, 5):
        model = LinearDiscriminantClassifier("auto", n_jobs=n_jobs).fit(X, y)
        np.testing.assert_array_equal(model.transform(X), alone.transform(X))
        np.testing.assert_array_equal(model.predict_log_proba(X), alone.predict_log_proba(X))


# Adding and taking away


@pytest.mark.parametrize("column", [None, 0])
def test_forgetting_an_outlier_leaves_a_fresh_fit(column):
    X, y = blobs()
    outlier = np.full((1, 4), 0.3) if column is not None else 1e8 * np.array([[1.0, -2, 3, 0.1]])
    if column is not None:
        outlier[0, column] = 1e8
    model = LinearDiscriminantClassifier().fit(np.vstack([X, outlier]), np.append(y, 1))
    model.forget(outlier, [1])
    fresh = LinearDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(model.covariance_, fresh.covariance_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)


def test_rows_come_and_go_in_any_order():
    X, y = blobs()
    w = np.random.default_rng(4).uniform(0.2, 3, len(X))
    order = np.random.default_rng(2).permutation(len(X))
    model = LinearDiscriminantClassifier()
    for part in np.array_split(order, 7):
        model.partial_fit(X[part], y[part], sample_weight=w[part])
    for part in np.array_split(order[::-1][:50], 3):
        model.forget(X[part], y[part], sample_weight=w[part])
    kept = order[: len(X) - 50]
    fresh = LinearDiscriminantClassifier().fit(X[kept], y[kept], sample_weight=w[kept])
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-11)


def test_announced_classes_have_probability_zero_until_seen():
    X, y = blobs()
    model = LinearDiscriminantClassifier().partial_fit(X, y, classes=[-1, 0, 1, 2, 7])
    plain = LinearDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1:4], plain.predict_proba(X), rtol=0, atol=1e-13)
    assert not model.predict_proba(X)[:, [0, 4]].any()
    model.partial_fit(X[:5] + 10, [7] * 5)
    fresh = LinearDiscriminantClassifier().fit(np.vstack([X, X[:5] + 10]), np.append(y, [7] * 5))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1:], fresh.predict_proba(X), rtol=0, atol=1e-12)


def test_auto_shrinkage_needs_the_rows():
    model = LinearDiscriminantClassifier("auto").fit(*blobs())
    for name in ("partial_fit", "merge", "forget", "cross_val_posteriors"):
        assert not hasattr(model, name)
        assert hasattr(LinearDiscriminantClassifier("oas"), name)


def test_refusals():
    X, y = blobs()
    model = LinearDiscriminantClassifier().fit(X, y)
    with pytest.raises(DataError, match=r"y must be .*, got 9"):
        model.forget(X[:1], [9])
    with pytest.raises(DataError, match="more rows of class 0 than"):
        model.forget(np.vstack([X[y == 0], X[:1]]), np.zeros((y == 0).sum() + 1, int))
    with pytest.raises(DataError, match="leave at least one row"):
        model.forget(X, y)
    with pytest.raises(ParameterError, match="other must be a fitted"):
        model.merge(LinearDiscriminantClassifier("oas").fit(X, y))
    with pytest.raises(ParameterError, match="other must be a fitted"):
        model.merge(LinearDiscriminantClassifier())
    with pytest.raises(DataError, match=r"1e\+?150"):
        LinearDiscriminantClassifier().fit(X * 1e151, y)


# Cross-validation


@pytest.mark.parametrize("name", CROSS)
@pytest.mark.parametrize("cv", ["loo", "folds", "groups"])
def test_cross_validation_equals_refitting(name, cv):
    assert_cross_validation_equals_refitting(LinearDiscriminantClassifier(), name, cv)


@pytest.mark.parametrize("options", [{"priors": "uniform"}, {"priors": [0.7, 0.2, 0.1]}, {"shrinkage": 0.2}])
@pytest.mark.parametrize("cv", ["loo", "folds"])
def test_weighted_cross_validation_equals_refitting(options, cv):
    weights = np.random.default_rng(13).choice([0, 0.3, 1, 2.7], 60)
    assert_cross_validation_equals_refitting(LinearDiscriminantClassifier(**options), "random", cv, weights)
