import numpy as np
import pytest
from scipy.special import expit

from classica import FisherClassifier, LinearDiscriminantClassifier
from classica.errors import ParameterError
from tests.estimators.gaussian.gaussian_cases import (
    CROSS,
    assert_cross_validation_equals_refitting,
    assert_finite,
    blobs,
)
from tests.reference import gaussian

each_scheme = pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])
each_threshold = pytest.mark.parametrize("threshold", ["midpoint", "log-prior"])

# The rule

HAND_X = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2], [6, 0], [6, 4], [8, 0], [8, 4]])
HAND_Y = np.array(["a"] * 4 + ["b"] * 4)


def test_direction_and_threshold_by_hand():
    model = FisherClassifier().fit(HAND_X, HAND_Y)
    # Covariance diag(8, 20) / 6, means (1, 1) and (7, 2).
    np.testing.assert_allclose(model.coef_, [[-4.5, -0.3]], rtol=1e-14)
    np.testing.assert_allclose(model.thresholds_, [-(4.5 * 4 + 0.3 * 1.5)], rtol=1e-14)
    np.testing.assert_allclose(model.project([[1, 1], [0, 0]]), [[-4.8], [0]], rtol=1e-14, atol=1e-13)
    assert model.predict([[3.99, 1.5], [4.01, 1.5]]).tolist() == ["a", "b"]


def test_the_threshold_moves_by_the_log_of_the_priors():
    model = FisherClassifier("log-prior", priors=[0.8, 0.2]).fit(HAND_X, HAND_Y)
    np.testing.assert_allclose(model.thresholds_, [-(4.5 * 4 + 0.3 * 1.5) - np.log(4)], rtol=1e-14)
    assert FisherClassifier("log-prior").fit(HAND_X, HAND_Y).class_prior_.tolist() == [0.5, 0.5]


def test_a_score_of_zero_goes_to_the_first_class():
    model = FisherClassifier().fit([[-1.0], [1], [3], [5]], ["b", "b", "a", "a"])
    assert model.decision_function([[2.0]]).tolist() == [0]
    assert model.predict([[2.0]]) == "a"
    assert model.predict([[np.nextafter(2.0, 0)]]) == "b"


@each_threshold
def test_two_classes_equal_the_reference(threshold):
    X, y = blobs(classes=2)
    first = y == 0
    odds = np.log(first.sum() / (~first).sum()) if threshold == "log-prior" else 0.0
    w, t = gaussian.fisher(X, first, odds)
    model = FisherClassifier(threshold).fit(X, y)
    np.testing.assert_allclose(model.coef_, [w], rtol=1e-10)
    np.testing.assert_allclose(model.thresholds_, [t], rtol=1e-10)
    np.testing.assert_allclose(model.project(X)[:, 0], X @ w, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(model.decision_function(X), t - X @ w, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:, 0], expit(X @ w - t), rtol=1e-9)
    np.testing.assert_array_equal(model.predict(X), np.where(X @ w - t >= 0, 0, 1))


