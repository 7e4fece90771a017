"""The decision around a classifier: what it says, what it leaves alone, what it refuses."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

import classica
from classica import BayesDecisionClassifier, NearestMeanClassifier
from classica.errors import DataError, ParameterError
from tests.contract.cases import table

X, Y = table()
COSTS = np.array([[0.0, 1, 5], [2, 0, 1], [9, 1, 0]])


class Given(ClassifierMixin, BaseEstimator):
    """A classifier whose posteriors are the rows themselves."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.fits_ = getattr(self, "fits_", 0) + 1
        return self

    def predict_proba(self, X):
        return np.asarray(X, dtype=float)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def deciding(classes=3, **parameters):
    """A decision about rows that are posteriors, learned from as many rows of each class."""
    return BayesDecisionClassifier(Given(), **parameters).fit(np.eye(classes), np.arange(classes))


posterior_rows = st.lists(
    st.lists(st.integers(1, 100), min_size=3, max_size=3).map(
        lambda row: (np.array(row) / sum(row)).tolist()
    ),
    min_size=1,
    max_size=20,
).map(np.array)
cost_tables = st.lists(st.floats(0, 100), min_size=9, max_size=9).map(lambda c: np.reshape(c, (3, 3)))


@given(posterior_rows, cost_tables)
def test_no_other_class_has_a_lower_expected_cost(rows, costs):
    model = deciding(costs=costs)
    expected = model.expected_costs(rows)
    np.testing.assert_allclose(expected, rows @ costs.T, rtol=1e-12, atol=1e-12)
    said = expected[np.arange(len(rows)), model.predict(rows)]
    np.testing.assert_allclose(said, expected.min(axis=1), rtol=1e-12, atol=1e-12)


@given(posterior_rows)
def test_without_costs_predict_is_the_argmax_of_predict_proba(rows):
    for model in (deciding(), deciding(costs=1 - np.eye(3)), deciding(priors=[0.5, 0.25, 0.25])):
        np.testing.assert_array_equal(model.predict(rows), model.predict_proba(rows).argmax(axis=1))


def test_ties_go_to_the_first_class():
    rows = [[0.25, 0.25, 0.5], [0.5, 0.5, 0.0]]
    assert deciding().predict(rows).tolist() == [2, 0]
    assert deciding(costs=np.ones((3, 3))).predict(rows).tolist() == [0, 0]


@given(posterior_rows, st.integers(0, 100))
def test_chow_rejects_where_the_highest_posterior_is_too_low(rows, percent):
    rejected = deciding(reject_cost=percent / 100).rejects(rows)
    highest = rows.max(axis=1)
    clear = np.abs(highest - (1 - percent / 100)) > 1e-12
    np.testing.assert_array_equal(rejected[clear], highest[clear] < 1 - percent / 100)


@given(posterior_rows, cost_tables, st.floats(0, 50))
def test_with_costs_the_best_expected_cost_decides_about_reject(rows, costs, reject_cost):
    model = deciding(costs=costs, reject_cost=reject_cost)
    best = model.expected_costs(rows).min(axis=1)
    clear = np.abs(best - reject_cost) > 1e-9
    np.testing.assert_array_equal(model.rejects(rows)[clear], best[clear] > reject_cost)


def test_a_row_that_costs_just_as_much_as_reject_is_answered():
    assert deciding(2, reject_cost=0.25).rejects([[0.25, 0.75], [0.26, 0.74]]).tolist() == [False, True]


def test_reject_changes_neither_labels_nor_posteriors():
    rows = np.array([[0.4, 0.3, 0.3], [0.9, 0.1, 0.0]])
    plain, wary = deciding(), deciding(reject_cost=0.2)
    assert plain.rejects(rows).tolist() == [False, False]
    assert wary.rejects(rows).tolist() == [True, False]
    np.testing.assert_array_equal(plain.predict(rows), wary.predict(rows))
    np.testing.assert_array_equal(wary.predict_proba(rows), rows)


priors = st.lists(st.integers(1, 20), min_size=3, max_size=3).map(lambda p: (np.array(p) / sum(p)).tolist())


@given(priors)
@pytest.mark.parametrize(
    "learner", [NearestMeanClassifier(), NearestMeanClassifier(priors="empirical"), GaussianNB()]
)
def test_new_priors_equal_refitting_with_them(learner, wanted):
    model = BayesDecisionClassifier(learner).fit(X, Y).with_priors(wanted)
    refitted = clone(learner).set_params(priors=wanted).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), refitted.predict_proba(X), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), refitted.predict(X))


