"""What a model can become to be looked at: text, JSON, a picture, rules."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.explain.explained import explain_model
from classica.explain.opened import Opened
from classica.export.form import shown_as
from classica.persist.encoder import Encoder

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: The version of the JSON form.
VERSION = 1


def has_tree(opened: Opened) -> bool:
    """Return whether the classifier is one tree: it draws itself."""
    return hasattr(opened.estimator, "to_svg")


def has_rules(opened: Opened) -> bool:
    """Return whether the classifier is a tree or a list of rules: it tells its rules."""
    return hasattr(opened.estimator, "to_rules")


def model_text(opened: Opened) -> str:
    """Return the model as a person reads it."""
    return explain_model(opened.model, top=None).text()


def model_svg(opened: Opened) -> str:
    """Return a picture of the tree."""
    picture: str = opened.estimator.to_svg()
    return picture


def model_rules(opened: Opened) -> str:
    """Return the rules of a tree or of a list of rules."""
    return f"{opened.estimator.to_rules().to_text()}\n"


def model_json(opened: Opened) -> str:
    """Return everything about a model as JSON.

    ``schema``, ``encoder`` and ``decision`` are null where there is none. ``objects`` and ``arrays`` are the
    state of the classifier as a model file has it (see `classica.persist.encoder`), the last object being the
    classifier itself, or the calibration around it; arrays are their type, shape and values in rows, with
    numbers JSON does not know as "nan", "inf" and "-inf". ``explanation`` is what `classica explain` tells.
    """
    encoder = Encoder()
    whole = opened.calibration or opened.estimator
    encoder.value(whole, type(whole).__name__)
    record = {
        "format": "classica-model",
        "version": VERSION,
        "kind": opened.kind,
        "classes": opened.classes,
        "columns": [dataclasses.asdict(column) for column in opened.columns],
        "schema": None if opened.table is None else opened.table.schema.record(),
        "encoder": None if opened.encoder is None else _encoder(opened.encoder),
        "decision": None if opened.decision is None else _decision(opened.decision),
        "objects": encoder.objects,
        "arrays": [_array(array) for array in encoder.arrays],
        "explanation": explain_model(opened.model, top=None).record(),
    }
    return json.dumps(record, ensure_ascii=False, indent=1, allow_nan=False, default=_plain) + "\n"


def _encoder(encoder: BaseEstimator) -> dict[str, Any]:
    options = {name: bool(getattr(encoder, name)) for name in ("encode", "fill", "standardise")}
    return {**options, "columns": [dataclasses.asdict(column) for column in encoder.columns_]}


def _decision(decision: BaseEstimator) -> dict[str, Any]:
    keeps = decision.keeps_priors()
    return {
        "costs": decision.costs_.tolist(),
        "priors": None if keeps else decision.priors_.tolist(),
        "training_priors": None if keeps else decision.training_priors_.tolist(),
        "reject_cost": decision.reject_cost,
    }


def _array(array: object) -> dict[str, Any]:
    values = np.asarray(array)
    return {"type": values.dtype.str, "shape": list(values.shape), "values": _finite(values.ravel().tolist())}


def _finite(values: list[Any]) -> list[Any]:
    return [repr(v) if isinstance(v, float) and not math.isfinite(v) else _plain(v) for v in values]


def _plain(value: object) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


TEXT = shown_as("text", model_text, lambda opened: True, order=10)
JSON = shown_as("json", model_json, lambda opened: True, order=20)
SVG = shown_as("svg", model_svg, has_tree, order=30)
RULES = shown_as("rules", model_rules, has_rules, order=40)
