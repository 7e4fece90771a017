"""Random forests of classes as people call them: a loop by hand, out of the bag, weights, frames, errors."""

import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import RandomForestClassifier as PeerForest
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier as PeerTree

from classica import DecisionTreeClassifier, RandomForestClassifier
from classica.errors import DataError, ParameterError
from tests.oracles.tree_tables import read
from tests.trees.tables import mixed_table, with_unseen_levels


@pytest.fixture(scope="module")
def table():
    X, y = make_classification(300, 8, n_classes=3, n_informative=5, flip_y=0.1, random_state=4)
    return X, np.array(["ape", "bee", "cat"])[y]


def trees_by_hand(model, X, y, **told):
    """Fit a tree of its own on each sample; all columns, so that chance has no other say."""
    return [
        DecisionTreeClassifier(criterion=model.criterion, **told).fit(X[rows], y[rows])
        for rows in model.estimators_samples_
    ]


# What a forest is


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "chi2"])
@pytest.mark.parametrize("drawing", [{}, {"bootstrap": False, "max_samples": 0.5}, {"max_samples": 40}])
def test_it_is_a_loop_over_samples(criterion, drawing, table):
    X, y = table
    told = {"criterion": criterion, "max_features": None, "random_state": 0}
    model = RandomForestClassifier(6, **told, **drawing).fit(X, y)
    trees = trees_by_hand(model, X, y)
    mean = np.mean([tree.predict_proba(X) for tree in trees], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=0, atol=1e-14)
    hard = RandomForestClassifier(6, **told, **drawing, voting="hard").fit(X, y)
    votes = np.mean([tree.predict(X)[:, None] == model.classes_ for tree in trees], axis=0)
    np.testing.assert_allclose(hard.predict_proba(X), votes, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(hard.predict(X), model.classes_[votes.argmax(axis=1)])


@pytest.mark.parametrize(
    "limits",
    [
        {"min_weight_fraction_leaf": 0.1},
        {"min_impurity_decrease": 0.01},
        {"min_samples_leaf": 0.05, "min_samples_split": 0.2},
        {"max_leaf_nodes": 7},
        {"max_depth": 0},
    ],
    ids=str,
)
@pytest.mark.parametrize("max_samples", [None, 0.5])
def test_limits_are_those_of_a_tree_on_the_sample(limits, max_samples, table):
    X, y = table
    told = {"max_features": None, "max_samples": max_samples, "random_state": 0}
    model = RandomForestClassifier(4, **told, **limits).fit(X, y)
    mean = np.mean([tree.predict_proba(X) for tree in trees_by_hand(model, X, y, **limits)], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=0, atol=1e-14)


def best_gains(X, y):
    """Return the gain of the best split of each column."""
    stumps = [DecisionTreeClassifier(max_depth=1).fit(column[:, None], y) for column in X.T]
    return np.array([stump.tree_.gain[0] for stump in stumps])


def root_columns(model):
    starts = model.forest_.starts[:-1]
    return model.forest_.nodes[starts, 12:16].copy().view(np.uint32)[:, 0] & (2**29 - 1)


def test_method_1_takes_the_best_of_random_columns(table):
    X, y = table
    model = RandomForestClassifier(400, max_features=2, max_depth=1, random_state=0).fit(X, y)
    shares = np.bincount(root_columns(model), minlength=8) / 400
    # Of two columns drawn from eight the best takes all its pairs: 7 of 28; the second best 6, and so on.
    gains = [best_gains(X[rows], y[rows]) for rows in model.estimators_samples_[:40]]
    ranking = np.mean(gains, axis=0)
    assert shares[ranking.argmax()] == pytest.approx(7 / 28, abs=0.07)
    assert shares[ranking.argmin()] < 0.04
    better_than = [(g < g[column]).sum() for g, column in zip(gains, root_columns(model), strict=False)]
    assert min(better_than) >= 1  # one of the two it has beaten


def test_method_2_takes_a_random_one_of_the_best_columns(table):
    X, y = table
    told = {"choice": "random_of_best", "max_depth": 1, "random_state": 0}
    model = RandomForestClassifier(60, max_features=2, **told).fit(X, y)
    places = []
    for rows, column in zip(model.estimators_samples_, root_columns(model), strict=True):
        gains = best_gains(X[rows], y[rows])
        places.append(int((gains > gains[column] * (1 + 1e-9)).sum()))
    assert set(places) == {0, 1}
    assert np.mean(places) == pytest.approx(0.5, abs=0.2)


def test_method_2_with_one_column_takes_the_best_of_all(table):
    X, y = table
    one = RandomForestClassifier(5, choice="random_of_best", max_features=1, random_state=0).fit(X, y)
    all_columns = RandomForestClassifier(5, max_features=None, random_state=0).fit(X, y)
    np.testing.assert_array_equal(one.apply(X), all_columns.apply(X))
    np.testing.assert_array_equal(one.predict_proba(X), all_columns.predict_proba(X))


def test_methods_and_votes_learn_about_the_same():
    X, y = load_breast_cancer(return_X_y=True)
    for told in ({}, {"choice": "random_of_best"}, {"voting": "hard"}, {"max_bins": 16}):
        model = RandomForestClassifier(60, random_state=0, **told).fit(X, y)
        assert model.oob_error_ < 0.06


def test_it_does_not_matter_where_rows_stand_nor_who_computes(table):
    X, y = table
    order = np.random.default_rng(0).permutation(300)
    one = RandomForestClassifier(9, random_state=0, n_jobs=1).fit(X, y)
    other = RandomForestClassifier(9, random_state=0, n_jobs=5).fit(X[order], y[order])
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    np.testing.assert_array_equal(one.oob_decision_function_[order], other.oob_decision_function_)
    different = RandomForestClassifier(9, random_state=1).fit(X, y)
    assert (one.predict_proba(X) != different.predict_proba(X)).any()


# Out of the bag


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("weighted", [False, True])
def test_out_of_bag_by_brute_force(voting, weighted, table):
    X, y = table
    weights = np.arange(300) % 3 + 0.5 if weighted else None
    model = RandomForestClassifier(8, max_features=None, voting=voting, random_state=1).fit(X, y, weights)
    w = np.ones(300) if weights is None else weights
    sums, voters = np.zeros((300, 3)), np.zeros(300)
    for size, tree in enumerate(trees_by_hand(model, X, y)):
        outside = ~np.isin(np.arange(300), model.estimators_samples_[size])
        said = tree.predict_proba(X) if voting == "soft" else tree.predict(X)[:, None] == model.classes_
        sums[outside] += said[outside]
        voters += outside
        asked = voters > 0
        wrong = model.classes_[sums.argmax(axis=1)] != y
        error = np.average(wrong[asked], weights=w[asked])
        assert model.oob_errors_[size] == pytest.approx(error, abs=1e-12)
    assert model.oob_error_ == model.oob_errors_[-1] == pytest.approx(1 - model.oob_score_)
    np.testing.assert_array_equal(np.isnan(model.oob_decision_function_[:, 0]), voters == 0)
    found = model.oob_decision_function_[voters > 0]
    np.testing.assert_allclose(found, (sums / np.maximum(voters, 1)[:, None])[voters > 0], atol=1e-14)


def test_out_of_bag_is_as_good_as_rows_held_out():
    X, y = make_classification(6000, 10, n_informative=6, flip_y=0.1, random_state=0)
    model = RandomForestClassifier(60, random_state=0).fit(X[:3000], y[:3000])
    held_out = 1 - model.score(X[3000:], y[3000:])
    # The difference of two shares of 3000 rows has a standard deviation of 0.008.
    assert model.oob_error_ == pytest.approx(held_out, abs=0.02)
    assert model.oob_errors_[0] > model.oob_errors_[-1] + 0.05
    peer = PeerForest(60, oob_score=True, random_state=0).fit(X[:3000], y[:3000])
    assert model.oob_score_ == pytest.approx(peer.oob_score_, abs=0.015)


def test_no_samples_no_out_of_bag(table):
    X, y = table
    for told in ({"bootstrap": False}, {"oob_score": False}):
        assert not hasattr(RandomForestClassifier(3, random_state=0, **told).fit(X, y), "oob_error_")
    model = RandomForestClassifier(3, bootstrap=False, random_state=0).fit(X, y)
    assert model.score(X, y) == 1.0
    for ask in (lambda: model.estimators_samples_, lambda: model.oob_importances(X, y)):
        with pytest.raises(DataError, match=r"^The samples of the trees must be known, got trees"):
            ask()


def test_rows_that_all_trees_have_seen_are_not_judged():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    model = RandomForestClassifier(1, random_state=0).fit(X, y)
    outside = np.setdiff1d(np.arange(8), model.estimators_samples_[0])
    np.testing.assert_array_equal(np.flatnonzero(~np.isnan(model.oob_decision_function_[:, 0])), outside)
    all_seen = RandomForestClassifier(2, bootstrap=False, max_samples=1.0, random_state=0).fit(X, y)
    assert np.isnan(all_seen.oob_error_)


# Smaller forests


def test_staged_answers_are_those_of_smaller_forests(table):
    X, y = table
    held_out, truth = X[200:], y[200:]
    model = RandomForestClassifier(7, voting="hard", random_state=0).fit(X[:200], y[:200])
    errors = model.staged_errors(held_out, truth)
    for size, staged in enumerate(model.staged_predict_proba(held_out), start=1):
        smaller = model.with_trees(size)
        fitted = RandomForestClassifier(size, voting="hard", random_state=0).fit(X[:200], y[:200])
        np.testing.assert_array_equal(smaller.predict_proba(held_out), fitted.predict_proba(held_out))
        np.testing.assert_allclose(staged, fitted.predict_proba(held_out), rtol=1e-14)
        assert errors[size - 1] == pytest.approx(1 - fitted.score(held_out, truth))
        assert smaller.oob_error_ == fitted.oob_error_ == model.oob_errors_[size - 1]
        assert smaller.oob_score_ == fitted.oob_score_
        assert smaller.get_params() == fitted.get_params()
        np.testing.assert_allclose(smaller.feature_importances_, fitted.feature_importances_, rtol=1e-12)
        np.testing.assert_array_equal(smaller.apply(held_out), model.apply(held_out)[:, :size])
    assert len(model.forest_) == 7


# What columns are worth


def test_importances_know_noise_from_columns_that_matter():
    random = np.random.default_rng(0)
    X = random.normal(size=(1500, 10))
    y = (X[:, 2] + 2 * X[:, 7] > 0).astype(int)
    model = RandomForestClassifier(40, random_state=0).fit(X[:1000], y[:1000])
    impurity = model.feature_importances_
    assert impurity.sum() == pytest.approx(1.0)
    out_of_bag = model.oob_importances(X[:1000], y[:1000])
    shuffled = model.permutation_importances(X[1000:], y[1000:], random_state=0).importances_mean
    for found in (impurity, out_of_bag, shuffled):
        assert np.argsort(found)[::-1][:2].tolist() == [7, 2]
        assert np.delete(found, [2, 7]).max() < 0.2 * found[2]
    assert abs(np.delete(out_of_bag, [2, 7])).max() < 0.02
    np.testing.assert_array_equal(out_of_bag, model.oob_importances(X[:1000], y[:1000], random_state=0))


# Weights


def test_a_whole_weight_is_a_repeated_row(table):
    X, y = table
    weights = np.random.default_rng(0).integers(0, 4, 300)
    rows = np.repeat(np.arange(300), weights)
    for told in ({}, {"bootstrap": False, "max_samples": 0.6}, {"bootstrap": False}):
        one = RandomForestClassifier(6, random_state=0, **told).fit(X, y, weights)
        other = RandomForestClassifier(6, random_state=0, **told).fit(X[rows], y[rows])
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
        if hasattr(one, "oob_error_"):
            assert one.oob_error_ != other.oob_error_  # copies of a row may be out of the bag, one row not


@pytest.mark.parametrize("given", [{"ape": 1.0, "bee": 5.0, "cat": 0.25}, "balanced"])
def test_weights_of_classes_mean_what_they_mean_in_scikit_learn(given):
    """Leaves are large, so that no two splits are equally good: theirs are then taken by chance."""
    X, y = make_classification(2000, 8, n_classes=3, n_informative=5, weights=[0.6, 0.1], random_state=4)
    y = np.array(["ape", "bee", "cat"])[y]
    told = {"max_depth": 4, "min_samples_leaf": 40, "class_weight": given}
    model = RandomForestClassifier(1, bootstrap=False, max_features=None, **told).fit(X, y)
    peer = PeerTree(random_state=0, **told).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-12)