def test_priors_of_a_model_that_states_none_are_the_class_shares():
    weights = np.where(Y == "ape", 3.0, 1.0)
    model = BayesDecisionClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(model.training_priors_, [0.6, 0.2, 0.2])
    np.testing.assert_allclose(model.priors_, [0.6, 0.2, 0.2])
    raw = model.estimator_.predict_proba(X)
    even = raw / [0.6, 0.2, 0.2]
    np.testing.assert_allclose(
        model.with_priors("uniform").predict_proba(X), even / even.sum(axis=1, keepdims=True), rtol=1e-12
    )


def test_uniform_priors_take_back_those_of_the_table():
    few = np.flatnonzero((Y != "ape") | (np.arange(len(Y)) % 9 == 0))
    lda = LinearDiscriminantAnalysis(priors=[1 / 3] * 3).fit(X[few], Y[few])
    model = BayesDecisionClassifier(LinearDiscriminantAnalysis(), priors="uniform").fit(X[few], Y[few])
    assert model.training_priors_[0] < 0.2
    np.testing.assert_allclose(model.predict_proba(X), lda.predict_proba(X), rtol=1e-8, atol=1e-12)


def test_training_priors_can_be_told():
    unequal = np.flatnonzero((Y != "ape") | (np.arange(len(Y)) % 9 == 0))
    balanced = LogisticRegression(class_weight="balanced", C=10)
    model = BayesDecisionClassifier(balanced, priors="uniform", training_priors="uniform")
    model.fit(X[unequal], Y[unequal])
    np.testing.assert_allclose(model.predict_proba(X), model.estimator_.predict_proba(X), rtol=1e-12)


def test_costs_priors_and_reject_change_without_learning_again():
    model = deciding()
    rows = np.array([[0.5, 0.3, 0.2]])
    other = model.with_costs(COSTS).with_priors([0.2, 0.2, 0.6]).with_reject_cost(0.1)
    assert other.estimator_ is model.estimator_
    assert model.estimator_.fits_ == 1
    assert (model.costs, model.priors, model.reject_cost) == (None, None, None)
    assert model.predict(rows)[0] == 0
    assert not model.rejects(rows)[0]

    model.set_params(costs=COSTS, priors=[0.2, 0.2, 0.6], reject_cost=0.1)
    for method in ("predict", "predict_proba", "expected_costs", "rejects"):
        np.testing.assert_array_equal(getattr(model, method)(rows), getattr(other, method)(rows))
    fresh = deciding(costs=COSTS, priors=[0.2, 0.2, 0.6], reject_cost=0.1)
    np.testing.assert_array_equal(fresh.expected_costs(rows), other.expected_costs(rows))
    assert model.estimator_.fits_ == 1
    assert model.predict(rows)[0] == 1


def test_the_threshold_is_where_the_answer_changes():
    model = deciding(2, costs=[[0, 4], [1, 0]])
    assert model.threshold_ == 0.2
    assert model.predict([[0.81, 0.19], [0.79, 0.21]]).tolist() == [0, 1]
    assert not hasattr(deciding(3), "threshold_")
    assert not hasattr(deciding(2, costs=[[1, 0], [0, 1]]), "threshold_")


def test_mean_cost_is_what_was_paid():
    rows = np.array([[0.9, 0.1, 0], [0.4, 0.3, 0.3], [0.1, 0.2, 0.7]])
    model = deciding(costs=10 * (1 - np.eye(3)))
    assert model.mean_cost(rows, [0, 1, 1]) == pytest.approx(20 / 3)
    assert model.with_reject_cost(5).mean_cost(rows, [0, 1, 1]) == pytest.approx(15 / 3)


def test_risk_coverage_meets_mean_cost_and_rejects():
    model = BayesDecisionClassifier(NearestMeanClassifier(), costs=COSTS).fit(X, Y)
    curve = model.risk_coverage(X, Y)
    assert curve.risk[-1] == pytest.approx(model.mean_cost(X, Y))
    limit = float(np.median(model.expected_costs(X).min(axis=1)))
    wary = model.with_reject_cost(limit)
    coverage, risk = curve.at(limit)
    rejected = wary.rejects(X)
    assert coverage == pytest.approx(1 - rejected.mean())
    codes = np.searchsorted(model.classes_, Y)
    said = np.searchsorted(model.classes_, model.predict(X))
    assert risk == pytest.approx(COSTS[said, codes][~rejected].mean())


# Calibration


