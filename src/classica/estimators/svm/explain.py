"""Kernel machines: support vectors, and what they add to the scores of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.estimators.base.kernel_functions import Kernel
from classica.estimators.svm.linear_svm import LinearSVMClassifier
from classica.estimators.svm.support_vectors import SupportVectorMachine
from classica.explain import column_sums as linear
from classica.explain.additive_models import additive_of
from classica.explain.binary_scores import is_by_pair, pair_votes
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import largest_first, outcome, score_names
from classica.wording import plain_words


def describe(layers: ModelLayers) -> list[Section]:
    """Return kernel and numbers of support vectors; of a linear kernel also the weights of columns."""
    model = layers.estimator
    kernel = model._model.kernel
    facts: dict[str, Any] = {"kernel": kernel.name, "support vectors": len(model.support_)}
    facts |= {name: getattr(kernel, name) for name in ("gamma", "degree", "coef0") if _is_used(kernel, name)}
    if hasattr(model, "n_support_"):
        labels = [plain_words(label) for label in layers.classes or ()]
        by_class = zip(labels, model.n_support_.tolist(), strict=True)
        facts["of each class"] = [f"{label} {count}" for label, count in by_class]
    names = _classifier_names(layers, len(model.intercept_))
    offsets = Section("Intercepts", headings=["", *names], rows=[["intercept", *model.intercept_.tolist()]])
    program = additive_of(layers)
    weights = [] if program is None else linear.weight_sections(layers, program)
    return [Section("Support vector machine", facts=facts), offsets, *weights]


def _is_used(kernel: Kernel, name: str) -> bool:
    used = {"rbf": ("gamma",), "poly": ("gamma", "degree", "coef0"), "sigmoid": ("gamma", "coef0")}
    return hasattr(kernel, name) and name in used.get(str(kernel.name), ())


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return what each support vector adds to the scores of the binary classifiers."""
    if additive_of(layers) is not None:
        return linear.reasons(layers, row)
    model = layers.estimator
    machines, vectors = model._model, model._model.rows
    query = model._query(layers.seen(row))
    if machines.kernel.name == "precomputed":
        values = np.asarray(query[:, machines.places], dtype=np.float64)[0]
    else:
        values = machines.kernel.matrix(query, vectors, 1)[0]
    added = (machines.weights * values).T
    names = _classifier_names(layers, added.shape[1])
    rows: list[list[Any]] = [
        ["sum", "", *(machines.offsets + added.sum(axis=0)).tolist()],
        ["intercept", "", *machines.offsets.tolist()],
    ]
    for index in largest_first(added):
        number = int(machines.places[index]) + 1
        rows.append([f"training row {number}", float(values[index]), *added[index].tolist()])
    title = "Contribution of each support vector: weight × kernel value"
    added_up = Section(title, headings=["", "kernel", *names], rows=rows)
    return [added_up, *pair_votes(layers, row), outcome(layers, row)]


def _classifier_names(layers: ModelLayers, machines: int) -> list[str]:
    labels = layers.classes
    if labels is None or machines == 0:
        return ["number"]
    return [plain_words(labels[1])] if len(labels) == 2 else score_names(labels, by_pair=is_by_pair(layers))


explain_as(describe, reasons, SupportVectorMachine)
explain_as(linear.describe, linear.reasons, LinearSVMClassifier)