def test_weights_of_classes_balanced_in_each_sample(table):
    X, y = table
    keep = np.flatnonzero((y != "bee") | (np.arange(300) % 4 == 0))
    X, y = X[keep], y[keep]
    told = {"max_features": None, "max_depth": 3, "random_state": 0}
    model = RandomForestClassifier(5, class_weight="balanced_subsample", **told).fit(X, y)
    trees = trees_by_hand(model, X, y, max_depth=3, class_weight="balanced")
    mean = np.mean([tree.predict_proba(X) for tree in trees], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, atol=1e-13)
    of_table = RandomForestClassifier(5, class_weight="balanced", **told).fit(X, y)
    plain = RandomForestClassifier(5, **told).fit(X, y)
    is_bee = y == "bee"
    for balanced in (model, of_table):
        assert (balanced.predict(X[is_bee]) == "bee").mean() > (plain.predict(X[is_bee]) == "bee").mean()


@pytest.mark.parametrize("kind", [{"ape": 3, "cat": 2}, "balanced", "balanced_subsample"])
def test_weights_of_classes_and_rows_together(kind, table):
    """Rows of whole weight are repeated rows for weights of classes, too."""
    X, y = table
    weights = np.random.default_rng(0).integers(0, 3, 300)
    rows = np.repeat(np.arange(300), weights)
    told = {"class_weight": kind, "random_state": 0, "max_depth": 4}
    one = RandomForestClassifier(4, **told).fit(X, y, weights)
    other = RandomForestClassifier(4, **told).fit(X[rows], y[rows])
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-12)


