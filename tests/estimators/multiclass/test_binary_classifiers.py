"""One against all and all against all, around any two-class machine."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from scipy.special import log_expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from classica import (
    AllVsAllClassifier,
    DecisionTreeClassifier,
    FisherClassifier,
    KNeighborsClassifier,
    LinearSVMClassifier,
    NearestMeanClassifier,
    OneVsAllClassifier,
    PerceptronClassifier,
    SVMClassifier,
    persist,
)
from classica.errors import DataError, ParameterError
from tests.contract.cases import table

BOTH = [OneVsAllClassifier, AllVsAllClassifier]
#: A decision function, probabilities only, and a decision function without probabilities.
MEMBERS = [LogisticRegression(), GaussianNB(), LinearSVC(random_state=0), Perceptron(random_state=0)]


class Told(ClassifierMixin, BaseEstimator):
    """A machine whose scores are those of a column of X: that of its number, known by the rows it learns."""

    def __init__(self, answers="decision_function"):
        self.answers = answers

    def fit(self, X, y):
        """Learn which machine it is: column 0 holds the class, and rows of the first side are labelled 1."""
        self.classes_ = np.unique(y)
        codes = np.asarray(X)[:, 0].astype(int)
        self.sides_ = [sorted(set(codes[np.asarray(y) == side])) for side in (1, 0)]
        return self

    def __getattr__(self, name):
        methods = {"decision_function": self._scores, "predict_proba": self._shares, "predict": self._labels}
        if name in methods and name in (self.answers, "predict"):
            return methods[name]
        raise AttributeError(name)

    def _scores(self, X):
        """Column 1 + c speaks for class c."""
        first, second = (np.asarray(X)[:, [1 + c for c in side]].mean(axis=1) for side in self.sides_)
        return first - second

    def _shares(self, X):
        positive = (1 + np.clip(self._scores(X), -1, 1)) / 2
        return np.c_[1 - positive, positive]

    def _labels(self, X):
        return (self._scores(X) > 0).astype(int)


def told(maker, **parameters):
    X = np.c_[np.arange(6) % 3, np.zeros((6, 3))]
    return maker(Told(**parameters)).fit(X, X[:, 0].astype(int))


def queries(*strengths):
    return np.array([[0.0, *strength] for strength in strengths])


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: type(member).__name__)
def test_decisions_are_those_of_scikit_learn(member):
    X, y = table(rows=600, classes=4)
    for ours, theirs in ((OneVsAllClassifier, OneVsRestClassifier), (AllVsAllClassifier, OneVsOneClassifier)):
        own, other = ours(member).fit(X, y), theirs(member).fit(X, y)
        np.testing.assert_array_equal(own.predict(X), other.predict(X))
        if ours is OneVsAllClassifier and hasattr(member, "decision_function"):
            np.testing.assert_allclose(own.decision_function(X), other.decision_function(X), atol=1e-12)


def test_wins_are_those_of_scikit_learn():
    X, y = table(rows=600, classes=4)
    own = AllVsAllClassifier(LogisticRegression()).fit(X, y).decision_function(X)
    other = OneVsOneClassifier(LogisticRegression()).fit(X, y).decision_function(X)
    np.testing.assert_allclose(own, other, atol=1e-12)


def test_it_is_what_fisher_does_inside():
    X, y = table(rows=300, classes=4)
    one, every = (FisherClassifier(multi_class=word).fit(X, y) for word in ("one-vs-all", "all-vs-all"))
    own = OneVsAllClassifier(FisherClassifier()).fit(X, y)
    np.testing.assert_allclose(log_expit(own.decision_function(X)), one.decision_function(X), atol=1e-10)
    own = AllVsAllClassifier(FisherClassifier()).fit(X, y)
    np.testing.assert_allclose(np.log(own.decision_function(X) + 0.5), every.decision_function(X), atol=1e-10)
    np.testing.assert_array_equal(own.predict(X), every.predict(X))


@pytest.mark.parametrize("maker", BOTH)
def test_two_classes_take_one_machine(maker):
    X, y = table(classes=2)
    model, machine = maker(FisherClassifier()).fit(X, y), FisherClassifier().fit(X, y)
    assert len(model.estimators_) == 1
    np.testing.assert_array_equal(model.decision_function(X), machine.decision_function(X))
    np.testing.assert_array_equal(model.predict(X), machine.predict(X))


@pytest.mark.parametrize("maker", BOTH)
def test_one_class_takes_none(maker):
    X, _ = table()
    model = maker().fit(X, ["only"] * len(X))
    assert model.estimators_ == []
    assert set(model.predict(X)) == {"only"}


def test_machines_learn_their_sides():
    X, y = table(classes=3)
    codes = np.searchsorted(np.unique(y), y)
    shown = np.c_[codes, X]
    rest = [told.sides_ for told in OneVsAllClassifier(Told()).fit(shown, y).estimators_]
    assert rest == [[[0], [1, 2]], [[1], [0, 2]], [[2], [0, 1]]]
    pairs = [told.sides_ for told in AllVsAllClassifier(Told()).fit(shown, y).estimators_]
    assert pairs == [[[0], [1]], [[0], [2]], [[1], [2]]]


@pytest.mark.parametrize("answers", ["decision_function", "predict_proba"])
def test_the_highest_score_wins_and_the_first_of_equals(answers):
    model = told(OneVsAllClassifier, answers=answers)
    found = model.predict(queries((0, 0.2, 0.1), (0.3, 0.1, 0.3), (0.1, 0.1, 0.1)))
    assert found.tolist() == [1, 0, 0]


def test_without_scores_labels_count():
    model = told(OneVsAllClassifier, answers="predict")
    np.testing.assert_array_equal(
        model.decision_function(queries((0.5, 0, 0.1), (0, 0, 0))), [[1, -1, -1], [-1, -1, -1]]
    )
    assert model.predict(queries((0, 0, 1), (0, 0, 0))).tolist() == [2, 0]


def test_most_wins_decide_and_a_score_of_zero_is_the_first_ones():
    model = told(AllVsAllClassifier)
    wins = np.round(model.decision_function(queries((0.3, 0.2, 0.1), (0, 0, 0), (0, 0.5, 0))))
    np.testing.assert_array_equal(wins, [[2, 1, 0], [2, 1, 0], [1, 2, 0]])


def test_equal_wins_go_to_the_larger_sum():
    """A beats B by 0.1, B beats C by 0.3, C beats A by 0.2: one win each, B has the most confidence."""

    class Circle(Told):
        def _scores(self, X):
            sides = tuple(side[0] for side in self.sides_)
            return np.full(len(X), {(0, 1): 0.1, (1, 2): 0.3, (0, 2): -0.2}[sides])

    X = np.c_[np.arange(6) % 3, np.zeros((6, 3))]
    model = AllVsAllClassifier(Circle()).fit(X, X[:, 0].astype(int))
    assert model.predict(X).tolist() == [1] * 6
    sums = np.array([-0.1, 0.2, -0.1])
    np.testing.assert_allclose(model.decision_function(X)[0], 1 + sums / (3 * (abs(sums) + 1)))


@pytest.mark.parametrize("maker", BOTH)
def test_weights_reach_the_machines(maker):
    X, y = table()
    weights = np.arange(len(X)) % 3
    weighted = maker(LogisticRegression(tol=1e-10)).fit(X, y, sample_weight=weights)
    repeated = maker(LogisticRegression(tol=1e-10)).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-4)
    with pytest.raises(
        ParameterError, match="sample_weight must be None for KNeighborsClassifier, whose fit"
    ):
        maker(KNeighborsClassifier()).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("maker", BOTH)
def test_categories_and_missing_cells_pass_through(maker):
    X, y = table()
    frame = pd.DataFrame(X, columns=list("abcde")).assign(word=np.where(y == "ape", "red", "blue"))
    frame.loc[3, "b"] = np.nan
    model = maker(DecisionTreeClassifier(max_depth=2)).fit(frame, y)
    assert (model.predict(frame)[y == "ape"] == "ape").all()
    assert model.__sklearn_tags__().input_tags.categorical
    with pytest.raises(DataError, match="'word'"):
        maker(FisherClassifier()).fit(frame, y)


@pytest.mark.parametrize("maker", BOTH)
def test_sparse_rows_pass_through(maker):
    X, y = table()
    sparse, dense = (maker(NearestMeanClassifier()).fit(rows, y) for rows in (csr_matrix(X), X))
    np.testing.assert_array_equal(sparse.predict(csr_matrix(X)), dense.predict(X))


@pytest.mark.parametrize("maker", BOTH)
def test_a_row_is_named_by_its_place_in_the_whole_table(maker):
    X, y = table()
    X[50, 2] = np.inf
    with pytest.raises(DataError, match="column 'c', row 50"):
        maker().fit(pd.DataFrame(X, columns=list("abcde")), y)


@pytest.mark.parametrize("maker", BOTH)
def test_what_a_machine_refuses_is_told_as_it_tells_it(maker):
    X, y = table()
    with pytest.raises(ParameterError, match=r"n_neighbors must be .*, got 0"):
        maker(KNeighborsClassifier(n_neighbors=0)).fit(X, y)


@pytest.mark.parametrize("maker", BOTH)
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_seeds_are_handed_on(maker, n_jobs):
    X, y = table()
    tree = DecisionTreeClassifier(max_features=1)
    fits = [maker(tree, random_state=5, n_jobs=jobs).fit(X, y) for jobs in (1, n_jobs)]
    np.testing.assert_array_equal(*(model.decision_function(X) for model in fits))
    seeds = {machine.random_state for machine in fits[0].estimators_}
    assert len(seeds) == 3
    assert tree.random_state is None


def test_classes_in_a_row_are_told_apart_by_pairs():
    """No line cuts an inner class off from all others, but lines tell it from each of them."""
    X = np.concatenate([np.linspace(4 * place, 4 * place + 2, 20) for place in range(5)])[:, None]
    y = np.repeat(np.arange(5), 20)
    assert AllVsAllClassifier().fit(X, y).score(X, y) == 1.0
    assert OneVsAllClassifier().fit(X, y).score(X, y) < 0.8


def test_kernel_values_are_cut_both_ways():
    X, y = table()
    plain = cross_val_score(OneVsAllClassifier(SVMClassifier(kernel="linear", tol=1e-6)), X, y, cv=3)
    values = OneVsAllClassifier(SVMClassifier(kernel="precomputed", tol=1e-6))
    np.testing.assert_allclose(cross_val_score(values, X @ X.T, y, cv=3), plain)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", BOTH)
def test_kernel_values_are_cut_to_rows_and_columns(kind, weighted, tmp_path):
    X, y = table(rows=60)
    kernel = X @ X.T
    weights = np.where(np.arange(60) % 5 == 0, 0.0, 1.0) if weighted else None
    kept = np.arange(60) if weights is None else np.flatnonzero(weights)
    model = kind(SVMClassifier(kernel="precomputed", tol=1e-9)).fit(kernel, y, weights)
    linear = kind(SVMClassifier(kernel="linear", tol=1e-9)).fit(X[kept], y[kept])
    np.testing.assert_allclose(model.decision_function(kernel), linear.decision_function(X), atol=1e-4)
    assert model.n_features_in_ == 60
    assert cross_val_score(kind(SVMClassifier(kernel="precomputed")), kernel, y, cv=3).min() > 0.6
    persist.save(model, tmp_path / "model.classica")
    loaded = persist.load(tmp_path / "model.classica")
    np.testing.assert_array_equal(loaded.decision_function(kernel), model.decision_function(kernel))
    model.set_params(estimator=SVMClassifier()).fit(X, y)
    assert model.decision_function(X).shape == (60, 3)


@pytest.mark.parametrize(
    "model",
    [
        SVMClassifier(),
        AllVsAllClassifier(NearestMeanClassifier()),
        PerceptronClassifier(multi_class="all-vs-all"),
        LinearSVMClassifier(multi_class="all-vs-all"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_very_many_pairs_are_announced_before_the_work(model, monkeypatch):
    monkeypatch.setattr("classica.estimators.base.contests.MOST_PAIRS", 5)
    X, y = np.arange(8.0)[:, None], np.arange(8) % 4
    said = "^4 classes make 6 pairs"
    with pytest.warns(UserWarning, match=said):
        model.fit(X, y)
    model.fit(X, y % 3)  # warns of nothing


def test_multipliers_of_more_pairs_than_there_is_room_for_are_refused():
    X, y = np.zeros((5000, 1)), np.arange(5000) % 1000
    said = (
        "^multi_class must be 'one-vs-all' for 1,000 classes, got 'all-vs-all', whose 499,500 pairs .* 20 GB"
    )
    with pytest.raises(ParameterError, match=said):
        SVMClassifier().fit(X, y)
