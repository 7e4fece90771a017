"""The closed list of classes whose objects may be in a model file, by the names they have there."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator

from classica import catalog
from classica.decision import BayesDecisionClassifier
from classica.decision.calibration import CalibratedClassifier
from classica.errors import ModelFileError, must
from classica.persist import families  # noqa: F401  (importing fills the descriptions)
from classica.persist.description import described_records

#: Estimators that have no card.
_OTHERS: dict[str, type[Any]] = {
    "bayes-decision": BayesDecisionClassifier,
    "calibrated": CalibratedClassifier,
    "frozen": FrozenEstimator,
}


def estimators() -> dict[str, type[Any]]:
    """Return the estimators by name: those of the catalog have their slugs."""
    return {card.slug: card.estimator for card in catalog.cards()} | _OTHERS


def estimator_name(value: Any) -> str | None:
    """Return the name of an estimator's class, or None if it is no estimator or not known."""
    if not isinstance(value, BaseEstimator):
        return None
    return next((name for name, cls in estimators().items() if cls is type(value)), None)


def estimator_class(name: Any) -> type[Any]:
    """Return the class of that name."""
    known = estimators()
    if not isinstance(name, str) or name not in known:
        rule = "of this installation (is a plug-in missing?)"
        raise ModelFileError(must("The classifier in the file", rule, name))
    return known[name]


def record_name(value: Any) -> str | None:
    """Return the name of a record's class, or None if it is not known."""
    return next((name for name, cls in described_records().items() if cls is type(value)), None)


def record_class(name: Any) -> type[Any]:
    """Return the class of that name."""
    known = described_records()
    if not isinstance(name, str) or name not in known:
        raise ModelFileError(
            must("The kind of record in the file", "known to this version of classica", name)
        )
    return known[name]
