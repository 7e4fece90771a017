"""People who know scikit-learn are led to the names used here."""

import importlib

import pytest
import sklearn.base
from sklearn.utils import all_estimators

import classica
from classica import (
    BayesDecisionClassifier,
    DecisionTreeClassifier,
    LogisticClassifier,
    SVMClassifier,
    VotingClassifier,
)
from classica.comparison.plan.contender import Contender
from classica.errors import ParameterError
from classica.sklearn_names import CLASSES
from classica.training.recipe import parameter_values

WEKA = {"IBk", "J48", "SMO"}


def test_names_from_elsewhere_exist_there_and_lead_to_classes_here():
    there = {name for name, _ in all_estimators()}
    assert {*CLASSES} - WEKA <= there
    for own in CLASSES.values():
        assert issubclass(getattr(classica, own), sklearn.base.BaseEstimator)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("SVC", "SVMClassifier"), ("GaussianNB", "NaiveBayesClassifier"), ("C4.5Classifer", "C45Classifier"),
     ("compre", "compare"), ("tabels", "tables")],
)  # fmt: skip
def test_a_name_the_package_has_not_leads_to_one_it_has(name, meant):
    with pytest.raises(AttributeError, match=meant):
        getattr(classica, name)
    assert not hasattr(classica, name)


def test_an_import_of_such_a_name_says_the_same():
    with pytest.raises(ImportError, match="SVMClassifier"):
        from classica import SVC  # noqa: F401
    with pytest.raises(ImportError, match="'train'"):
        exec("from classica import trian", {})


def test_private_and_strange_names_get_no_advice():
    for name in ("_hidden", "__wrapped__", "qqqq", "Qqqqqq"):
        with pytest.raises(AttributeError) as refused:
            getattr(classica, name)
        assert "mean" not in str(refused.value)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("classica.SVC")


@pytest.mark.parametrize(
    ("model", "name", "advice"),
    [
        (SVMClassifier(), "probability", "BayesDecisionClassifier"),
        (LogisticClassifier(), "penalty", "l1_ratio"),
        (DecisionTreeClassifier(), "ccp_alpha", "prune"),
        (DecisionTreeClassifier(), "max_dept", "max_depth"),
        (VotingClassifier(), "votting", "voting"),
    ],
)
def test_a_parameter_that_a_class_has_not_leads_to_what_it_has(model, name, advice):
    with pytest.raises(ParameterError, match=advice):
        model.set_params(**{name: 1})


def test_the_advice_on_probabilities_can_be_followed():
    model = BayesDecisionClassifier(SVMClassifier(), calibration="sigmoid", cv=2)
    X, y = [[0.0], [1.0], [0.5], [3.0], [5.0], [4.0]], list("aaabbb")
    assert model.fit(X, y).predict_proba(X).shape == (6, 2)


def test_parameters_inside_members_still_name_their_owner():
    with pytest.raises(ValueError, match="Tree"):
        classica.BaggingClassifier(DecisionTreeClassifier()).set_params(estimator__ccp=1)


@pytest.mark.parametrize("name", ["svm(probability=True)", "logistic(penalty='l2')"])
def test_models_of_a_comparison_get_the_same_advice(name):
    with pytest.raises(ParameterError, match="scikit-learn"):
        Contender(name).build(0)


@pytest.mark.parametrize(("name", "slug"), [("SVC", "svm"), ("GaussianNB", "naive-bayes"), ("lad", "lda")])
def test_models_of_a_comparison_are_found_by_the_names_of_classes(name, slug):
    with pytest.raises(ParameterError, match=f"'{slug}'"):
        Contender(name).build(0)


def test_parameters_of_training_get_the_same_advice():
    with pytest.raises(ParameterError, match="BayesDecisionClassifier"):
        parameter_values("svm", {"probability": "true"})
