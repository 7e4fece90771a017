"""Random forests of numbers as people call them: a loop by hand, out of the bag, weights, frames, errors."""

import pickle

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import make_friedman1, make_regression
from sklearn.ensemble import RandomForestRegressor as PeerForest
from sklearn.model_selection import train_test_split

from classica import DecisionTreeRegressor, RandomForestRegressor
from classica.errors import DataError, ParameterError
from tests.oracles.tree_tables import read
from tests.trees.tables import mixed_table, with_unseen_levels


@pytest.fixture(scope="module")
def table():
    return make_friedman1(300, 8, noise=1.0, random_state=0)


def trees_by_hand(model, X, y):
    return [
        DecisionTreeRegressor(criterion=model.criterion).fit(X[rows], y[rows])
        for rows in model.estimators_samples_
    ]


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("drawing", [{}, {"bootstrap": False, "max_samples": 0.5}, {"max_samples": 40}])
def test_it_is_a_loop_over_samples(criterion, drawing, table):
    X, y = table
    model = RandomForestRegressor(6, criterion, max_features=None, random_state=0, **drawing).fit(X, y)
    mean = np.mean([tree.predict(X) for tree in trees_by_hand(model, X, y)], axis=0)
    np.testing.assert_allclose(model.predict(X), mean, rtol=1e-12)


def test_method_2_with_one_column_takes_the_best_of_all(table):
    X, y = table
    one = RandomForestRegressor(5, choice="random_of_best", max_features=1, random_state=0).fit(X, y)
    all_columns = RandomForestRegressor(5, max_features=None, random_state=0).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), all_columns.predict(X))
    two = RandomForestRegressor(5, choice="random_of_best", max_features=2, random_state=0).fit(X, y)
    assert (two.predict(X) != one.predict(X)).any()


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_it_does_not_matter_where_rows_stand_nor_who_computes(criterion, table):
    X, y = table
    order = np.random.default_rng(0).permutation(300)
    one = RandomForestRegressor(6, criterion, random_state=0, n_jobs=1).fit(X, y)
    several = RandomForestRegressor(6, criterion, random_state=0, n_jobs=5).fit(X, y)
    np.testing.assert_array_equal(one.predict(X), several.predict(X))
    np.testing.assert_array_equal(one.oob_errors_, several.oob_errors_)
    other = RandomForestRegressor(6, criterion, random_state=0).fit(X[order], y[order])
    np.testing.assert_allclose(one.predict(X), other.predict(X), rtol=1e-12)


def test_it_never_answers_beyond_what_it_has_seen(table):
    X, y = table
    model = RandomForestRegressor(10, random_state=0).fit(X, y)
    found = model.predict(np.vstack([100 * X, -100 * X]))
    assert (found >= y.min()).all()
    assert (found <= y.max()).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_out_of_bag_by_brute_force(weighted, table):
    X, y = table
    weights = np.arange(300) % 3 + 0.5 if weighted else None
    model = RandomForestRegressor(8, max_features=None, random_state=1).fit(X, y, weights)
    w = np.ones(300) if weights is None else weights
    sums, voters = np.zeros(300), np.zeros(300)
    for size, tree in enumerate(trees_by_hand(model, X, y)):
        outside = ~np.isin(np.arange(300), model.estimators_samples_[size])
        sums[outside] += tree.predict(X)[outside]
        voters += outside
        asked = voters > 0
        squares = (sums[asked] / voters[asked] - y[asked]) ** 2
        assert model.oob_errors_[size] == pytest.approx(np.average(squares, weights=w[asked]), rel=1e-12)
    assert model.oob_error_ == model.oob_errors_[-1]
    np.testing.assert_array_equal(np.isnan(model.oob_prediction_), voters == 0)
    seen = voters > 0
    np.testing.assert_allclose(model.oob_prediction_[seen], sums[seen] / voters[seen], rtol=1e-12)
    spread = np.average((y - np.average(y, weights=w)) ** 2, weights=w)
    assert model.oob_score_ == pytest.approx(1 - model.oob_error_ / spread)


def test_out_of_bag_is_as_good_as_rows_held_out():
    """A row is out of the bag of a share 1/e of the trees: of 22 out of 60."""
    X, y = make_friedman1(4000, 10, noise=1.0, random_state=1)
    model = RandomForestRegressor(60, random_state=0).fit(X[:2000], y[:2000])
    said = model.with_trees(22).predict(X[2000:])
    # The difference of two means of 2000 squares has a standard deviation of 5 percent of them.
    assert model.oob_error_ == pytest.approx(np.mean((said - y[2000:]) ** 2), rel=0.12)
    assert model.oob_errors_[0] > 2 * model.oob_errors_[-1]
    peer = PeerForest(60, max_features=1 / 3, oob_score=True, random_state=0, n_jobs=2)
    assert model.oob_score_ == pytest.approx(peer.fit(X[:2000], y[:2000]).oob_score_, abs=0.01)