def test_rows_of_no_weight_keep_the_numbers_of_the_others(table):
    X, y = table
    weights = (np.arange(300) >= 100).astype(float)
    model = RandomForestClassifier(5, max_features=None, random_state=0).fit(X, y, weights)
    assert all(rows.min() >= 100 for rows in model.estimators_samples_)
    mean = np.mean([tree.predict_proba(X) for tree in trees_by_hand(model, X, y)], axis=0)
    np.testing.assert_allclose(model.predict_proba(X), mean, rtol=0, atol=1e-14)
    assert model.oob_importances(X, y).shape == (8,)


def test_samples_without_any_weight_say_something(table):
    X, y = table
    model = RandomForestClassifier(9, class_weight={"ape": 0, "bee": 0}, max_samples=2, random_state=0)
    found = model.fit(X, y).predict_proba(X)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


# Frames


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
@pytest.mark.parametrize("categories", ["subset", "one_level"])
def test_frames_with_categories_and_missing_cells(categories, missing):
    frame, y, _ = mixed_table(300)
    told = {"categories": categories, "missing": missing, "max_features": None, "random_state": 0}
    model = RandomForestClassifier(5, **told).fit(frame, y)
    of_tree = {"categories": categories, "missing": missing, "max_surrogates": 5}
    trees = [
        DecisionTreeClassifier(**of_tree).fit(frame.iloc[rows], y[rows]) for rows in model.estimators_samples_
    ]
    rows = with_unseen_levels(frame)
    wanted = np.mean([tree.predict_proba(rows) for tree in trees], axis=0)
    np.testing.assert_allclose(model.predict_proba(rows), wanted, rtol=0, atol=1e-12)
    polars = pl.from_pandas(frame)
    np.testing.assert_array_equal(model.predict_proba(polars), model.predict_proba(frame))
    again = RandomForestClassifier(5, **told).fit(polars, y)
    np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))


