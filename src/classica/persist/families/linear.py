"""Linear support vector machines and logistic regression."""

from __future__ import annotations

from typing import Any

from classica.estimators import LinearSVMClassifier, LogisticClassifier
from classica.kinds import Array, DictOf, Flag, Maybe, Number, Scope, TupleOf, Whole
from classica.persist.description import describe_estimator
from classica.persist.families.common import CLASSES, NAMES, check_machine_count, linear_model

#: Numbers that are shown, and that no prediction reads.
_NUMBER, _SHOWN = Number(special=True), Array("f8", "m", nan=True, inf="-+")


def _check_linear_svm(model: Any, scope: Scope) -> None:
    check_machine_count(model, scope)
    if model._duals is not None:
        machine = model._duals[0]
        inside = not len(machine) or machine.max() < max(scope.size("m"), 1)
        scope.require(inside, "made with duals of its machines")


describe_estimator(
    LinearSVMClassifier,
    {
        **CLASSES,
        "_model": linear_model("m"),
        "_one_vs_all": Flag(),
        "alpha_": _NUMBER,
        "C_": _SHOWN,
        "objective_": _SHOWN,
        "n_iter_": Whole(0),
        "_duals": Maybe(TupleOf(*[Array("i8", "duals", low=0)] * 2, Array("f8", "duals"))),
    },
    {
        **NAMES,
        "duality_gap_": _SHOWN,
        "converged_": Flag(),
        "validation_scores_": DictOf(_NUMBER, _NUMBER),
    },
    _check_linear_svm,
)
describe_estimator(
    LogisticClassifier,
    {
        **CLASSES,
        "_model": linear_model("c"),
        "_has_intercept": Flag(),
        "_has_zeros": Flag(),
        "_errors": Maybe(Array("f8", "d+1", nan=True, inf="+")),
        "n_iter_": Whole(0),
        **dict.fromkeys(("deviance_", "objective_"), _NUMBER),
        **dict.fromkeys(("separable_", "converged_"), Flag()),
    },
    NAMES,
)
