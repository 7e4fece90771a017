"""Priors in every form, and posteriors moved from one to another."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from classica.decision import change_priors, read_priors
from classica.decision.priors import class_shares, learned_priors
from classica.errors import ClassicaError, ParameterError

CLASSES = ["ape", "bee", "cat"]


@pytest.mark.parametrize(
    "source",
    [[0.2, 0.3, 0.5], (0.2, 0.3, 0.5), np.array([0.2, 0.3, 0.5]), {"cat": 0.5, "ape": 0.2, "bee": 0.3}],
)
def test_every_source_gives_the_same_priors(source):
    np.testing.assert_allclose(read_priors(source, CLASSES), [0.2, 0.3, 0.5], rtol=1e-15)


def test_a_series_is_read_by_label_where_it_has_labels():
    by_label = pd.Series([0.5, 0.2, 0.3], index=["cat", "ape", "bee"])
    np.testing.assert_allclose(read_priors(by_label, CLASSES), [0.2, 0.3, 0.5])
    np.testing.assert_allclose(read_priors(pd.Series([0.2, 0.3, 0.5]), CLASSES), [0.2, 0.3, 0.5])
    np.testing.assert_allclose(read_priors(pl.Series([0.2, 0.3, 0.5]), CLASSES), [0.2, 0.3, 0.5])
    turned = pd.Series([0.5, 0.2, 0.3], index=[2, 0, 1])
    np.testing.assert_allclose(read_priors(turned, [0, 1, 2]), [0.2, 0.3, 0.5])
    np.testing.assert_allclose(read_priors(pd.Series([0.2, 0.8]), [1, 2]), [0.2, 0.8])
    for index in (["cat", "ape", "dog"], [2, 0, 1], [1, 2, 3]):
        with pytest.raises(ParameterError, match=r"^priors must be labelled by the classes 'ape'"):
            read_priors(pd.Series([0.5, 0.2, 0.3], index=index), CLASSES)
    with pytest.raises(ParameterError, match=r"^priors must be one number for each of 3 classes, got \["):
        read_priors(pd.Series([0.5, 0.5]), CLASSES)


def test_uniform_priors_and_a_prior_of_zero():
    assert read_priors("uniform", CLASSES).tolist() == [1 / 3] * 3
    assert read_priors([0, 0, 1], CLASSES).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([0.5, 0.5], "priors must be one number for each of 3 classes, got [0.5, 0.5]."),
        ([0.5, 0.5, 0.5], "priors must be non-negative and sum to 1, got [0.5, 0.5, 0.5]."),
        ([-0.5, 1, 0.5], "priors must be non-negative and sum to 1, got [-0.5, 1, 0.5]."),
        (
            "empirical",
            "priors must be 'uniform', a number for each class or a dict from labels to numbers, got "
            "'empirical'.",
        ),
        (
            [0.5, 0.5, np.nan],
            "priors must be finite numbers, got [0.5, 0.5, nan].",
        ),
        ({"ape": 1.0}, "priors must name every class, got nothing for 'bee'."),
        (
            {"ape": 0.5, "bee": 0.25, "dog": 0.25},
            "priors must be labelled by the classes 'ape', 'bee', 'cat', got 'dog'.",
        ),
    ],
)
def test_what_cannot_be_priors_is_refused_in_one_sentence(source, message):
    with pytest.raises(ParameterError) as refused:
        read_priors(source, CLASSES)
    assert str(refused.value) == message


positive = st.integers(1, 1000).map(float)
three = st.lists(positive, min_size=3, max_size=3).map(lambda values: np.array(values) / sum(values))


@given(likelihoods=st.lists(positive, min_size=3, max_size=3), old=three, new=three)
def test_changed_posteriors_are_those_of_bayes_rule(likelihoods, old, new):
    def posterior(priors):
        joint = np.array([likelihoods]) * priors
        return joint / joint.sum()

    np.testing.assert_allclose(change_priors(posterior(old), old, new), posterior(new), rtol=1e-12)
    np.testing.assert_allclose(
        change_priors(change_priors(posterior(old), old, new), new, old), posterior(old), rtol=1e-12
    )


def test_a_class_that_cannot_occur_any_more_has_no_posterior():
    changed = change_priors(np.array([[0.5, 0.25, 0.25]]), np.full(3, 1 / 3), np.array([0.0, 0.5, 0.5]))
    assert changed.tolist() == [[0, 0.5, 0.5]]


def test_where_no_possible_class_is_left_the_priors_are_the_answer():
    changed = change_priors(np.array([[1.0, 0.0, 0.0]]), np.full(3, 1 / 3), np.array([0.0, 0.25, 0.75]))
    assert changed.tolist() == [[0, 0.25, 0.75]]


def test_a_class_that_never_occurred_cannot_get_a_prior():
    with pytest.raises(ParameterError) as refused:
        change_priors(np.array([[1.0, 0.0]]), np.array([1.0, 0.0]), np.array([0.5, 0.5]))
    assert str(refused.value) == (
        "priors must be 0 for a class whose training prior is 0, got 0.5 for class number 1."
    )
    same = change_priors(np.array([[1.0, 0.0]]), np.array([1.0, 0.0]), np.array([1.0, 0.0]))
    assert same.tolist() == [[1, 0]]


X = np.array([[0.0], [1.0], [0.0], [1.0]])
Y = np.array(["a", "a", "a", "b"])


@pytest.mark.parametrize(
    "model",
    [
        GaussianNB(),
        BernoulliNB(),
        make_pipeline(StandardScaler(), GaussianNB()),
        GridSearchCV(make_pipeline(StandardScaler(), GaussianNB()), {}, cv=[([0, 1, 3], [2])]),
    ],
)
def test_a_model_is_asked_for_its_priors(model):
    np.testing.assert_allclose(learned_priors(model.fit(X, Y)), [0.75, 0.25])


def test_a_model_without_priors_says_nothing():
    assert learned_priors(DecisionTreeClassifier().fit(X, Y)) is None


def test_class_shares_are_by_weight_and_skip_what_the_model_dropped():
    classes = np.array(["a", "b"])
    assert class_shares(Y, None, classes).tolist() == [0.75, 0.25]
    assert class_shares(Y, [1, 1, 1, 3], classes).tolist() == [0.5, 0.5]
    assert class_shares([*Y, "z"], [1, 1, 1, 3, 0], classes).tolist() == [0.5, 0.5]


def test_posteriors_and_priors_may_be_lists():
    changed = change_priors([[0.2, 0.8]], [0.1, 0.9], [0.5, 0.5])
    np.testing.assert_array_equal(
        changed, change_priors(np.array([[0.2, 0.8]]), np.array([0.1, 0.9]), np.array([0.5, 0.5]))
    )
    even = [0.5, 0.5]
    for posteriors, old, new in (
        (even, even, even),
        ([["a", "b"]], even, even),
        (None, even, even),
        ([even], [1.0], even),
        ([even], even, [0.2, 0.3, 0.5]),
        ([even], ["a", "b"], even),
        ([even], None, even),
        ([even], even, [-0.5, 1.5]),
        ([even], even, [np.nan, 1.0]),
    ):
        with pytest.raises(ClassicaError, match=r"^(posteriors|priors) must be .*, got .*\.$"):
            change_priors(posteriors, old, new)