@pytest.mark.parametrize(("threshold", "priors"), [("midpoint", "uniform"), ("log-prior", "empirical")])
@pytest.mark.parametrize("shrinkage", [None, 0.3, "oas"])
@each_scheme
def test_two_classes_are_the_linear_discriminant(threshold, priors, shrinkage, multi_class):
    X, y = blobs(classes=2)
    fisher = FisherClassifier(threshold, shrinkage=shrinkage, multi_class=multi_class).fit(X, y)
    lda = LinearDiscriminantClassifier(shrinkage, priors=priors).fit(X, y)
    np.testing.assert_allclose(fisher.predict_proba(X), lda.predict_proba(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(fisher.decision_function(X), lda.decision_function(X), rtol=1e-11, atol=1e-11)
    np.testing.assert_array_equal(fisher.predict(X), lda.predict(X))


# More classes


@each_threshold
@pytest.mark.parametrize("classes", [3, 4, 5])
def test_one_against_all(threshold, classes):
    X, y = blobs(classes=classes, rows=200)
    model = FisherClassifier(threshold).fit(X, y)
    scores = gaussian.fisher_scores(X, y, X, one_vs_all=True, log_prior=threshold == "log-prior")
    np.testing.assert_allclose(model.project(X) - model.thresholds_, scores, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))
    shares = expit(scores)
    np.testing.assert_allclose(
        model.predict_proba(X), shares / shares.sum(axis=1, keepdims=True), rtol=0, atol=1e-10
    )
    assert model.coef_.shape == (classes, 4)
    assert model.n_parameters_ == classes * 5


@each_threshold
@pytest.mark.parametrize("classes", [3, 4, 5])
def test_all_against_all(threshold, classes):
    X, y = blobs(classes=classes, rows=200)
    model = FisherClassifier(threshold, multi_class="all-vs-all").fit(X, y)
    scores = gaussian.fisher_scores(X, y, X, one_vs_all=False, log_prior=threshold == "log-prior")
    np.testing.assert_allclose(model.project(X) - model.thresholds_, scores, rtol=1e-9, atol=1e-9)
    wins, sums = gaussian.votes(scores, classes)
    best = [max(range(classes), key=lambda c, i=i: (wins[i, c], sums[i, c])) for i in range(len(X))]
    np.testing.assert_array_equal(model.predict(X), best)
    shares = wins + 0.5 + sums / (3 * (abs(sums) + 1))
    np.testing.assert_allclose(
        model.predict_proba(X), shares / shares.sum(axis=1, keepdims=True), rtol=0, atol=1e-9
    )
    machines = classes * (classes - 1) // 2
    assert model.coef_.shape == (machines, 4)
    assert model.n_parameters_ == machines * 5


def test_equal_numbers_of_wins_go_to_the_largest_sum():
    # Three classes that beat each other in a circle near the middle, from covariances of their own.
    random = np.random.default_rng(1)
    y = np.arange(150) % 3
    X = np.einsum("ij,ijk->ik", random.normal(size=(150, 2)), random.normal(size=(3, 2, 2))[y])
    X += np.array([[0, 1], [1, 0], [-1, -0.5]])[y]
    model = FisherClassifier(multi_class="all-vs-all").fit(X, y)
    grid = np.stack(np.meshgrid(*[np.linspace(-3, 3, 201)] * 2), axis=-1).reshape(-1, 2)
    wins, sums = gaussian.votes(model.project(grid) - model.thresholds_, 3)
    circle = (wins == 1).all(axis=1)
    assert circle.sum() > 20
    np.testing.assert_array_equal(model.predict(grid[circle]), sums[circle].argmax(axis=1))
    assert len(set(model.predict(grid[circle]))) > 1


@each_scheme
@each_threshold
@pytest.mark.parametrize("classes", [1, 2, 3, 5])
def test_answers_agree(multi_class, threshold, classes):
    X, y = blobs(classes=classes)
    model = FisherClassifier(threshold, multi_class=multi_class).fit(X, y)
    assert_finite(model, X)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X), rtol=1e-11)
    scores = model.decision_function(X)
    winner = (scores > 0).astype(int) if classes == 2 else scores.argmax(axis=1)
    np.testing.assert_array_equal(model.predict(X), winner)


def test_a_single_class():
    model = FisherClassifier().fit([[0.0], [1.0]], ["only", "only"])
    assert model.predict([[5.0]]) == "only"
    assert model.coef_.shape == (0, 1)
    assert model.n_parameters_ == 0


# Weights, shrinkage, parameters


@each_scheme
def test_a_weight_equals_repetition(multi_class):
    X, y = blobs()
    times = np.random.default_rng(5).integers(0, 4, len(X))
    weighted = FisherClassifier("log-prior", multi_class=multi_class).fit(X, y, sample_weight=times)
    repeated = FisherClassifier("log-prior", multi_class=multi_class)
    repeated.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"threshold": "middle"}, "threshold must be"),
        ({"multi_class": "ovr"}, "multi_class must be"),
        ({"shrinkage": "most"}, "shrinkage must be"),
        ({"tol": 0}, "tol must be"),
        ({"priors": [0.5, 0.5]}, "priors must be one number for each of 3"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(ParameterError, match=reason):
        FisherClassifier(**options).fit(*blobs())


# Invariance and degenerate tables


@each_scheme
def test_maps_of_the_table_change_nothing(multi_class):
    X, y = blobs(classes=4)
    random = np.random.default_rng(3)
    plain = FisherClassifier(multi_class=multi_class).fit(X, y)
    for matrix, shift in [
        (random.normal(size=(4, 4)), random.normal(size=4)),
        (np.diag([1e-12, 1e-3, 1e5, 1e12]), np.zeros(4)),
    ]:
        moved = X @ matrix + shift
        model = FisherClassifier(multi_class=multi_class).fit(moved, y)
        np.testing.assert_array_equal(model.predict(moved), plain.predict(X))
        np.testing.assert_allclose(model.predict_proba(moved), plain.predict_proba(X), rtol=0, atol=1e-8)


@each_scheme
def test_a_mean_of_1e8_beside_a_spread_of_1(multi_class):
    X, y = blobs(classes=4)
    X = np.round(X * 2**20) / 2**20
    near, far = (FisherClassifier(multi_class=multi_class).fit(X + shift, y) for shift in (0, 1e8))
    np.testing.assert_array_equal(near.predict(X), far.predict(X + 1e8))
    np.testing.assert_allclose(near.predict_proba(X), far.predict_proba(X + 1e8), rtol=0, atol=1e-9)


def degenerate():
    random = np.random.default_rng(8)
    X, y = blobs()
    return {
        "fewer rows than columns": (random.normal(size=(12, 40)), np.arange(12) % 3),
        "one-row class": (np.vstack([X, X[:1] + 50]), np.append(y, 3)),
        "two rows": (X[:2], np.arange(2)),
        "constant column": (np.column_stack([X, np.full(len(X), 0.1)]), y),
        "never varies": (np.full((9, 2), 0.1), np.arange(9) % 3),
        "duplicate column": (np.column_stack([X, X[:, 0]]), y),
        "collinear": (np.column_stack([X, X.sum(axis=1)]), y),
        "no spread in a class": (np.where((y == 1)[:, None] & (np.arange(4) == 2), 0.7, X), y),
        "scales": (X * [1e-12, 1, 1, 1e12], y),
    }


DEGENERATE = degenerate()


@each_scheme
@each_threshold
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_tables_have_an_answer(name, multi_class, threshold):
    X, y = DEGENERATE[name]
    assert_finite(FisherClassifier(threshold, multi_class=multi_class).fit(X, y), X)


def test_separable_tables_are_separated():
    for name in ("fewer rows than columns", "two rows"):
        X, y = DEGENERATE[name]
        for multi_class in ("one-vs-all", "all-vs-all"):
            assert (FisherClassifier(multi_class=multi_class).fit(X, y).predict(X) == y).all()
    assert FisherClassifier().fit([[0], [1], [1]], [0, 1, 1]).predict([[0], [1]]).tolist() == [0, 1]


@pytest.mark.parametrize("spread", [1.0, 1e-8, 1e-100, 1e-150])
@pytest.mark.parametrize("classes", [2, 3])
@each_scheme
def test_rows_absurdly_far_away(spread, classes, multi_class):
    X, y = blobs(classes=classes)
    model = FisherClassifier(multi_class=multi_class).fit(X * spread, y)
    far = 1e150 * np.array([[1, 1, 1, 1], [-1, 1, -1, 1], [0, 0, 0, -1], [1, -1, 0, 0]])
    assert_finite(model, far)


def test_threads_do_not_change_a_bit():
    X, y = blobs(rows=9000, columns=7, classes=4)
    alone = FisherClassifier(n_jobs=1).fit(X, y)
    for n_jobs in (2, 3, 5):
        model = FisherClassifier(n_jobs=n_jobs).fit(X, y)
        np.testing.assert_array_equal(model.coef_, alone.coef_)
        np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))


