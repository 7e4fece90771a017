"""Bagging any classifier: a loop by hand, samples of every size, and the error out of the bag."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn import config_context, get_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_iris, make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier as PeerTree
from sklearn.utils import get_tags

from classica import (
    BaggingClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearDiscriminantClassifier,
    NaiveBayesClassifier,
    NearestMeanClassifier,
    SVMClassifier,
    VotingClassifier,
    persist,
)
from classica.errors import DataError, ParameterError

KINDS = {
    "knn": KNeighborsClassifier(3),
    "naive Bayes": NaiveBayesClassifier(),
    "C4.5": C45Classifier(),
    "lda": LinearDiscriminantClassifier(),
    "scikit-learn's tree": PeerTree(max_features=1),
    "scikit-learn's logistic regression": LogisticRegression(max_iter=2000),
    "a pipeline": make_pipeline(SimpleImputer(), LogisticRegression(max_iter=2000)),
    "a vote": VotingClassifier([("knn", KNeighborsClassifier(3)), ("tree", PeerTree())], voting="soft"),
}


@pytest.fixture(scope="module")
def table():
    X, y = make_classification(240, 6, n_classes=3, n_informative=4, flip_y=0.1, random_state=4)
    return X, np.array(["ape", "bee", "cat"])[y]


@pytest.fixture(scope="module")
def mixed():
    """Return columns of numbers, text and categories with missing cells, and labels."""
    random = np.random.default_rng(3)
    y = np.arange(300) % 2
    colour = np.where(random.random(300) < 0.8, np.array(["red", "blue"])[y], "green").astype(object)
    colour[::17] = None
    size = random.normal(size=300) + y
    size[::13] = np.nan
    weight = random.normal(size=300) - y
    shape = random.choice(["o", "x"], 300).tolist()
    return {"size": size, "colour": colour.tolist(), "weight": weight, "shape": shape}, y


def refitted(model, X, y):
    """Fit what each member should be, on its rows and columns."""
    parts = zip(model.estimators_, model.estimators_samples_, model.estimators_features_, strict=True)
    return [clone(member).fit(X[rows][:, columns], y[rows]) for member, rows, columns in parts]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "drawing",
    [{}, {"max_samples": 0.5, "bootstrap": False, "max_features": 4}, {"bootstrap_features": True}],
    ids=["bootstrap", "parts of rows and columns", "columns again"],
)
def test_it_is_a_loop_over_samples(kind, drawing, table):
    X, y = table
    model = BaggingClassifier(KINDS[kind], 4, random_state=0, **drawing).fit(X, y)
    columns = model.estimators_features_
    alone = refitted(model, X, y)
    mean = sum(m.predict_proba(X[:, c]) for m, c in zip(alone, columns, strict=True)) / 4
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=0, atol=1e-12)
    hard = clone(model).set_params(voting="hard").fit(X, y)
    said = np.array([m.predict(X[:, c]) for m, c in zip(alone, columns, strict=True)])
    shares = np.stack([(said == label).mean(axis=0) for label in model.classes_], axis=1)
    np.testing.assert_allclose(hard.predict_proba(X), shares, rtol=0, atol=1e-15)


@pytest.mark.parametrize(("wanted", "size"), [(1.0, 240), (0.5, 120), (17, 17), (1, 1), (1e-9, 1)])
@pytest.mark.parametrize("bootstrap", [True, False])
def test_size_of_a_sample(wanted, size, bootstrap, table):
    X, y = table
    model = BaggingClassifier(
        NaiveBayesClassifier(), 6, max_samples=wanted, bootstrap=bootstrap, random_state=0
    ).fit(X, y)
    samples = model.estimators_samples_
    assert [len(rows) for rows in samples] == [size] * 6
    for rows in samples:
        assert (np.diff(rows) >= 0).all()
        assert bootstrap or len(set(rows)) == size
    if size == 240 and bootstrap:
        share = np.mean([len(set(rows)) / 240 for rows in samples])
        assert share == pytest.approx(1 - np.exp(-1), abs=0.04)
    if size < 240:
        assert len({tuple(rows) for rows in samples}) > 1


@pytest.mark.parametrize(("wanted", "size"), [(1.0, 6), (0.5, 3), (2, 2), (0.01, 1)])
@pytest.mark.parametrize("again", [True, False])
def test_number_of_columns(wanted, size, again, table):
    X, y = table
    model = BaggingClassifier(
        max_features=wanted, bootstrap_features=again, n_estimators=12, random_state=0
    ).fit(X, y)
    drawn = model.estimators_features_
    assert [len(columns) for columns in drawn] == [size] * 12
    if again and size > 1:
        assert any(len(set(columns)) < size for columns in drawn)
    elif not again:
        assert all(len(set(columns)) == size for columns in drawn)
    assert set(np.concatenate(drawn)) == set(range(6))
    assert [member.n_features_in_ for member in model.estimators_] == [size] * 12


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("weighted", [False, True])
def test_out_of_bag_by_brute_force(voting, weighted, table):
    X, y = table
    weights = np.arange(240) % 3 + 0.5 if weighted else None
    model = BaggingClassifier(PeerTree(), 12, voting=voting, random_state=1).fit(X, y, weights)
    counts = np.ones(240) if weights is None else weights
    labels = [member.predict(X)[:, None] == model.classes_ for member in model.estimators_]
    given = labels if voting == "hard" else [member.predict_proba(X) for member in model.estimators_]
    samples = [set(rows.tolist()) for rows in model.estimators_samples_]
    for size in range(1, 13):
        sums, voters = np.zeros((240, 3)), np.zeros(240)
        for number in range(size):
            for row in set(range(240)) - samples[number]:
                sums[row] += given[number][row]
                voters[row] += 1
        asked = voters > 0
        wrong = model.classes_[sums.argmax(axis=1)] != y
        error = counts[asked] @ wrong[asked] / counts[asked].sum()
        assert model.oob_errors_[size - 1] == pytest.approx(error, abs=1e-12)
    np.testing.assert_allclose(model.oob_decision_function_[asked], sums[asked] / voters[asked, None])
    assert np.isnan(model.oob_decision_function_[~asked]).all()
    assert model.oob_error_ == model.oob_errors_[-1]
    assert model.oob_score_ == 1 - model.oob_error_


def test_rows_that_are_in_every_sample_have_no_out_of_bag_answer(table):
    X, y = table
    model = BaggingClassifier(NaiveBayesClassifier(), 2, random_state=0).fit(X, y)
    in_all = np.isin(np.arange(240), np.intersect1d(*model.estimators_samples_))
    assert in_all.any()
    np.testing.assert_array_equal(np.isnan(model.oob_decision_function_).any(axis=1), in_all)
    whole = BaggingClassifier(NaiveBayesClassifier(), 2, bootstrap=False, random_state=0).fit(X, y)
    assert np.isnan(whole.oob_error_)
    assert np.isnan(whole.oob_errors_).all()
    assert np.isnan(whole.oob_decision_function_).all()
    assert not hasattr(whole.set_params(oob_score=False).fit(X, y), "oob_error_")


def test_the_out_of_bag_error_is_that_of_new_rows():
    X, y = make_classification(6000, 10, n_informative=5, flip_y=0.1, random_state=3)
    model = BaggingClassifier(DecisionTreeClassifier(), 50, random_state=0).fit(X[:1500], y[:1500])
    assert model.oob_error_ == pytest.approx(1 - model.score(X[1500:], y[1500:]), abs=0.02)


def test_the_lectures_claim_that_an_unstable_tree_gets_better():
    """Mean errors on new rows over ten tables; the linear discriminant is stable and stays as it is."""
    errors = {"tree": [], "bagged": [], "lda": [], "bagged lda": []}
    for seed in range(10):
        X, y = make_classification(2300, 10, n_informative=5, flip_y=0.1, random_state=seed)
        learn, test = (X[:300], y[:300]), (X[300:], y[300:])
        tree, lda = DecisionTreeClassifier(), LinearDiscriminantClassifier()
        models = {
            "tree": tree,
            "bagged": BaggingClassifier(tree, 30, random_state=seed),
            "lda": lda,
            "bagged lda": BaggingClassifier(lda, 30, random_state=seed),
        }
        for name, model in models.items():
            errors[name].append(1 - model.fit(*learn).score(*test))
    mean = {name: np.mean(found) for name, found in errors.items()}
    assert all(b < t for b, t in zip(errors["bagged"], errors["tree"], strict=True))
    assert mean["bagged"] < mean["tree"] - 0.04
    assert abs(mean["bagged lda"] - mean["lda"]) < 0.01


def test_stages_and_smaller_ensembles_are_the_first_members(table):
    X, y = table
    model = BaggingClassifier(PeerTree(max_features=2), 6, max_features=0.5, random_state=0).fit(X, y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == 6
    np.testing.assert_array_equal(stages[-1], model.predict_proba(X))
    few = BaggingClassifier(PeerTree(max_features=2), 2, max_features=0.5, random_state=0).fit(X, y)
    np.testing.assert_array_equal(few.predict_proba(X), stages[1])
    np.testing.assert_array_equal(few.oob_errors_, model.oob_errors_[:2])


@pytest.mark.parametrize("kind", KINDS)
def test_threads_do_not_change_a_bit(kind, table):
    X, y = table
    models = [BaggingClassifier(KINDS[kind], 5, random_state=3, n_jobs=jobs).fit(X, y) for jobs in (1, 2, 4)]
    for model in models[1:]:
        np.testing.assert_array_equal(model.predict_proba(X), models[0].predict_proba(X))
        np.testing.assert_array_equal(model.oob_decision_function_, models[0].oob_decision_function_)
    for model, jobs in zip(models, (1, 2, 4), strict=True):
        ours = [member for member in model.estimators_ if type(member).__module__.startswith("classica.")]
        assert all(member.n_jobs == jobs for member in ours)


@pytest.mark.parametrize("kind", ["knn", "C4.5", "naive Bayes", "scikit-learn's tree"])
@pytest.mark.parametrize("drawing", [{}, {"max_samples": 0.5, "bootstrap": False}])
def test_a_weight_is_a_row_repeated_for_any_member(kind, drawing, table):
    X, y = table
    weights = np.arange(240) % 4
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(240), weights))
    base = clone(KINDS[kind])
    if isinstance(base, PeerTree):
        base.set_params(max_features=None)  # it draws columns, and then decides equal splits by the order
    weighted = BaggingClassifier(base, 4, random_state=0, **drawing).fit(X, y, weights)
    repeated = BaggingClassifier(base, 4, random_state=0, **drawing).fit(X[order], y[order])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-12)
    assert all((weights[rows] > 0).all() for rows in weighted.estimators_samples_)


def test_weights_that_are_no_whole_numbers_say_how_likely_a_row_is(table):
    X, y = table
    weights = np.where(np.arange(240) < 120, 0.3, 0.1)
    model = BaggingClassifier(NearestMeanClassifier(), 40, random_state=0).fit(X, y, weights)
    first = np.mean([np.mean(rows < 120) for rows in model.estimators_samples_])
    assert first == pytest.approx(0.75, abs=0.02)


def test_a_class_that_is_not_in_every_sample():
    X, y = np.arange(40.0)[:, None], np.r_[np.zeros(20, int), np.full(18, 5), 7, 9]
    # Trees that are pruned learn one by one, each from what it sees.
    model = BaggingClassifier(DecisionTreeClassifier(prune=0.0), 8, random_state=0).fit(X, y)
    known = [set(member.classes_) for member in model.estimators_]
    assert any(9 not in classes for classes in known)
    assert any(9 in classes for classes in known)
    assert model.classes_.tolist() == [0, 5, 7, 9]
    share = np.mean([9 in m.predict([[39.0]]) for m in model.estimators_])
    assert model.predict_proba([[39.0]])[0, 3] == pytest.approx(share)


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
@pytest.mark.parametrize("limits", [{}, {"min_samples_leaf": 0.05, "max_features": 2}, {"max_leaf_nodes": 9}])
def test_trees_that_share_a_table_are_those_grown_one_by_one(table, missing, limits):
    X, y = table
    X = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    base = DecisionTreeClassifier("entropy", missing=missing, **limits)
    model = BaggingClassifier(base, 5, random_state=0).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        alone = clone(member).fit(X[rows], y[rows])
        np.testing.assert_allclose(member.predict_proba(X), alone.predict_proba(X), rtol=0, atol=1e-12)


FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize(
    "base", [None, NaiveBayesClassifier(), C45Classifier(), KNeighborsClassifier(metric="heom")]
)
@pytest.mark.parametrize("drawing", [{}, {"max_features": 0.5}, {"bootstrap_features": True}])
def test_frames_with_categories_and_missing_cells(kind, base, drawing, mixed):
    columns, y = mixed
    frame = FRAMES[kind](columns)
    model = BaggingClassifier(base, 8, random_state=0, **drawing).fit(frame, y)
    assert model.oob_error_ < 0.3
    assert model.score(frame, y) > 0.75
    other = BaggingClassifier(base, 8, random_state=0, **drawing).fit(pl.DataFrame(columns), y)
    np.testing.assert_array_equal(model.predict_proba(frame), other.predict_proba(pl.DataFrame(columns)))
    assert get_tags(model).input_tags.categorical
    assert get_tags(model).input_tags.allow_nan
    names = np.array(list(columns))
    for member, seen in zip(model.estimators_, model.estimators_features_, strict=True):
        assert [name.rstrip("'") for name in member.feature_names_in_] == names[seen].tolist()


@pytest.mark.parametrize("voting", ["soft", "hard"])
def test_a_frame_is_read_once_for_all_trees(voting, mixed, monkeypatch, tmp_path):
    X, y = pl.DataFrame(mixed[0]), mixed[1]
    model = BaggingClassifier(n_estimators=7, voting=voting, random_state=0).fit(X, y)
    persist.save(model, tmp_path / "bag.classica")
    stored = persist.load(tmp_path / "bag.classica")
    of_trees = np.mean([tree.predict_proba(X) for tree in model.estimators_], axis=0)
    votes = np.mean([tree.predict(X)[:, None] == model.classes_ for tree in model.estimators_], axis=0)
    reads, read = [], DecisionTreeClassifier._read
    monkeypatch.setattr(DecisionTreeClassifier, "_read", lambda *a, **k: reads.append(1) or read(*a, **k))
    for bag in (model, stored):
        assert bag.predict_proba(X) == pytest.approx(of_trees if voting == "soft" else votes, abs=1e-15)
    assert len(reads) == 2


def test_named_categories_are_named_anew_among_fewer_columns():
    random = np.random.default_rng(0)
    y = np.arange(400) % 2
    codes = np.array([0, 7, 3, 5, 1, 6, 2, 4])[(random.integers(0, 4, 400) + 4 * y)]  # no order among them
    X = np.c_[random.normal(size=(400, 2)), codes, random.normal(size=400)]
    base = DecisionTreeClassifier(categorical_features=[2], categories="multiway")
    model = BaggingClassifier(base, 12, max_features=2, random_state=0).fit(X, y)
    for member, seen in zip(model.estimators_, model.estimators_features_, strict=True):
        assert member._categorical.tolist() == (seen == 2).tolist()
        if 2 in seen:
            assert member.score(X[:, seen], y) == 1
    frame = pd.DataFrame(X, columns=list("abcd"))
    named = BaggingClassifier(
        clone(base).set_params(categorical_features=["c"]), 12, max_features=2, random_state=0
    )
    np.testing.assert_array_equal(named.fit(frame, y).predict_proba(frame), model.predict_proba(X))


def test_frames_for_scikit_learns_pipelines(mixed):
    columns, y = mixed
    frame = pd.DataFrame(columns).assign(day=pd.Timestamp("2024-01-01"))  # what only a pipeline can read
    numbers = make_pipeline(SimpleImputer(), "passthrough")
    text = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    reader = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")), (text, ["colour", "shape"])
    )
    base = make_pipeline(reader, LogisticRegression())
    model = BaggingClassifier(base, 5, random_state=0).fit(frame, y)
    again = BaggingClassifier(base, 5, random_state=0, n_jobs=1).fit(frame, y)
    np.testing.assert_array_equal(model.predict_proba(frame), again.predict_proba(frame))
    assert model.score(frame, y) > 0.8


def test_missing_cells_where_tags_do_not_tell():
    X, y = load_iris(return_X_y=True)
    X[::7, 2] = np.nan
    base = make_pipeline(SimpleImputer(), LogisticRegression(max_iter=1000))
    assert BaggingClassifier(base, 3, random_state=0).fit(X, y).score(X, y) > 0.85
    assert (
        BaggingClassifier(HistGradientBoostingClassifier(max_iter=5), 2, random_state=0).fit(X, y).score(X, y)
        > 0.9
    )


def test_sparse_rows(table):
    X, y = table
    X = np.where(np.abs(X) < 1, 0, X)
    dense = BaggingClassifier(NearestMeanClassifier(), 4, random_state=0).fit(X, y)
    sparse = BaggingClassifier(NearestMeanClassifier(), 4, random_state=0).fit(sp.csc_array(X), y)
    np.testing.assert_allclose(sparse.predict_proba(sp.csr_array(X)), dense.predict_proba(X), atol=1e-12)
    for first, second in zip(dense.estimators_samples_, sparse.estimators_samples_, strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("settings", "error", "said"),
    [
        (
            {"voting": "soft", "estimator": LinearSVC()},
            ParameterError,
            "voting must be 'hard' for LinearSVC, which has no predict_proba, got 'soft'.",
        ),
        ({"max_samples": 241}, DataError, "max_samples must be at most 240, the number of rows, got 241."),
        (
            {"max_features": 7},
            ParameterError,
            "max_features must be at most 6, the number of columns, got 7.",
        ),
        (
            {"max_features": 1.5},
            ParameterError,
            "max_features must be an integer of at least 1 or a number above 0 of at most 1, got 1.5.",
        ),
        ({"n_estimators": 0}, ParameterError, "n_estimators must be an integer of at least 1, got 0."),
        ({"estimator": PeerTree}, ParameterError, None),
    ],
)
def test_what_cannot_be(settings, error, said, table):
    with pytest.raises(error) as caught:
        BaggingClassifier(**settings).fit(*table)
    name = next(iter(settings))
    assert str(caught.value) == said if said else str(caught.value).startswith(f"{name} must be ")


def test_members_without_probabilities_give_a_vote_each_by_default(table):
    X, y = table
    model = BaggingClassifier(SVMClassifier(), 3, random_state=0).fit(X, y)
    hard = BaggingClassifier(SVMClassifier(), 3, voting="hard", random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), hard.predict_proba(X))
    assert (model.voting_, BaggingClassifier(n_estimators=2).fit(X, y).voting_) == ("hard", "soft")


KERNEL_MACHINES = [SVMClassifier(kernel="precomputed"), KNeighborsClassifier(3, metric="precomputed")]


@pytest.mark.parametrize("machine", KERNEL_MACHINES, ids=lambda one: type(one).__name__)
def test_of_a_kernel_rows_and_columns_are_drawn(machine, table, tmp_path):
    X, y = table
    distances = np.abs(X[:, None] - X[None]).sum(axis=2)
    kernel = np.exp(-0.2 * distances) if isinstance(machine, SVMClassifier) else distances
    model = BaggingClassifier(machine, 4, random_state=0).fit(kernel, y)
    for number, member in enumerate(model.estimators_):
        rows = model.estimators_samples_[number]
        np.testing.assert_array_equal(model.estimators_features_[number], rows)
        by_hand = clone(machine).fit(kernel[np.ix_(rows, rows)], y[rows])
        np.testing.assert_array_equal(member.predict(kernel[:, rows]), by_hand.predict(kernel[:, rows]))
    assert model.score(kernel, y) > 0.7
    assert model.oob_score_ > 0.6
    assert cross_val_score(model, kernel, y, cv=3).min() > 0.5  # scikit-learn cuts columns, too
    persist.save(model, tmp_path / "bag.classica")
    loaded = persist.load(tmp_path / "bag.classica")
    np.testing.assert_array_equal(loaded.predict_proba(kernel), model.predict_proba(kernel))


def test_of_a_kernel_no_columns_are_left_out(table):
    X, y = table
    with pytest.raises(ParameterError, match=r"max_features must be 1\.0 for"):
        BaggingClassifier(SVMClassifier(kernel="precomputed"), max_features=0.5).fit(X @ X.T, y)


def test_a_hard_vote_needs_no_probabilities(table):
    X, y = table
    model = BaggingClassifier(LinearSVC(), 5, voting="hard", random_state=0).fit(X, y)
    said = np.array([member.predict(X) for member in model.estimators_])
    shares = np.stack([(said == label).mean(axis=0) for label in model.classes_], axis=1)
    np.testing.assert_allclose(model.predict_proba(X), shares)


def test_a_bad_value_is_named_where_it_was_given_and_not_where_it_was_drawn(table):
    X, y = table
    bad = X.copy()
    bad[200, 3] = np.nan
    with pytest.raises(DataError, match="column 3, row 200"):
        BaggingClassifier(LinearDiscriminantClassifier(), 2, max_features=2, random_state=0).fit(bad, y)
    bad[200, 3] = np.inf
    with pytest.raises(DataError, match="column 'd', row 200"):
        BaggingClassifier(random_state=0).fit(pd.DataFrame(bad, columns=list("abcdef")), y)


def test_rows_of_a_frame_are_taken_by_place_and_not_by_index(mixed):
    columns, y = mixed
    frame = pd.DataFrame(columns).astype({"colour": "category"})
    odd = frame.set_index(np.arange(len(y))[::-1] // 2)
    plain = BaggingClassifier(n_estimators=3, random_state=0).fit(frame, pd.Series(y))
    model = BaggingClassifier(n_estimators=3, random_state=0).fit(odd, pd.Series(y, index=odd.index))
    np.testing.assert_array_equal(model.predict_proba(odd), plain.predict_proba(frame))
    assert model.estimators_[0].declared_levels_["colour"] == ["blue", "green", "red"]


class Single(GaussianNB):
    """Probabilities in single precision, as some libraries give them."""

    def predict_proba(self, X):
        return super().predict_proba(X).astype(np.float32)


def test_probabilities_in_single_precision_add_up(table):
    X, y = table
    shares = BaggingClassifier(Single(), 5, random_state=0).fit(X, y).predict_proba(X)
    assert shares.dtype == np.float64
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-14)


def test_text_that_only_a_pipeline_can_read():
    texts, y = ["a good day", "good food", "bad weather", "a bad idea"] * 10, ["yes", "yes", "no", "no"] * 10
    reader = make_pipeline(TfidfVectorizer(), LogisticRegression())
    model = BaggingClassifier(reader, 5, random_state=0).fit(texts, y)
    assert model.predict(["good", "bad"]).tolist() == ["yes", "no"]
    assert model.oob_error_ == 0


INTERRUPTED = """
import _thread, threading, numpy as np
from classica import BaggingClassifier, DecisionTreeClassifier

once = threading.Lock()

class Announced(DecisionTreeClassifier):
    def fit(self, X, y, sample_weight=None):
        if once.acquire(blocking=False):
            threading.Timer(0.1, _thread.interrupt_main).start()
        return super().fit(X, y)

random = np.random.default_rng(0)
X, y = random.normal(size=(150_000, 10)), random.integers(0, 2, 150_000)
try:
    BaggingClassifier(Announced(), 8, n_jobs=2, random_state=0).fit(X, y)
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_ends_the_fit_and_the_program_ends_well():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert (done.stdout.strip(), done.stderr, done.returncode) == ("stopped", "", 0)


def test_settings_of_scikit_learn_reach_the_members():
    class Settings(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_, self.seen_ = np.unique(y), get_config()["working_memory"]
            return self

    with config_context(working_memory=7):
        model = BaggingClassifier(Settings(), 3, voting="hard", oob_score=False, n_jobs=2).fit(
            [[0.0], [1.0]], [0, 1]
        )
    assert [member.seen_ for member in model.estimators_] == [7, 7, 7]
