"""Decisions around a classifier, and classifiers that are to stay as they are."""

from __future__ import annotations

from typing import Any

from sklearn.base import is_classifier
from sklearn.frozen import FrozenEstimator

from classica.decision import BayesDecisionClassifier
from classica.decision.costs import is_path
from classica.persist.description import Member, describe_estimator, describe_wrapper, with_rules
from classica.persist.kinds import Array, Maybe, Scope, Told, TupleOf, Word
from classica.persist.labels import Shares


def _check_decision(model: Any, scope: Scope) -> None:
    inner = vars(model).get("estimator_", model.estimator)
    Member().check(inner, scope.part(".estimator_"))
    able = is_classifier(inner) and hasattr(inner, "predict_proba")
    scope.require(able, "made around a classifier with probabilities")
    scope.sizes["c"] = len(inner.classes_)
    kept = vars(model).get("_file_costs")
    costs = Maybe(TupleOf(Word(), Array("f8", "c", "c", any_order=True)))
    costs.check(kept, scope.part("._file_costs"))
    if is_path(model.costs):  # a loaded model reads no other file
        scope.require(kept is not None and kept[0] == model.costs, "made with the costs of the file it names")
    if "_class_shares" in vars(model):
        Shares("c").check(model._class_shares, scope.part("._class_shares"))
    with_rules(model._check_decision, scope)


describe_estimator(
    BayesDecisionClassifier,
    {},
    {"estimator_": Told(), "_file_costs": Told(), "_class_shares": Told()},
    _check_decision,
)
describe_wrapper(BayesDecisionClassifier)


def _check_frozen(model: Any, scope: Scope) -> None:
    Member().check(model.estimator, scope.part(".estimator"))


describe_estimator(FrozenEstimator, {}, check=_check_frozen)
describe_wrapper(FrozenEstimator)