# Adding and taking away


@each_scheme
def test_forgetting_an_outlier_leaves_a_fresh_fit(multi_class):
    X, y = blobs()
    outlier = 1e8 * np.array([[1.0, -2, 3, 0.1]])
    model = FisherClassifier(multi_class=multi_class).fit(np.vstack([X, outlier]), np.append(y, 1))
    model.forget(outlier, [1])
    fresh = FisherClassifier(multi_class=multi_class).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)


@each_scheme
def test_announced_classes_have_probability_zero_until_seen(multi_class):
    X, y = blobs()
    model = FisherClassifier(multi_class=multi_class).partial_fit(X, y, classes=[-1, 0, 1, 2, 7])
    plain = FisherClassifier(multi_class=multi_class).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1:4], plain.predict_proba(X), rtol=0, atol=1e-12)
    assert not model.predict_proba(X)[:, [0, 4]].any()
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))


@each_scheme
def test_one_announced_class_beside_two(multi_class):
    X, y = blobs(classes=2)
    model = FisherClassifier(multi_class=multi_class).partial_fit(X, y, classes=[0, 1, 2])
    plain = FisherClassifier().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, :2], plain.predict_proba(X), rtol=0, atol=1e-13)


# Cross-validation


@pytest.mark.parametrize("name", CROSS)
@pytest.mark.parametrize("cv", ["loo", "folds", "groups"])
@each_scheme
def test_cross_validation_equals_refitting(name, cv, multi_class):
    model = FisherClassifier("log-prior", multi_class=multi_class)
    assert_cross_validation_equals_refitting(model, name, cv)


@pytest.mark.parametrize(
    "options", [{"priors": [0.7, 0.2, 0.1]}, {"threshold": "midpoint"}, {"shrinkage": 0.2}]
)
@pytest.mark.parametrize("cv", ["loo", "folds"])
@each_scheme
def test_weighted_cross_validation_equals_refitting(options, cv, multi_class):
    weights = np.random.default_rng(13).choice([0, 0.3, 1, 2.7], 60)
    model = FisherClassifier(**{"threshold": "log-prior", "multi_class": multi_class} | options)
    assert_cross_validation_equals_refitting(model, "random", cv, weights)


def test_a_scheme_named_after_learning_does_not_change_what_was_learned():
    X, y = blobs(classes=3)
    model = FisherClassifier().fit(X, y)
    before = model.predict_proba(X)
    model.set_params(multi_class="all-vs-all")
    np.testing.assert_array_equal(model.predict_proba(X), before)
    with pytest.raises(ParameterError, match="multi_class must be the one of the first fit"):
        model.forget(X[:1], y[:1])
