"""Why a vote works, and what it needs, as the lecture tells it (T)."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from classica import DecisionTreeClassifier, diversity, majority_accuracy


def test_five_independent_classifiers_of_seventy_percent():
    printed = 0.7**5 + 5 * 0.7**4 * 0.3 + 10 * 0.7**3 * 0.3**2
    assert majority_accuracy(0.7, 5) == pytest.approx(printed, rel=1e-14)
    assert majority_accuracy(0.7, 5) == pytest.approx(0.836920, abs=5e-7)  # the slide: 83.7 %


def test_a_hundred_and_one_of_them():
    assert majority_accuracy(0.7, 101) == pytest.approx(0.999987, abs=5e-7)  # the slide: 99.9 %


def test_members_must_be_better_than_guessing():
    """A vote makes good members better and bad members worse, the more of them the more."""
    good = [majority_accuracy(0.6, n) for n in (1, 5, 25, 125)]
    bad = [majority_accuracy(0.4, n) for n in (1, 5, 25, 125)]
    assert good == sorted(good)
    assert bad == sorted(bad, reverse=True)
    assert good[-1] > 0.98
    assert bad[-1] < 0.02


def test_independent_members_reach_what_the_formula_promises():
    rng = np.random.default_rng(0)
    answers = (rng.random((5, 100_000)) < 0.7).astype(int)
    found = diversity(answers, None, np.ones(100_000))
    assert found.accuracies == pytest.approx(0.7, abs=0.005)
    assert found.means()["correlation"] == pytest.approx(0, abs=0.005)
    assert found.vote_accuracy == pytest.approx(0.836920, abs=0.004)
    # |A ∩ B| / |A ∪ B| of independent errors: 0.09 / (0.3 + 0.3 - 0.09)
    assert found.means()["overlap"] == pytest.approx(0.09 / 0.51, abs=0.005)


def test_overlap_of_two_sets_of_errors():
    truth = np.ones(10, dtype=int)
    wrong_a, wrong_b = {0, 1, 2, 3}, {2, 3, 4}
    answers = [[0 if row in wrong else 1 for row in range(10)] for wrong in (wrong_a, wrong_b)]
    assert (
        diversity(answers, None, truth).overlap[0, 1]
        == len(wrong_a & wrong_b) / len(wrong_a | wrong_b)
        == 0.4
    )


@pytest.mark.parametrize("shared", [0.0, 0.3, 0.6, 1.0])
def test_more_overlap_means_less_independence(shared):
    """Members that copy a common answer on a share of the rows gain less by voting than others."""
    rng = np.random.default_rng(1)
    copied = rng.random(20_000) < shared
    answers = np.where(copied, rng.random(20_000) < 0.7, rng.random((15, 20_000)) < 0.7).astype(int)
    found = diversity(answers, None, np.ones(20_000))
    assert found.means()["correlation"] == pytest.approx(shared, abs=0.02)
    independent = majority_accuracy(0.7, 15)
    assert found.vote_accuracy == pytest.approx(shared * 0.7 + (1 - shared) * independent, abs=0.01)


def test_weak_members_that_err_on_different_rows_beat_a_strong_one():
    """The main challenge: not accurate members, but members which make different kinds of errors."""
    truth = np.ones(1000, dtype=int)
    strong = np.arange(1000) >= 200
    weak = [np.arange(1000) % 5 != k for k in range(5)]  # each fails on its own fifth
    found = diversity(np.array(weak, dtype=int), None, truth)
    assert found.accuracies == pytest.approx([strong.mean()] * 5)
    assert found.means()["overlap"] == 0
    assert found.vote_accuracy == 1


def test_different_training_sets_make_different_trees():
    """Trees are unstable: on bootstrap samples they err differently, and their vote beats each of them."""
    X, y = make_classification(2000, 20, n_informative=8, flip_y=0.1, random_state=0)
    X, y, new, truth = X[:1000], y[:1000], X[1000:], y[1000:]
    rng = np.random.default_rng(0)
    samples = rng.integers(0, 1000, (25, 1000))
    trees = [DecisionTreeClassifier().fit(X[rows], y[rows]) for rows in samples]
    found = diversity(trees, new, truth)
    assert found.means()["overlap"] < 0.4
    assert found.vote_accuracy > found.accuracies.max() + 0.03
