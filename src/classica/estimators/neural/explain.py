"""Neural networks: layers, and how the last one makes scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl

from classica.arrays import Rows
from classica.estimators.neural.mlp import MLPClassifier
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import largest_first, outcome
from classica.native import Floats
from classica.wording import plain_words

_BENDS: dict[str, Callable[[Any], Any]] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0.0),
    "tanh": np.tanh,
    "logistic": lambda x: 1 / (1 + np.exp(-np.clip(x, -700, None))),
}


def describe(layers: ModelLayers) -> list[Section]:
    """Return the size of each layer and of its weights."""
    model = layers.estimator
    rows = []
    for number, (weights, biases) in enumerate(zip(model.coefs_, model.intercepts_, strict=True), 1):
        length = float(np.sqrt(np.mean(weights**2)))
        rows.append([number, weights.shape[0], weights.shape[1], weights.size + biases.size, length])
    headings = ["layer", "inputs", "neurons", "parameters", "size of the weights"]
    facts = {"activation": model._passes.network.activation, "passes": model.n_iter_, "loss": model.loss_}
    inputs = np.sqrt(np.sum(model.coefs_[0] ** 2, axis=1))
    names = zip(layers.seen_names, inputs.tolist(), strict=True)
    columns = sorted(([plain_words(name), size] for name, size in names), key=lambda pair: -pair[1])
    return [
        Section("Layers", headings=headings, rows=rows),
        Section("Learning", facts=facts),
        Section("Norm of the weights of each input", headings=["input", "length"], rows=columns),
    ]


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return what each neuron of the last hidden layer adds to the scores."""
    model = layers.estimator
    values = _last_hidden(model, model._query(layers.seen(row)))
    weights, biases = model.coefs_[-1], model.intercepts_[-1]
    added = values[:, None] * weights
    labels = [plain_words(label) for label in layers.classes or ()]
    rows: list[list[Any]] = [
        ["sum", "", *(biases + added.sum(axis=0)).tolist()],
        ["bias", "", *biases.tolist()],
    ]
    rows += [
        [f"neuron {index + 1}", float(values[index]), *added[index].tolist()]
        for index in largest_first(added)
    ]
    title = "Contribution of each neuron of the last hidden layer to the scores"
    return [Section(title, headings=["", "value", *labels], rows=rows), outcome(layers, row)]


def _last_hidden(model: Any, X: Rows) -> Floats:
    network = model._passes.network
    values: Floats = ((np.asarray(X, dtype=np.float64) - network.center) * network.scale)[0]
    for weights, biases in zip(model.coefs_[:-1], model.intercepts_[:-1], strict=True):
        values = _BENDS[network.activation](values @ weights + biases)
    return values


explain_as(describe, reasons, MLPClassifier)
