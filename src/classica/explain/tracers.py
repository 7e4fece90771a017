"""How classifiers compute, step by step: what stands beside a class says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from classica.beside import Beside
from classica.explain import any_trace
from classica.explain.section import Section
from classica.explain.traced import Traced

Steps = Callable[[Traced], list[Section]]


@dataclass(frozen=True)
class Tracer:
    """The steps of a computation, and the parameters with which they can be followed."""

    steps: Steps
    parameters: Mapping[str, Any] = field(default_factory=dict)


_TRACERS: Beside[Tracer] = Beside("trace")


def trace_as(steps: Steps, *classes: type[Any], **parameters: Any) -> None:
    """Say how some classes compute, and with which parameters the steps can be followed."""
    for cls in classes:
        _TRACERS.add(cls, Tracer(steps, parameters))


def tracer_of(estimator: Any) -> Tracer:
    """Return how a classifier computes; one without steps of its own tells what it has learned."""
    return _TRACERS.of(type(estimator)) or Tracer(any_trace.steps)


def has_steps(estimator: Any) -> bool:
    """Return whether a classifier has steps of its own."""
    return tracer_of(estimator).steps is not any_trace.steps
