"""Decisions around a classifier, and classifiers that are to stay as they are."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, is_classifier
from sklearn.frozen import FrozenEstimator

from classica.decision import BayesDecisionClassifier
from classica.decision.calibration import METHOD, CalibratedClassifier, possible_curves
from classica.decision.costs import is_path, plain_costs
from classica.decision.isotonic_curve import IsotonicCurve
from classica.decision.priors import plain_priors
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.decision.softmax_curve import SoftmaxCurve
from classica.kinds import Array, ListOf, Maybe, Number, Scope, TupleOf, Word
from classica.persist.description import (
    Member,
    RecordOf,
    describe_estimator,
    describe_plain_state,
    describe_record,
    describe_wrapper,
    with_rules,
)
from classica.persist.label_kinds import Shares


def _check_decision(model: BaseEstimator, scope: Scope) -> None:
    inner = vars(model).get("estimator_", model.estimator)
    Member().check(inner, scope.part(".estimator_"))
    able = is_classifier(inner) and hasattr(inner, "predict_proba")
    scope.require(able, "made around a classifier with probabilities")
    scope.sizes["c"] = len(inner.classes_)
    kept = _plain_decision(model).get("_file_costs")
    costs = Maybe(TupleOf(Word(), Array("f8", "c", "c", any_order=True)))
    costs.check(kept, scope.part("._file_costs"))
    if is_path(model.costs):  # a loaded model reads no other file
        named = kept is not None and kept[0] == plain_costs(model.costs)
        scope.require(named, "made with the costs of the file it names")
    if (shares := vars(model).get("_class_shares")) is not None:
        Shares("c").check(shares, scope.part("._class_shares"))
    with_rules(model.check_decision, scope)


describe_estimator(
    BayesDecisionClassifier,
    {},
    {
        "estimator_": Member(),
        "_file_costs": Maybe(TupleOf(Word(), Array("f8", "k", "k", any_order=True))),
        "_class_shares": Shares("k"),
    },
    _check_decision,
)
describe_wrapper(BayesDecisionClassifier)


def _plain_decision(model: BaseEstimator) -> dict[str, Any]:
    """Return the attributes with costs and priors in plain forms, whatever the user gave them in."""
    state = dict(vars(model))
    state["costs"] = plain_costs(model.costs)
    state["priors"] = plain_priors(model.priors)
    state["training_priors"] = plain_priors(model.training_priors)
    kept = state.get("_file_costs")
    if type(kept) is tuple and kept and is_path(kept[0]):
        state["_file_costs"] = (plain_costs(kept[0]), *kept[1:])
    return state


describe_plain_state(BayesDecisionClassifier, _plain_decision)
describe_record(
    SigmoidCurve, {"scale": Number(above=0), "center": Number(), "slope": Number(), "offset": Number()}
)
describe_record(SoftmaxCurve, {"scale": Number(above=0), "slope": Number(above=0)})


def _check_isotonic(curve: IsotonicCurve, scope: Scope) -> None:
    scope.require(len(curve.scores), "made of a score or more", 0)
    scope.require((curve.scores[1:] > curve.scores[:-1]).all(), "made of ascending scores")
    scope.require((curve.heights[1:] >= curve.heights[:-1]).all(), "made of heights that never fall")


describe_record(
    IsotonicCurve,
    {"scores": Array("f8", "k"), "heights": Array("f8", "k", low=0.0, most=1.0)},
    _check_isotonic,
)


def _check_calibrated(model: BaseEstimator, scope: Scope) -> None:
    inner = model.estimator_
    able = is_classifier(inner) and (hasattr(inner, "decision_function") or hasattr(inner, "predict_proba"))
    scope.require(able, "made around a classifier with scores")
    scope.require(METHOD.accepts(model.method), f"made by {METHOD}", model.method)
    classes, kinds = len(inner.classes_), [type(curve) for curve in model.curves_]
    rule = f"made of the curves of {model.method} for {classes} classes"
    names = ", ".join(kind.__name__ for kind in kinds)
    scope.require(kinds in possible_curves(model.method, classes), rule, names or "none")


describe_estimator(
    CalibratedClassifier,
    {"estimator_": Member(), "curves_": ListOf(RecordOf(SigmoidCurve, IsotonicCurve, SoftmaxCurve))},
    check=_check_calibrated,
)


def _check_frozen(model: BaseEstimator, scope: Scope) -> None:
    Member().check(model.estimator, scope.part(".estimator"))


describe_estimator(FrozenEstimator, {}, check=_check_frozen)
describe_wrapper(FrozenEstimator)
