"""AdaBoost: against scikit-learn and a plain reference, both ways of learning, and where it stops."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sparse
from matplotlib import pyplot
from sklearn import ensemble, tree
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from classica import AdaBoostClassifier, C45Classifier, DecisionTreeClassifier, NaiveBayesClassifier
from classica.errors import DataError, ParameterError
from classica.native import boosting as native
from tests.reference import adaboost as reference
from tests.test_pool import seconds_until_interrupted


class AnyTree(DecisionTreeClassifier):
    """The same tree, but boosted round by round like any other classifier."""


def clouds(rows=200, columns=4, classes=2, seed=0):
    """Return overlapping classes without ties: all numbers differ."""
    random = np.random.default_rng(seed)
    y = random.integers(classes, size=rows)
    return random.normal(size=(rows, columns)) + 0.7 * y[:, None] * np.arange(columns), y


def mixed(rows=150, seed=0):
    """Return a frame of numbers, few numbers, categories and missing cells."""
    random = np.random.default_rng(seed)
    y = random.integers(3, size=rows)
    number = random.normal(size=rows) + y
    frame = pd.DataFrame(
        {
            "number": np.where(random.random(rows) < 0.1, np.nan, number),
            "few": random.integers(4, size=rows) + y,
            "word": np.array(["red", "green", "blue", "grey"])[(y + random.integers(3, size=rows)) % 4],
            "noise": random.normal(size=rows).round(1),
        }
    )
    frame.loc[random.random(rows) < 0.1, "word"] = None
    return frame, np.array(["ape", "bee", "cat"])[y]


# ---- The rule.


@pytest.mark.native
@pytest.mark.parametrize(
    ("classes", "multiclass"), [(2, "samme"), (3, "samme"), (5, "samme"), (2, "m1"), (3, "m1")]
)
@pytest.mark.parametrize("rate", [1.0, 0.3, 1.7])
def test_equals_the_reference(classes, multiclass, rate):
    X, y = clouds(60, 3, classes, seed=classes)
    stumps, errors, alphas, votes = reference.adaboost(X, y, 12, rate, multiclass == "m1")
    model = AdaBoostClassifier(n_estimators=12, learning_rate=rate, multiclass=multiclass).fit(X, y)
    assert model.n_rounds_ == len(alphas) > 0
    np.testing.assert_allclose(model.estimator_weights_, alphas, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.estimator_errors_, errors, rtol=0, atol=1e-10)
    scores = votes[:, 1] - votes[:, 0] if classes == 2 else votes
    np.testing.assert_allclose(model.decision_function(X), scores, rtol=0, atol=1e-9)
    for stump, member in zip(stumps, model.estimators_, strict=True):
        assert member.tree_.feature[0] == stump[0]
        assert member.tree_.threshold[0] == pytest.approx(stump[1])


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("limits", [{"max_depth": 1}, {"max_depth": 3, "min_samples_leaf": 25}], ids=str)
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_equals_scikit_learn(classes, limits, rate):
    """Votes are half of its. Leaves of many rows, since it draws among equal splits of few."""
    X, y = clouds(400, 4, classes, seed=7)
    theirs = ensemble.AdaBoostClassifier(
        tree.DecisionTreeClassifier(**limits), n_estimators=20, learning_rate=rate, random_state=0
    ).fit(X, y)
    ours = AdaBoostClassifier(DecisionTreeClassifier(**limits), 20, learning_rate=rate).fit(X, y)
    np.testing.assert_allclose(2 * ours.estimator_weights_, theirs.estimator_weights_, rtol=1e-9)
    np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_, rtol=1e-9)
    new = clouds(500, 4, classes, seed=99)[0]
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    if limits["max_depth"] == 1:  # deeper, two columns may divide a few rows alike
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-7)


@pytest.mark.parametrize("member", [GaussianNB(), LogisticRegression(C=1e6), NaiveBayesClassifier()])
def test_any_classifier_that_takes_weights(member):
    X, y = clouds()
    model = AdaBoostClassifier(member, 5).fit(X, y)
    assert model.n_rounds_ > 1
    assert type(model.estimators_[0]) is type(member)
    alone = clone(member).fit(X, y)
    np.testing.assert_array_equal(model.estimators_[0].predict(X), alone.predict(X))


def test_members_see_as_many_cases_as_there_are():
    """Pruning by errors would cut everything down if the weights summed to one."""
    X, y = clouds(300, 5, 3)
    model = AdaBoostClassifier(C45Classifier(), 5).fit(X, y)
    alone = C45Classifier().fit(X, y)
    assert model.estimators_[0].get_n_leaves() == alone.get_n_leaves() > 5
    assert model.estimators_[2].tree_.weight[0] == pytest.approx(300)
    assert model.score(X, y) > alone.score(X, y)


# ---- One call for all rounds, or one round after the other: the same.


def assert_same_rounds(ours, other, X):
    assert ours.stopped_ == other.stopped_
    np.testing.assert_allclose(ours.estimator_weights_, other.estimator_weights_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.staged_errors_, other.staged_errors_, rtol=0, atol=1e-10)
    for first, second in zip(ours.estimators_, other.estimators_, strict=True):
        for name in ("feature", "threshold", "levels_at", "level_child", "missing_child", "first_child"):
            np.testing.assert_array_equal(getattr(first.tree_, name), getattr(second.tree_, name))
        np.testing.assert_allclose(first.tree_.value, second.tree_.value, rtol=0, atol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), other.predict(X))


SETTINGS = [
    {"max_depth": 1},
    {"max_depth": 1, "criterion": "entropy"},
    {"max_depth": 3},
    {"max_depth": 3, "criterion": "entropy", "categories": "multiway"},
    {"max_depth": 2, "criterion": "gain_ratio", "missing": "own_branch"},
    {"max_depth": 2, "criterion": "misclassification", "categories": "one_level"},
    {"max_depth": 2, "criterion": "chi2"},
    {"max_depth": 2, "criterion": "relieff"},
    {"max_depth": 2, "missing": "surrogate"},
    {"max_leaf_nodes": 5},
    {"max_depth": 4, "max_features": 2},
    {"max_depth": 3, "max_features": 1},
    {"max_depth": 3, "threshold": "data", "smoothing": 1.0},
    {"max_depth": 3, "min_weight_fraction_leaf": 0.05},
    {"max_depth": 0},
    {"max_depth": None},
]


@pytest.mark.native
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_both_ways_agree_on_mixed_columns(settings, weighted):
    X, y = mixed()
    weights = np.random.default_rng(1).random(len(y)) * 3 if weighted else None
    fits = [
        AdaBoostClassifier(kind(**settings), 8, random_state=3).fit(X, y, sample_weight=weights)
        for kind in (DecisionTreeClassifier, AnyTree)
    ]
    assert_same_rounds(*fits, X)


DEGENERATE = {
    "one row": (np.ones((1, 2)), np.array([1])),
    "one class": (np.arange(8.0).reshape(4, 2), np.zeros(4, int)),
    "all rows alike": (np.ones((6, 2)), np.array([0, 1, 2, 0, 1, 0])),
    "balanced and alike": (np.ones((6, 2)), np.array([0, 1, 0, 1, 0, 1])),
    "exclusive or": (np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]] * 5), np.array([0, 1, 1, 0] * 5)),
    "column equals the class": (np.array([0, 1, 2, 0, 1, 2.0])[:, None], np.array([0, 1, 2, 0, 1, 2])),
    "integers": (np.random.default_rng(0).integers(3, size=(90, 4)).astype(float), np.arange(90) % 3),
    "binary": (np.random.default_rng(1).integers(2, size=(64, 5)).astype(float), np.arange(64) // 3 % 2),
    "neighbouring numbers": (1 + np.spacing(1.0) * (np.arange(40) % 7)[:, None], np.arange(40) % 3 % 2),
    "every row its own class": (np.random.default_rng(2).normal(size=(30, 3)), np.arange(30)),
}


@pytest.mark.native
@pytest.mark.parametrize("name", DEGENERATE)
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("multiclass", ["samme", "m1"])
def test_both_ways_agree_on_degenerate_tables(name, depth, multiclass):
    X, y = DEGENERATE[name]
    fits = [
        AdaBoostClassifier(kind(max_depth=depth), 12, multiclass=multiclass).fit(X, y)
        for kind in (DecisionTreeClassifier, AnyTree)
    ]
    assert_same_rounds(*fits, X)
    assert fits[0].staged_errors_[-1] == pytest.approx(1 - fits[0].score(X, y), abs=1e-12)


@pytest.mark.native
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_both_ways_agree_on_random_tables(classes, seed):
    X, y = clouds(400, 6, classes, seed)
    X[:, 1] = X[:, 1].round(1)
    weights = np.random.default_rng(seed).integers(0, 4, size=len(y))
    for settings in ({"max_depth": 1}, {"max_depth": 3, "criterion": "entropy"}):
        fits = [
            AdaBoostClassifier(kind(**settings), 30).fit(X, y, sample_weight=weights)
            for kind in (DecisionTreeClassifier, AnyTree)
        ]
        assert_same_rounds(*fits, X)


def test_what_only_single_fits_can_do_is_left_to_them():
    """Pruning, class weights and rows in several branches."""
    X, y = mixed()
    for settings in ({"prune": 0.01}, {"class_weight": "balanced"}, {"missing": "fraction"}):
        fits = [
            AdaBoostClassifier(kind(max_depth=2, **settings), 4) for kind in (DecisionTreeClassifier, AnyTree)
        ]
        first, second = (model.fit(X, y).predict_proba(X) for model in fits)
        np.testing.assert_array_equal(first, second)


def test_limits_count_the_rows_there_are():
    X, y = clouds(200, 4)
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=6, min_samples_leaf=20), 30).fit(X, y)
    for member in model.estimators_:
        tree_ = member.tree_
        assert tree_.cases[tree_.is_leaf].min() >= 20
        assert np.bincount(member.apply(X))[tree_.is_leaf].min() >= 20


@pytest.mark.native
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("classes", [2, 3, 20])
def test_the_unit_of_weights_changes_no_tree(criterion, classes):
    """Cuts are found for weights whose squares are just about numbers."""
    X, y = clouds(1500, 4, classes)
    weights = np.random.default_rng(0).random(len(y))
    model = AdaBoostClassifier(DecisionTreeClassifier(criterion, max_depth=3), 5)
    plain = clone(model).fit(X, y, sample_weight=weights)
    for unit in (2.0**-450, 2.0**450):
        other = clone(model).fit(X, y, sample_weight=weights * unit)
        for first, second in zip(plain.estimators_, other.estimators_, strict=True):
            np.testing.assert_array_equal(first.tree_.feature, second.tree_.feature)
            np.testing.assert_array_equal(first.tree_.threshold, second.tree_.threshold)


# ---- Where it stops.


def test_a_member_without_errors_decides_alone():
    X = np.array([0.0, 1, 2, 3])[:, None]
    model = AdaBoostClassifier().fit(X, [0, 0, 1, 1])
    assert model.n_rounds_ == 1
    assert model.stopped_ == "Member 1 made no error: it decides alone."
    # Half an error in one case more than there are: e = (1/2) / 5.
    assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(0.9 / 0.1), abs=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], [0.1, 0.1, 0.9, 0.9], atol=1e-12)


class Scripted(GaussianNB):
    """Answers that are known beforehand, one list for each fit."""

    answers = ()

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.said, Scripted.answers = Scripted.answers[0], Scripted.answers[1:]
        return self

    def predict(self, X):
        return np.array(self.said)[X[:, 0].astype(int)]


def scripted(truth, *answers, **parameters):
    Scripted.answers = answers
    X = np.arange(float(len(truth)))[:, None]
    return AdaBoostClassifier(Scripted(), len(answers), **parameters).fit(X, truth), X


def test_a_later_member_without_errors_outvotes_all_before_it():
    truth = [0, 0, 0, 1, 1, 1]
    model, X = scripted(truth, [1, 0, 0, 1, 1, 1], [0, 1, 0, 1, 1, 1], truth, [1] * 6)
    assert model.n_rounds_ == 3
    assert model.stopped_ == "Member 3 made no error: it decides alone."
    alphas = model.estimator_weights_
    assert alphas[2] == pytest.approx(alphas[0] + alphas[1] + 0.5 * np.log(13), abs=1e-12)
    assert model.predict(X).tolist() == truth
    assert model.staged_errors_[-1] == 0


def test_a_member_no_better_than_chance_is_left_out():
    truth = [0, 0, 1, 1]
    # The first gets a quarter wrong; after that row 0 weighs one half, and the second is wrong there.
    model, _ = scripted(truth, [1, 0, 1, 1], [1, 0, 1, 1], truth)
    assert model.n_rounds_ == len(model.estimators_) == 1
    assert re.search(r"^Member 2 .*\(error 0.5\)", model.stopped_)


def test_a_first_member_no_better_than_chance_stays_alone():
    model, X = scripted([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1])
    assert re.search(r"^The first member .*\(error 0.5\)", model.stopped_)
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.predict(X).tolist() == [0, 1, 0, 1]


def test_samme_goes_on_where_m1_stops():
    truth, said = [0, 1, 2, 0, 1, 2], [0, 1, 1, 1, 2, 2]  # half of it is wrong
    model, _ = scripted(truth, said, truth)
    assert model.n_rounds_ == 2
    assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(2), abs=1e-12)
    model, _ = scripted(truth, said, truth, multiclass="m1")
    assert model.n_rounds_ == 1
    assert model.stopped_.startswith("The first member ")


def test_votes_that_differ_by_rounding_only_are_a_tie():
    """0.1 + 0.2 and 0.3: the first class has it, in every method."""
    X, y = clouds(40)
    model = AdaBoostClassifier(AnyTree(max_depth=1), 3).fit(X, y)
    members = [clone(model.estimators_[0]).fit(X, np.full(len(y), label)) for label in (1, 1, 0)]
    model._members = type(model._members)(members, model.classes_)
    model.estimator_weights_ = np.array([0.1, 0.2, 0.3])
    assert (model.decision_function(X) == 0).all()
    assert (model.predict_proba(X) == 0.5).all()
    assert (model.predict(X) == 0).all()
    assert (list(model.staged_predict(X))[-1] == 0).all()


# ---- Resampling.


def test_resampling_learns_from_as_many_rows_drawn_by_weight():
    X, y = clouds(300, 4)
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), 20, method="resample", random_state=0)
    model.fit(X, y)
    assert all(member.tree_.cases[0] == 300 for member in model.estimators_)
    assert model.estimators_[0].tree_.value[0].tolist() != np.bincount(y).tolist()
    assert model.staged_errors_[-1] <= model.staged_errors_[0]
    again = clone(model).fit(X, y)
    np.testing.assert_array_equal(again.estimator_weights_, model.estimator_weights_)
    other = clone(model).set_params(random_state=1).fit(X, y)
    assert other.estimator_errors_[0] != model.estimator_errors_[0]


def test_heavy_rows_are_drawn_more_often():
    """The second sample has about half of its rows among those the first member got wrong."""
    X, y = clouds(2000, 4, seed=5)
    drawn = []

    class Watching(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            drawn.append(X)
            return super().fit(X, y, sample_weight)

    model = AdaBoostClassifier(Watching(max_depth=1), 2, method="resample", random_state=0).fit(X, y)
    wrong = X[model.estimators_[0].predict(X) != y]
    share = np.isin(drawn[1][:, 0], wrong[:, 0]).mean()
    assert len(wrong) / len(X) < 0.3
    assert share == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / 2000))


@pytest.mark.parametrize("member", [KNeighborsClassifier(3), LogisticRegression(), GaussianNB()])
def test_resampling_takes_any_classifier(member):
    X, y = clouds(100, 4)
    model = AdaBoostClassifier(member, 10, method="resample", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.8
    assert set(model.predict(X)) <= {0, 1}


def test_resampling_never_draws_one_class_only():
    """Of twenty rows of one class and one of the other, most samples have no row of the other."""
    X, y = np.arange(21.0)[:, None], np.array([0] * 20 + [1])
    model = AdaBoostClassifier(LogisticRegression(), 5, method="resample", random_state=0).fit(X, y)
    assert all(len(member.classes_) == 2 for member in model.estimators_)


# ---- What goes in.


def test_classifiers_without_weights_are_told_to_resample():
    X, y = clouds()
    with pytest.raises(
        ParameterError, match=r"^method must be 'resample' for KNeighborsClassifier, whose fit"
    ):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)


@pytest.mark.parametrize("bad", [DecisionTreeClassifier, tree.DecisionTreeRegressor(), 3])
def test_the_estimator_must_be_a_classifier(bad):
    X, y = clouds()
    with pytest.raises(ParameterError, match=r"^estimator must be None or a classifier, got"):
        AdaBoostClassifier(bad).fit(X, y)


@pytest.mark.parametrize("method", ["reweight", "resample"])
@pytest.mark.parametrize("kind", [DecisionTreeClassifier, AnyTree])
def test_weights_are_repetitions(method, kind):
    X, y = mixed()
    counts = np.random.default_rng(3).integers(0, 4, size=len(y))
    model = AdaBoostClassifier(kind(max_depth=2), 6, method=method, random_state=0)
    weighted = clone(model).fit(X, y, sample_weight=counts)
    rows = np.repeat(np.arange(len(y)), counts)
    repeated = clone(model).fit(X.iloc[rows], y[rows])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_allclose(weighted.staged_errors_, repeated.staged_errors_, rtol=0, atol=1e-10)


def test_weights_may_leave_a_class_out():
    X, y = clouds(90, 3, classes=3)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y, sample_weight=y != 1)
    assert model.classes_.tolist() == [0, 2]
    weights = next(model.staged_row_weights(X, y, sample_weight=y != 1))
    assert (weights[y == 1] == 0).all()
    assert len(list(model.staged_row_weights(X, y, sample_weight=y != 1))) == model.n_rounds_


@pytest.mark.parametrize("method", ["reweight", "resample"])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.from_pandas])
def test_frames_stay_frames(method, frame):
    X, y = mixed()
    X = X.assign(word=X["word"].fillna("none"))
    given = frame(X[["word"]])
    member = make_pipeline(OneHotEncoder(sparse_output=False), GaussianNB())
    if method == "reweight":
        member, given = AnyTree(max_depth=1), frame(X)
    model = AdaBoostClassifier(member, 4, method=method, random_state=0).fit(given, y)
    assert list(model.feature_names_in_) == list(given.columns)
    assert model.score(given, y) > 0.4


def test_text_for_a_pipeline_is_handed_on():
    from sklearn.feature_extraction.text import CountVectorizer

    words, y = ["red fish", "blue fish", "red car", "old car"] * 5, ["fish", "fish", "car", "car"] * 5
    member = make_pipeline(CountVectorizer(), LogisticRegression())
    model = AdaBoostClassifier(member, 2, method="resample", random_state=0).fit(words, y)
    assert model.predict(["green fish", "new car"]).tolist() == ["fish", "car"]


def test_named_categories_are_for_stumps():
    X = np.array([[0.0], [1], [2], [3]] * 5)
    y = np.array([0, 1, 0, 1] * 5)
    assert AdaBoostClassifier(n_estimators=1, categorical_features=[0]).fit(X, y).score(X, y) == 1
    assert AdaBoostClassifier(n_estimators=1).fit(X, y).score(X, y) == 0.75


def test_errors_of_the_rows_name_their_place_before_any_sample_is_drawn():
    X, y = clouds(50, 3)
    X[17, 1] = np.inf
    with pytest.raises(DataError, match=r"column 1, row 17, must be finite"):
        AdaBoostClassifier(DecisionTreeClassifier(), method="resample").fit(X, y)


# ---- Looking at it.


@pytest.mark.parametrize("estimator", [None, AnyTree(max_depth=2), GaussianNB()])
@pytest.mark.parametrize("classes", [2, 3])
def test_stages_end_where_the_model_is(estimator, classes):
    X, y = clouds(150, 3, classes)
    model = AdaBoostClassifier(estimator, 6).fit(X, y)
    for name in ("predict", "predict_proba", "decision_function"):
        stages = list(getattr(model, f"staged_{name}")(X))
        assert len(stages) == model.n_rounds_
        np.testing.assert_allclose(stages[-1], getattr(model, name)(X), rtol=0, atol=1e-12)
    errors = [(labels != y).mean() for labels in model.staged_predict(X)]
    np.testing.assert_allclose(model.staged_errors_, errors, rtol=0, atol=1e-12)
    fewer = clone(model).set_params(n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(list(model.staged_predict(X))[2], fewer.predict(X))


def test_row_weights_need_known_labels():
    X, y = clouds(30)
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    with pytest.raises(DataError, match="y must be"):
        next(model.staged_row_weights(X, y + 7))


def test_importances_are_those_of_the_members_by_their_votes():
    X, y = clouds(200, 4)
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    mean = np.average(
        [m.feature_importances_ for m in model.estimators_], axis=0, weights=model.estimator_weights_
    )
    np.testing.assert_allclose(model.feature_importances_, mean)
    assert model.feature_importances_.argmax() == 3
    assert not hasattr(AdaBoostClassifier(GaussianNB(), 2).fit(X, y), "feature_importances_")


def test_members_are_whole_trees():
    X, y = mixed()
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), 3).fit(X, y)
    for member, said in zip(model.estimators_, model._members.answers(X), strict=True):
        np.testing.assert_array_equal(member.predict(X), model.classes_[said])
        assert "number" in member.to_text() or "word" in member.to_text() or "few" in member.to_text()
        assert member.prune_to(1).get_n_leaves() == 1
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict_proba(X), model.predict_proba(X))


def test_tags_follow_the_members():
    assert AdaBoostClassifier().__sklearn_tags__().input_tags.allow_nan
    assert not AdaBoostClassifier(GaussianNB()).__sklearn_tags__().input_tags.allow_nan
    told = LogisticRegression().__sklearn_tags__().input_tags.sparse  # old versions do not tell
    assert AdaBoostClassifier(LogisticRegression()).__sklearn_tags__().input_tags.sparse == told


def test_sparse_rows_are_handed_on():
    X, y = clouds()
    model = AdaBoostClassifier(LogisticRegression(), 3)
    dense = clone(model).fit(X, y).predict(X)
    np.testing.assert_array_equal(model.fit(sparse.csr_matrix(X), y).predict(sparse.csr_matrix(X)), dense)


def test_rounds_can_be_drawn():
    X, y = clouds()
    model = AdaBoostClassifier(n_estimators=7).fit(X, y)
    ax = model.plot_rounds()
    member, training = (line.get_ydata() for line in ax.get_lines())
    np.testing.assert_array_equal(member, model.estimator_errors_)
    np.testing.assert_array_equal(training, model.staged_errors_)
    [bars] = [other for other in ax.figure.axes if other is not ax]
    np.testing.assert_array_equal([bar.get_height() for bar in bars.patches], model.estimator_weights_)
    assert model.plot_rounds(ax) is ax
    pyplot.close(ax.figure)


@pytest.mark.native
def test_threads_leave_the_same_model():
    X, y = clouds(6000, 5, seed=2)
    one = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), 10, n_jobs=1).fit(X, y)
    three = AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), 10, n_jobs=3).fit(X, y)
    np.testing.assert_array_equal(one.estimator_weights_, three.estimator_weights_)
    np.testing.assert_array_equal(one.predict_proba(X), three.predict_proba(X))


@pytest.mark.native
def test_rows_change_as_the_rule_says():
    """Three of ten rows wrong: they become 1/6, the others 1/14; the vote is half the logarithm of 7/3."""
    codes, said = np.zeros(10, np.int32), np.array([1, 1, 1] + 7 * [0], np.int32)
    start = np.full(10, 0.1)
    weights, votes = start.copy(), np.zeros((10, 2))
    learned = native.take_round((1.0, 0.0, 0.5, 10.0), codes, start, weights, votes, said, 0.0, 1)
    assert learned[:3] == pytest.approx((0.3, np.log(7 / 3) / 2, 0.3), abs=1e-12)
    assert learned[3] == "none"
    np.testing.assert_allclose(weights, [1 / 6] * 3 + [1 / 14] * 7, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(votes[np.arange(10), said], learned[1])


@pytest.mark.native
@pytest.mark.parametrize(
    "wrong",
    [
        {"codes": np.zeros(9, np.int32)},
        {"codes": np.full(10, 2, np.int32)},
        {"said": np.full(10, -1, np.int32)},
        {"start": np.zeros(11)},
        {"weights": np.zeros(3)},
        {"votes": np.zeros((9, 2))},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_arrays_that_do_not_fit_are_refused(wrong):
    arrays = {
        "codes": np.zeros(10, np.int32),
        "start": np.zeros(10),
        "weights": np.zeros(10),
        "votes": np.zeros((10, 2)),
        "said": np.zeros(10, np.int32),
    } | wrong
    with pytest.raises(ValueError, match="must"):
        native.take_round((1.0, 0.0, 0.5, 10.0), *arrays.values(), 0.0, 1)


@pytest.mark.native
def test_an_interrupt_ends_the_rounds_at_once():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(20_000, 20)), random.integers(2, size=20_000)
    model = AdaBoostClassifier(n_estimators=100_000)
    waits = [seconds_until_interrupted(lambda: model.fit(X, y)) for _ in range(3)]
    assert min(waits) < 0.2
    assert not hasattr(model, "classes_")


def test_scaled_pipelines_take_part():
    X, y = clouds()
    member = make_pipeline(StandardScaler(), LogisticRegression())
    model = AdaBoostClassifier(member, 3, method="resample", random_state=0).fit(X, y)
    assert model.n_features_in_ == 4
