import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from classica import KernelPerceptronClassifier, PerceptronClassifier
from classica.errors import DataError, ParameterError
from classica.estimators.linear import online_dual as _online_dual
from tests.reference import kernels as reference_kernels
from tests.reference import online as reference

VARIANTS = ["plain", "voted", "averaged"]
each_variant = pytest.mark.parametrize("variant", VARIANTS)
each_scheme = pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])


def overlapping(rows=150, columns=3, classes=2, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    return random.normal(size=(rows, columns)) + random.normal(size=(classes, columns))[y], y


def rings(rows=300, seed=0):
    """Return the lecture's rings: radius 1 of the first class, 0.5 of the second, noise 0.05."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    angles = random.uniform(0, 2 * np.pi, rows)
    X = np.where(y == 1, 0.5, 1.0)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    return X + 0.05 * random.normal(size=X.shape), y


# The linear kernel is the perceptron


@each_variant
@each_scheme
@pytest.mark.parametrize("classes", [1, 2, 4])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_the_linear_kernel_is_the_perceptron(variant, multi_class, classes, intercept, shuffle):
    X, y = overlapping(classes=classes)
    options = {
        "variant": variant,
        "multi_class": multi_class,
        "fit_intercept": intercept,
        "shuffle": shuffle,
        "random_state": 3,
        "max_iter": 4,
    }
    dual, primal = (make(**options) for make in (KernelPerceptronClassifier, PerceptronClassifier))
    dual.set_params(kernel="linear").fit(X, y)
    primal.fit(X, y)
    np.testing.assert_array_equal(dual.mistakes_, primal.mistakes_)
    assert dual.converged_ == primal.converged_
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(X), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(dual.dual_coef_ @ dual.support_vectors_, primal.coef_, rtol=1e-10, atol=1e-10)


@each_variant
@pytest.mark.parametrize("zero", ["mistake", "first"])
def test_the_quadratic_kernel_is_the_perceptron_of_products(variant, zero):
    X, y = overlapping(columns=2)
    X = np.round(2 * X)  # exact products: scores of zero do come
    # A column twice counts as one times the root of 2, which would be rounded.
    lifted = np.column_stack([X**2, *[X[:, 0] * X[:, 1]] * 2, X, X])
    weights, survived, mistakes = reference.perceptron(
        lifted, 2 * y - 1, [range(len(X))] * 3, zero=int(zero == "first")
    )
    model = KernelPerceptronClassifier(
        "poly", variant=variant, gamma=1, coef0=1, degree=2, fit_intercept=False, shuffle=False, max_iter=3
    )
    assert model.set_params(zero=zero).fit(X, y).mistakes_.ravel().tolist() == mistakes
    if variant == "voted":
        wanted = reference.votes(lifted, weights, survived, of_zero=float(zero == "first"))
    else:
        chosen = weights[-1] if variant == "plain" else survived @ weights / survived.sum()
        wanted = np.column_stack([lifted, np.ones(len(X))]) @ chosen
    np.testing.assert_allclose(model.decision_function(X), wanted, rtol=1e-9, atol=1e-9)


# Kernels


@each_variant
@pytest.mark.parametrize("name", ["linear", "poly", "rbf", "sigmoid"])
def test_known_and_called_kernels_are_as_good(variant, name):
    X, y = overlapping(classes=3)

    def function(A, B):
        return reference_kernels.kernel_matrix(A, B, name, 0.3, 0.5, 2)

    options = {"variant": variant, "random_state": 0, "max_iter": 3, "gamma": 0.3, "coef0": 0.5, "degree": 2}
    native = KernelPerceptronClassifier(name, **options).fit(X, y)
    called = KernelPerceptronClassifier(function, **options).fit(X, y)
    known = KernelPerceptronClassifier("precomputed", **options).fit(function(X, X), y)
    new = overlapping(seed=5)[0]
    for model, rows in ((called, new), (known, function(new, X))):
        np.testing.assert_array_equal(model.mistakes_, native.mistakes_)
        np.testing.assert_allclose(
            model.decision_function(rows), native.decision_function(new), rtol=1e-9, atol=1e-9
        )


@each_variant
def test_rings_are_told_apart(variant):
    X, y = rings()
    new, truth = rings(seed=1)
    model = KernelPerceptronClassifier(variant=variant, gamma=2.0, max_iter=200, random_state=0).fit(X, y)
    assert model.converged_
    assert model.score(new, truth) > 0.98
    assert PerceptronClassifier(variant, random_state=0).fit(X, y).score(new, truth) < 0.7


def test_novikoff_holds_in_the_space_of_the_kernel():
    X, y = rings(rows=100)
    # x² + z² tells them apart: in the space of (x·z + 1)², at a known margin.
    lifted = np.column_stack([X**2, np.sqrt(2) * X[:, 0] * X[:, 1], np.sqrt(2) * X, np.ones(len(X))])
    normal = np.array([-1, -1, 0, 0, 0, 0.55])
    gamma = (np.where(y == 1, 1, -1) * (lifted @ normal)).min() / np.linalg.norm(normal)
    assert gamma > 0
    model = KernelPerceptronClassifier(
        "poly", gamma=1, coef0=1, degree=2, fit_intercept=False, variant="plain", max_iter=10_000
    ).fit(X, y)
    assert model.converged_
    assert model.n_updates_[0] <= (np.linalg.norm(lifted, axis=1).max() / gamma) ** 2


def test_coefficients_count_how_often_a_row_was_added():
    X, y = overlapping()
    model = KernelPerceptronClassifier(variant="plain", max_iter=5, random_state=0).fit(X, y)
    assert abs(model.dual_coef_).sum() == model.n_updates_[0]
    assert len(np.unique(model.support_vectors_, axis=0)) == len(model.support_vectors_)


# Going on


@each_variant
@each_scheme
def test_partial_fits_are_epochs(variant, multi_class):
    X, y = overlapping(classes=3)
    options = {"variant": variant, "multi_class": multi_class, "random_state": 5, "gamma": 0.5}
    whole = KernelPerceptronClassifier(max_iter=3, **options).fit(X, y)
    parts = KernelPerceptronClassifier(**options)
    for _ in range(3):
        parts.partial_fit(X, y)
    np.testing.assert_array_equal(parts.mistakes_, whole.mistakes_)
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=0, atol=1e-10)


@each_variant
def test_rows_can_come_in_pieces(variant):
    X, y = overlapping(rows=100)
    options = {"variant": variant, "gamma": 0.5, "shuffle": False}
    whole = KernelPerceptronClassifier(max_iter=1, **options).fit(X, y)
    parts = KernelPerceptronClassifier(**options)
    for start in range(0, 100, 7):
        parts.partial_fit(X[start : start + 7], y[start : start + 7], classes=[0, 1])
    assert parts.mistakes_.sum() == whole.mistakes_.sum()
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=0, atol=1e-10)


def test_a_known_kernel_is_of_one_table():
    X, y = overlapping(rows=20)
    model = KernelPerceptronClassifier("precomputed").fit(X @ X.T, y)
    with pytest.raises(ParameterError, match="kernel must be other than 'precomputed'"):
        model.partial_fit(X @ X.T, y)
    with pytest.raises(DataError, match="X must be square for a precomputed kernel"):
        KernelPerceptronClassifier("precomputed").fit(X, y)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"kernel": "gauss"}, "kernel must be"),
        ({"variant": "pocket"}, "variant must be"),
        ({"gamma": -1}, "gamma must be"),
        ({"degree": 1.5}, "degree must be"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(ParameterError, match=reason):
        KernelPerceptronClassifier(**options).fit(*overlapping())


def test_a_kernel_of_the_wrong_shape_is_refused():
    with pytest.raises(DataError, match="must be of shape"):
        KernelPerceptronClassifier(lambda A, B: np.zeros((1, 1))).fit(*overlapping())


def test_parameters_changed_after_fit_change_nothing():
    X, y = overlapping()
    model = KernelPerceptronClassifier(variant="voted", random_state=0).fit(X, y)
    before = model.decision_function(X)
    model.set_params(fit_intercept=False, zero="first", variant="plain")
    np.testing.assert_array_equal(model.decision_function(X), before)


def test_a_fit_that_fails_leaves_what_was_learned():
    X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 3
    model = KernelPerceptronClassifier(random_state=0)
    model.set_params(kernel="precomputed")
    for learn in (model.fit, model.partial_fit):
        with pytest.raises(DataError, match="square"):
            learn(X, y)
        with pytest.raises(NotFittedError):
            model.predict(X)
    before = model.set_params(kernel="rbf").fit(X[:, :3], y > 0).predict(X[:, :3])
    with pytest.raises(DataError, match="square"):
        model.set_params(kernel="precomputed").fit(X, y)
    np.testing.assert_array_equal(model.predict(X[:, :3]), before)


# Some presentations at a time, natively


@each_scheme
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "sigmoid"])
@pytest.mark.parametrize("zero", ["mistake", "first"])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_core_learns_what_one_presentation_after_the_other_teaches(
    multi_class, kernel, zero, threads, monkeypatch
):
    X, y = overlapping(700, 5, 3)
    options = {"multi_class": multi_class, "zero": zero, "n_jobs": threads, "random_state": 0}
    model = KernelPerceptronClassifier(kernel, degree=2, coef0=0.5, max_iter=6, **options)
    fast = model.fit(X, y).partial_fit(X[:90], y[:90])
    mistakes, duals, scores = fast.mistakes_, fast.dual_coef_, fast.decision_function(X)
    monkeypatch.setattr(KernelPerceptronClassifier, "_train_natively", KernelPerceptronClassifier._train)
    plain = model.fit(X, y).partial_fit(X[:90], y[:90])
    np.testing.assert_array_equal(plain.mistakes_, mistakes)
    np.testing.assert_array_equal(plain.dual_coef_, duals)
    np.testing.assert_array_equal(plain.decision_function(X), scores)


def test_kernel_values_that_are_not_kept_are_the_same(monkeypatch):
    X, y = overlapping(400)
    kept = KernelPerceptronClassifier(random_state=0).fit(X, y)
    monkeypatch.setattr(_online_dual, "_MOST_VALUES", 400 * 7)
    worked_out_again = KernelPerceptronClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(kept.dual_coef_, worked_out_again.dual_coef_)
