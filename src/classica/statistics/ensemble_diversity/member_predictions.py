"""Predictions of the members of a group: fitted classifiers, an ensemble, or given predictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, is_classifier

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.estimators.members.member_columns import take_columns
from classica.row_taking import as_table, is_frame

_KINDS = "classifiers, their names with them, a fitted ensemble of classifiers, or the predictions of each"


def member_answers(members: object, X: MatrixLike) -> dict[str, NDArray[Any]]:
    """Return the predicted labels of each member, by name.

    Parameters
    ----------
    members : list, dict, ensemble or array
        Fitted classifiers or their predictions, in a list or by name; a fitted ensemble with `estimators_`;
        or an array of predictions with one row per member.
    X : table
        The rows to predict; ignored where predictions are given.
    """
    if hasattr(members, "estimators_"):
        return _ensemble_answers(members, X)
    if isinstance(members, Mapping):
        named = {str(name): member for name, member in members.items()}
    elif isinstance(members, Sequence | np.ndarray) and not isinstance(members, str) and np.ndim(members):
        named = dict(zip(_names(members), members, strict=True))
    else:
        raise DataError(must("members", _KINDS, members))
    if not named:
        raise DataError(f"members must be {_KINDS}, got none.")
    return {name: _answer(name, member, X) for name, member in named.items()}


def _names(members: Sequence[Any] | NDArray[Any]) -> list[str]:
    """Name classifiers by their class, numbered from 1 if several have the same class."""
    kinds = [_kind(member) if hasattr(member, "predict") else "member" for member in members]
    often, seen = Counter(kinds), Counter[str]()
    names = []
    for kind in kinds:
        seen[kind] += 1
        names.append(f"{kind} {seen[kind]}" if often[kind] > 1 or kind == "member" else kind)
    return names


def _kind(member: BaseEstimator) -> str:
    return type(member).__name__.removesuffix("Classifier")


def _answer(name: str, member: BaseEstimator, X: MatrixLike) -> NDArray[Any]:
    if hasattr(member, "predict"):
        if not is_classifier(member):
            raise DataError(must(f"member {name!r}", "a classifier", member))
        member = member.predict(X)
    answer = np.asarray(member)
    if answer.ndim != 1:
        raise DataError(must(f"member {name!r}", "a classifier or one prediction for each row", member))
    return answer


def _ensemble_answers(ensemble: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Predict with each member on its own columns, and translate the predictions to the ensemble's labels."""
    members = list(np.ravel(ensemble.estimators_))
    names = [name for name, each in getattr(ensemble, "named_estimators_", {}).items() if each in members]
    if len(names) != len(members):
        names = _names(members)
    columns = getattr(ensemble, "estimators_features_", [None] * len(members))
    plain = hasattr(ensemble, "feature_names_in_")
    answers = {}
    for name, member, chosen in zip(names, members, columns, strict=True):
        # A member without feature names, in an ensemble with them, was fitted to an array.
        asked = _as_array(X) if plain and not hasattr(member, "feature_names_in_") else X
        answers[name] = _answer(
            name, member, asked if chosen is None else take_columns(as_table(asked), chosen)
        )
    classes = getattr(ensemble, "classes_", None)
    if classes is None or not _are_codes(members, classes):
        return answers
    return {name: classes[answer.astype(np.intp)] for name, answer in answers.items()}


def _are_codes(members: list[Any], classes: NDArray[Any]) -> bool:
    """Return whether members predict class codes, as in most of scikit-learn's ensembles."""
    labels = {label for member in members for label in np.asarray(member.classes_).tolist()}
    return not labels <= set(classes.tolist()) and labels <= set(range(len(classes)))


def _as_array(X: Any) -> Any:
    return nw.from_native(X, eager_only=True).to_numpy() if is_frame(X) else X
