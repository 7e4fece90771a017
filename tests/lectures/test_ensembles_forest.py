"""Random forests as the lectures teach them (T, L)."""

import numpy as np
import pytest

from classica import DecisionTreeClassifier, RandomForestClassifier, diversity
from tests.lectures.noisy_classes import errors, noisy
from tests.trees.tables import GOLF

GOLF_X, GOLF_Y = GOLF.drop(columns="y"), GOLF["y"]


def roots(**options):
    """Return how often each column is asked first: in a tree of one question it has all the gain."""
    fixed = {"criterion": "entropy", "categories": "multiway", "bootstrap": False, "max_depth": 1}
    forest = RandomForestClassifier(5000, random_state=0, **fixed, **options)
    return forest.fit(GOLF_X, GOLF_Y).feature_importances_


def test_method_1_takes_the_best_of_m_random_attributes():
    """Gains: outlook 0.247, humidity 0.152, windy 0.048, temperature 0.029; outlook is in 3 of 6 pairs."""
    found = roots(max_features=2, choice="best_of_random")
    assert found == pytest.approx([3 / 6, 0, 2 / 6, 1 / 6], abs=0.03)  # in the order of the columns


def test_method_2_takes_a_random_one_of_the_m_best():
    assert roots(max_features=2, choice="random_of_best") == pytest.approx([1 / 2, 0, 1 / 2, 0], abs=0.03)
    assert roots(max_features=3, choice="random_of_best") == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3], abs=0.03)


@pytest.mark.parametrize(
    "options",
    [{"max_features": None}, {"max_features": 1, "choice": "random_of_best"}],
    ids=["all are drawn", "the best alone"],
)
def test_without_its_two_sources_of_randomness_a_forest_is_a_tree(options):
    X, y, new, _ = noisy(0)
    forest = RandomForestClassifier(3, "entropy", bootstrap=False, random_state=0, **options).fit(X, y)
    tree = DecisionTreeClassifier("entropy").fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(new), tree.predict_proba(new))


@pytest.mark.parametrize("choice", ["best_of_random", "random_of_best"])
def test_trees_of_a_forest_are_unpruned(choice):
    X, y, _, _ = noisy(0)
    for seed in range(5):
        tree = RandomForestClassifier(1, choice=choice, bootstrap=False, random_state=seed).fit(X, y)
        assert tree.score(X, y) == 1  # no row is left wrong


def test_a_forest_votes():
    X, y, new, _ = noisy(0)
    forest = RandomForestClassifier(15, voting="hard", random_state=0).fit(X, y)
    votes = np.array([size * shares[:, 1] for size, shares in enumerate(forest.staged_predict_proba(new), 1)])
    each = np.diff(votes, axis=0, prepend=0)
    assert each == pytest.approx(each.round(), abs=1e-12)  # every tree says one class or the other
    assert set(each.round().ravel()) == {0, 1}
    np.testing.assert_array_equal(forest.predict(new), (each.sum(axis=0) > 7.5).astype(int))


@pytest.mark.parametrize("choice", ["best_of_random", "random_of_best"])
def test_a_forest_does_much_better_than_a_tree(choice):
    forest = RandomForestClassifier(100, choice=choice, max_features=3, random_state=0)
    assert errors(forest) < errors(DecisionTreeClassifier()) - 0.06


def test_random_attributes_make_trees_more_different_than_random_rows_alone():
    X, y, new, truth = noisy(0)
    of_rows = [RandomForestClassifier(1, max_features=None, random_state=seed) for seed in range(30)]
    of_both = [RandomForestClassifier(1, random_state=seed) for seed in range(30)]
    of_bag = diversity([tree.fit(X, y) for tree in of_rows], new, truth)
    of_forest = diversity([tree.fit(X, y) for tree in of_both], new, truth)
    assert of_forest.means()["kappa"] < of_bag.means()["kappa"] - 0.05
    assert of_forest.means()["overlap"] < of_bag.means()["overlap"]


def test_the_out_of_bag_error_foretells_that_of_new_rows():
    X, y, new, truth = noisy(0, rows=2000)
    model = RandomForestClassifier(100, random_state=0).fit(X, y)
    assert model.oob_error_ == pytest.approx(1 - model.score(new, truth), abs=0.025)
