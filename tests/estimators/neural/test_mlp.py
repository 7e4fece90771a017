"""What is special to the neural network."""

import numpy as np
import pytest
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier as Peer
from sklearn.preprocessing import StandardScaler

from classica import MLPClassifier
from classica.errors import DataError, ParameterError
from tests.contract.cases import table

pytestmark = pytest.mark.native

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), np.array([0, 1, 1, 0])


def rings(outer, inner, seed):
    """Return two rings of radius 1 (class 0) and 0.5 (class 1) with noise of 0.05."""
    random = np.random.default_rng(seed)
    radius = np.r_[np.ones(outer), np.full(inner, 0.5)]
    angle = random.uniform(0, 2 * np.pi, outer + inner)
    circles = radius[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    return circles + 0.05 * random.normal(size=circles.shape), (radius < 1).astype(int)


def quick(**parameters):
    return MLPClassifier(**{"hidden_layer_sizes": (10,), "random_state": 0} | parameters)


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic"])
@pytest.mark.parametrize("solver", ["adam", "sgd", "lbfgs"])
def test_exclusive_or_is_learned(activation, solver):
    rate = {"adam": 0.03, "sgd": 0.5, "lbfgs": 1.0}[solver]
    options = {"tol": 1e-4, "max_iter": 3000, "n_iter_no_change": 200, "learning_rate_init": rate}
    model = MLPClassifier(20, solver=solver, activation=activation, random_state=1, **options).fit(*XOR)
    np.testing.assert_array_equal(model.predict(XOR[0]), XOR[1])
    assert model.converged_


@pytest.mark.parametrize("solver", ["adam", "lbfgs"])
def test_rings_are_told_apart_without_an_error(solver):
    model = MLPClassifier(30, solver=solver, learning_rate_init=0.01, max_iter=2000, random_state=0)
    model.fit(*rings(150, 150, seed=0))
    assert model.score(*rings(151, 49, seed=1)) == 1.0


@pytest.mark.parametrize("solver", ["adam", "sgd"])
def test_accuracy_is_that_of_the_peer(solver):
    X, y = table(rows=2000, columns=8, seed=3)
    new, truth = table(rows=2000, columns=8, seed=4)
    shared = {"hidden_layer_sizes": (30,), "solver": solver, "max_iter": 300, "random_state": 0}
    ours = MLPClassifier(**shared).fit(X, y).score(new, truth)
    scaler = StandardScaler().fit(X)
    peer = Peer(**shared).fit(scaler.transform(X), y)
    assert ours >= peer.score(scaler.transform(new), truth) - 0.01


def test_loss_is_the_formula():
    X, y = table()
    model = quick(solver="lbfgs", alpha=0.7, max_iter=1000, standardize=False).fit(X, y)
    hidden = np.maximum(X @ model.coefs_[0] + model.intercepts_[0], 0)
    logs = log_softmax(hidden @ model.coefs_[1] + model.intercepts_[1], axis=1)
    codes = np.searchsorted(model.classes_, y)
    squares = sum((weights**2).sum() for weights in model.coefs_)
    expected = (-logs[np.arange(len(y)), codes].sum() + 0.35 * squares) / len(y)
    assert model.loss_ == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("activation", ["relu", "tanh", "logistic", "identity"])
def test_a_step_is_that_of_the_peer(activation):
    """One step of plain descent on all rows, from the same weights, with the same loss."""
    X, y = table()
    shared = {
        "hidden_layer_sizes": (7, 4),
        "activation": activation,
        "solver": "sgd",
        "momentum": 0.0,
        "learning_rate_init": 0.1,
        "alpha": 0.5,
        "random_state": 0,
    }
    ours = MLPClassifier(standardize=False, **shared).partial_fit(X, y)
    peer = Peer(**shared).partial_fit(X, y, classes=np.unique(y))
    for own, other in zip(ours.coefs_ + ours.intercepts_, peer.coefs_ + peer.intercepts_, strict=True):
        other[:] = own
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-13)
    ours.partial_fit(X, y)
    peer.partial_fit(X, y)
    assert ours.loss_ == pytest.approx(peer.loss_, rel=1e-12)
    for own, other in zip(ours.coefs_ + ours.intercepts_, peer.coefs_ + peer.intercepts_, strict=True):
        np.testing.assert_allclose(own, other, rtol=0, atol=1e-13)


