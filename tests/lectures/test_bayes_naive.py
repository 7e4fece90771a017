"""Naive Bayes as the lectures teach it, with their own numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from classica import NaiveBayesClassifier
from classica.tables import load_table

# Lecture T: who buys a computer.
TABLE = load_table("buys-computer")
X, Y = TABLE.X, TABLE.y
ASKED = pl.DataFrame([["<=30", "medium", "yes", "fair"]], schema=X.columns, orient="row")


def test_who_buys_a_computer():
    model = NaiveBayesClassifier(alpha=0).fit(X, Y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.class_prior_ == pytest.approx([5 / 14, 9 / 14])
    why = model.explain(ASKED)
    likelihoods = np.exp(why.log_likelihoods.sum(axis=0))
    assert likelihoods == pytest.approx([0.0192, 0.0438957], rel=2e-6)
    assert likelihoods * model.class_prior_ == pytest.approx([0.00685714, 0.0282187], rel=2e-6)
    assert model.predict(ASKED) == why.label == "yes"
    assert model.predict_proba(ASKED)[0, 1] == pytest.approx(0.804505, abs=5e-7)


def test_the_probabilities_on_the_slide():
    model = NaiveBayesClassifier(alpha=0).fit(X, Y)
    printed = {
        ("age", "<=30"): (3 / 5, 2 / 9),
        ("income", "medium"): (2 / 5, 4 / 9),
        ("student", "yes"): (1 / 5, 6 / 9),
        ("credit_rating", "fair"): (2 / 5, 6 / 9),
    }
    for (column, level), wanted in printed.items():
        levels, probabilities = model.table(column)
        assert probabilities[levels.index(level)] == pytest.approx(wanted)


def test_laplace_smoothing_of_a_thousand_incomes():
    income = pd.Categorical(["medium"] * 990 + ["high"] * 10, categories=["low", "medium", "high"])
    model = NaiveBayesClassifier(alpha=1).fit(pd.DataFrame({"income": income}), ["c"] * 1000)
    levels, probabilities = model.table("income")
    assert levels == ["low", "medium", "high"]
    assert probabilities[:, 0] == pytest.approx([1 / 1003, 991 / 1003, 11 / 1003], rel=1e-15)


def test_each_example_can_raise_or_lower_a_probability_and_be_taken_back():
    model = NaiveBayesClassifier(alpha=0).fit(X[:12], Y[:12])
    before = model.predict_proba(ASKED)[0, 1]
    raised = model.partial_fit(X[12:13], Y[12:13]).predict_proba(ASKED)[0, 1]
    lowered = model.partial_fit(X[13:], Y[13:]).predict_proba(ASKED)[0, 1]
    assert raised > before
    assert lowered == pytest.approx(0.804505, abs=5e-7)
    back = model.forget(X[12:], Y[12:]).predict_proba(ASKED)[0, 1]
    assert back == pytest.approx(before, rel=1e-14)


@pytest.mark.parametrize(
    ("priors", "boundary"),
    [("uniform", 5.5), ([3 / 4, 1 / 4], 5.86620), ([1 / 11, 10 / 11], 4.73247)],
    ids=["equal", "P1 = 3 P2", "P1 = P2 / 10"],
)
def test_the_boundary_of_two_gaussians(priors, boundary):
    model = NaiveBayesClassifier(priors=priors).fit([[3.0], [5.0], [6.0], [8.0]], [0, 0, 1, 1])
    asked = [[boundary - 1e-5], [boundary + 1e-5]]
    assert model.predict(asked).tolist() == [0, 1]


def test_the_cancer_test():
    # 8 in 1000 have it; the test finds 98 % of them and is positive for 3 % of the others.
    positive = np.array([[1.0], [0.0], [1.0], [0.0]])
    weights = [0.008 * 0.98, 0.008 * 0.02, 0.992 * 0.03, 0.992 * 0.97]
    model = NaiveBayesClassifier(alpha=0, numeric="bernoulli")
    model.fit(positive, ["cancer", "cancer", "healthy", "healthy"], sample_weight=weights)
    why = model.explain([[1.0]])
    assert np.exp(why.log_prior + why.log_likelihoods.sum(axis=0)) == pytest.approx([0.00784, 0.02976])
    assert why.label == "healthy"
    assert why.posterior[0] == pytest.approx(0.208511, abs=5e-7)
