"""What fitted binary classifiers for several classes consist of."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.estimators.base.state_parts import CLASSES, classifier_count
from classica.estimators.members.member_state import MEMBERS, check_member
from classica.estimators.multiclass.all_vs_all import AllVsAllClassifier
from classica.estimators.multiclass.one_vs_all import OneVsAllClassifier
from classica.kinds import Array, ListOf, Scope
from classica.persist.description import describe_estimator
from classica.persist.label_kinds import NAMES


def _check_binary(model: Any, scope: Scope) -> None:
    needed = classifier_count(model._one_vs_all, scope.size("c"))
    scope.require(
        len(model.estimators_) == needed, f"made of {needed} binary classifiers", len(model.estimators_)
    )
    seen = vars(model).get("_kernel_columns")
    wide = [scope.size("d")] * needed if seen is None else [len(columns) for columns in seen]
    scope.require(len(wide) == needed, f"made with columns for {needed} binary classifiers", len(wide))
    for member, columns in zip(model.estimators_, wide, strict=True):
        check_member(member, columns, np.arange(2), "hard", scope)
        scope.require(len(member.classes_) == 2, "made of binary classifiers", len(member.classes_))


for _machines in (OneVsAllClassifier, AllVsAllClassifier):
    describe_estimator(
        _machines,
        {**CLASSES, "estimators_": MEMBERS},
        {**NAMES, "_kernel_columns": ListOf(Array("i8", "seen", low=0, below="d"))},
        _check_binary,
    )
