"""What fitted linear models consist of: logistic regression, perceptrons, Winnow."""

from __future__ import annotations

from typing import Any

from classica.estimators.base.kernel_functions import Kernel
from classica.estimators.base.state_parts import CLASSES, SEED, Sparse, check_classifier_count, linear_model
from classica.estimators.linear.kernel_perceptron import KernelPerceptronClassifier
from classica.estimators.linear.logistic import LogisticClassifier
from classica.estimators.linear.online_changes import ChangeLog
from classica.estimators.linear.perceptron import PerceptronClassifier
from classica.estimators.linear.winnow import WinnowClassifier
from classica.kinds import AnyOf, Array, Flag, Kind, ListOf, Maybe, Number, Scope, TupleOf, Whole, Word
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import NAMES

#: Numbers that are shown, and that no prediction reads.
_NUMBER = Number(special=True)

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

#: Sums of so large weights do not overflow.
_LARGEST = 1e150

describe_record(
    ChangeLog,
    {
        "places": Array("i4", "changes", low=0),
        "signs": Array("f8", "changes", most=_LARGEST),
        "times": Array("i8", "changes", low=0),
    },
)

_ONLINE: dict[str, Kind] = {
    **CLASSES,
    "_one_vs_all": Flag(),
    "_seed": SEED,
    "mistakes_": Array("i8", "epochs", "m", low=0),
    "n_iter_": Whole(0),
    "converged_": Flag(),
}
_LOGS = ListOf(RecordOf(ChangeLog), "m")


def _check_logs(logs: list[ChangeLog], rows: int, scope: Scope) -> None:
    inside = all(not len(log.places) or log.places.max() < rows for log in logs)
    scope.require(inside, "made with updates by its rows")


def _check_perceptron(model: PerceptronClassifier, scope: Scope) -> None:
    check_classifier_count(model, scope)
    rows = model._rows
    if rows is None:
        scope.require(model._variant != "voted", "made with the rows of its updates")
        _check_logs(model._logs, 0, scope)
        return
    _check_logs(model._logs, rows.shape[0], scope)


_COUNTS = Array("i8", "m", low=0)
describe_estimator(
    PerceptronClassifier,
    {
        **_ONLINE,
        "_state": TupleOf(Array("f8", "m", "d+1"), Array("f8", "m", "d+1"), _COUNTS, _COUNTS, _COUNTS),
        "_variant": Word("plain", "voted", "averaged", "pocket"),
        "_rows": Maybe(AnyOf(Sparse("s", "d"), Array("f4 f8", "s", "d", any_order=True))),
        "_logs": _LOGS,
        "_intercept": Flag(),
        "_zero": Whole(0, 2),
        "_model": linear_model("m"),
    },
    NAMES,
    _check_perceptron,
)


def _check_kernel_perceptron(model: Any, scope: Scope) -> None:
    check_classifier_count(model, scope)
    vectors = model.support_vectors_
    by_number = model._kernel.name == "precomputed"
    scope.require(by_number == (vectors.ndim == 1), "made with rows, or with their indices", vectors.ndim)
    _check_logs(model._logs, len(vectors), scope)
    scope.require(model.dual_coef_.shape[1] == len(vectors), "made with weights of its rows")


describe_estimator(
    KernelPerceptronClassifier,
    {
        **_ONLINE,
        "_kernel": RecordOf(Kernel),
        "_variant": Word("plain", "voted", "averaged"),
        "support_vectors_": AnyOf(Array("i8", "s", low=0, below="d"), Array("f8", "s", "d")),
        "_offset": Number(low=0),
        "_zero": Whole(0, 2),
        "_seen": _COUNTS,
        "_logs": _LOGS,
        "dual_coef_": Array("f8", "m", "vectors", most=_LARGEST),
    },
    NAMES,
    _check_kernel_perceptron,
)
_WEIGHTS = Array("f8", "m", "d", low=0)
describe_estimator(
    WinnowClassifier,
    {
        **_ONLINE,
        "weights_": _WEIGHTS,
        "opposed_weights_": Maybe(_WEIGHTS),
        "_above": Maybe(Number()),
        "threshold_": Number(),
    },
    NAMES,
    check_classifier_count,
)
