"""How classifiers compute, step by step: what stands beside a class says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from classica.beside import Beside
from classica.explain.explainers import explainer_of
from classica.explain.section import Section
from classica.explain.settings_shown import settings_sections
from classica.explain.traced import Traced

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


def any_steps(traced: Traced) -> list[Section]:
    """Return what was learned, and the computation for the row."""
    explainer = explainer_of(traced.estimator)
    about = Section(f"For {traced.about_row}")
    learned = [*settings_sections(traced.layers), *explainer.describe(traced.layers)]
    return [*learned, about, *explainer.reasons(traced.layers, traced.row)]


Steps = Callable[[Traced], list[Section]]


@dataclass(frozen=True)
class Tracer:
    """The steps of a computation, and the parameters with which they can be followed."""

    steps: Steps
    parameters: Mapping[str, Any] = field(default_factory=dict)


_TRACERS: Beside[Tracer] = Beside("trace")


def trace_as(steps: Steps, *classes: type[Any], **parameters: object) -> None:
    """Say how some classes compute, and with which parameters the steps can be followed."""
    for cls in classes:
        _TRACERS.add(cls, Tracer(steps, parameters))


def tracer_of(estimator: BaseEstimator) -> Tracer:
    """Return how a classifier computes; one without steps of its own tells what it has learned."""
    return _TRACERS.of(type(estimator)) or Tracer(any_steps)


def has_steps(estimator: BaseEstimator) -> bool:
    """Return whether a classifier has steps of its own."""
    return tracer_of(estimator).steps is not any_steps