def test_columns_named_as_categories():
    frame, y, _ = mixed_table(300, missing=0.0)
    codes = frame.assign(**{name: pd.factorize(frame[name], sort=True)[0] for name in ("colour", "size")})
    codes["wet"] = codes["wet"].astype(int)
    told = {"random_state": 0, "bootstrap": False}
    one = RandomForestClassifier(4, categorical_features=["colour", "size", "wet"], **told).fit(codes, y)
    other = RandomForestClassifier(4, **told).fit(frame, y)
    np.testing.assert_array_equal(one.apply(codes), other.apply(frame))


# Sizes and files


def test_a_forest_takes_little_room(tmp_path):
    X, y = make_classification(20_000, 20, n_informative=8, flip_y=0.1, random_state=0)
    model = RandomForestClassifier(20, oob_score=False, random_state=0).fit(X, y)
    peer = PeerForest(20, random_state=0, n_jobs=2).fit(X, y)
    stored = pickle.dumps(model)
    assert len(stored) < len(pickle.dumps(peer)) / 4
    joblib.dump(model, tmp_path / "model")
    assert (tmp_path / "model").stat().st_size < 1.1 * len(stored)
    again = pickle.loads(stored)
    np.testing.assert_array_equal(again.predict_proba(X[:100]), model.predict_proba(X[:100]))
    assert len(pickle.dumps(model.with_trees(2))) < len(stored) / 5
    inner = (~model.forest_.is_leaf).sum()
    assert model.n_parameters_ == inner + (inner + 20)


