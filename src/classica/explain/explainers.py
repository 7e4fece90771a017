"""How models are explained: what stands beside a class says what it has learned, and why a row is so."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from classica.beside import Beside
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Longer arrays are told by their shape.
_MOST = 20


def describe_any(layers: ModelLayers) -> list[Section]:
    """Return what any model has learned, where it is short enough."""
    model = layers.estimator
    names = [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]
    facts = {name.rstrip("_").replace("_", " "): _plain(getattr(model, name)) for name in sorted(names)}
    summary = (inspect.getdoc(type(model)) or type(model).__name__).split("\n\n")[0].replace("\n", " ")
    return [Section(type(model).__name__, prose=summary, facts=facts)]


def _plain(value: object) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= _MOST and value.ndim <= 1 else f"array of shape {value.shape}"
    if isinstance(value, list | tuple | dict):
        return f"{len(value)} of them"
    return value if isinstance(value, bool | int | float | str | np.generic) else type(value).__name__


def reasons_of_any(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the probabilities or scores that any model gives a row."""
    return [outcome(layers, row)]


@dataclass(frozen=True)
class Explainer:
    """What a model has learned, and why a row gets its class."""

    describe: Callable[[ModelLayers], list[Section]]
    reasons: Callable[[ModelLayers, pl.DataFrame], list[Section]]


_EXPLAINERS: Beside[Explainer] = Beside("explain")


def explain_as(
    describe: Callable[[ModelLayers], list[Section]],
    reasons: Callable[[ModelLayers, pl.DataFrame], list[Section]],
    *classes: type[Any],
) -> None:
    """Say how models of some classes are explained."""
    for cls in classes:
        _EXPLAINERS.add(cls, Explainer(describe, reasons))


def explainer_of(estimator: BaseEstimator) -> Explainer:
    """Return how a model is explained; one that says nothing itself by what can be said about any model."""
    return _EXPLAINERS.of(type(estimator)) or Explainer(describe_any, reasons_of_any)
