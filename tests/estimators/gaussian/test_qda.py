import numpy as np
import pytest
from scipy.special import expit
from sklearn.covariance import OAS, ledoit_wolf, shrunk_covariance
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from classica import LinearDiscriminantClassifier, QuadraticDiscriminantClassifier
from classica.errors import DataError, ParameterError
from classica.estimators.gaussian.loo_share import SHARES
from tests.estimators.gaussian.gaussian_cases import (
    CROSS,
    assert_cross_validation_equals_refitting,
    assert_finite,
    blobs,
)
from tests.reference import gaussian


def uneven(rows=150, columns=4, classes=3, seed=0):
    """Return classes of different shape and size."""
    X, y = blobs(rows, columns, classes, seed)
    random = np.random.default_rng(seed + 1)
    return np.einsum("ij,ijk->ik", X, random.normal(size=(classes, columns, columns))[y]) + y[:, None], y


# The rule

HAND_X = np.array([[-1.0, 0], [1, 0], [0, -1], [0, 1], [4, 0], [8, 0], [6, -4], [6, 4]])
HAND_Y = np.array(["a"] * 4 + ["b"] * 4)


def test_covariances_and_distances_by_hand():
    model = QuadraticDiscriminantClassifier().fit(HAND_X, HAND_Y)
    assert model.means_.tolist() == [[0, 0], [6, 0]]
    a, b = np.diag([2 / 3, 2 / 3]), np.diag([8 / 3, 32 / 3])
    np.testing.assert_allclose(model.covariances_, [a, b], rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(model.log_determinants_, np.log([4 / 9, 256 / 9]), rtol=1e-13)
    wanted = [[0, 36 * 3 / 8], [36 * 3 / 2, 0], [0.5 * 3 / 2, 6.5**2 * 3 / 8 + 0.25 * 3 / 32]]
    found = model.distances([[0, 0], [6, 0], [-0.5, 0.5]])
    np.testing.assert_allclose(found**2, wanted, rtol=1e-13, atol=1e-25)
    assert model.ranks_.tolist() == [2, 2]


def test_a_narrow_class_inside_a_wide_one_by_hand():
    model = QuadraticDiscriminantClassifier().fit([[-1.0], [1], [-8], [8]], ["n", "n", "w", "w"])
    # Variances 2 and 128: equal where x² (1/2 - 1/128) = log 64.
    border = np.sqrt(np.log(64) / (1 / 2 - 1 / 128))
    points = [[-border - 1e-9], [-border + 1e-9], [0], [border - 1e-9], [border + 1e-9]]
    assert model.predict(points).tolist() == ["w", "n", "n", "n", "w"]


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("priors", ["empirical", "uniform", "given"])
def test_posteriors_equal_the_formula(classes, priors):
    X, y = uneven(classes=classes)
    shares = {"empirical": None, "uniform": np.full(classes, 1 / classes)}
    given = shares.get(priors, np.arange(1, classes + 1) / (classes * (classes + 1) / 2))
    model = QuadraticDiscriminantClassifier(priors=given if priors == "given" else priors).fit(X, y)
    wanted = gaussian.posteriors(X, y, X, shared=False, priors=given)
    np.testing.assert_allclose(model.predict_proba(X), wanted, rtol=0, atol=1e-11)
    kept = wanted > 1e-300
    np.testing.assert_allclose(model.predict_log_proba(X)[kept], np.log(wanted[kept]), rtol=1e-10, atol=1e-10)


def test_attributes():
    X, y = uneven(columns=5, classes=4, rows=200)
    model = QuadraticDiscriminantClassifier().fit(X, y)
    _, own = gaussian.class_covariances(X, y)
    np.testing.assert_allclose(model.covariances_, own, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.log_determinants_, np.linalg.slogdet(own)[1], rtol=0, atol=1e-10)
    assert model.class_count_.tolist() == np.bincount(y).tolist()
    np.testing.assert_allclose(model.class_prior_, np.bincount(y) / len(y), rtol=1e-15)
    assert model.means_.shape == (4, 5)
    assert model.ranks_.tolist() == [5] * 4
    assert model.shrinkage_.tolist() == [0] * 4


@pytest.mark.parametrize(("classes", "columns"), [(2, 1), (2, 7), (3, 4), (10, 2)])
def test_number_of_parameters(classes, columns):
    X, y = blobs(rows=60, columns=columns, classes=classes)
    wanted = classes - 1 + classes * columns + classes * columns * (columns + 1) // 2
    assert QuadraticDiscriminantClassifier().fit(X, y).n_parameters_ == wanted


@pytest.mark.parametrize("classes", [1, 2, 4])
def test_answers_agree(classes):
    X, y = uneven(classes=classes)
    model = QuadraticDiscriminantClassifier().fit(X, y)
    assert_finite(model, X)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-11)
    scores = model.decision_function(X)
    if classes == 2:
        np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(scores), rtol=1e-11)
    else:
        assert scores.shape == (len(X), classes)


