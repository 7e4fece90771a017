"""What fitted members must be: classifiers that read the columns of the whole and know no other classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier

from classica.kinds import ListOf, Scope
from classica.persist.description import Member

MEMBERS = ListOf(Member(), "members")


def check_member(
    member: BaseEstimator, columns: int, classes: NDArray[Any], voting: str, scope: Scope
) -> None:
    """Check a member for a number of columns and for the classes it may know."""
    name = type(member).__name__
    scope.require(is_classifier(member), "made of classifiers", name)
    width = getattr(member, "n_features_in_", None)
    scope.require(width == columns, f"made of members for {columns} columns", width)
    labels: Any = getattr(member, "classes_", None)
    alike = labels is not None and (labels.dtype.kind in "biuf") == (classes.dtype.kind in "biuf")
    scope.require(alike and np.isin(labels, classes).all(), "made of members with no other classes", name)
    able = voting != "soft" or hasattr(member, "predict_proba")
    scope.require(able, "made of members with probabilities", name)
