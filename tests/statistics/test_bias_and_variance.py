"""Bias and variance: right on problems with known truth, the parts add up, and are what counting gives."""

import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from classica import KNeighborsClassifier, KNeighborsRegressor, LinearDiscriminantClassifier
from classica.displays import BiasVarianceCurveDisplay, BiasVarianceDisplay
from classica.errors import ClassicaError
from classica.recorded import from_record
from classica.statistics import BiasVariance, bias_variance, bias_variance_curve
from classica.statistics.decomposition.loss_sums import Moments, label_loss_parts, main_prediction_parts
from classica.statistics.decomposition.training_sets import sets_of_table


def gaussians(rows, seed, gap=2.0):
    """Two unit Gaussians, with the true posteriors."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    X = rng.normal(size=(rows, 2)) + np.outer(y, [gap, 0])
    p = 1 / (1 + np.exp(gap * gap / 2 - gap * X[:, 0]))
    return X, y, np.column_stack([1 - p, p])


def wedge(rows, rng):
    """Two classes with a bent border and 5% of the labels turned, with the true posteriors."""
    X = rng.uniform(-1, 1, (rows, 2))
    p = np.where(np.abs(X[:, 0] - 0.5) + 0.5 * X[:, 1] > 0.5, 0.95, 0.05)
    return X, (rng.uniform(size=rows) < p).astype(int), np.column_stack([1 - p, p])


def wave(rows, rng):
    """A curved surface with noise, and without."""
    X = rng.uniform(-1, 1, (rows, 2))
    clean = np.sin(3 * X[:, 0]) + X[:, 1] ** 2
    return X, clean + rng.normal(0, 0.3, rows), clean


FLEXIBLE = {
    "1-NN": (wedge, KNeighborsClassifier(1)),
    "full tree": (wedge, DecisionTreeClassifier(random_state=0)),
    "1-NN regression": (wave, KNeighborsRegressor(1)),
    "full regression tree": (wave, DecisionTreeRegressor(random_state=0)),
}
SIMPLE = {
    "stump": (wedge, DecisionTreeClassifier(max_depth=1)),
    "LDA": (wedge, LinearDiscriminantClassifier()),
    "regression stump": (wave, DecisionTreeRegressor(max_depth=1)),
    "linear regression": (wave, LinearRegression()),
    "30-NN regression": (wave, KNeighborsRegressor(30)),
}


def simulated(make, model, training_size, truth_sets, tables, test_rows=600):
    """Return the truth from many fresh tables, and estimates from tables of twice the training size."""
    X_test, y_test, known = make(test_rows, np.random.default_rng(99))
    given = {"X_test": X_test, "y_test": y_test, "training_size": training_size}
    given["posteriors" if make is wedge else "y_noise_free"] = known
    truth = bias_variance(model, generate=make, n_samples=truth_sets, **given)
    found = []
    for seed in range(tables):
        X, y, _ = make(2 * training_size, np.random.default_rng([7, seed]))
        found.append(bias_variance(model, X, y, n_samples=10, random_state=seed, **given))
    assert {each.training_size for each in found} == {truth.training_size} == {training_size}
    estimates = np.array([[each.main.bias, each.main.variance] for each in found])
    return truth, estimates


@pytest.mark.parametrize("name", [*FLEXIBLE, *SIMPLE])
def test_estimates_from_one_table_are_those_of_fresh_tables(name):
    make, model = (FLEXIBLE | SIMPLE)[name]
    truth, estimates = simulated(make, model, training_size=100, truth_sets=60, tables=12, test_rows=300)
    bias, variance = estimates.mean(axis=0)
    total = bias + variance
    assert bias == pytest.approx(truth.main.bias, abs=0.12 * total)
    assert variance == pytest.approx(truth.main.variance, abs=0.12 * total)
    if name in FLEXIBLE:
        assert variance > 2 * bias
    else:
        assert bias > 1.4 * variance


@pytest.mark.full
@pytest.mark.parametrize("name", [*FLEXIBLE, *SIMPLE])
@pytest.mark.parametrize("training_size", [75, 150, 300])
def test_estimates_from_one_table_are_unbiased(name, training_size):
    """The mean of estimates from many tables is the truth within four of its standard errors."""
    make, model = (FLEXIBLE | SIMPLE)[name]
    truth, estimates = simulated(make, model, training_size, truth_sets=400, tables=60)
    errors = estimates.std(axis=0, ddof=1) / np.sqrt(len(estimates))
    for part, mean, error in zip(("bias", "variance"), estimates.mean(axis=0), errors, strict=True):
        true = getattr(truth.main, part)
        print(f"{name}, {training_size} rows: true {part} {true:.4f}, estimated {mean:.4f} ± {error:.4f}")
        assert abs(mean - true) <= 4 * error + 0.003


def test_training_sets_of_a_partition_have_no_row_in_common():
    X = np.arange(23)[:, None]
    sets = sets_of_table((X, X[:, 0]), 5, 10, seed=0, stratify=False)
    assert (sets.size, sets.partitions, sets.in_each) == (5, 3, 4)
    partitions = [[rows.ravel().tolist() for rows, _ in each] for each in sets]
    for partition in partitions:
        assert len(partition) == 4
        assert len({row for rows in partition for row in rows}) == 20
    assert partitions[0] != partitions[1]


def test_test_rows_are_held_out_of_all_training_sets():
    seen = []

    class Remembering(DummyRegressor):
        def fit(self, X, y):
            seen.append(set(X[:, 0]))
            return super().fit(X, y)

        def predict(self, X):
            assert not any(rows & set(X[:, 0]) for rows in seen)
            return super().predict(X)

    rows = np.arange(31.0)[:, None]
    found = bias_variance(Remembering(), rows, rows[:, 0], n_samples=8)
    assert (found.rows, found.training_size, found.n_samples, found.partitions) == (10, 10, 8, 4)
    assert {len(each) for each in seen} == {10}


@pytest.mark.parametrize(
    "model", [KNeighborsClassifier(1), KNeighborsClassifier(25), GaussianNB(), Perceptron()]
)
def test_on_data_whose_noise_is_known_the_three_add_up(model):
    X, y, _ = gaussians(150, 0)
    X_test, y_test, posteriors = gaussians(500, 1)
    found = bias_variance(model, X, y, X_test, y_test, posteriors=posteriors, n_samples=20)
    assert found.noise_known
    assert found.training_size == 75
    assert found.main_prediction is None
    for parts in (found.squared, found.zero_one):
        # The totals are worked out from the losses, not as sums.
        assert parts.noise + parts.bias + parts.variance == pytest.approx(parts.total, abs=1e-12)
    assert found.squared.noise == pytest.approx(2 * np.mean(posteriors[:, 0] * posteriors[:, 1]))
    assert found.zero_one.noise == pytest.approx(np.mean(posteriors[:, 0] * posteriors[:, 1]))
    record = json.loads(json.dumps(found.record(), allow_nan=False))
    assert from_record(BiasVariance, record) == found


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


predictions = st.integers(1, 6).flatmap(
    lambda rows: st.tuples(
        st.lists(st.lists(st.integers(0, 2), min_size=rows, max_size=rows), min_size=2, max_size=6),
        st.lists(st.integers(0, 2), min_size=rows, max_size=rows),
    )
)


@given(predictions)
def test_main_prediction_parts_are_what_counting_gives(table):
    said, best = table
    shares = np.eye(3)[np.array(said)].mean(axis=0)
    parts = main_prediction_parts(shares, np.eye(3)[best], noise_known=True)
    got = parts.bias, parts.variance, parts.unbiased_variance, parts.biased_variance
    assert got == pytest.approx(counted(said, best))
    assert parts.total == pytest.approx(np.mean(np.array(said) != np.array(best)))
    assert parts.noise == pytest.approx(0, abs=1e-12)  # labels that are certain


@given(predictions)
def test_variance_of_labels_is_half_the_rate_of_disagreement(table):
    said, best = table
    parts = label_loss_parts(Moments.of_partition(np.eye(3)[np.array(said)]), np.eye(3)[best], False)
    pairs = [(a, b) for place, a in enumerate(said) for b in said[:place]]
    assert parts.variance == pytest.approx(np.mean([np.not_equal(a, b).mean() for a, b in pairs]) / 2)
    assert parts.total == pytest.approx(np.mean(np.array(said) != np.array(best)))
    assert parts.bias + parts.variance == pytest.approx(parts.total)


def test_two_classes_have_domingos_factor_of_noise():
    r"""For two classes the noise counts :math:`2 P(y = y_*) - 1` times."""
    rng = np.random.default_rng(0)
    p = rng.uniform(size=40)
    target = np.column_stack([1 - p, p])
    said = rng.integers(0, 2, (7, 40))
    parts = main_prediction_parts(np.eye(2)[said].mean(axis=0), target, noise_known=True)
    best = target.argmax(axis=1)
    factor = 2 * np.mean(said == best, axis=0) - 1
    assert parts.noise == pytest.approx(np.mean(factor * target.min(axis=1)))
    assert parts.net_variance == pytest.approx(parts.unbiased_variance - parts.biased_variance)


def test_fresh_tables_have_a_main_prediction():
    found = bias_variance(KNeighborsClassifier(1), generate=wedge, training_size=60, n_samples=15)
    main = found.main_prediction
    assert found.noise_known
    assert main.noise + main.bias + main.net_variance == pytest.approx(main.total, abs=1e-12)
    assert main.total == pytest.approx(found.zero_one.total)
    assert "15 freshly generated tables of 60 rows each" in str(found)
    assert found == bias_variance(KNeighborsClassifier(1), generate=wedge, training_size=60, n_samples=15)
    unknown = bias_variance(
        LinearRegression(), generate=lambda rows, rng: wave(rows, rng)[:2], training_size=60, n_samples=5
    )
    assert not unknown.noise_known
    assert unknown.rows == 1000


def test_without_known_noise_it_is_part_of_the_bias():
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd"))
    labels = np.array(["x", "y", "z"])[y]
    found = bias_variance(GaussianNB(), frame, labels, n_samples=10)
    assert found.squared.noise is None
    assert found.zero_one.noise is None
    assert (found.rows, found.training_size) == (50, 50)
    assert found.zero_one.bias + found.zero_one.variance == pytest.approx(found.zero_one.total, abs=1e-12)
    assert found.squared.bias + found.squared.variance == pytest.approx(found.squared.total, abs=1e-12)
    assert "bias² and noise" in str(found)
    assert "10 training sets of 50 rows each" in str(found)
    assert str(found) == str(bias_variance(GaussianNB(), frame, labels, n_samples=10))
    assert str(found) != str(bias_variance(GaussianNB(), frame, labels, n_samples=10, random_state=1))


def test_advice_depends_on_what_is_known():
    rng = np.random.default_rng(0)
    X, y, _ = wedge(300, rng)
    tree = DecisionTreeClassifier(random_state=0)
    unknown = bias_variance(tree, X, y, n_samples=6).advice
    assert unknown.startswith("With 100 training rows the expected error rate is ")
    assert "a more complex model helps only if the training error is high, too" in unknown
    known = bias_variance(LinearRegression(), generate=wave, training_size=50, n_samples=6).advice
    assert "Bias accounts for 0.2" in known
    assert "points" not in known
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    perfect = bias_variance(tree, X, X[:, 0].astype(int), n_samples=4).advice
    assert perfect.startswith("With 13 training rows the expected error rate is 0.0%: ")


def test_regressors_have_squared_loss_alone():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (2000, 1))
    clean = 3 * X[:, 0]
    y = clean + rng.normal(0, 0.5, 2000)
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
    assert abs(line.bias) < 0.01
    assert line.variance < 0.01
    assert tree.variance > 0.1
    assert abs(tree.bias) < 0.1 * tree.variance
    # The mean loss itself, from fits of the same samples, up to what noise happens to share with the bias.
    assert line.noise + line.bias + line.variance == line.total
    unknown = bias_variance(LinearRegression(), X, y, n_samples=4)
    assert unknown.squared.noise is None
    assert unknown.squared.total == pytest.approx(0.25, rel=0.1)


class _Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), 0)


def test_a_constant_has_no_variance():
    X, y = load_iris(return_X_y=True)
    found = bias_variance(_Constant(), X, y, X, y, n_samples=3)
    assert found.n_samples == 4  # whole partitions
    assert found.zero_one.variance == found.squared.variance == 0
    assert found.zero_one.bias == pytest.approx(2 / 3)
    assert found.squared.total == pytest.approx(4 / 3)


def test_strata_keep_what_one_set_lacks_from_being_in_the_other():
    """The most frequent class of a part is that of few rows too many, which other parts then lack."""
    y = np.repeat([0, 1, 2], 50)
    X = np.zeros((150, 1))
    loose, strict = (
        bias_variance(DummyClassifier(), X, y, X, y, training_size=75, stratify=stratify).zero_one.variance
        for stratify in (False, True)
    )
    assert loose > 1 / 3  # more than any learner of independent sets can have
    assert strict == 0
    sets = sets_of_table((X, y), 30, 5, seed=0, stratify=True)
    assert all(np.bincount(labels).tolist() == [10, 10, 10] for each in sets for _, labels in each)


def test_a_training_set_may_lack_a_rare_class():
    X, y = load_iris(return_X_y=True)
    labels = np.where(np.arange(150) == 149, 3, y)
    found = bias_variance(GaussianNB(), X, labels, n_samples=4)
    assert found.squared.bias + found.squared.variance == pytest.approx(found.squared.total)


def test_more_neighbours_trade_variance_for_bias():
    curve = bias_variance_curve(
        KNeighborsClassifier(), generate=wedge, training_size=60, n_samples=12, name="n_neighbors",
        values=[1, 9, 45],
    )  # fmt: skip
    assert curve.loss == "error rate"
    assert (np.diff(curve.bias) > 0).all()
    assert curve.variance[0] > curve.variance[1]
    np.testing.assert_allclose(curve.noise + curve.bias + curve.variance, curve.total)
    lines = str(curve).splitlines()
    assert lines[0].split() == ["n_neighbors", "noise", "bias²", "variance", "error", "rate"]
    assert len(lines) == 5
    ax = curve.plot(Figure().subplots())
    assert ax.get_legend_handles_labels()[1] == ["bias²", "variance", "expected error rate", "noise"]
    assert ax.get_xscale() == "log"
    assert ax.get_title(loc="left") == "With 60 training rows"
    json.dumps(curve.record(), allow_nan=False)


def test_more_rows_lower_the_variance():
    X, y, _ = wave(400, np.random.default_rng(0))
    display = BiasVarianceCurveDisplay.from_estimator(
        DecisionTreeRegressor(random_state=0), X, y, name="training_size", values=[120, 15, 45],
        n_samples=8, ax=Figure().subplots(),
    )  # fmt: skip
    curve = display.curve
    assert [each.training_size for each in curve.parts] == [120, 15, 45]
    assert len({each.rows for each in curve.parts}) == 1
    assert curve.variance[1] > curve.variance[2] > curve.variance[0]
    assert np.isnan(curve.noise).all()
    labels = display.ax_.get_legend_handles_labels()[1]
    assert labels == ["bias² and noise", "variance", "expected squared loss"]
    assert display.ax_.get_xlabel() == "training rows"
    assert display.ax_.lines[0].get_xdata().tolist() == [15, 45, 120]


def test_bars_add_up_to_the_losses():
    X, y = load_iris(return_X_y=True)
    found = bias_variance(GaussianNB(), X, y, n_samples=4)
    display = BiasVarianceDisplay(found)
    rate = [value for name, value, _ in display.bars if "squared" not in name]
    assert sum(rate) == pytest.approx(found.zero_one.total)
    assert sum(value for _, value, _ in display.bars) == pytest.approx(sum(rate) + found.squared.total)
    assert "bias² and noise" in display.describe()
    ax = found.plot(Figure().subplots())
    assert "50 training rows" in ax.get_title(loc="left")
    assert display.to_svg().startswith("<svg")
    alone = BiasVarianceDisplay.from_estimator(
        LinearRegression(), generate=wave, training_size=20, n_samples=3, ax=Figure().subplots()
    )
    assert [name for name, _, _ in alone.bars] == ["noise", "bias²", "variance"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_samples": 1}, "n_samples must be an integer of at least 2, got 1."),
        ({"X_test": [[1.0] * 4]}, "X_test and y_test must be given together, got one of them."),
        ({"posteriors": [[1.0]]}, "X_test must be given with what is known about its noise, got None."),
        ({"test_size": 1}, "test_size must be a number above 0 and below 1, got 1."),
        (
            {"training_size": 51},
            "training_size must be an integer from 1 to 50, half of the 100 rows that are not for testing, "
            "got 51.",
        ),
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
            "y_noise_free must be None for a classifier, got labels. Use posteriors.",
        ),
        ({"generate": wedge}, "X and y must be None where tables are generated, got a table."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(options, message):
    with pytest.raises(ClassicaError) as refused:
        bias_variance(GaussianNB(), *load_iris(return_X_y=True), **options)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bias_variance(GaussianNB(), generate=wedge),
            "training_size must be an integer of at least 1, where tables are generated, got None.",
        ),
        (
            lambda: bias_variance(GaussianNB(), generate=wedge, training_size=5, stratify=True),
            "stratify must be False where tables are generated, got True.",
        ),
        (
            lambda: bias_variance(LinearRegression(), [[1.0]], [1.0], stratify=True),
            "stratify must be False for a regressor, which has no classes, got True.",
        ),
        (
            lambda: bias_variance(GaussianNB(), generate=lambda rows, rng: 3, training_size=5),
            "generate must return (X, y) or (X, y, truth), got something else.",
        ),
        (
            lambda: bias_variance(GaussianNB(), [[1.0], [2.0]], [0, 1]),
            "y must be at least 3 rows long: a test row and two training sets, got [0, 1].",
        ),
        (
            lambda: bias_variance_curve(GaussianNB(), [[1.0]], [0], name="depth", values=[1]),
            "name must be 'training_size' or a parameter of GaussianNB, got 'depth'.",
        ),
        (
            lambda: bias_variance_curve(GaussianNB(), [[1.0]], [0], name="depth", values=[]),
            "values must be at least one value, got [].",
        ),
    ],
)
def test_what_cannot_be_estimated_is_refused_in_one_sentence(call, message):
    with pytest.raises(ClassicaError) as refused:
        call()
    assert str(refused.value) == message


def test_a_regressor_takes_no_posteriors():
    rows = [[1.0], [2.0], [3.0], [4.0]], [1, 2, 3, 4]
    with pytest.raises(ClassicaError, match="posteriors must be None for a regressor"):
        bias_variance(LinearRegression(), *rows, [[1.0]], [1], posteriors=[[1.0]])
    with pytest.raises(ClassicaError, match=r"y_noise_free must be 1 numbers long, got 2\."):
        bias_variance(LinearRegression(), *rows, [[1.0]], [1], y_noise_free=[1, 2])