# Weights


@pytest.mark.parametrize("shrinkage", [None, 0.3, "oas", "auto"])
def test_a_weight_equals_repetition(shrinkage):
    X, y = uneven()
    times = np.random.default_rng(5).integers(0, 4, len(X))
    weighted = QuadraticDiscriminantClassifier(shrinkage).fit(X, y, sample_weight=times)
    repeated = QuadraticDiscriminantClassifier(shrinkage)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.covariances_, repeated.covariances_, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-11)


@pytest.mark.parametrize("shift", [0.0, 1e6, 1e8])
def test_fractional_weights(shift):
    X, y = uneven()
    X = np.round(X * 2**20) / 2**20
    w = np.random.default_rng(6).uniform(0.1, 2, len(X))
    counts = np.bincount(y, w)
    means = np.array([w[y == c] @ X[y == c] / counts[c] for c in range(3)])
    gaps = X - means[y]
    own = [(w[y == c, None] * gaps[y == c]).T @ gaps[y == c] / (counts[c] - 1) for c in range(3)]
    wanted = gaussian.softmax(gaussian.log_joint(X, means, own, counts / counts.sum()))
    model = QuadraticDiscriminantClassifier().fit(X + shift, y, sample_weight=w)
    np.testing.assert_allclose(model.predict_proba(X + shift), wanted, rtol=0, atol=1e-9)


def test_weights_that_overflow_are_refused():
    X, y = uneven()
    with pytest.raises(DataError, match=r"^sample_weight must keep weighted squares of X finite"):
        QuadraticDiscriminantClassifier().fit(X, y, sample_weight=np.full(len(X), 5e305))


# Shrinkage


@pytest.mark.parametrize("amount", [0, 0.1, 0.5, 1.0])
def test_a_given_amount_of_shrinkage(amount):
    X, y = uneven()
    model = QuadraticDiscriminantClassifier(amount).fit(X, y)
    _, own = gaussian.class_covariances(X, y)
    wanted = [shrunk_covariance(covariance, amount) for covariance in own]
    np.testing.assert_allclose(model.covariances_, wanted, rtol=1e-10, atol=1e-11)
    assert model.shrinkage_.tolist() == [amount] * 3


def test_oas():
    X, y = uneven(columns=10)
    model = QuadraticDiscriminantClassifier("oas").fit(X, y)
    for c in range(3):
        rows = X[y == c] - X[y == c].mean(axis=0)
        theirs = OAS(assume_centered=True).fit(rows)
        assert model.shrinkage_[c] == pytest.approx(theirs.shrinkage_, rel=1e-9)
        wanted = theirs.covariance_ * len(rows) / (len(rows) - 1)
        np.testing.assert_allclose(model.covariances_[c], wanted, rtol=1e-9, atol=1e-9)


def test_auto_is_ledoit_and_wolf_on_standardised_residuals():
    X, y = uneven(columns=6)
    X = X * 10.0 ** np.arange(6)
    model = QuadraticDiscriminantClassifier("auto").fit(X, y)
    for c in range(3):
        rows = X[y == c] - X[y == c].mean(axis=0)
        scale = rows.std(axis=0)
        covariance, amount = ledoit_wolf(rows / scale, assume_centered=True)
        assert model.shrinkage_[c] == pytest.approx(amount, rel=1e-9)
        found = model.covariances_[c] / np.outer(scale, scale) * (len(rows) - 1) / len(rows)
        np.testing.assert_allclose(found, covariance, rtol=0, atol=1e-10)


