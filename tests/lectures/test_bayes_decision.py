"""Bayes' rule, costs, priors and reject as the lectures teach them, with their own numbers."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from classica import BayesDecisionClassifier, NearestMeanClassifier, gaussian_bayes_error
from classica.decision import read_costs
from classica.statistics import two_gaussian_boundary

# Two classes of unit variance about 4 and 7, as small as can be.
X = np.array([[3.0], [5.0], [6.0], [8.0]])
Y = np.array(["first", "first", "second", "second"])
RATIOS = [([1 / 2, 1 / 2], 5.5), ([3 / 4, 1 / 4], 5.86620), ([1 / 11, 10 / 11], 4.73247)]


def change(model, low=0.0, high=11.0):
    """Return where the label changes from first to second."""
    assert model.predict([[low], [high]]).tolist() == ["first", "second"]
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if model.predict([[middle]]) == "first" else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize(("priors", "printed"), RATIOS)
def test_the_boundary_of_two_known_gaussians(priors, printed):
    (point,) = two_gaussian_boundary([4, 7], 1, priors)
    assert round(point, 5) == printed


@pytest.mark.parametrize(("priors", "printed"), RATIOS)
@pytest.mark.parametrize("learner", [NearestMeanClassifier(), GaussianNB()])
def test_new_priors_move_the_boundary_of_a_fitted_model(learner, priors, printed):
    model = BayesDecisionClassifier(learner).fit(X, Y)
    assert round(change(model.with_priors(priors)), 5) == printed


@pytest.mark.parametrize(("priors", "printed"), RATIOS)
def test_costs_move_the_boundary_as_priors_do(priors, printed):
    """To miss a class that is three times as dear is to miss one that is three times as frequent."""
    costs = {"first": {"second": priors[1]}, "second": {"first": priors[0]}}
    model = BayesDecisionClassifier(NearestMeanClassifier(), costs=costs).fit(X, Y)
    assert round(change(model), 5) == printed


@pytest.mark.parametrize(("priors", "printed"), RATIOS)
def test_the_optimal_boundary_leaves_the_smallest_error_region(priors, printed):
    def error(point):
        return priors[0] * norm.sf(point, 4) + priors[1] * norm.cdf(point, 7)

    found = gaussian_bayes_error([4, 7], 1, priors)
    (point,) = two_gaussian_boundary([4, 7], 1, priors)
    assert found.error == pytest.approx(error(point), rel=1e-13)
    assert found.error < min(error(point - 0.01), error(point + 0.01))


@pytest.fixture(scope="module")
def cancer_test():
    """0.8% have this cancer; the test is right about 98% of them and about 97% of the others."""
    rows, truth = [[1], [0], [1], [0]], ["cancer", "cancer", "not cancer", "not cancer"]
    weights = [0.98 * 0.008, 0.02 * 0.008, 0.03 * 0.992, 0.97 * 0.992]
    assert (weights[0], weights[2]) == pytest.approx((0.00784, 0.02976), rel=1e-12)
    return BayesDecisionClassifier(DecisionTreeClassifier()).fit(rows, truth, sample_weight=weights)


POSITIVE = [[1]]


def test_a_positive_test_most_likely_means_no_cancer(cancer_test):
    assert cancer_test.predict(POSITIVE).tolist() == ["not cancer"]
    assert cancer_test.predict_proba(POSITIVE)[0, 0] == pytest.approx(
        0.00784 / (0.00784 + 0.02976), rel=1e-12
    )
    assert round(cancer_test.predict_proba(POSITIVE)[0, 0], 6) == 0.208511
    np.testing.assert_allclose(cancer_test.training_priors_, [0.008, 0.992], rtol=1e-12)


def test_the_answer_flips_where_a_miss_costs_as_much_more_as_it_is_less_likely(cancer_test):
    ratio = 0.02976 / 0.00784
    for miss, answer in [(ratio - 1e-9, "not cancer"), (ratio + 1e-9, "cancer")]:
        costs = {"not cancer": {"cancer": miss}, "cancer": {"not cancer": 1}}
        assert cancer_test.with_costs(costs).predict(POSITIVE).tolist() == [answer]
    # The threshold is on the posterior of the second class, which is not to have it.
    assert cancer_test.with_costs([[0, 1], [ratio, 0]]).threshold_ == pytest.approx(1 - 0.208511, abs=1e-6)


def test_equal_priors_are_maximum_likelihood(cancer_test):
    likelihood = np.array([0.98, 0.03])
    model = cancer_test.with_priors("uniform")
    np.testing.assert_allclose(model.predict_proba(POSITIVE)[0], likelihood / likelihood.sum(), rtol=1e-12)
    assert model.predict(POSITIVE).tolist() == ["cancer"]


def test_uniform_cost_is_maximum_a_posteriori():
    """The cost of saying i is then 1 − p(i | x)."""
    model = BayesDecisionClassifier(NearestMeanClassifier(), costs=1 - np.eye(2)).fit(X, Y)
    points = np.linspace(0, 11, 45)[:, None]
    posteriors = model.predict_proba(points)
    np.testing.assert_allclose(model.expected_costs(points), 1 - posteriors, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(model.predict(points), model.classes_[posteriors.argmax(axis=1)])
    np.testing.assert_array_equal(read_costs(None, [0, 1]), 1 - np.eye(2))


def test_reject_where_the_classes_are_too_close():
    """The posterior is logistic in 3 (x − 5.5): it is 0.9 at ln(9) / 3 from the boundary."""
    model = BayesDecisionClassifier(NearestMeanClassifier(), reject_cost=0.1).fit(X, Y)
    reach = math.log(9) / 3
    points = 5.5 + np.array([-reach - 1e-9, -reach + 1e-9, 0, reach - 1e-9, reach + 1e-9])
    assert model.rejects(points[:, None]).tolist() == [False, True, True, True, False]
    assert model.predict(points[:, None]).tolist() == ["first"] * 3 + ["second"] * 2
