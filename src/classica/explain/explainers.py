"""How models are explained: what stands beside a class says what it has learned, and why a row is so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.beside import Beside
from classica.explain import any_model
from classica.explain.opened import Opened
from classica.explain.section import Section


@dataclass(frozen=True)
class Explainer:
    """What a model has learned, and why a row gets its class."""

    describe: Callable[[Opened], list[Section]]
    reasons: Callable[[Opened, pl.DataFrame], list[Section]]


_EXPLAINERS: Beside[Explainer] = Beside("explain")


def explain_as(
    describe: Callable[[Opened], list[Section]],
    reasons: Callable[[Opened, pl.DataFrame], list[Section]],
    *classes: type[Any],
) -> None:
    """Say how models of some classes are explained."""
    for cls in classes:
        _EXPLAINERS.add(cls, Explainer(describe, reasons))


def explainer_of(estimator: Any) -> Explainer:
    """Return how a model is explained; one that says nothing itself by what can be said about any model."""
    return _EXPLAINERS.of(type(estimator)) or Explainer(any_model.describe, any_model.reasons)
