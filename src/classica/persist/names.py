"""The closed list of classes whose objects may be in a model file, by the names they have there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator

from classica import catalog
from classica.decision import BayesDecisionClassifier
from classica.decision.calibration import CalibratedClassifier
from classica.errors import ModelFileError, must
from classica.persist import decision_models, table_models  # noqa: F401  (they describe what wraps models)
from classica.table_classifier import TableClassifier
from classica.tables import TableEncoder

#: Estimators that have no card.
_OTHERS: dict[str, type[Any]] = {
    "bayes-decision": BayesDecisionClassifier,
    "calibrated": CalibratedClassifier,
    "frozen": FrozenEstimator,
    "table": TableClassifier,
    "table-encoder": TableEncoder,
}


#: An object may be part of a part of a part, and so on so many times.
MOST_NESTED = 40


def is_key(value: object) -> bool:
    """Return whether a value may be a key: its integers have 64 bits at most.

    Larger ones can be chosen so that all have the same hash, and each takes as long as all before it.
    """
    if isinstance(value, tuple | frozenset):
        return all(map(is_key, value))
    return not isinstance(value, int) or value.bit_length() <= 64


def estimators() -> dict[str, type[Any]]:
    """Return the estimators by name: those of the catalog have their slugs."""
    return {card.slug: card.estimator for card in catalog.cards()} | _OTHERS


def estimator_name(value: object) -> str | None:
    """Return the name of an estimator's class, or None if it is no estimator or not known."""
    return name_among(estimators(), value) if isinstance(value, BaseEstimator) else None


def name_among(classes: Mapping[str, type[Any]], value: object) -> str | None:
    """Return the name of a value's class, or None if it is not among them."""
    return next((name for name, cls in classes.items() if cls is type(value)), None)


def estimator_class(name: object, classes: Mapping[str, type[Any]]) -> type[Any]:
    """Return the class of that name."""
    if not isinstance(name, str) or name not in classes:
        rule = "of this installation (is a plug-in missing?)"
        raise ModelFileError(must("The classifier in the file", rule, name))
    return classes[name]


def record_class(name: object, classes: Mapping[str, type[Any]]) -> type[Any]:
    """Return the class of that name."""
    if not isinstance(name, str) or name not in classes:
        raise ModelFileError(
            must("The kind of record in the file", "known to this version of classica", name)
        )
    return classes[name]