def test_a_margin_machine_needs_calibration():
    with pytest.raises(ParameterError) as refused:
        BayesDecisionClassifier(LinearSVC()).fit(X, Y)
    assert str(refused.value) == (
        "calibration must be 'auto', 'sigmoid', 'isotonic' or 'softmax' for LinearSVC,"
        " which has no predict_proba, got None."
    )


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("learner", [LinearSVC(), NearestMeanClassifier()])
def test_calibration_is_that_of_scikit_learn(learner, method):
    model = BayesDecisionClassifier(learner, calibration=method, cv=3).fit(X, Y)
    peer = CalibratedClassifierCV(learner, method=method, cv=3, ensemble=False).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-6)
    np.testing.assert_allclose(model.training_priors_, [1 / 3] * 3)


def test_calibrated_posteriors_have_the_class_shares_as_priors():
    """Nearest mean believes in equal classes; calibration learns that they are not."""
    few = np.flatnonzero((Y != "ape") | (np.arange(len(Y)) % 3 == 0))[::-1]
    model = BayesDecisionClassifier(NearestMeanClassifier(), calibration="sigmoid").fit(X[few], Y[few])
    np.testing.assert_allclose(model.training_priors_, [np.mean(Y[few] == c) for c in model.classes_])
    plain = BayesDecisionClassifier(NearestMeanClassifier()).fit(X[few], Y[few])
    np.testing.assert_allclose(plain.training_priors_, [1 / 3] * 3)


# A classifier that is fitted already


def test_a_frozen_classifier_is_used_as_it_is():
    inner = NearestMeanClassifier().fit(X, Y)
    unfitted = BayesDecisionClassifier(FrozenEstimator(inner), costs=COSTS)
    fitted = BayesDecisionClassifier(FrozenEstimator(inner), costs=COSTS).fit(X[:9], Y[:9])
    np.testing.assert_array_equal(unfitted.predict(X), fitted.predict(X))
    np.testing.assert_array_equal(unfitted.with_priors([0.8, 0.1, 0.1]).priors_, [0.8, 0.1, 0.1])
    np.testing.assert_array_equal(unfitted.predict_proba(X), inner.predict_proba(X))
    check_is_fitted(unfitted)


def test_a_frozen_classifier_without_known_priors_must_be_told_them():
    frozen = FrozenEstimator(DecisionTreeClassifier(max_depth=2).fit(X, Y))
    with pytest.raises(
        ParameterError, match=r"^training_priors must be given for a frozen classifier .* None\.$"
    ):
        BayesDecisionClassifier(frozen, priors="uniform").predict_proba(X)
    told = BayesDecisionClassifier(frozen, priors="uniform", training_priors="uniform")
    np.testing.assert_allclose(told.predict_proba(X), frozen.predict_proba(X), rtol=1e-12)


def test_rows_a_frozen_classifier_did_not_learn_from_say_nothing_about_its_priors():
    frozen = FrozenEstimator(DecisionTreeClassifier(max_depth=2).fit(X, Y))
    for wrapped in (frozen, make_pipeline(StandardScaler(with_mean=False, with_std=False), frozen)):
        model = BayesDecisionClassifier(wrapped, priors="uniform")
        with pytest.raises(ParameterError, match=r"^training_priors must be given for a frozen classifier"):
            model.fit(X[:9], Y[:9])
    assert BayesDecisionClassifier(frozen).fit(X[:9], Y[:9]).predict(X).tolist() == frozen.predict(X).tolist()
    stated = BayesDecisionClassifier(FrozenEstimator(GaussianNB().fit(X, Y))).fit(X[:4], Y[:4])
    np.testing.assert_allclose(stated.training_priors_, [1 / 3] * 3)
    learned = BayesDecisionClassifier(DecisionTreeClassifier()).fit(X, Y).set_params(estimator=frozen)
    with pytest.raises(ParameterError, match=r"^training_priors must be given"):
        _ = learned.fit(X, Y).training_priors_


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("calibration", [None, "sigmoid"])
def test_labels_a_frozen_classifier_does_not_know_are_refused(calibration):
    frozen = FrozenEstimator(DecisionTreeClassifier(max_depth=2).fit(X, Y))
    with pytest.raises(DataError) as refused:
        BayesDecisionClassifier(frozen, calibration=calibration).fit(X, np.arange(len(Y)) % 3)
    assert str(refused.value) == "y must have classes of the model, got 0 in row 0."


def test_empirical_priors_are_those_of_the_model():
    rows = np.array([[0.5, 0.3, 0.2]])
    model = deciding(priors="empirical")
    np.testing.assert_array_equal(model.predict_proba(rows), rows)
    np.testing.assert_array_equal(model.priors_, model.training_priors_)