@pytest.mark.parametrize("shrinkage", [-0.1, 1.1, "ledoit", np.nan])
def test_bad_shrinkage(shrinkage):
    with pytest.raises(ParameterError, match="shrinkage must be None"):
        QuadraticDiscriminantClassifier(shrinkage).fit(*uneven())


# Invariance


def test_maps_of_the_table_change_nothing():
    X, y = uneven(classes=3)
    random = np.random.default_rng(3)
    rotation = np.linalg.qr(random.normal(size=(4, 4)))[0]
    plain = QuadraticDiscriminantClassifier().fit(X, y)
    for matrix, shift in [
        (rotation @ np.diag([0.5, 1, 2, 4]), random.normal(size=4)),
        (np.diag([1e-12, 1e-3, 1e5, 1e12]), np.zeros(4)),
        (100 * rotation, np.full(4, 1e3)),
    ]:
        moved = X @ matrix + shift
        model = QuadraticDiscriminantClassifier().fit(moved, y)
        np.testing.assert_array_equal(model.predict(moved), plain.predict(X))
        np.testing.assert_allclose(model.predict_proba(moved), plain.predict_proba(X), rtol=0, atol=1e-8)


def test_a_mean_of_1e8_beside_a_spread_of_1():
    X, y = uneven()
    X = np.round(X * 2**20) / 2**20
    near, far = (QuadraticDiscriminantClassifier().fit(X + shift, y) for shift in (0, 1e8))
    np.testing.assert_array_equal(near.predict(X), far.predict(X + 1e8))
    np.testing.assert_allclose(near.predict_proba(X), far.predict_proba(X + 1e8), rtol=0, atol=1e-9)


# Degenerate tables


def test_a_class_of_rank_one():
    """scikit-learn issue 14997: class 0 lies on a line, and all of it was called class 1."""
    random = np.random.RandomState(0)
    mixing = np.array([[0, -0.23], [0.83, 0.23]])
    line = np.column_stack([random.randn(300), np.zeros(300)]) @ mixing
    cloud = random.randn(300, 2) @ mixing + [1, 1]
    X, y = np.vstack([line, cloud]), np.repeat([0, 1], 300)
    model = QuadraticDiscriminantClassifier(regularization=0).fit(X, y)
    assert model.ranks_.tolist() == [1, 2]
    assert (model.predict(line) == 0).all()
    assert (model.predict(cloud) == 1).mean() > 0.98
    assert_finite(model, X)


def test_a_class_of_one_row_and_one_without_spread():
    """scikit-learn issue 18671."""
    X, y = [[0], [1], [1]], [0, 1, 1]
    assert QuadraticDiscriminantClassifier().fit(X, y).predict(X).tolist() == y


def test_a_class_of_one_row_takes_the_covariance_within_all():
    X, y = uneven()
    X, y = np.vstack([X, [[50.0] * 4]]), np.append(y, 3)
    model = QuadraticDiscriminantClassifier().fit(X, y)
    pooled, _ = gaussian.class_covariances(X[:-1], y[:-1])
    np.testing.assert_allclose(model.covariances_[3], pooled, rtol=1e-10, atol=1e-10)
    assert model.predict([[50.0] * 4]) == 3


def test_a_small_class_is_filled_up():
    X, y = uneven(columns=4)
    small = X[:3] + 40
    table, labels = np.vstack([X, small]), np.append(y, [3] * 3)
    model = QuadraticDiscriminantClassifier().fit(table, labels)
    pooled, _ = gaussian.class_covariances(table, labels)
    gaps = small - small.mean(axis=0)
    # d + 1 - n = 2 more rows; the divisor is then d.
    np.testing.assert_allclose(
        model.covariances_[3], (gaps.T @ gaps + 2 * pooled) / 4, rtol=1e-10, atol=1e-10
    )
    assert (model.predict(table)[-3:] == 3).all()


