"""Choosing parameters: which point wins, and that shortcuts through pipelines change nothing."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.datasets import make_moons
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from classica import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LogisticClassifier,
    SVMClassifier,
    coarse_to_fine,
    select_parameters,
)
from classica.errors import ParameterError

X, Y = make_moons(120, noise=0.3, random_state=0)
SPLITS = list(StratifiedKFold(4, shuffle=True, random_state=3).split(X, Y))


class Plateau(ClassifierMixin, BaseEstimator):
    """Scores the same for all but a few parameters."""

    def __init__(self, a=1, b="x"):
        self.a = a
        self.b = b

    def fit(self, X, y):
        if self.a == "refused":
            raise ValueError("a must be welcome.")
        self.classes_ = np.unique(y)
        return self

    def score(self, X, y):
        return 0.1 if self.b == "bad" else 0.7


def as_searched(estimator, grid, X, y, splits, scoring=None):
    """Return the mean scores that scikit-learn finds, in the order of our points."""
    search = GridSearchCV(estimator, grid, cv=splits, scoring=scoring, refit=False).fit(X, y)
    means = dict(
        zip(
            map(str, map(sorted_items, search.cv_results_["params"])),
            search.cv_results_["mean_test_score"],
            strict=True,
        )
    )
    return lambda points: [means[str(sorted_items(point.parameters))] for point in points]


def sorted_items(parameters):
    return sorted(parameters.items())


def test_of_equal_points_the_first_in_the_order_of_the_grid_wins():
    found = select_parameters(Plateau(), {"b": ["bad", "y", "x"], "a": [3, 1, 2]}, X, Y, SPLITS)
    assert found.best_params == {"b": "y", "a": 3}
    assert [tuple(point.parameters.values()) for point in found.points[:4]] == [
        ("bad", 3),
        ("bad", 1),
        ("bad", 2),
        ("y", 3),
    ]
    assert found.best_score == pytest.approx(0.7)
    assert found.best_estimator is None


def test_means_that_differ_by_rounding_are_equal():
    class Shuffled(Plateau):
        def score(self, X, y):
            # The same scores in another order: their sums differ in the last digit.
            scores = {1: [0.1, 0.7, 0.2, 0.6], 2: [0.6, 0.2, 0.7, 0.1], 3: [0.2, 0.1, 0.6, 0.7]}[self.a]
            return scores[int(X[0, 0])]

    table = np.repeat(np.arange(4.0), 30)[:, None]
    splits = [(np.arange(120), np.arange(30 * k, 30 * k + 30)) for k in range(4)]
    for order in ([1, 2, 3], [3, 2, 1], [2, 3, 1]):
        found = select_parameters(Shuffled(), {"a": order}, table, Y, splits)
        assert found.best_params == {"a": order[0]}


def test_refused_points_lose_and_if_all_are_refused_it_says_why():
    assert select_parameters(Plateau(), {"a": ["refused", 1]}, X, Y, SPLITS).best_params == {"a": 1}
    with pytest.raises(ValueError, match="a must be welcome"):
        select_parameters(Plateau(), {"a": ["refused"]}, X, Y, SPLITS)


def test_no_grid_is_the_estimator_as_it_is():
    found = select_parameters(KNeighborsClassifier(), {}, X, Y, SPLITS, refit=True)
    assert found.best_params == {}
    assert len(found.points) == 1
    np.testing.assert_array_equal(
        found.best_estimator.predict(X), KNeighborsClassifier().fit(X, Y).predict(X)
    )


@pytest.mark.parametrize("grid", [{"no_such": [1]}, {"a": []}, {"a": 3}, {"a": "word"}, [1]])
def test_what_is_no_grid_is_refused(grid):
    with pytest.raises(ParameterError, match=r"^grid"):
        select_parameters(Plateau(), grid, X, Y, SPLITS)


def test_refining_is_the_search_from_coarse_to_fine():
    grid = {"C": [0.1, 10.0], "gamma": [0.1, 1.0]}
    one = select_parameters(SVMClassifier(), grid, X, Y, SPLITS, refine=True)
    other = coarse_to_fine(SVMClassifier(), grid, X, Y, SPLITS, refit=False)
    assert one.record() == other.record()
    assert len(one.points) > 4


def test_groups_stay_together():
    groups = np.arange(120) // 6
    for cv in (4, GroupKFold(4)):
        found = select_parameters(Spy(), {"a": [1]}, groups[:, None].astype(float), Y, cv, groups=groups)
        assert found.best_score == 0.0  # no group in common


class Spy(Plateau):
    """Scores the share of the values of its first column that it has learned."""

    def fit(self, X, y):
        self.known_ = set(X[:, 0])
        return super().fit(X, y)

    def score(self, X, y):
        return float(np.mean([value in self.known_ for value in X[:, 0]]))


class Counting(TransformerMixin, BaseEstimator):
    """Counts how often it is fitted, and scales by a factor."""

    fits = []  # noqa: RUF012

    def __init__(self, factor=1.0):
        self.factor = factor

    def fit(self, X, y=None):
        self.fits.append(len(X))
        self.means_ = np.mean(X, axis=0)
        return self

    def transform(self, X):
        return (X - self.means_) * [self.factor, 1.0]


def test_the_steps_before_are_fitted_once_for_each_split_and_setting():
    pipeline = Pipeline([("scale", Counting()), ("model", KNeighborsClassifier())])
    grid = {
        "model__n_neighbors": [1, 5, 9],
        "scale__factor": [1.0, 5.0],
        "model__weights": ["uniform", "distance"],
    }
    Counting.fits.clear()
    found = select_parameters(pipeline, grid, X, Y, SPLITS)
    assert len(Counting.fits) == 2 * len(SPLITS)
    wanted = as_searched(pipeline, grid, X, Y, SPLITS)(found.points)
    np.testing.assert_allclose([point.mean for point in found.points], wanted, rtol=1e-14)


@pytest.mark.parametrize(
    ("last", "grid", "scoring"),
    [
        (DecisionTreeClassifier(), {"max_depth": [1, 2, None]}, "neg_log_loss"),
        (LogisticClassifier(), {"C": [0.1, 10.0]}, "roc_auc"),
        (SVMClassifier(), {"C": [0.1, 10.0], "gamma": [0.1, 1.0]}, None),
        (SVMClassifier(), {"C": [0.1, 10.0]}, "roc_auc"),
        (GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, "f1"),
    ],
)
def test_pipelines_score_as_they_do_by_one_fit_after_the_other(last, grid, scoring):
    pipeline = make_pipeline(StandardScaler(), SelectKBest(k=1), last)
    name = pipeline.steps[-1][0]
    grid = {f"{name}__{parameter}": values for parameter, values in grid.items()} | {
        "selectkbest__k": [1, "all"]
    }
    found = select_parameters(pipeline, grid, X, Y, SPLITS, scoring)
    wanted = as_searched(pipeline, grid, X, Y, SPLITS, scoring)(found.points)
    np.testing.assert_allclose([point.mean for point in found.points], wanted, rtol=1e-6)


def test_steps_may_hand_on_frames_and_sparse_tables():
    table = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0.3, "up", "down")})
    table.loc[::7, "a"] = np.nan
    hand_on = make_pipeline(FunctionTransformer(), DecisionTreeClassifier())
    one_hot = make_pipeline(
        FunctionTransformer(lambda frame: frame[["b"]]), OneHotEncoder(), LogisticClassifier(C=3.0)
    )
    filled = make_pipeline(
        FunctionTransformer(lambda frame: frame[["a"]]), SimpleImputer(), KNeighborsClassifier()
    ).set_output(transform="pandas")
    for pipeline, grid in (
        (hand_on, {"decisiontreeclassifier__max_depth": [1, 3]}),
        (one_hot, {"logisticclassifier__C": [0.1, 1.0]}),
        (filled, {"kneighborsclassifier__n_neighbors": [3, 11]}),
    ):
        found = select_parameters(pipeline, grid, table, Y, SPLITS)
        wanted = as_searched(pipeline, grid, table, Y, SPLITS)(found.points)
        np.testing.assert_allclose([point.mean for point in found.points], wanted, rtol=1e-14)


def test_the_last_step_itself_may_be_searched_for():
    pipeline = Pipeline([("scale", StandardScaler()), ("model", KNeighborsClassifier())])
    grid = {"model": [KNeighborsClassifier(3), GaussianNB(), SVMClassifier()]}
    found = select_parameters(pipeline, grid, X, Y, SPLITS)
    alone = [
        select_parameters(make_pipeline(StandardScaler(), model), {}, X, Y, SPLITS).best_score
        for model in grid["model"]
    ]
    assert [point.mean for point in found.points] == alone


def test_a_step_that_is_refused_scores_nothing_and_others_are_scored():
    pipeline = make_pipeline(SelectKBest(k=1), KNeighborsClassifier())
    found = select_parameters(
        pipeline, {"selectkbest__k": [-5, 1], "kneighborsclassifier__n_neighbors": [1, 5]}, X, Y, SPLITS
    )
    means = [point.mean for point in found.points]
    assert means[:2] == [-np.inf, -np.inf]
    assert np.isfinite(means[2:]).all()


def test_sparse_tables_stay_sparse():
    table = sparse.csr_matrix(np.hstack([X, np.zeros((120, 3))]))
    found = select_parameters(LogisticClassifier(), {"C": [0.1, 1.0]}, table, Y, SPLITS)
    wanted = select_parameters(LogisticClassifier(), {"C": [0.1, 1.0]}, table.toarray(), Y, SPLITS)
    assert [p.mean for p in found.points] == [p.mean for p in wanted.points]