def test_priors_may_be_a_labelled_series():
    model = BayesDecisionClassifier(GaussianNB(), priors=pd.Series({"cat": 0.5, "ape": 0.2, "bee": 0.3}))
    by_label = dict(
        zip(*(values.tolist() for values in (model.fit(X, Y).classes_, model.priors_)), strict=True)
    )
    assert by_label == pytest.approx({"ape": 0.2, "bee": 0.3, "cat": 0.5})


def test_a_frozen_classifier_can_be_calibrated_on_other_rows():
    inner = LinearSVC().fit(X[::2], Y[::2])
    model = BayesDecisionClassifier(FrozenEstimator(inner), calibration="sigmoid")
    with pytest.raises(NotFittedError):
        model.predict(X)
    peer = CalibratedClassifierCV(FrozenEstimator(inner)).fit(X[1::2], Y[1::2])
    model.fit(X[1::2], Y[1::2])
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-6)


# As a scikit-learn citizen


def test_in_a_grid_search_a_pipeline_and_a_pickle():
    model = BayesDecisionClassifier(make_pipeline(StandardScaler(), KNeighborsClassifier()), costs=COSTS)
    grid = {"estimator__kneighborsclassifier__n_neighbors": [1, 5], "reject_cost": [None, 0.2]}

    def cheap(estimator, X, y):
        return -estimator.mean_cost(X, y)

    search = GridSearchCV(model, grid, scoring=cheap, cv=3).fit(X, Y)
    best = search.best_estimator_
    assert search.best_score_ == pytest.approx(
        np.mean(cross_val_score(clone(best), X, Y, scoring=cheap, cv=3))
    )
    copy = pickle.loads(pickle.dumps(best))
    np.testing.assert_array_equal(copy.expected_costs(X), best.expected_costs(X))
    outer = make_pipeline(StandardScaler(), clone(model)).fit(X, Y)
    assert outer.score(X, Y) > 0.6


def test_columns_and_tags_are_those_of_the_classifier():
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = BayesDecisionClassifier(NearestMeanClassifier()).fit(frame, Y)
    assert model.feature_names_in_.tolist() == list("abcde")
    assert model.n_features_in_ == 5
    assert get_tags(model).input_tags.sparse
    assert not get_tags(BayesDecisionClassifier(GaussianNB())).input_tags.sparse
    assert not hasattr(BayesDecisionClassifier(GaussianNB()), "classes_")


def test_sparse_rows_and_single_rows_give_the_same_bits():
    model = BayesDecisionClassifier(NearestMeanClassifier(), costs=COSTS, priors=[0.5, 0.3, 0.2]).fit(X, Y)
    whole = model.expected_costs(X)
    np.testing.assert_array_equal(np.concatenate([model.expected_costs(row[None]) for row in X]), whole)
    np.testing.assert_allclose(model.expected_costs(csr_array(X)), whole, rtol=1e-9)


def test_the_docstring_describes_every_parameter():
    text = inspect.getdoc(BayesDecisionClassifier)
    for section in ("Parameters", "Attributes", "Notes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text
    for name in inspect.signature(BayesDecisionClassifier).parameters:
        assert f"\n{name} : " in text
    assert "BayesDecisionClassifier" in classica.__all__


def test_a_cost_file_is_read_once_and_stays_with_the_model(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("said,setosa,versicolor,virginica\nvirginica,9,1,0\nversicolor,2,0,1\nsetosa,0,1,5\n")
    iris = load_iris()
    names = iris.target_names[iris.target]
    model = BayesDecisionClassifier(GaussianNB(), costs=path).fit(iris.data, names)
    other = model.with_priors("uniform")
    path.unlink()
    np.testing.assert_array_equal(model.costs_, COSTS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(other)).costs_, COSTS)
    with pytest.raises(DataError, match=r"other\.csv"):
        model.set_params(costs=str(tmp_path / "other.csv")).predict(iris.data)


def test_one_class_only():
    model = BayesDecisionClassifier(NearestMeanClassifier(), reject_cost=0.1).fit([[0.0], [1.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.rejects([[5.0]]).tolist() == [False]


# What is refused


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"reject_cost": -1}, "reject_cost must be a number of at least 0 or None, got -1."),
        ({"reject_cost": "x"}, "reject_cost must be a number of at least 0 or None, got 'x'."),
        (
            {"calibration": "platt"},
            "calibration must be 'auto', 'sigmoid', 'isotonic' or 'softmax' or None, got 'platt'.",
        ),
        ({"costs": [[0, 1], [1, 0]]}, "costs must be of shape (3, 3), got (2, 2)."),
        ({"priors": [0.5, 0.5]}, "priors must be one number for each of 3 classes, got [0.5, 0.5]."),
        (
            {"priors": "uniform", "training_priors": [0.5, 0.5, 0]},
            "priors must be 0 for a class whose training prior is 0, got 0.333333 for class number 2.",
        ),
        (
            {"priors": "uniform", "training_priors": "empirical"},
            "training_priors must be 'uniform', a number for each class or a dict from labels to numbers, "
            "got 'empirical'.",
        ),
    ],
)
def test_fit_refuses_what_cannot_be_decided_by(parameters, message):
    with pytest.raises(ParameterError) as refused:
        deciding(**parameters)
    assert str(refused.value) == message


