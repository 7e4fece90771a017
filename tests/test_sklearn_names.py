"""People who know scikit-learn are led to the names used here."""

import importlib
import inspect
import pickle

import pytest
import sklearn.base
from sklearn.utils import all_estimators

import classica
from classica import (
    BayesDecisionClassifier,
    DecisionTreeClassifier,
    LogisticClassifier,
    SVMClassifier,
    TableClassifier,
    VotingClassifier,
)
from classica.catalog import cards
from classica.comparison.plan.contender import Contender
from classica.errors import ParameterError
from classica.sklearn_names import CLASSES
from classica.training.recipe import parameter_values

THERE = dict(all_estimators())
WEKA = {"IBk", "J48", "SMO"}


def test_names_from_elsewhere_exist_there_and_lead_to_classes_here():
    assert {*CLASSES} - WEKA <= {*THERE}
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


COUNTERPARTS = sorted(
    {(own.__name__, own.__name__) for own in (card.estimator for card in cards()) if own.__name__ in THERE}
    | {(name, own) for name, own in CLASSES.items() if name in THERE}
)


@pytest.mark.parametrize(("name", "own"), COUNTERPARTS)
def test_every_parameter_of_a_counterpart_is_accepted_or_explained(name, own):
    here = getattr(classica, own)
    unknown = {*inspect.signature(THERE[name]).parameters} - {*inspect.signature(here).parameters}
    for parameter in unknown:
        with pytest.raises(ParameterError, match=f"For scikit-learn's `{parameter}`: "):
            here(**{parameter: None})


def test_the_constructor_says_what_to_use_for_a_keyword_it_has_not():
    with pytest.raises(ParameterError, match="calibration"):
        SVMClassifier(probability=True)
    with pytest.raises(TypeError, match="Did you mean 'max_depth'"):
        DecisionTreeClassifier(max_dept=3)
    with pytest.raises(ParameterError, match="Did you mean 'estimator'"):
        TableClassifier(estimater=SVMClassifier())


def test_the_check_of_keywords_leaves_the_protocol_of_scikit_learn_alone():
    assert next(iter(inspect.signature(SVMClassifier).parameters)) == "C"
    model = pickle.loads(pickle.dumps(sklearn.base.clone(SVMClassifier(3, gamma=0.5))))
    assert model.get_params()["gamma"] == 0.5

    class Wide(SVMClassifier):
        def __init__(self, width=1, **others):
            super().__init__(**others)
            self.width = width

    assert Wide(2, gamma=0.5).gamma == 0.5  # a subclass decides what it takes
    with pytest.raises(TypeError):
        SVMClassifier(1, 2, 3)


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
