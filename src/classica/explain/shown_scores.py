"""The probabilities or scores behind an answer, and cells of tables that several kinds share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from classica.explain.additive import pairs
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.wording import plain_words


def outcome(layers: ModelLayers, row: pl.DataFrame) -> Section:
    """Return what the classifier itself says about a row: probabilities, else scores, else the answer."""
    model, seen = layers.estimator, layers.seen(row)
    labels = [plain_words(label) for label in layers.classes or ()]
    if labels and hasattr(model, "predict_proba"):
        pairs = zip(labels, model.predict_proba(seen)[0].tolist(), strict=True)
        return Section("Probabilities", headings=["class", "probability"], rows=list(pairs))
    if labels and hasattr(model, "decision_function"):
        margins = np.atleast_1d(model.decision_function(seen)[0]).tolist()
        names = labels if len(margins) == len(labels) else labels[-1:]
        pairs = zip(names, margins, strict=True)
        return Section("Scores", headings=["class", "score"], rows=list(pairs))
    return Section("Prediction", facts={"prediction": np.asarray(model.predict(seen)).tolist()[0]})


def score_names(classes: Sequence[Any], *, by_pair: bool) -> list[str]:
    """Return what scores are called: by class, or by the pair of classes that each separates."""
    labels = [plain_words(label) for label in classes]
    return [f"{labels[a]} vs. {labels[b]}" for a, b in pairs(len(labels))] if by_pair else labels


def sizes(values: object) -> Any:
    """Return how much each row of numbers tells scores apart: the widest gap between its numbers."""
    values = np.nan_to_num(np.asarray(values, dtype=np.float64), posinf=1e300, neginf=-1e300)
    if values.shape[1] == 1:
        return np.abs(values[:, 0])
    return np.ptp(values, axis=1)


def largest_first(values: object) -> list[int]:
    """Return the rows of numbers, those that tell most first."""
    order: list[int] = np.argsort(-sizes(values), kind="stable").tolist()
    return order


def shown_cell(row: pl.DataFrame, name: str) -> str:
    """Return the cell of a row as it is shown."""
    cell = row[name][0]
    return "?" if cell is None or cell != cell else plain_words(cell)
