"""Bias and variance: the parts add up, and are what plain counting gives."""

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeRegressor

from classica import KNeighborsClassifier
from classica.errors import ClassicaError
from classica.evaluation import bias_variance
from classica.evaluation.loss_sums import label_loss_parts


def gaussians(rows, seed, gap=2.0):
    """Two unit Gaussians, with the true posteriors."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    X = rng.normal(size=(rows, 2)) + np.outer(y, [gap, 0])
    p = 1 / (1 + np.exp(gap * gap / 2 - gap * X[:, 0]))
    return X, y, np.column_stack([1 - p, p])


@pytest.mark.parametrize(
    "model", [KNeighborsClassifier(1), KNeighborsClassifier(25), GaussianNB(), Perceptron()]
)
def test_on_data_whose_noise_is_known_the_three_add_up(model):
    X, y, _ = gaussians(150, 0)
    X_test, y_test, posteriors = gaussians(500, 1)
    found = bias_variance(model, X, y, X_test, y_test, posteriors=posteriors, n_samples=30)
    squared, zero_one = found.squared, found.zero_one
    assert found.noise_known
    # The totals are worked out from the losses, not as sums.
    assert squared.noise + squared.bias + squared.variance == pytest.approx(squared.total, abs=1e-12)
    assert zero_one.noise + zero_one.bias + zero_one.net_variance == pytest.approx(zero_one.total, abs=1e-12)
    assert squared.noise == pytest.approx(2 * np.mean(posteriors[:, 0] * posteriors[:, 1]))
    json.dumps(found.record(), allow_nan=False)


def test_a_simple_model_has_bias_and_a_wild_one_variance():
    X, y, _ = gaussians(150, 0)
    X_test, y_test, posteriors = gaussians(500, 1)
    wild, simple = (
        bias_variance(model, X, y, X_test, y_test, posteriors=posteriors, n_samples=20).squared
        for model in (KNeighborsClassifier(1), KNeighborsClassifier(90))
    )
    assert wild.variance > 5 * simple.variance
    assert simple.noise == wild.noise
    # The noise of the labels a row gets here is that of Bayes' rule, and the total cannot be below it.
    assert simple.total > simple.noise


def counted(said, best):
    """Return Domingos's parts by going through the rows."""
    bias = harmful = helpful = variance = 0.0
    for row, right in enumerate(best):
        votes = Counter(sorted(answer[row] for answer in said))
        main = max(sorted(votes), key=lambda label: votes[label])
        apart = 1 - votes[main] / len(said)
        variance += apart
        if main == right:
            harmful += apart
        else:
            bias += 1
            helpful += votes[right] / len(said)
    rows = len(best)
    return bias / rows, variance / rows, harmful / rows, helpful / rows


@given(
    st.integers(1, 6).flatmap(
        lambda rows: st.tuples(
            st.lists(st.lists(st.integers(0, 2), min_size=rows, max_size=rows), min_size=2, max_size=6),
            st.lists(st.integers(0, 2), min_size=rows, max_size=rows),
        )
    )
)
def test_label_parts_are_what_counting_gives(table):
    said, best = table
    parts = label_loss_parts(np.array(said), np.eye(3)[best], 3, noise_known=True)
    wanted = counted(said, best)
    got = parts.bias, parts.variance, parts.unbiased_variance, parts.biased_variance
    assert got == pytest.approx(wanted)
    error = np.mean(np.array(said) != np.array(best))
    assert parts.total == pytest.approx(error)
    assert parts.noise == pytest.approx(0, abs=1e-12)  # labels that are certain


def test_two_classes_have_domingos_factor_of_noise():
    r"""For two classes the noise counts :math:`2 P(y = y_*) - 1` times."""
    rng = np.random.default_rng(0)
    p = rng.uniform(size=40)
    target = np.column_stack([1 - p, p])
    said = rng.integers(0, 2, (7, 40))
    parts = label_loss_parts(said, target, 2, noise_known=True)
    best = target.argmax(axis=1)
    factor = 2 * np.mean(said == best, axis=0) - 1
    assert parts.noise == pytest.approx(np.mean(factor * target.min(axis=1)))
    assert parts.net_variance == pytest.approx(parts.unbiased_variance - parts.biased_variance)