@pytest.mark.parametrize("estimator", ["nb", None, LinearRegression(), GaussianNB, 7])
@pytest.mark.parametrize("calibration", [None, "sigmoid"])
def test_what_is_no_classifier_is_refused(estimator, calibration):
    model = BayesDecisionClassifier(estimator, calibration=calibration)
    assert model._repr_html_()
    assert get_tags(model).estimator_type == "classifier"
    with pytest.raises(ParameterError, match=r"^estimator must be a classifier, got .*\.$"):
        model.fit(X, Y)


@pytest.mark.parametrize("cv", ["junk", 1, 2.5, True])
def test_folds_are_checked_even_if_not_needed(cv):
    with pytest.raises(ParameterError) as refused:
        BayesDecisionClassifier(GaussianNB(), cv=cv).fit(X, Y)
    rule = "an integer of at least 2, 'auto', a splitter, an iterable of splits or None"
    assert str(refused.value) == f"cv must be {rule}, got {cv!r}."


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y must be given, got None."),
        ([0, None], "y must have a label in every row, got None in row 1."),
        (["a", None], "y must have a label in every row, got None in row 1."),
        ([[0, 1], [1, 0]], "y must be one label for each row, got [[0, 1], [1, 0]]."),
    ],
)
def test_what_cannot_be_the_truth_is_refused(y, message):
    for method in ("mean_cost", "risk_coverage"):
        with pytest.raises(DataError) as refused:
            getattr(deciding(), method)([[0.5, 0.5, 0.0]] * 2, y)
        assert str(refused.value) == message


def test_changes_are_refused_at_once():
    model = deciding()
    with pytest.raises(ParameterError, match=r"^reject_cost must be"):
        model.with_reject_cost(-1)
    with pytest.raises(ParameterError, match=r"^priors must be"):
        model.with_priors([1, 1, 1])
    with pytest.raises(ParameterError, match=r"^The rows of the cost matrix must name"):
        model.with_costs({0: {1: 1}})


def test_weights_for_a_classifier_that_takes_none_are_refused():
    with pytest.raises(ParameterError) as refused:
        BayesDecisionClassifier(KNeighborsClassifier()).fit(X, Y, sample_weight=np.ones(len(Y)))
    assert str(refused.value) == (
        "sample_weight must be None for KNeighborsClassifier, whose fit has no parameter of that name, "
        "got weights."
    )


@pytest.mark.parametrize("calibration", [None, "sigmoid"])
def test_targets_that_are_none_are_refused(calibration):
    model = BayesDecisionClassifier(GaussianNB(), calibration=calibration)
    for target, message in [
        (None, "Cannot fit: BayesDecisionClassifier requires y to be passed, but the target y is None."),
        (
            np.where(np.arange(len(Y)) == 5, np.inf, 1.0),
            "y must have a label in every row, got inf in row 5.",
        ),
    ]:
        with pytest.raises(DataError) as refused:
            model.fit(X, target)
        assert str(refused.value) == message


def test_before_fit_one_sentence():
    model = BayesDecisionClassifier(GaussianNB())
    with pytest.raises(NotFittedError) as refused:
        model.predict(X)
    assert str(refused.value) == "This BayesDecisionClassifier is not fitted yet; call fit() first."


def test_probabilities_that_are_none_are_refused():
    with pytest.raises(DataError) as refused:
        deciding().predict([[0.5, 0.5, 0.0], [0.2, np.nan, 0.8]])
    assert str(refused.value) == "The probabilities of Given must be finite, got [0.2, nan, 0.8] in row 1."


def test_labels_the_model_never_saw_have_no_cost():
    with pytest.raises(DataError) as refused:
        deciding().mean_cost([[0.5, 0.5, 0.0]] * 2, [0, 7])
    assert str(refused.value) == "y must have classes of the model, got 7 in row 1."
    with pytest.raises(DataError, match=r"^y must be 1 labels long, one for each row, got 2\.$"):
        deciding().risk_coverage([[0.5, 0.5, 0.0]], [0, 1])