def test_staged_answers_are_those_of_smaller_forests(table):
    X, y = table
    held_out, truth = X[200:], y[200:]
    model = RandomForestRegressor(6, random_state=0).fit(X[:200], y[:200])
    errors = model.staged_errors(held_out, truth)
    for size, staged in enumerate(model.staged_predict(held_out), start=1):
        fitted = RandomForestRegressor(size, random_state=0).fit(X[:200], y[:200])
        smaller = model.with_trees(size)
        np.testing.assert_array_equal(smaller.predict(held_out), fitted.predict(held_out))
        np.testing.assert_allclose(staged, fitted.predict(held_out), rtol=1e-13)
        assert errors[size - 1] == pytest.approx(np.mean((fitted.predict(held_out) - truth) ** 2))
        assert (smaller.oob_error_, smaller.oob_score_) == (fitted.oob_error_, fitted.oob_score_)
        np.testing.assert_allclose(smaller.feature_importances_, fitted.feature_importances_, rtol=1e-12)


def test_importances_know_noise_from_columns_that_matter():
    X, y, weights = make_regression(1200, 9, n_informative=2, coef=True, random_state=3)
    matter = np.argsort(weights)[::-1][:2]
    model = RandomForestRegressor(40, random_state=0).fit(X[:800], y[:800])
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    out_of_bag = model.oob_importances(X[:800], y[:800])
    shuffled = model.permutation_importances(X[800:], y[800:], random_state=0).importances_mean
    for found in (model.feature_importances_, out_of_bag, shuffled):
        assert np.argsort(found)[::-1][:2].tolist() == matter.tolist()
        assert np.delete(found, matter).max() < 0.2 * found[matter[1]]
    # Shuffled, a column that tells everything costs about twice its share of the variance.
    assert 0.5 < out_of_bag[matter].sum() / y[:800].var() < 2.5


def test_a_whole_weight_is_a_repeated_row(table):
    X, y = table
    weights = np.random.default_rng(0).integers(0, 4, 300)
    rows = np.repeat(np.arange(300), weights)
    for told in ({}, {"bootstrap": False, "max_samples": 0.6}, {"bootstrap": False}):
        one = RandomForestRegressor(6, random_state=0, **told).fit(X, y, weights)
        other = RandomForestRegressor(6, random_state=0, **told).fit(X[rows], y[rows])
        np.testing.assert_allclose(one.predict(X), other.predict(X), rtol=1e-12)


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
def test_frames_with_categories_and_missing_cells(missing):
    frame, _, y = mixed_table(300)
    model = RandomForestRegressor(5, missing=missing, max_features=None, random_state=0).fit(frame, y)
    told = {"missing": missing, "max_surrogates": 5}
    trees = [
        DecisionTreeRegressor(**told).fit(frame.iloc[rows], y[rows]) for rows in model.estimators_samples_
    ]
    rows = with_unseen_levels(frame)
    wanted = np.mean([tree.predict(rows) for tree in trees], axis=0)
    np.testing.assert_allclose(model.predict(rows), wanted, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(model.predict(pl.from_pandas(frame)), model.predict(frame))


@pytest.mark.parametrize("max_bins", [2, 32])
def test_values_in_groups(max_bins, table):
    X, y = table
    model = RandomForestRegressor(30, max_bins=max_bins, random_state=0).fit(X, y)
    cuts = model.forest_.nodes[~model.forest_.is_leaf]
    columns = cuts[:, 12:16].copy().view(np.uint32)[:, 0] & (2**29 - 1)
    limits = cuts[:, :8].copy().view(np.float64)[:, 0]
    for column in range(8):
        assert len(set(limits[columns == column])) <= max_bins - 1
    exact = RandomForestRegressor(30, random_state=0).fit(X, y)
    assert model.oob_error_ < (1.1 if max_bins == 32 else 2.0) * exact.oob_error_


def test_a_forest_takes_little_room():
    X, y = make_friedman1(4000, 20, noise=1.0, random_state=0)
    model = RandomForestRegressor(10, oob_score=False, random_state=0).fit(X, y)
    peer = PeerForest(10, max_features=1 / 3, random_state=0, n_jobs=2).fit(X, y)
    assert len(pickle.dumps(model)) < len(pickle.dumps(peer)) / 4
    inner = (~model.forest_.is_leaf).sum()
    assert model.n_parameters_ == inner + (inner + 10)


@pytest.mark.parametrize("name", ["regression-boston", "regression-cpus", "regression-chickweight"])
def test_it_predicts_as_well_as_scikit_learns(name):
    table = read(name)
    told, peers = {"max_features": 1 / 3}, {"max_features": 1 / 3, "n_jobs": 2}
    ours, theirs = [], []
    for seed in range(6):
        X, held_out, y, truth = train_test_split(table.X, table.y, test_size=0.4, random_state=seed)
        ours.append(RandomForestRegressor(60, random_state=seed, **told).fit(X, y).score(held_out, truth))
        theirs.append(PeerForest(60, random_state=seed, **peers).fit(X, y).score(held_out, truth))
    assert np.mean(ours) > np.mean(theirs) - 0.02


def test_wrong_calls_are_told_in_one_sentence(table):
    X, y = table
    with pytest.raises(ParameterError, match=r"^criterion must be .*, got 'gini'\.$"):
        RandomForestRegressor(criterion="gini").fit(X, y)
    with pytest.raises(DataError, match=r"^max_samples must be at most 300, .*got 301\.$"):
        RandomForestRegressor(2, max_samples=301).fit(X, y)
    model = RandomForestRegressor(3, random_state=0).fit(X, y)
    with pytest.raises(ParameterError, match=r"^n_estimators must be an integer .*at most 3, got 4\.$"):
        model.with_trees(4)
    with pytest.raises(DataError, match=r"^X must be the 300 training rows, got 20\.$"):
        model.oob_importances(X[:20], y[:20])