def test_without_known_noise_it_is_part_of_the_bias():
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    labels = np.array(["x", "y", "z"])[y]
    found = bias_variance(GaussianNB(), frame, labels, n_samples=10)
    assert found.squared.noise is None
    assert found.zero_one.noise is None
    assert found.rows == 50
    assert found.zero_one.bias + found.zero_one.net_variance == pytest.approx(found.zero_one.total, abs=1e-12)
    assert found.squared.bias + found.squared.variance == pytest.approx(found.squared.total, abs=1e-12)
    assert "noise and bias" in str(found)
    assert str(found) == str(bias_variance(GaussianNB(), frame, labels, n_samples=10))
    assert str(found) != str(bias_variance(GaussianNB(), frame, labels, n_samples=10, random_state=1))


def test_regressors_have_squared_loss_alone():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (4000, 1))
    clean = 3 * X[:, 0]
    y = clean + rng.normal(0, 0.5, 4000)
    parts = {
        type(model).__name__: bias_variance(
            model, X[:300], y[:300], X[300:], y[300:], y_noise_free=clean[300:], n_samples=20
        )
        for model in (DummyRegressor(), LinearRegression(), DecisionTreeRegressor(random_state=0))
    }
    constant, line, tree = (each.squared for each in parts.values())
    assert parts["LinearRegression"].zero_one is None
    assert line.noise == pytest.approx(0.25, rel=0.05)
    assert constant.bias == pytest.approx(3, rel=0.05)  # the variance of 3x
    assert line.bias < 0.01
    assert line.variance < 0.01
    assert tree.variance > 0.1
    # The mean loss itself, from fits of the same samples, up to what noise happens to share with the bias.
    assert line.noise + line.bias + line.variance == line.total
    unknown = bias_variance(LinearRegression(), X, y, n_samples=5)
    assert unknown.squared.noise is None
    assert unknown.squared.total == pytest.approx(0.25, rel=0.1)


class _Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_a_constant_has_no_variance():
    X, y = load_iris(return_X_y=True)
    found = bias_variance(_Constant(), X, y, X, y, n_samples=3)
    assert found.zero_one.variance == found.squared.variance == 0
    assert found.zero_one.bias == pytest.approx(2 / 3)
    assert found.squared.total == pytest.approx(4 / 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 1}, "n_samples must be an integer of at least 2, got 1."),
        ({"X_test": [[1.0] * 4]}, "X_test and y_test must be given together, got one of them."),
        ({"posteriors": [[1.0]]}, "X_test must be given with what is known about its noise, got None."),
        ({"test_size": 1}, "test_size must be a number above 0 and below 1, got 1."),
        (
            {"X_test": [[1.0] * 4], "y_test": [0], "posteriors": [[1.0, 0.0]]},
            "posteriors must be of shape (1, 3), got (1, 2).",
        ),
        (
            {"X_test": [[1.0] * 4], "y_test": [0], "posteriors": [[1.0, 1.0, 0.0]]},
            "posteriors must be probabilities that sum to 1 in each row, got other numbers.",
        ),
        (
            {"X_test": [[1.0] * 4], "y_test": [0], "y_noise_free": [0]},
            "y_noise_free must be None for a classifier, got labels: give posteriors.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(options, message):
    with pytest.raises(ClassicaError) as refused:
        bias_variance(GaussianNB(), *load_iris(return_X_y=True), **options)
    assert str(refused.value) == message


def test_a_regressor_takes_no_posteriors():
    with pytest.raises(ClassicaError, match="posteriors must be None for a regressor"):
        bias_variance(LinearRegression(), [[1.0], [2.0]], [1, 2], [[1.0]], [1], posteriors=[[1.0]])
    with pytest.raises(ClassicaError, match=r"y_noise_free must be 1 numbers long, got 2\."):
        bias_variance(LinearRegression(), [[1.0], [2.0]], [1, 2], [[1.0]], [1], y_noise_free=[1, 2])
