"""Kernel functions and support vector machines."""

from __future__ import annotations

import numpy as np

from classica.estimators.base.kernel_functions import Kernel
from classica.estimators.base.state_parts import CLASSES, check_classifier_count, linear_model
from classica.estimators.svm.linear_svm import LinearSVMClassifier
from classica.estimators.svm.svm import SVMClassifier
from classica.estimators.svm.svm_model import SupportVectors
from classica.estimators.svm.svm_regressor import SVMRegressor
from classica.kinds import Array, DictOf, Flag, Kind, Maybe, Number, Scope, TupleOf, Whole, Word
from classica.native.kernels import KERNELS
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import COLUMNS, NAMES

describe_record(
    Kernel,
    {
        "name": Word(*KERNELS, "precomputed"),
        "gamma": Number(low=0),
        "coef0": Number(),
        "degree": Whole(0, 1001),
        "center": Maybe(Array("f8", "d")),
        "function": Maybe(Word("none")),
    },
    lambda kernel, scope: scope.require(kernel.function is None, "made of a known function"),
)


def _check_vectors(model: SupportVectors, scope: Scope) -> None:
    is_precomputed = model.kernel.name == "precomputed"
    wide = 0 if is_precomputed else scope.size("d")
    scope.require(model.rows.shape[1] == wide, f"made with {wide} columns", model.rows.shape)
    indices = np.append(model.places, 0)
    scope.require(not is_precomputed or indices.max() < scope.size("d"), "made with its training rows")


describe_record(
    SupportVectors,
    {
        "kernel": RecordOf(Kernel),
        "places": Array("i8", "s", low=0),
        "rows": Array("f8", "s", "wide", any_order=True),
        "weights": Array("f8", "m", "s"),
        "offsets": Array("f8", "m"),
        "linear": Maybe(linear_model("m")),
    },
    _check_vectors,
)
_FOUND: dict[str, Kind] = {
    "_model": RecordOf(SupportVectors),
    "converged_": Flag(),
}
#: Numbers of each binary classifier that are shown, and that no prediction reads.
_SHOWN = Array("f8", "m", nan=True, inf="-+")
_SHOWN_NUMBER = Number(special=True)


def _check_classifier(model: SVMClassifier, scope: Scope) -> None:
    machines = len(model._model.offsets)
    scope.require(scope.fits(machines, "m"), "made with the values of all binary classifiers", machines)
    check_classifier_count(model, scope)
    scope.require(
        (model.kernel == "precomputed") == (model._model.kernel.name == "precomputed"), "made for its kernel"
    )


def _check_regressor(model: SVMRegressor, scope: Scope) -> None:
    scope.require(len(model._model.offsets) == 1, "made of one binary problem", len(model._model.offsets))


describe_estimator(
    SVMClassifier,
    {
        **CLASSES,
        **_FOUND,
        "_one_vs_all": Flag(),
        "n_iter_": Array("i8", "m", low=0),
        **dict.fromkeys(("objective_", "duality_gap_", "margin_width_"), _SHOWN),
        "n_support_": Array("i8", "c", low=0),
        "slacks_": Array("f8", "m", "rows", nan=True, inf="-+", any_order=True),
    },
    NAMES,
    _check_classifier,
)
describe_estimator(
    SVMRegressor,
    {
        **COLUMNS,
        **_FOUND,
        "n_iter_": Whole(0),
        **dict.fromkeys(("objective_", "duality_gap_"), Number(special=True)),
    },
    NAMES,
    _check_regressor,
)


def _check_linear_svm(model: LinearSVMClassifier, scope: Scope) -> None:
    check_classifier_count(model, scope)
    if model._duals is not None:
        machine = model._duals[0]
        inside = not len(machine) or machine.max() < max(scope.size("m"), 1)
        scope.require(inside, "made with duals of its binary classifiers")


describe_estimator(
    LinearSVMClassifier,
    {
        **CLASSES,
        "_model": linear_model("m"),
        "_one_vs_all": Flag(),
        "alpha_": _SHOWN_NUMBER,
        "C_": _SHOWN,
        "objective_": _SHOWN,
        "n_iter_": Whole(0),
        "_duals": Maybe(TupleOf(*[Array("i8", "duals", low=0)] * 2, Array("f8", "duals"))),
    },
    {
        **NAMES,
        "duality_gap_": _SHOWN,
        "converged_": Flag(),
        "validation_scores_": DictOf(_SHOWN_NUMBER, _SHOWN_NUMBER),
    },
    _check_linear_svm,
)
