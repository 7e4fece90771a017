"""Nested cross-validation: what is chosen inside is judged outside, and nothing leaks."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from classica import (
    ChanceClassifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearDiscriminantClassifier,
    nested_cv,
)
from classica.errors import DataError, ParameterError

X, Y = make_moons(120, noise=0.3, random_state=0)
GRID = {"n_neighbors": [15, 9, 5, 1], "weights": ["uniform", "distance"]}


def test_it_is_what_two_loops_of_scikit_learn_find():
    grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.1, 1.0]}
    outer, inner = StratifiedKFold(4, shuffle=True, random_state=2), StratifiedKFold(3)
    found = nested_cv(SVC(), grid, X, Y, cv=outer, inner_cv=inner, scoring="balanced_accuracy")
    search = GridSearchCV(SVC(), grid, cv=inner, scoring="balanced_accuracy")
    wanted = cross_validate(search, X, Y, cv=outer, return_train_score=True, return_estimator=True)
    np.testing.assert_array_equal(found.test_scores, wanted["test_score"])
    np.testing.assert_array_equal(found.train_scores, wanted["train_score"])
    assert [fold.parameters for fold in found.folds] == [each.best_params_ for each in wanted["estimator"]]
    np.testing.assert_allclose(
        [fold.inner_score for fold in found.folds],
        [each.best_score_ for each in wanted["estimator"]],
        rtol=1e-14,
    )
    for fold, each in zip(found.folds, wanted["estimator"], strict=True):
        np.testing.assert_array_equal(fold.predictions, each.predict(X[fold.test]))
        np.testing.assert_array_equal(fold.decision_values, each.decision_function(X[fold.test]))
        assert fold.probabilities is None


def test_shortcuts_inside_change_nothing():
    class Plain(KNeighborsClassifier):
        """Has no shortcuts."""

        @property
        def grid_scores(self):
            raise AttributeError

    one = nested_cv(KNeighborsClassifier(), GRID, X, Y, cv=4, inner_cv=3)
    other = nested_cv(Plain(), GRID, X, Y, cv=4, inner_cv=3)
    assert without_seconds(one) == without_seconds(other)


def without_seconds(result):
    return [
        {name: value for name, value in fold.record().items() if not name.endswith("seconds")}
        for fold in result.folds
    ]


def test_several_processes_find_the_same():
    one = nested_cv(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, X, Y, cv=3, inner_cv=2)
    two = nested_cv(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, X, Y, cv=3, inner_cv=2, n_jobs=2
    )
    assert without_seconds(one) == without_seconds(two)


def test_every_fold_tells_all_of_it():
    labels = np.array(["no", "yes"])[Y]
    found = nested_cv(LinearDiscriminantClassifier(), {"shrinkage": [None, 0.5]}, X, list(labels), cv=5)
    assert len(found.folds) == 5
    tested = np.concatenate([fold.test for fold in found.folds])
    np.testing.assert_array_equal(np.sort(tested), np.arange(120))
    for fold in found.folds:
        assert np.intersect1d(fold.train, fold.test).size == 0
        assert fold.classes.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(fold.predictions, fold.classes[fold.probabilities.argmax(axis=1)])
        assert fold.test_score == np.mean(fold.predictions == labels[fold.test])
        assert fold.decision_values.shape == (24,)
        assert min(fold.select_seconds, fold.fit_seconds, fold.predict_seconds) > 0
    assert found.mean == pytest.approx(np.mean([fold.test_score for fold in found.folds]))
    assert found.predict_seconds_per_row > 0
    assert json.loads(json.dumps(found.record()))["folds"][2]["test"] == found.folds[2].test.tolist()
    assert str(found).splitlines()[-1].startswith("mean test score 0.8")


def test_without_a_grid_there_is_no_inner_search():
    found = nested_cv(ChanceClassifier(), {}, X, Y, cv=3)
    assert all(np.isnan(fold.inner_score) and fold.parameters == {} for fold in found.folds)
    assert found.record()["folds"][0]["inner_score"] is None
    assert np.abs(found.test_scores - 0.5).max() < 0.01


def test_what_is_chosen_on_noise_does_no_better_than_chance():
    """A selector that sees all rows finds columns that fit noise; one inside the folds does not."""
    means, leaky = [], []
    for seed in range(4):
        random = np.random.default_rng(seed)
        table, labels = random.normal(size=(60, 400)), np.repeat([0, 1], 30)
        parts = {"cv": StratifiedKFold(5, shuffle=True, random_state=seed), "inner_cv": 3}
        inside = make_pipeline(SelectKBest(k=5), KNeighborsClassifier())
        grid = {"kneighborsclassifier__n_neighbors": [9, 3, 1], "selectkbest__k": [5, 10]}
        means.append(nested_cv(inside, grid, table, labels, **parts).mean)
        chosen = SelectKBest(k=5).fit_transform(table, labels)
        leaky.append(
            nested_cv(KNeighborsClassifier(), {"n_neighbors": [9, 3, 1]}, chosen, labels, **parts).mean
        )
    assert abs(np.mean(means) - 0.5) < 0.1  # three standard errors of 240 coins
    assert np.mean(leaky) > 0.7


class Spy(KNeighborsClassifier):
    """Refuses to learn and predict rows of the same group, or to predict the past."""

    def fit(self, X, y):
        self.seen_ = X[:, 0]
        return super().fit(X, y)


class GroupSpy(Spy):
    def predict(self, X):
        # The rows it was fitted on are asked for too, for the training score.
        assert np.array_equal(X[:, 0], self.seen_) or not np.isin(X[:, 0], self.seen_).any()
        return super().predict(X)


class TimeSpy(Spy):
    def predict(self, X):
        assert np.array_equal(X[:, 0], self.seen_) or X[:, 0].min() > self.seen_.max()
        return super().predict(X)


def test_groups_stay_together_on_both_levels():
    groups = np.arange(120) // 4
    table = np.column_stack([groups.astype(float), X])
    for cv, inner_cv in ((5, 3), (GroupKFold(5), GroupKFold(3))):
        found = nested_cv(
            GroupSpy(), {"algorithm": ["brute", "kd_tree"]}, table, Y, cv=cv, inner_cv=inner_cv, groups=groups
        )
        assert all(len(fold.test) % 4 == 0 for fold in found.folds)
    with pytest.raises(AssertionError), pytest.warns(UserWarning, match="groups parameter is ignored"):
        nested_cv(
            GroupSpy(), {"algorithm": ["brute"]}, table, Y, cv=GroupKFold(5), inner_cv=KFold(7), groups=groups
        )


def test_time_goes_forward_on_both_levels():
    table = np.column_stack([np.arange(120.0), X])
    found = nested_cv(
        TimeSpy(), {"algorithm": ["brute", "kd_tree"]}, table, Y, cv=TimeSeriesSplit(3), inner_cv=3
    )
    assert [len(fold.train) for fold in found.folds] == [30, 60, 90]
    with pytest.raises(AssertionError):
        nested_cv(TimeSpy(), {"algorithm": ["brute"]}, table, Y, cv=TimeSeriesSplit(3), inner_cv=KFold(3))


def test_frames_with_categories_and_missing_cells():
    table = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0.3, "up", "down")})
    table.loc[::7, "a"] = np.nan
    labels = pd.Series(np.array(["no", "yes"])[Y], index=np.arange(120)[::-1])
    found = nested_cv(DecisionTreeClassifier(), {"max_depth": [1, 3]}, table, labels, cv=3, refine=True)
    assert found.mean > 0.7
    assert all(type(fold.parameters["max_depth"]) is int for fold in found.folds)


def test_what_cannot_be_split_or_searched_is_refused():
    with pytest.raises(ParameterError, match=r"^grid"):
        nested_cv(KNeighborsClassifier(), {"no_such": [1]}, X, Y)
    with pytest.raises(DataError, match=r"^y must"):
        nested_cv(KNeighborsClassifier(), GRID, X, None)
    with pytest.raises(DataError, match=r"^cv must"):
        nested_cv(KNeighborsClassifier(), GRID, X, Y, cv=[])