def test_every_class_has_one_row():
    X = np.random.default_rng(9).normal(size=(6, 3))
    model = QuadraticDiscriminantClassifier().fit(X, range(6))
    assert_finite(model, X)
    assert model.predict(X).tolist() == list(range(6))


@pytest.mark.parametrize("shrinkage", [None, 0.2, "oas", "auto"])
def test_fewer_rows_than_columns(shrinkage):
    X, y = np.random.default_rng(8).normal(size=(24, 40)), np.arange(24) % 3
    model = QuadraticDiscriminantClassifier(shrinkage).fit(X, y)
    assert_finite(model, X)
    # Without shrinkage each class keeps its own plane.
    assert shrinkage is not None or (model.predict(X) == y).all()


@pytest.mark.parametrize("value", [0.0, 7.0, 0.1, 1e8 + 0.1])
def test_a_constant_column_changes_nothing(value):
    X, y = uneven()
    wide = np.column_stack([X[:, :2], np.full(len(X), value), X[:, 2:]])
    model, plain = (QuadraticDiscriminantClassifier().fit(table, y) for table in (wide, X))
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), rtol=0, atol=1e-11)
    np.testing.assert_allclose(model.log_determinants_, plain.log_determinants_, rtol=1e-11)


def test_a_column_without_spread_in_one_class():
    X, y = uneven()
    X[y == 1, 2] = 0.7
    model = QuadraticDiscriminantClassifier(regularization=0).fit(X, y)
    assert model.ranks_.tolist() == [4, 3, 4]
    assert_finite(model, X)
    # A row off the plane of class 1 is no row of class 1, a row on it most probably is.
    assert (model.predict(X)[y != 1] != 1).all()
    assert (model.predict(X)[y == 1] == 1).all()


@pytest.mark.parametrize("table", [np.full((6, 2), 0.1), np.zeros((6, 2))])
def test_a_table_that_never_varies_gives_the_priors(table):
    model = QuadraticDiscriminantClassifier().fit(table, [0, 0, 0, 0, 1, 1])
    assert_finite(model, table)
    np.testing.assert_allclose(model.predict_proba(table[:1]), [[4 / 6, 2 / 6]], rtol=1e-14)


@pytest.mark.parametrize("extra", [lambda X: X[:, :1], lambda X: X.sum(axis=1, keepdims=True)])
def test_a_column_that_depends_on_others_changes_no_label(extra):
    X, y = uneven()
    wide = np.column_stack([X, extra(X)])
    model, plain = (QuadraticDiscriminantClassifier().fit(table, y) for table in (wide, X))
    assert model.ranks_.tolist() == [4, 4, 4]
    np.testing.assert_array_equal(model.predict(wide), plain.predict(X))
    assert_finite(model, wide)


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_separable_classes_of_low_rank_are_never_confused(rank):
    random = np.random.default_rng(10 + rank)
    y = np.arange(200) % 4
    planes, centers = random.normal(size=(4, rank, 6)), random.normal(size=(4, 6))
    X = np.einsum("ir,irk->ik", random.normal(size=(200, rank)), planes[y]) + centers[y]
    model = QuadraticDiscriminantClassifier(regularization=0).fit(X[:160], y[:160])
    assert model.ranks_.tolist() == [rank] * 4
    assert (model.predict(X) == y).all()
    assert_finite(model, X)


def test_a_single_class():
    X, _ = uneven()
    model = QuadraticDiscriminantClassifier().fit(X, np.full(len(X), "only"))
    assert set(model.predict(X)) == {"only"}
    assert (model.predict_proba(X) == 1).all()


@pytest.mark.parametrize("spread", [1.0, 1e-8, 1e-100, 1e-150])
@pytest.mark.parametrize("classes", [2, 3])
def test_rows_absurdly_far_away(spread, classes):
    X, y = uneven(classes=classes)
    model = QuadraticDiscriminantClassifier().fit(X * spread, y)
    far = 1e150 * np.array([[1, 1, 1, 1], [-1, 1, -1, 1], [0, 0, 0, -1], [1, -1, 0, 0]])
    assert_finite(model, far)
    assert np.isfinite(model.distances(far)).all()


