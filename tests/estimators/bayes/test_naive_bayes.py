import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde, norm
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB

from classica import NaiveBayesClassifier
from classica.errors import DataError, ParameterError

COLORS = ["red", "green", "blue", "grey"]


def blobs(rows=120, columns=4, classes=3, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    return random.normal(size=(rows, columns)) * random.uniform(0.5, 2, columns) + y[:, None], y


def codes(rows=200, columns=5, levels=4, seed=0):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    return (
        random.integers(0, levels, (rows, columns)) + (random.random((rows, columns)) < 0.3) * y[:, None]
    ), y


def mixed(rows=120, seed=0, missing=0.1):
    """Return a frame of text, numbers and Booleans with missing cells."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    frame = pd.DataFrame(
        {
            "color": np.array(COLORS, dtype=object)[random.integers(0, 3, rows)],
            "size": random.normal(size=rows) + y,
            "kind": np.array(["a", "b"], dtype=object)[(random.random(rows) < 0.2 + 0.3 * y).astype(int)],
            "age": random.normal(size=rows) * (1 + y) + 50,
        }
    )
    for name in frame.columns:
        frame.loc[random.random(rows) < missing, name] = None
    return frame, np.array(["x", "y", "z"])[y]


def message(call, error=DataError):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def same(first, second, X, tolerance=1e-12):
    np.testing.assert_array_equal(first.classes_, second.classes_)
    np.testing.assert_allclose(first.predict_proba(X), second.predict_proba(X), rtol=0, atol=tolerance)
    np.testing.assert_array_equal(first.class_count_, second.class_count_)


# Equal to scikit-learn where the model is the same


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
def test_gaussian_columns_equal_those_of_scikit_learn(seed, weighted):
    X, y = blobs(seed=seed)
    weights = np.random.default_rng(seed).uniform(0.1, 3, len(X)) if weighted else None
    model = NaiveBayesClassifier().fit(X, y, sample_weight=weights)
    other = GaussianNB(var_smoothing=0).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.means_, other.theta_, rtol=1e-12)
    np.testing.assert_allclose(model.variances_, other.var_, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.predict_log_proba(X), other.predict_log_proba(X), atol=1e-10)


@pytest.mark.parametrize("alpha", [1.0, 0.3, 1e-8])
@pytest.mark.parametrize("weighted", [False, True])
def test_categories_equal_those_of_scikit_learn(alpha, weighted):
    X, y = codes()
    weights = np.random.default_rng(1).uniform(0.1, 3, len(X)) if weighted else None
    every = range(X.shape[1])
    model = NaiveBayesClassifier(alpha, categorical_features=list(every)).fit(X, y, sample_weight=weights)
    other = CategoricalNB(alpha=alpha, force_alpha=True).fit(X, y, sample_weight=weights)
    for j in every:
        levels, probabilities = model.table(j)
        np.testing.assert_allclose(
            np.log(probabilities).T, other.feature_log_prob_[j][:, np.array(levels, int)]
        )
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-10)


def test_declared_levels_equal_min_categories():
    X, y = codes(levels=3)
    frame = pl.DataFrame(
        X.astype(str), schema={f"c{j}": pl.Enum([str(q) for q in range(7)]) for j in range(5)}
    )
    model, other = NaiveBayesClassifier().fit(frame, y), CategoricalNB(min_categories=7).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(frame), other.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("binarize", [-0.5, 0.0, 0.7])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_matrix, sp.coo_array], ids=["dense", "csr", "coo"])
def test_bernoulli_columns_equal_those_of_scikit_learn(binarize, make):
    X, y = blobs(columns=9)
    X[abs(X) < 0.6] = 0
    weights = np.linspace(0.5, 2, len(X))
    model = NaiveBayesClassifier(0.5, numeric="bernoulli", binarize=binarize)
    model.fit(make(X), y, sample_weight=weights)
    above = binarize < X
    other = BernoulliNB(alpha=0.5, binarize=None).fit(above, y, sample_weight=weights)
    np.testing.assert_allclose(model.predict_proba(make(X)), other.predict_proba(above), rtol=0, atol=1e-10)
    levels, probabilities = model.table(2)
    assert levels == [False, True]
    np.testing.assert_allclose(probabilities[1], np.exp(other.feature_log_prob_[:, 2]), rtol=1e-12)


# Categories


def test_probabilities_by_hand_with_missing_and_unseen_cells():
    X = pd.DataFrame({"a": ["p", "p", "q", None, "q", "r"]})
    y = [0, 0, 0, 0, 1, 1]
    model = NaiveBayesClassifier(2.0).fit(X, y)
    levels, probabilities = model.table("a")
    assert levels == ["p", "q", "r"]
    # n_l counts the rows with a cell: three and two.
    wanted = np.array([[4, 2], [3, 3], [2, 3]]) / [9, 8]
    np.testing.assert_allclose(probabilities, wanted, rtol=1e-15)
    asked = pd.DataFrame({"a": ["p", None, "new"]})
    joint = np.array([[4 / 9, 2 / 8], [1, 1], [2 / 9, 2 / 8]]) * [4 / 6, 2 / 6]
    np.testing.assert_allclose(model.predict_proba(asked), joint / joint.sum(axis=1, keepdims=True))
    assert model.unseen(asked).tolist() == [1]
    assert model.n_parameters_ == 1 + 2 * 2


def test_unseen_counts_levels_not_missing_cells_nor_declared_ones():
    X = pd.DataFrame({"a": pd.Categorical(["x", "y"], ["x", "y", "z"]), "b": [1.0, 2.0], "c": ["u", "v"]})
    model = NaiveBayesClassifier().fit(X, [0, 1])
    asked = pd.DataFrame({"a": ["z", "w", None], "b": [9.0, 9.0, 9.0], "c": ["w", "w", "u"]})
    assert model.unseen(asked).tolist() == [1, 0, 2]
    assert model.table("a")[1][2] == pytest.approx([1 / 4, 1 / 4])


def test_values_of_an_array_are_levels():
    X = np.array([[30.0, -1.5], [10.0, 1e9], [30.0, np.nan], [10.0, -1.5]])
    model = NaiveBayesClassifier(categorical_features=[0, 1]).fit(X, [0, 0, 1, 1])
    assert model.table(0)[0] == [10, 30]
    assert model.table(1)[0] == [-1.5, 1e9]
    assert model.column_kinds_ == ["category", "category"]
    assert model.unseen([[30.0, 0.0], [np.nan, 1e9]]).tolist() == [0, 1]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_types_of_a_frame_decide(make):
    X = make({"a": ["x", "y", "x", "y"], "b": [True, False, True, True], "c": [1.0, 2.0, 3.0, None]})
    model = NaiveBayesClassifier().fit(X, [0, 0, 1, 1])
    assert model.column_kinds_ == ["category", "category", "gaussian"]
    assert model.table("b")[0] == [False, True]
    assert model.means_.tolist() == [[1.5], [3.0]]


def test_a_class_without_cells_has_smoothing_alone():
    X = pd.DataFrame({"a": ["p", "q", None], "b": [1.0, 3.0, None]})
    for alpha in (1.0, 0.0):
        model = NaiveBayesClassifier(alpha).fit(X, [0, 0, 1])
        assert model.table("a")[1][:, 1] == pytest.approx([0.5, 0.5])
        assert model.means_[1] == pytest.approx([2.0])  # of all classes together
        assert model.variances_[1] == pytest.approx([1.0])


# Probabilities of zero


def test_a_count_of_zero_is_a_probability_of_zero():
    X = pd.DataFrame({"a": ["p", "p", "q", "q"], "b": ["s", "t", "s", "s"]})
    model = NaiveBayesClassifier(0.0).fit(X, [0, 0, 1, 1])
    assert model.zero_counts_ == 3
    np.testing.assert_array_equal(model.predict_proba(X), [[1, 0], [1, 0], [0, 1], [0, 1]])
    assert np.isneginf(model.predict_log_proba(X)[0, 1])
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isneginf(model.explain(X[:1]).log_likelihoods[0, 1])
    assert NaiveBayesClassifier(0.1).fit(X, [0, 0, 1, 1]).zero_counts_ == 0


@given(st.integers(0, 10_000))
def test_with_alpha_zero_the_answer_is_the_limit(seed):
    random = np.random.default_rng(seed)
    X, y = random.integers(0, 4, (9, 4)).astype(float), np.arange(9) % 3
    asked = random.integers(0, 6, (20, 4)).astype(float)
    X[random.random(X.shape) < 0.2] = np.nan
    every = [0, 1, 2, 3]
    zero, small = (NaiveBayesClassifier(a, categorical_features=every).fit(X, y) for a in (0.0, 1e-13))
    np.testing.assert_allclose(zero.predict_proba(asked), small.predict_proba(asked), rtol=0, atol=1e-10)


def test_the_fewest_impossible_cells_win():
    # Class 0 never saw q and t, class 1 never saw p: for (p, t) each class has one impossible cell.
    X = pd.DataFrame({"a": ["p", "p", "q", "q", "q"], "b": ["s", "s", "t", "s", "s"], "c": list("uuuuv")})
    model = NaiveBayesClassifier(0.0, priors="uniform").fit(X, [0, 0, 1, 1, 1])
    asked = pd.DataFrame({"a": ["p", "q", "p"], "b": ["t", "t", "t"], "c": ["u", "u", "v"]})
    found = model.predict_proba(asked)
    by_hand = np.array([1 * 1 / 2 * 1, 1 / 3 * 1 / 3 * 2 / 3])
    assert found[0] == pytest.approx(by_hand / by_hand.sum())
    assert found[1].tolist() == [0, 1]
    assert found[2].tolist() == [0, 1]


# Numbers


def test_variances_with_one_degree_less():
    X, y = blobs()
    model = NaiveBayesClassifier(ddof=1).fit(X, y)
    for c in range(3):
        np.testing.assert_allclose(model.variances_[c], X[y == c].var(axis=0, ddof=1), rtol=1e-13)


def test_the_floor_is_a_share_of_the_columns_variance_within_classes():
    X = np.array([[1.0, 0.0], [1.0, 1.0], [5.0, 0.0], [7.0, 1.0]])
    y = [0, 0, 1, 1]
    model = NaiveBayesClassifier(variance_floor=1e-3).fit(X, y)
    assert model.variances_[0, 0] == pytest.approx(1e-3 * (0 + 1) / 2)
    constant_within = NaiveBayesClassifier(variance_floor=1e-3).fit(X[:, :1] > 1, y)
    np.testing.assert_allclose(constant_within.variances_, 1e-3 * 0.25)
    scaled = NaiveBayesClassifier(variance_floor=1e-3).fit(X * [1e6, 1e-6], y)
    np.testing.assert_allclose(model.predict_proba(X), scaled.predict_proba(X * [1e6, 1e-6]), atol=1e-12)


def test_a_column_that_never_varies_is_left_out():
    X, y = blobs()
    wide = np.c_[X, np.full(len(X), 0.1)]
    model = NaiveBayesClassifier().fit(wide, y)
    asked = np.c_[X, np.full(len(X), 9.0)]
    np.testing.assert_allclose(model.predict_proba(asked), NaiveBayesClassifier().fit(X, y).predict_proba(X))
    assert model.n_parameters_ == 2 + 2 * 3 * 4


def test_missing_numbers_are_left_out():
    X, y = blobs()
    X[::4, 1] = X[5, :] = np.nan
    model = NaiveBayesClassifier().fit(X, y)
    for c in range(3):
        np.testing.assert_allclose(model.means_[c], np.nanmean(X[y == c], axis=0), rtol=1e-13)
        np.testing.assert_allclose(model.variances_[c], np.nanvar(X[y == c], axis=0), rtol=1e-12)
    assert model.predict_proba(X[5:6])[0] == pytest.approx(model.class_prior_)
    without = NaiveBayesClassifier().fit(X[:, [0, 2, 3]], y)
    np.testing.assert_allclose(
        model.predict_proba(X[:1]), without.predict_proba(X[:1, [0, 2, 3]]), rtol=1e-12
    )


def test_the_density_of_a_kernel_column():
    X, y = blobs(rows=60, columns=1, classes=2)
    asked = np.linspace(-4, 5, 30)[:, None]
    model = NaiveBayesClassifier(numeric="kernel", bandwidth=0.4).fit(X, y)
    width = 0.4 * X.std()
    joint = [gaussian_kde(X[y == c].T, bw_method=width / X[y == c].std(ddof=1))(asked.T) for c in (0, 1)]
    np.testing.assert_allclose(model.predict_proba(asked)[:, 1], joint[1] / sum(joint), rtol=1e-10)


def test_bandwidths_by_rule():
    X, y = blobs(rows=80, columns=2, classes=2)
    wide = NaiveBayesClassifier(numeric="kernel").fit(X, y)._model.kernel.bandwidths
    own = X[y == 1]
    np.testing.assert_allclose(wide[1], np.ptp(own, axis=0) / np.sqrt(len(own)), rtol=1e-14)
    found = NaiveBayesClassifier(numeric="kernel", bandwidth="silverman").fit(X, y)._model.kernel.bandwidths
    low, high = np.quantile(own, [0.25, 0.75], axis=0, method="inverted_cdf")
    rule = 0.9 * np.minimum(own.std(axis=0), (high - low) / 1.34) * len(own) ** -0.2
    np.testing.assert_allclose(found[1], rule, rtol=1e-13)


def test_cut_points_become_levels():
    X = np.r_[np.linspace(0, 1, 20), np.linspace(2, 3, 20), [np.nan]][:, None]
    y = np.r_[np.zeros(20), np.ones(21)].astype(int)
    model = NaiveBayesClassifier(numeric="discretized").fit(X, y)
    assert model.cut_points_[0].tolist() == [1.5]
    levels, probabilities = model.table(0)
    assert levels == [(-np.inf, 1.5), (1.5, np.inf)]
    np.testing.assert_allclose(probabilities, [[21 / 22, 1 / 22], [1 / 22, 21 / 22]])


def test_each_column_its_own_way():
    X, y = mixed(rows=300)
    ways = {"size": "kernel", -1: "discretized"}
    model = NaiveBayesClassifier(numeric=ways).fit(X, y)
    assert model.column_kinds_ == ["category", "kernel", "category", "discretized"]
    # Independence: the scores of the columns alone add up.
    alone = [
        NaiveBayesClassifier(numeric=word, priors="uniform").fit(X[[name]], y).predict_log_proba(X[[name]])
        for name, word in zip(X.columns, ["gaussian", "kernel", "gaussian", "discretized"], strict=True)
    ]
    joint = np.exp(sum(alone)) * model.class_prior_
    np.testing.assert_allclose(model.predict_proba(X), joint / joint.sum(axis=1, keepdims=True), atol=1e-10)


def test_explanations_add_up():
    X, y = mixed()
    model = NaiveBayesClassifier(numeric={"size": "kernel"}).fit(X, y)
    for row in (0, 7, 30):
        why = model.explain(X[row : row + 1])
        scores = why.log_prior + why.log_likelihoods.sum(axis=0)
        np.testing.assert_allclose(scores, model.decision_function(X[row : row + 1])[0], rtol=1e-12)
        np.testing.assert_allclose(why.posterior, model.predict_proba(X[row : row + 1])[0], rtol=1e-12)
        assert why.label == model.predict(X[row : row + 1])
        np.testing.assert_allclose(why.log_odds("x", "z"), why.log_likelihoods @ [1, 0, -1])
    assert message(lambda: why.log_odds("x", "w")) == "label must be one of the classes, got 'w'."
    assert message(lambda: model.explain(X)) == "X must be one row, got 120."


def test_the_log_likelihood_of_a_gaussian_column_is_a_density():
    X, y = blobs(columns=1)
    model = NaiveBayesClassifier().fit(X, y)
    wanted = norm.logpdf(0.3, model.means_[:, 0], np.sqrt(model.variances_[:, 0]))
    np.testing.assert_allclose(model.explain([[0.3]]).log_likelihoods[0], wanted, rtol=1e-13)


def test_prior_alpha():
    X, y = [[0.0], [1.0], [2.0], [4.0]], [0, 0, 0, 1]
    assert NaiveBayesClassifier(prior_alpha=1).fit(X, y).class_prior_ == pytest.approx([4 / 6, 2 / 6])
    model = NaiveBayesClassifier(prior_alpha=1, priors="uniform").fit(X, y)
    assert model.class_prior_.tolist() == [0.5, 0.5]


# Rows come and go


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_levels_grow_and_align_by_value(alpha):
    X, y = mixed()
    X.loc[80:, "color"] = X.loc[80:, "color"].map({"red": "grey", "green": "blue", "blue": "green"})
    whole = NaiveBayesClassifier(alpha).fit(X, y)
    parts = NaiveBayesClassifier(alpha).fit(X[100:], y[100:])
    for start in range(0, 100, 20):
        parts.partial_fit(X[start : start + 20], y[start : start + 20])
    same(whole, parts, X)
    joined = (
        NaiveBayesClassifier(alpha).fit(X[80:], y[80:]).merge(NaiveBayesClassifier(alpha).fit(X[:80], y[:80]))
    )
    same(whole, joined, X)
    assert sorted(joined.table("color")[0]) == sorted(whole.table("color")[0])


@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_forgetting_leaves_the_levels_of_the_rest(alpha):
    X, y = mixed()
    X.loc[60:, "color"] = "grey"
    fresh = NaiveBayesClassifier(alpha).fit(X[:60], y[:60])
    model = NaiveBayesClassifier(alpha).fit(X, y).forget(X[60:], y[60:])
    same(fresh, model, X[:60])
    assert model.table("color")[0] == ["blue", "green", "red"]
    assert model.unseen(X)[0] == fresh.unseen(X)[0] == 60
    same(fresh, model, X)


def test_declared_levels_stay_when_their_rows_go():
    X = pd.DataFrame({"a": pd.Categorical(["x", "y", "x"], ["x", "y", "z"])})
    model = NaiveBayesClassifier().fit(X, [0, 1, 1]).forget(X[1:2], [1])
    assert model.table("a")[0] == ["x", "y", "z"]


@pytest.mark.parametrize("make", [lambda c: pd.DataFrame({"a": c}), lambda c: np.array(c)[:, None]])
def test_a_level_never_seen_cannot_be_forgotten(make):
    model = NaiveBayesClassifier(categorical_features=[0]).fit(make([1.0, 2.0, 2.0]), [0, 1, 1])
    asked = make([2.0, 1.0])
    before = model.predict_proba(asked)
    text = message(lambda: model.forget(make([7.0]), [1]))
    assert "7.0 in column 0" in text
    np.testing.assert_array_equal(model.predict_proba(asked), before)
    assert model.unseen(make([7.0])).tolist() == [1]


def test_sparse_rows_come_and_go():
    X, y = blobs(columns=8)
    X[abs(X) < 0.7] = 0
    rows = sp.csr_matrix(X)
    model = NaiveBayesClassifier(numeric="bernoulli").fit(rows, y)
    same(NaiveBayesClassifier(numeric="bernoulli").fit(X[:70], y[:70]), model.forget(rows[70:], y[70:]), X)
    found = NaiveBayesClassifier(numeric="bernoulli").cross_val_posteriors(rows, y, "loo")
    dense = NaiveBayesClassifier(numeric="bernoulli").cross_val_posteriors(X, y, "loo")
    np.testing.assert_allclose(found, dense, rtol=0, atol=1e-12)


def assert_left_out_equals_refitting(X, y, tolerance=1e-10, **parameters):
    model = NaiveBayesClassifier(**parameters)
    found = model.cross_val_posteriors(X, y, "loo")
    for row in range(len(y)):
        others = np.arange(len(y)) != row
        train = X[others] if isinstance(X, np.ndarray) else X.iloc[others]
        left = NaiveBayesClassifier(**parameters).fit(train, y[others])
        wanted = np.zeros(found.shape[1])
        asked = X[row : row + 1] if isinstance(X, np.ndarray) else X.iloc[row : row + 1]
        wanted[np.isin(np.unique(y), left.classes_)] = left.predict_proba(asked)[0]
        np.testing.assert_allclose(found[row], wanted, rtol=0, atol=tolerance, err_msg=str(row))


@pytest.mark.parametrize(
    "parameters", [{}, {"alpha": 0.0}, {"ddof": 1, "prior_alpha": 0.5}, {"priors": "uniform"}]
)
@pytest.mark.parametrize("seed", range(2))
def test_leave_one_out_of_mixed_columns(parameters, seed):
    X, y = mixed(rows=40, seed=seed, missing=0.2)
    X.loc[3, "color"] = "once"
    assert_left_out_equals_refitting(X, y, **parameters)


def test_leave_one_out_where_levels_and_classes_vanish():
    X = np.array([[0, 0], [1, 0], [2, 1], [0, 1], [0, np.nan], [np.nan, 5], [7, 7]])
    y = np.array([0, 0, 0, 1, 1, 1, 2])
    for alpha in (0.0, 1.0):
        assert_left_out_equals_refitting(X, y, alpha=alpha, categorical_features=[0, 1])


def test_leave_one_out_where_floors_are_active():
    X = np.array([[0.0, 1], [0, 2], [0, 3], [5, 1], [6, 1], [7, 1], [9, 9]])
    y = np.array([0, 0, 0, 1, 1, 1, 1])
    for ddof in (0, 1):
        assert_left_out_equals_refitting(X, y, ddof=ddof)


def test_an_outlier_left_out_does_not_spoil_the_variance():
    X, y = blobs(rows=40, columns=2, classes=2)
    X[4, 0] = 1e14
    X[7, 1] = -1e9
    assert_left_out_equals_refitting(X, y)


def test_most_rows_take_the_closed_form():
    X, y = blobs(rows=90)
    model = NaiveBayesClassifier().fit(X, y)
    data = model._all_rows(X, y)
    assert not np.isnan(model._leave_one_out(data, model._statistics(data))).any()


def test_weights_left_out():
    X, y = mixed(rows=45, missing=0.1)
    weights = np.random.default_rng(0).choice([0.0, 0.3, 1.0, 1e6], len(y))
    found = NaiveBayesClassifier().cross_val_posteriors(X, y, "loo", sample_weight=weights)
    for row in range(len(y)):
        others = np.arange(len(y)) != row
        model = NaiveBayesClassifier().fit(X[others], y[others], sample_weight=weights[others])
        np.testing.assert_allclose(found[row], model.predict_proba(X[row : row + 1])[0], rtol=0, atol=1e-10)


def test_folds_of_text_with_levels_of_their_own():
    X, y = mixed(rows=60)
    X.loc[::12, "color"] = [f"level {k}" for k in range(5)]
    found = NaiveBayesClassifier().cross_val_posteriors(X, y, 4)
    wanted = cross_val_predict(NaiveBayesClassifier(), X, y, cv=4, method="predict_proba")
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-10)


@pytest.mark.parametrize("method", ["partial_fit", "merge", "forget", "cross_val_posteriors"])
def test_the_methods_exist_for_sums_only(method):
    assert hasattr(NaiveBayesClassifier(), method)
    assert hasattr(NaiveBayesClassifier(numeric={0: "bernoulli"}), method)
    assert not hasattr(NaiveBayesClassifier(numeric="kernel"), method)
    assert not hasattr(NaiveBayesClassifier(numeric={0: "discretized"}), method)


# What is refused


def test_sparse_rows_need_bernoulli_columns():
    X, y = blobs()
    for parameters in ({}, {"numeric": "bernoulli", "categorical_features": [0]}):
        with pytest.raises(DataError, match="sparse"):
            NaiveBayesClassifier(**parameters).fit(sp.csr_matrix(X), y)


@pytest.mark.parametrize("numeric", [{9: "kernel"}, {"a": "kernel"}, {0: "kernel"}], ids=str)
def test_ways_of_columns_that_are_not_numeric(numeric):
    X, y = blobs()
    column = next(iter(numeric))
    model = NaiveBayesClassifier(numeric=numeric, categorical_features=[0])
    text = f"numeric must be keyed by numeric columns of X, got {column!r}."
    assert message(lambda: model.fit(X, y), ParameterError) == text


def test_columns_without_a_table():
    X, y = blobs()
    model = NaiveBayesClassifier().fit(X, y)
    for column in (0, 9, "a"):
        text = f"column must be one with a table (categories or intervals), got {column!r}."
        assert message(lambda c=column: model.table(c), ParameterError) == text
    assert "not fitted" in message(lambda: NaiveBayesClassifier().table(0), NotFittedError)


def test_rows_of_other_kinds_cannot_be_added():
    X, y = mixed()
    model = NaiveBayesClassifier().fit(X, y)
    changed = X.assign(size="large")
    text = "The column 'size' must be of the kind 'gaussian', as in training, got 'category'."
    before = model.predict_proba(X)
    assert message(lambda: model.partial_fit(changed, y)) == text
    np.testing.assert_array_equal(model.predict_proba(X), before)
    model = NaiveBayesClassifier(categorical_features=[0]).fit([[1.0, 2.0]], [0])
    model.set_params(categorical_features=None)
    text = "The column 0 must be of the kind 'category', as in training, got 'gaussian'."
    assert message(lambda: model.partial_fit([[1.0, 2.0]], [0])) == text


def test_a_changed_threshold_cannot_be_added_to():
    model = NaiveBayesClassifier(numeric="bernoulli").fit([[1.0], [2.0]], [0, 1])
    model.set_params(binarize=1.5)
    text = "binarize must be the one of the first fit, to add or remove rows, got 1.5."
    assert message(lambda: model.partial_fit([[1.0]], [0]), ParameterError) == text


def test_models_of_other_kinds_do_not_merge():
    first = NaiveBayesClassifier().fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    second = NaiveBayesClassifier().fit(pd.DataFrame({"a": [1.0, 2.0]}), [0, 1])
    assert "with the same columns" in message(lambda: first.merge(second), ParameterError)


def test_huge_values_and_weights_stay_finite():
    X = np.array([[1e150, -1e150], [-1e150, 1e150], [0.0, 1.0], [1.0, 0.0]])
    for numeric in ("gaussian", "kernel", "discretized", "bernoulli"):
        model = NaiveBayesClassifier(numeric=numeric).fit(X, [0, 0, 1, 1])
        assert np.isfinite(model.predict_proba(X)).all()
        assert np.isfinite(model.decision_function(X)).all()


def test_weights_that_overflow_are_named():
    X = np.array([[1.0, 1e150], [2.0, -1e150], [1.0, 1.0], [2.0, 2.0]])
    text = message(lambda: NaiveBayesClassifier().fit(X, [0, 0, 1, 1], sample_weight=[1e10] * 4))
    assert "overflow in column 1" in text


def test_a_sparse_row_is_explained():
    X = sp.csr_matrix(np.eye(6))
    model = NaiveBayesClassifier(numeric="bernoulli").fit(X, [0, 0, 0, 1, 1, 1])
    why = model.explain(X[2])
    assert why.log_likelihoods.shape == (6, 2)
    np.testing.assert_allclose(why.log_odds(0, 1).sum(), -model.decision_function(X[2])[0], rtol=1e-12)


def test_a_far_class_does_not_blur_the_others():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 50)
    X = random.normal(size=(150, 1)) + np.array([0.0, 8.0, 1e6])[y][:, None]
    assert (NaiveBayesClassifier().fit(X, y).predict(X) == y).all()


def test_forgetting_a_row_that_cannot_have_been_learned():
    X, y = blobs()
    with pytest.raises(DataError, match=r"never learned.*column 0"):
        NaiveBayesClassifier().fit(X, y).forget(X[:1] + 1000, y[:1])


def test_an_explanation_of_many_columns_shows_the_clearest():
    X, y = blobs(columns=30)
    X[:, 7] += 9 * (y == 1)
    text = str(NaiveBayesClassifier().fit(X, y).explain(X[1:2]))
    lines = [line.split()[0] for line in text.splitlines()]
    assert lines[0] == "0"
    assert lines[1] == "prior"
    assert "7" in lines
    assert lines[-2] == "(10"
    assert lines[-1] == "posterior"
