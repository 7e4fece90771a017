"""Gaussian classes and Fisher's discriminant as the lectures teach them, with their own numbers."""

from pathlib import Path

import numpy as np
import pytest

from classica import FisherClassifier, LinearDiscriminantClassifier, QuadraticDiscriminantClassifier

DATA = Path(__file__).parents[1] / "data" / "usps_roweis.npz"

# Two Gaussians N(4, 1) and N(7, 1), from tables with exactly these means and this variance: deviations of
# sqrt(1/2) on both sides have two squares of 1/2, and the divisor is n - C = 2.
HALF = np.sqrt(0.5)
X = np.array([[4 - HALF], [4 + HALF], [7 - HALF], [7 + HALF]])
Y = np.array(["first", "first", "second", "second"])

PRIORS = pytest.mark.parametrize(
    ("priors", "exact", "printed"),
    [
        ([1 / 2, 1 / 2], 5.5, 5.5),
        ([3 / 4, 1 / 4], 5.5 + np.log(3) / 3, 5.86620),
        ([1 / 11, 10 / 11], 5.5 - np.log(10) / 3, 4.73247),
    ],
    ids=["equal", "P1 = 3 P2", "P1 = P2 / 10"],
)


def boundary(model, low=0.0, high=11.0):
    """Return where the label changes from first to second."""
    assert model.predict([[low], [high]]).tolist() == ["first", "second"]
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if model.predict([[middle]]) == "first" else (low, middle)
    return (low + high) / 2


@PRIORS
def test_the_boundary_of_two_gaussians(priors, exact, printed):
    models = [
        LinearDiscriminantClassifier(priors=priors),
        # Equal variances: the quadratic part vanishes (each class's own divisor is n_c - 1 = 1).
        QuadraticDiscriminantClassifier(priors=priors),
        FisherClassifier("log-prior", priors=priors),
    ]
    for model in models:
        found = boundary(model.fit(X, Y))
        assert found == pytest.approx(exact, rel=0, abs=1e-9)
        assert round(found, 5) == printed


@PRIORS
def test_the_threshold_is_w_times_the_boundary(priors, exact, printed):
    model = FisherClassifier("log-prior", priors=priors).fit(X, Y)
    np.testing.assert_allclose(model.coef_, [[-3]], rtol=1e-14)  # (4 - 7) / 1
    np.testing.assert_allclose(model.thresholds_, [-3 * exact], rtol=1e-14)
    assert round(float(model.thresholds_[0] / model.coef_[0, 0]), 5) == printed


def test_the_midpoint_does_not_know_the_priors():
    for weights in ([1, 1, 1, 1], [3, 3, 1, 1]):
        model = FisherClassifier(priors=[3 / 4, 1 / 4]).fit(X, Y, sample_weight=weights)
        assert boundary(model) == pytest.approx(5.5, rel=0, abs=1e-9)


def test_priors_learned_from_the_table_move_the_boundary_too():
    # Three times the rows of the first class, and again unit variance: 6/2 a² + 2/2 a² = 8 - 2.
    spread = np.sqrt(6 / 8)
    table = np.concatenate([np.tile([[4 - spread], [4 + spread]], (3, 1)), [[7 - spread], [7 + spread]]])
    labels = ["first"] * 6 + ["second"] * 2
    for model in (LinearDiscriminantClassifier(), FisherClassifier("log-prior")):
        assert boundary(model.fit(table, labels)) == pytest.approx(5.5 + np.log(3) / 3, rel=0, abs=1e-9)


def test_the_posterior_is_that_of_the_two_gaussians():
    def density(x, mean):
        return np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi)

    x = np.linspace(0, 11, 23)
    joint = np.stack([0.75 * density(x, 4), 0.25 * density(x, 7)], axis=1)
    wanted = joint / joint.sum(axis=1, keepdims=True)
    for kind in (LinearDiscriminantClassifier, QuadraticDiscriminantClassifier):
        found = kind(priors=[0.75, 0.25]).fit(X, Y).predict_proba(x[:, None])
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize(("classes", "columns"), [(2, 1), (2, 10), (3, 4), (10, 16)])
def test_the_number_of_parameters(classes, columns):
    random = np.random.default_rng(0)
    table, labels = random.normal(size=(12 * classes, columns)), np.arange(12 * classes) % classes
    triangle = columns * (columns + 1) // 2
    linear = LinearDiscriminantClassifier().fit(table, labels)
    quadratic = QuadraticDiscriminantClassifier().fit(table, labels)
    assert linear.n_parameters_ == classes - 1 + classes * columns + triangle
    assert quadratic.n_parameters_ == classes - 1 + classes * columns + classes * triangle


# "5" against the rest of the lecture's 11,000 digits


@pytest.fixture(scope="module")
def digits():
    with np.load(DATA) as file:
        return file["X"].astype(np.float32), np.where(file["y"] == 5, "five", "other")


@pytest.mark.parametrize(("threshold", "errors"), [("midpoint", 395), ("log-prior", 260)])
def test_training_errors_of_five_against_the_rest(digits, threshold, errors):
    pixels, labels = digits
    model = FisherClassifier(threshold).fit(pixels, labels)
    assert int((model.predict(pixels) != labels).sum()) == errors


@pytest.mark.parametrize(("threshold", "errors"), [("midpoint", 448), ("log-prior", 296)])
def test_leave_one_out_errors_of_five_against_the_rest(digits, threshold, errors):
    pixels, labels = digits
    posteriors = FisherClassifier(threshold).cross_val_posteriors(pixels, labels, "loo")
    assert int((np.array(["five", "other"])[posteriors.argmax(axis=1)] != labels).sum()) == errors


@pytest.mark.parametrize(("priors", "errors"), [("uniform", (395, 448)), ("empirical", (260, 296))])
def test_the_linear_discriminant_makes_the_same_errors(digits, priors, errors):
    pixels, labels = digits
    model = LinearDiscriminantClassifier(priors=priors).fit(pixels, labels)
    posteriors = model.cross_val_posteriors(pixels, labels, "loo")
    training = int((model.predict(pixels) != labels).sum())
    assert (training, int((model.classes_[posteriors.argmax(axis=1)] != labels).sum())) == errors


def test_the_rates_on_the_slide():
    assert round(100 * 395 / 11_000, 2) == 3.59
    assert round(100 * 260 / 11_000, 4) == 2.3636