def test_without_hidden_layers_it_is_logistic_regression():
    X, y = table()
    scaled = StandardScaler().fit_transform(X)
    model = MLPClassifier((), solver="lbfgs", alpha=1.0, tol=1e-9, max_iter=5000).fit(X, y)
    peer = LogisticRegression(C=1.0, tol=1e-10, max_iter=5000).fit(scaled, y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(scaled), atol=1e-6)
    assert model.n_parameters_ == 3 * 6


@pytest.mark.parametrize("parameters", [{}, {"early_stopping": True}, {"solver": "lbfgs", "max_iter": 1000}])
def test_whole_weights_are_repetitions_to_the_last_bit(parameters):
    X, y = table()
    weights = np.arange(len(X)) % 3
    parameters = {"tol": 0.01, "batch_size": 16} | parameters
    weighted = quick(**parameters).fit(X, y, sample_weight=weights)
    repeated = quick(**parameters).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_the_order_of_rows_does_not_matter():
    X, y = table()
    order = np.random.default_rng(0).permutation(len(X))
    plain = quick(tol=0.01).fit(X, y)
    np.testing.assert_array_equal(
        plain.predict_proba(X), quick(tol=0.01).fit(X[order], y[order]).predict_proba(X)
    )


def test_fractions_weigh_the_loss():
    X, y = table()
    settings = {"solver": "lbfgs", "alpha": 3.0, "tol": 1e-9, "max_iter": 5000, "activation": "tanh"}
    weights = np.random.default_rng(0).uniform(0.2, 3, size=len(X))
    model = quick(**settings).fit(X, y, sample_weight=weights)
    scaled = quick(**settings).fit(X, y, sample_weight=weights * 7.3)
    np.testing.assert_allclose(model.predict_proba(X), scaled.predict_proba(X), atol=1e-6)
    heavy = quick(**settings).fit(X, y, sample_weight=np.where(y == "ape", 5.5, 0.5))
    assert (heavy.predict(X) == "ape").sum() > (model.predict(X) == "ape").sum()


def test_class_weights_are_weights_of_rows():
    X, y = table()
    settings = {"solver": "lbfgs", "alpha": 3.0, "tol": 1e-9, "max_iter": 5000, "activation": "tanh"}
    by_class = quick(class_weight={"ape": 2.5, "cat": 0.5}, **settings).fit(X, y)
    by_row = quick(standardize=True, **settings)
    by_row.fit(X, y, sample_weight=np.select([y == "ape", y == "cat"], [2.5, 0.5], 1.0))
    # Rows count for the spread of columns, too, classes do not: only nearly the same.
    assert np.abs(by_class.predict_proba(X) - by_row.predict_proba(X)).max() < 0.05
    with pytest.raises(ParameterError, match="class_weight must be keyed by class labels, got 'dog'"):
        quick(class_weight={"dog": 1.0}).fit(X, y)


def test_columns_of_any_size_are_learned_from():
    X, y = table(rows=600)
    huge = X * np.logspace(-8, 8, 5) + np.logspace(8, -8, 5)
    plain, scaled = (
        quick(learning_rate_init=0.02, max_iter=1000).fit(rows, y).score(rows, y) for rows in (X, huge)
    )
    assert scaled == pytest.approx(plain, abs=0.02)


@pytest.mark.parametrize(
    ("parameters", "factor"),
    [({"solver": "sgd", "learning_rate_init": 1e15}, 1.0), ({"standardize": False}, 1e100)],
    ids=["rate", "columns"],
)
def test_running_away_is_told(parameters, factor):
    X, y = table()
    with pytest.raises(DataError, match=r"^The loss must be below 1e\+10 .*learning_rate_init.*, got .*\.$"):
        quick(activation="identity", **parameters).fit(factor * X, y)


def test_no_convergence_is_told():
    X, y = table()
    with pytest.warns(ConvergenceWarning, match="max_iter must be above 2"):
        model = quick(max_iter=2).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == len(model.loss_curve_) == 2
    assert model.best_loss_ == min(model.loss_curve_)


def test_early_stopping_keeps_the_best_weights():
    X, y = table(rows=600)
    model = quick(early_stopping=True, learning_rate_init=0.05, validation_fraction=0.2).fit(X, y)
    assert model.best_loss_ is None
    assert len(model.validation_scores_) == model.n_iter_
    best = int(np.argmax(model.validation_scores_))
    again = quick(early_stopping=True, learning_rate_init=0.05, validation_fraction=0.2, max_iter=best + 1)
    with pytest.warns(ConvergenceWarning):
        again.fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))


def test_each_class_gives_its_share_of_rows_held_out():
    X, y = table(rows=100, classes=2)
    model = quick(early_stopping=True, validation_fraction=0.1).fit(X, y)
    assert all((score * 10) % 1 == pytest.approx(0) for score in model.validation_scores_)


