"""Bagging as the lecture teaches it (T)."""

import numpy as np
import pytest

from classica import BaggingClassifier, DecisionTreeClassifier, NearestMeanClassifier, diversity
from tests.lectures.noisy_classes import errors, noisy


def test_bagging_draws_uniformly_with_replacement():
    X, y = np.arange(60.0)[:, None], np.arange(60) % 2
    model = BaggingClassifier(DecisionTreeClassifier(max_depth=1), 400, max_samples=45, random_state=0).fit(
        X, y
    )
    samples = model.estimators_samples_
    assert all(len(rows) == 45 for rows in samples)  # n* < n
    drawn = np.bincount(np.concatenate(samples), minlength=60)
    # Each row is drawn 45 · 400 / 60 = 300 times, give or take √(300 · 59/60) = 17.
    assert np.abs(drawn - 300).max() < 5 * 17.2
    left_out = np.mean([60 - len(np.unique(rows)) for rows in samples]) / 60
    assert left_out == pytest.approx((1 - 1 / 60) ** 45, abs=0.01)


def test_bagging_is_a_vote_of_its_members():
    X, y, new, _ = noisy(0)
    model = BaggingClassifier(DecisionTreeClassifier(), 11, voting="hard", random_state=0).fit(X, y)
    votes = np.mean([member.predict(new) for member in model.estimators_], axis=0)
    np.testing.assert_array_equal(model.predict(new), (votes > 0.5).astype(int))


def test_bagging_lowers_the_error_of_unstable_learners_especially():
    tree, bag = DecisionTreeClassifier(), BaggingClassifier(DecisionTreeClassifier(), 50, random_state=0)
    mean, mean_bag = NearestMeanClassifier(), BaggingClassifier(NearestMeanClassifier(), 50, random_state=0)
    assert errors(bag) < errors(tree) - 0.05
    assert abs(errors(mean_bag) - errors(mean)) < 0.01


def test_bagging_increases_stability():
    """Of models learned from two halves of a table, bags agree more than trees do."""
    X, y, new, truth = noisy(0, rows=1000)

    def agreement(model):
        halves = [model.fit(X[part], y[part]).predict(new) for part in (slice(0, 500), slice(500, 1000))]
        return diversity(halves, None, truth).kappa[0, 1]

    bag = BaggingClassifier(DecisionTreeClassifier(), 50, random_state=0)
    assert agreement(bag) > agreement(DecisionTreeClassifier()) + 0.1


def test_the_out_of_bag_error_foretells_that_of_new_rows():
    X, y, new, truth = noisy(0, rows=2000)
    model = BaggingClassifier(DecisionTreeClassifier(), 50, random_state=0).fit(X, y)
    assert model.oob_error_ == pytest.approx(1 - model.score(new, truth), abs=0.025)
