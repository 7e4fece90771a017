"""What the contract tests run: every card of the catalog in each of its test settings, on one table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import is_classifier

from classica import catalog

#: The models as they are built, for parametrizing: (card, parameters).
CASES = [
    pytest.param(card, parameters, id=f"{card.slug}-{number}")
    for card in catalog.cards()
    for number, parameters in enumerate(card.test_parameters)
]
CLASSIFIERS = [case for case in CASES if is_classifier(case.values[0].build())]
CARDS = [pytest.param(card, id=card.slug) for card in catalog.cards()]

OUTPUTS = ("predict", "predict_proba", "decision_function")


def build(card: Any, parameters: dict[str, Any], **more: Any) -> Any:
    """Return a new model, seeded when it takes a seed."""
    known = {parameter.name for parameter in card.parameters}
    seeded = {"random_state": 0} if "random_state" in known else {}
    return card.build(**seeded | dict(parameters) | {k: v for k, v in more.items() if k in known})


def table(rows: int = 120, columns: int = 5, classes: int = 3, seed: int = 0) -> tuple[Any, Any]:
    """Return overlapping classes; values are exact in float32."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    X = random.normal(size=(rows, columns)) + 0.8 * y[:, None] * np.arange(columns)
    return X.astype(np.float32).astype(np.float64), np.array(["ape", "bee", "cat", "dog"])[y]


def table_for(card: Any, **sizes: Any) -> tuple[Any, Any]:
    """Return a table whose target suits the card: classes, or numbers for a regressor."""
    X, y = table(**sizes)
    return (X, y) if is_classifier(card.build()) else (X, X @ np.arange(X.shape[1]))


def within(card: Any, exact: float) -> float:
    """Return how closely two fits must agree that differ by rounding only.

    One that goes on until a tolerance is met is as exact as that: its test parameters ask for a small one.
    """
    known = {parameter.name for parameter in card.parameters}
    return 1e-6 if {"tol", "max_iter"} <= known else exact


def outputs(model: Any, X: Any) -> dict[str, Any]:
    """Return what each prediction method the model has says about X."""
    return {name: getattr(model, name)(X) for name in OUTPUTS if hasattr(model, name)}


def assert_same(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Assert equality to the last bit."""
    assert first.keys() == second.keys()
    for name, values in first.items():
        np.testing.assert_array_equal(values, second[name], err_msg=name)


def assert_close(first: dict[str, Any], second: dict[str, Any], tolerance: float) -> None:
    """Assert equal labels, and numbers within an absolute tolerance."""
    assert first.keys() == second.keys()
    for name, values in first.items():
        if name == "predict" and values.dtype.kind != "f":
            np.testing.assert_array_equal(values, second[name])
        else:
            np.testing.assert_allclose(values, second[name], rtol=0, atol=tolerance, err_msg=name)