@pytest.mark.parametrize(
    ("learning_rate", "expected"),
    [("constant", [0.5, 0.5, 0.5]), ("invscaling", 0.5 / np.sqrt([121, 241, 361]))],
)
def test_rates_of_descent(learning_rate, expected):
    """Where rows teach nothing, weights shrink by rate times alpha / n in each step."""
    X, y = np.zeros((120, 3)), np.arange(120) % 2
    shared = {"solver": "sgd", "learning_rate_init": 0.5, "momentum": 0.0, "alpha": 12.0}
    model, sizes = quick(learning_rate=learning_rate, hidden_layer_sizes=(), **shared), []
    for _ in range(4):
        model.partial_fit(X, y)
        sizes.append(model.coefs_[0][0, 0])
    np.testing.assert_allclose((1 - np.array(sizes[1:]) / sizes[:-1]) / 0.1, expected, rtol=1e-9)


def test_the_rate_falls_where_there_is_no_progress():
    X, y = table()
    fits = [quick(solver="sgd", learning_rate=word, tol=0.01).fit(X, y) for word in ("constant", "adaptive")]
    assert fits[1].n_iter_ >= fits[0].n_iter_ + 5 * 10


def test_partial_fit_goes_on():
    X, y = table(rows=600)
    model = quick(learning_rate_init=0.01)
    for _ in range(30):
        for part in np.split(np.arange(600), 3):
            model.partial_fit(X[part], y[part], classes=np.unique(y))
    assert model.n_iter_ == 90
    assert model.score(X, y) > 0.85
    with pytest.raises(DataError, match=r"y must be among the classes of the first call .*, got 'dog'"):
        model.partial_fit(X[:3], np.array(["ape", "bee", "dog"]))
    with pytest.raises(DataError, match="y must hold labels"):
        model.partial_fit(X[:3], [0, 1, 2])
    with pytest.raises(DataError, match="classes must be those of the first call"):
        model.partial_fit(X, y, classes=["ape", "bee"])
    assert model.n_iter_ == 90
    assert not hasattr(quick(solver="lbfgs"), "partial_fit")
    assert not hasattr(quick(class_weight="balanced"), "partial_fit")


def test_a_pass_that_fails_leaves_the_model_alone():
    X, y = table()
    model = quick(solver="sgd", activation="identity", learning_rate_init=1e200).partial_fit(X, y)
    before = model.predict_proba(X)
    with pytest.raises(DataError, match="The loss must be below"):
        model.partial_fit(X, y)
    assert model.n_iter_ == 1
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_first_call_without_classes_takes_those_of_its_rows():
    X, y = table(classes=2)
    assert quick().partial_fit(X, y).classes_.tolist() == ["ape", "bee"]


@pytest.mark.parametrize("hidden", [0, -3, (5, 0), (2.5,), "three", 1.5, None, True])
def test_sizes_of_layers_are_checked(hidden):
    X, y = table()
    with pytest.raises(ParameterError, match="hidden_layer_sizes must be an integer of at least 1 or a seq"):
        MLPClassifier(hidden).fit(X, y)


def test_one_case_of_early_stopping():
    model = quick(early_stopping=True, max_iter=50).fit([[1.0, 2.0]], ["only"])
    assert model.predict([[5.0, 5.0]]).tolist() == ["only"]


def test_seeds_differ():
    X, y = table()
    first, second = (quick(random_state=seed, tol=0.01).fit(X, y).predict_proba(X) for seed in (0, 1))
    assert np.abs(first - second).max() > 1e-3


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_that_count_nothing_judge_nothing():
    X, y = np.arange(16.0).reshape(8, 2), np.repeat([0, 1], [7, 1])
    for seed in range(5):
        options = {"early_stopping": True, "max_iter": 3, "random_state": seed}
        model = quick(class_weight={0: 0}, validation_fraction=0.01, **options).fit(X, y)
        alone = quick(class_weight={0: 0}, **options).fit(X[4:], y[4:])
        assert np.isfinite(model.validation_scores_ + alone.validation_scores_).all()


def test_the_limit_that_was_met_is_named():
    with pytest.warns(ConvergenceWarning, match="max_fun must be above 3"):
        quick(solver="lbfgs", max_fun=3, tol=1e-9).fit(*table())
    with pytest.warns(ConvergenceWarning, match="max_iter must be above 2"):
        quick(solver="lbfgs", max_iter=2, tol=1e-9).fit(*table())
