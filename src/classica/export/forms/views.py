"""What a model can become to be looked at: text, JSON, a picture, rules."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from classica.explain.explained import explain_model
from classica.explain.model_layers import ModelLayers
from classica.export.form import shown_as
from classica.persist.encoder import Encoder

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: The version of the JSON form.
VERSION = 1


def has_tree(layers: ModelLayers) -> bool:
    """Return whether the classifier is one tree: it draws itself."""
    return hasattr(layers.estimator, "to_svg")


def has_rules(layers: ModelLayers) -> bool:
    """Return whether the classifier is a tree or a list of rules: it tells its rules."""
    return hasattr(layers.estimator, "to_rules")


def model_text(layers: ModelLayers) -> str:
    """Return the model as a person reads it."""
    return explain_model(layers.model, top=None).text()


def model_svg(layers: ModelLayers) -> str:
    """Return a picture of the tree."""
    picture: str = layers.estimator.to_svg()
    return picture


def model_rules(layers: ModelLayers) -> str:
    """Return the rules of a tree or of a list of rules."""
    return f"{layers.estimator.to_rules().to_text()}\n"


def model_json(layers: ModelLayers) -> str:
    """Return everything about a model as JSON.

    ``schema``, ``encoder`` and ``decision`` are null where there is none. ``objects`` and ``arrays`` are the
    state of the classifier as a model file has it (see `classica.persist.encoder`), the last object being the
    classifier itself, or the calibration around it; arrays are their type, shape and values in rows, with
    numbers JSON does not know as "nan", "inf" and "-inf". ``explanation`` is what `classica explain` tells.
    """
    encoder = Encoder()
    whole = layers.calibration or layers.estimator
    encoder.value(whole, type(whole).__name__)
    record = {
        "format": "classica-model",
        "version": VERSION,
        "kind": layers.kind,
        "classes": layers.classes,
        "columns": [dataclasses.asdict(column) for column in layers.columns],
        "schema": None if layers.table is None else layers.table.schema.record(),
        "encoder": None if layers.encoder is None else _encoder(layers.encoder),
        "decision": None if layers.decision is None else _decision(layers.decision),
        "objects": encoder.objects,
        "arrays": [_array(array) for array in encoder.arrays],
        "explanation": explain_model(layers.model, top=None).record(),
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


TEXT = shown_as("text", model_text, lambda layers: True, order=10)
JSON = shown_as("json", model_json, lambda layers: True, order=20)
SVG = shown_as("svg", model_svg, has_tree, order=30)
RULES = shown_as("rules", model_rules, has_rules, order=40)