# Accuracy


@pytest.mark.parametrize("name", ["vehicle", "ionosphere", "segment"])
def test_it_predicts_as_well_as_scikit_learns(name):
    table = read(name)
    ours, theirs = [], []
    for seed in range(3):
        X, held_out, y, truth = train_test_split(
            table.X, table.y, test_size=0.4, random_state=seed, stratify=table.y
        )
        ours.append(RandomForestClassifier(60, random_state=seed).fit(X, y).score(held_out, truth))
        theirs.append(PeerForest(60, random_state=seed, n_jobs=2).fit(X, y).score(held_out, truth))
    assert np.mean(ours) > np.mean(theirs) - 0.01


# Errors


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"n_estimators": 0}, "n_estimators must be an integer of at least 1, got 0."),
        ({"max_samples": 0.0}, "max_samples must be "),
        ({"max_features": 0}, "max_features must be "),
        ({"choice": "best"}, "choice must be "),
        ({"voting": "loud"}, "voting must be "),
        ({"max_bins": 1}, "max_bins must be "),
        ({"class_weight": "even"}, "class_weight must be "),
        ({"class_weight": {"dog": 1.0}}, "class_weight must be keyed by class labels, got 'dog'."),
        ({"missing": "surrogate", "categories": "multiway"}, "missing must be other than 'surrogate'"),
        ({"bootstrap": "yes"}, "bootstrap must be "),
    ],
)
def test_wrong_parameters_are_told_in_one_sentence(told, message, table):
    with pytest.raises(ParameterError) as error:
        RandomForestClassifier(**told).fit(*table)
    assert str(error.value).startswith(message)
    assert str(error.value).count("\n") == 0


def test_wrong_calls_are_told_in_one_sentence(table):
    X, y = table
    with pytest.raises(DataError, match=r"^max_samples must be at most 300, .*got 301\.$"):
        RandomForestClassifier(2, max_samples=301).fit(X, y)
    model = RandomForestClassifier(3, random_state=0).fit(X, y)
    for size in (0, 4, 1.5, True):
        with pytest.raises(ParameterError, match=r"^n_estimators must be an integer .*at most 3, got"):
            model.with_trees(size)
    with pytest.raises(DataError, match=r"^X must be the 300 training rows, got 20\.$"):
        model.oob_importances(X[:20], y[:20])
    with pytest.raises(DataError, match=r"^y must be .*, got 'dog'\.$"):
        model.staged_errors(X[:2], ["ape", "dog"])


def test_trees_alone_and_forests_fitted_again_keep_nothing_of_others():
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(4, random_state=0).fit(X, y)
    for tree in model.estimators_:
        assert not hasattr(tree, "oob_error_")
        with pytest.raises(DataError, match="samples"):
            tree.estimators_samples_  # noqa: B018
    assert len(model.estimators_samples_) == 4
    model.set_params(oob_score=False).fit(X, y)
    assert not hasattr(model, "oob_error_")
    assert not hasattr(model, "oob_decision_function_")


def test_rows_without_weight_do_not_count_in_importances():
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(5, random_state=0, max_samples=140, bootstrap=False).fit(X, y)
    weights = np.zeros(len(y))
    weights[0] = 1
    assert np.isfinite(model.oob_importances(X, y, sample_weight=weights)).all()
