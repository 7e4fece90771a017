"""What can be said about any model."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import polars as pl

from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.explain.shown_scores import outcome

#: Longer arrays are told by their shape.
_MOST = 20


def describe(opened: Opened) -> list[Section]:
    """Return what was learned that is short enough to be told."""
    model = opened.estimator
    names = [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]
    facts = {name.rstrip("_").replace("_", " "): _told(getattr(model, name)) for name in sorted(names)}
    told = (inspect.getdoc(type(model)) or type(model).__name__).split("\n\n")[0].replace("\n", " ")
    return [Section(type(model).__name__, prose=told, facts=facts)]


def _told(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= _MOST and value.ndim <= 1 else f"array of shape {value.shape}"
    if isinstance(value, list | tuple | dict):
        return f"{len(value)} of them"
    return value if isinstance(value, bool | int | float | str | np.generic) else type(value).__name__


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the probabilities or scores."""
    return [outcome(opened, row)]
