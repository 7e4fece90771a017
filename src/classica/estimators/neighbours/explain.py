"""Nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.estimators.neighbours.knn import KNeighborsClassifier
from classica.estimators.neighbours.knn_regressor import KNeighborsRegressor
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.wording import plain_words


def describe(layers: ModelLayers) -> list[Section]:
    """Return how many neighbours vote, how distance is measured, and of how many rows."""
    model, encoder = layers.estimator, layers.encoder
    facts: dict[str, Any] = {
        "neighbours": model.n_neighbors_,
        "training rows": model.n_samples_fit_,
        "distance": model.metric if isinstance(model.metric, str) else "a function",
        "weights": model.weights if isinstance(model.weights, str) else "a function",
        "search structure": model.algorithm_,
        "columns": "standardised" if encoder is not None and encoder.standardise else "as they are",
    }
    if model.metric == "minkowski":
        facts["power"] = model.p
    if hasattr(model, "_codes"):
        counts = np.bincount(model._codes, minlength=len(model.classes_)).tolist()
        labels = [plain_words(label) for label in layers.classes or ()]
        facts["rows of each class"] = [f"{label} {n}" for label, n in zip(labels, counts, strict=True)]
    return [Section("Nearest neighbours", facts=facts)]


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the training rows that voted, by number, with their distances."""
    model, seen = layers.estimator, layers.seen(row)
    if not hasattr(model, "explain"):
        distances, indices = model.kneighbors(seen)
        rows = [[int(p) + 1, float(d)] for p, d in zip(indices[0], distances[0], strict=True)]
        title = "The nearest training rows"
        return [Section(title, headings=["row", "distance"], rows=rows), outcome(layers, row)]
    [explanation] = model.explain(seen)
    near = zip(
        (explanation.rows + 1).tolist(),
        explanation.distances.tolist(),
        explanation.labels.tolist(),
        strict=True,
    )
    voters = [[index, distance, plain_words(label)] for index, distance, label in near]
    title = "Neighbours that vote, nearest first"
    return [
        Section(title, headings=["row", "distance", "class"], rows=voters),
        outcome(layers, row),
    ]


explain_as(describe, reasons, KNeighborsClassifier, KNeighborsRegressor)