def test_threads_do_not_change_a_bit():
    X, y = uneven(rows=9000, columns=7, classes=4)
    alone = QuadraticDiscriminantClassifier("auto", n_jobs=1).fit(X, y)
    for n_jobs in (2, 3, 5):
        model = QuadraticDiscriminantClassifier("auto", n_jobs=n_jobs).fit(X, y)
        np.testing.assert_array_equal(model.predict_log_proba(X), alone.predict_log_proba(X))


# Adding and taking away


def test_forgetting_an_outlier_leaves_a_fresh_fit():
    X, y = uneven()
    outlier = 1e8 * np.array([[1.0, -2, 3, 0.1]])
    model = (
        QuadraticDiscriminantClassifier().fit(np.vstack([X, outlier]), np.append(y, 1)).forget(outlier, [1])
    )
    fresh = QuadraticDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(model.covariances_, fresh.covariances_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)


def test_rows_come_and_go_in_any_order():
    X, y = uneven()
    order = np.random.default_rng(2).permutation(len(X))
    model = QuadraticDiscriminantClassifier("oas")
    for part in np.array_split(order, 7):
        model.partial_fit(X[part], y[part])
    for part in np.array_split(order[::-1][:50], 3):
        model.forget(X[part], y[part])
    kept = order[: len(X) - 50]
    fresh = QuadraticDiscriminantClassifier("oas").fit(X[kept], y[kept])
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-11)


def test_announced_classes_have_probability_zero_until_seen():
    X, y = uneven()
    model = QuadraticDiscriminantClassifier().partial_fit(X, y, classes=[-1, 0, 1, 2, 7])
    plain = QuadraticDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1:4], plain.predict_proba(X), rtol=0, atol=1e-12)
    assert not model.predict_proba(X)[:, [0, 4]].any()


def test_auto_shrinkage_needs_the_rows():
    for name in ("partial_fit", "merge", "forget", "cross_val_posteriors"):
        assert not hasattr(QuadraticDiscriminantClassifier("auto"), name)
        assert hasattr(QuadraticDiscriminantClassifier("oas"), name)


def test_models_of_other_kinds_do_not_merge():
    X, y = uneven()
    with pytest.raises(ParameterError, match="other must be a fitted"):
        QuadraticDiscriminantClassifier().fit(X, y).merge(LinearDiscriminantClassifier().fit(X, y))


# Cross-validation


@pytest.mark.parametrize("name", CROSS)
@pytest.mark.parametrize("cv", ["loo", "folds", "groups"])
def test_cross_validation_equals_refitting(name, cv):
    assert_cross_validation_equals_refitting(QuadraticDiscriminantClassifier(), name, cv)


@pytest.mark.parametrize("options", [{"priors": "uniform"}, {"priors": [0.7, 0.2, 0.1]}, {"shrinkage": 0.2}])
@pytest.mark.parametrize("cv", ["loo", "folds"])
def test_weighted_cross_validation_equals_refitting(options, cv):
    weights = np.random.default_rng(13).choice([0, 0.3, 1, 2.7], 60)
    assert_cross_validation_equals_refitting(
        QuadraticDiscriminantClassifier(**options), "random", cv, weights
    )


def test_the_floor_is_a_share_of_the_variance_within_classes_in_every_direction():
    random = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = random.normal(size=(200, 3))
    X[y == 0, 2] = X[y == 0, 0] + X[y == 0, 1]  # class 0 lies in a plane
    turn = random.normal(size=(3, 3))
    model = QuadraticDiscriminantClassifier(regularization=0, variance_floor=0.01).fit(X, y)
    turned = QuadraticDiscriminantClassifier(regularization=0, variance_floor=0.01).fit(X @ turn, y)
    assert model.ranks_.tolist() == turned.ranks_.tolist() == [2, 3]
    np.testing.assert_allclose(turned.predict_proba(X @ turn), model.predict_proba(X), rtol=0, atol=1e-9)
    normal = np.array([1.0, 1.0, -1.0]) / np.sqrt(3)
    within = sum(np.cov(X[y == c].T) * (np.sum(y == c) - 1) for c in (0, 1)) / 198
    # The direction that is, seen by the covariance within classes, at right angles to the plane.
    off_plane = model.distances((X[y == 0].mean(axis=0) + within @ normal)[None])[0, 0]
    assert off_plane == pytest.approx(np.sqrt(normal @ within @ normal / 0.01), rel=1e-9)


# Regularisation


def rare_marks():
    """Return 540 rows with marks so rare that a class may lack one; the majority class errs on 143."""
    random = np.random.default_rng(1)
    y = np.repeat([0, 1], [397, 143])
    X = random.normal(size=(540, 4))
    X[y == 1, :2] += 1.2
    return np.column_stack([X, random.random((540, 12)) < 0.015]), y


def cross_validated_errors(model, X, y):
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return int((cross_val_predict(model, X, y, cv=folds) != y).sum())


def test_a_singular_class_does_better_than_the_majority():
    X, y = rare_marks()
    off, default, loo = (
        cross_validated_errors(QuadraticDiscriminantClassifier(regularization=how), X, y)
        for how in (0, "moments", "loo")
    )
    assert loo < default < 143 < off
    assert QuadraticDiscriminantClassifier().fit(X, y).regularization_.tolist() == [0.8, 0.8]


def test_regular_classes_are_left_alone():
    X, y = uneven()
    model, plain = (QuadraticDiscriminantClassifier(regularization=how).fit(X, y) for how in ("moments", 0))
    assert model.regularization_.tolist() == [0, 0, 0]
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


def test_a_given_share_of_the_covariance_within():
    X, y = uneven()
    model = QuadraticDiscriminantClassifier(regularization=0.25).fit(X, y)
    pooled, own = gaussian.class_covariances(X, y)
    np.testing.assert_allclose(model.covariances_, 0.75 * own + 0.25 * pooled, rtol=1e-10, atol=1e-11)
    assert model.regularization_.tolist() == [0.25] * 3
    shared = QuadraticDiscriminantClassifier(regularization=1).fit(X, y)
    linear = LinearDiscriminantClassifier().fit(X, y)
    np.testing.assert_allclose(shared.predict_proba(X), linear.predict_proba(X), rtol=0, atol=1e-10)


def test_regularisation_adds_up():
    X, y = rare_marks()
    half = np.arange(540) % 2 == 0
    fresh = QuadraticDiscriminantClassifier().fit(X, y)
    merged = QuadraticDiscriminantClassifier().fit(X[half], y[half])
    merged.merge(QuadraticDiscriminantClassifier().fit(X[~half], y[~half]))
    forgetful = QuadraticDiscriminantClassifier().fit(np.vstack([X, X[half]]), np.append(y, y[half]))
    for model in (merged, forgetful.forget(X[half], y[half])):
        assert model.regularization_.tolist() == fresh.regularization_.tolist() == [0.8, 0.8]
        np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)


def test_the_share_chosen_by_leaving_one_out_is_the_one_of_refitting():
    X, y = uneven(rows=60, columns=6)
    found = QuadraticDiscriminantClassifier(regularization="loo").fit(X, y)
    errors = []
    for share in SHARES:
        model = QuadraticDiscriminantClassifier(regularization=share)
        errors.append((model.cross_val_posteriors(X, y, "loo").argmax(axis=1) != y).sum())
    best = np.flatnonzero(np.array(errors) == min(errors))[-1]
    assert found.regularization_.tolist() == [SHARES[best]] * 3
    assert not hasattr(found, "merge")


@pytest.mark.parametrize("how", [-0.1, 1.1, "ridge", None])
def test_bad_regularization(how):
    with pytest.raises(ParameterError, match="regularization must be 'moments' or 'loo' or a number from 0"):
        QuadraticDiscriminantClassifier(regularization=how).fit(*uneven())
