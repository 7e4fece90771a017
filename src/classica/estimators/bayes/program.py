"""Naive Bayes as a sum over columns: log densities and log probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.explain.additive import Additive
from classica.explain.additive_models import of_possible_classes, program_as
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import Bell, LevelPart, NumberPart, Part, Steps
from classica.native import Floats


def _of_bayes(layers: ModelLayers) -> Additive | None:
    model = layers.estimator._model
    if model.kernel is not None:
        return None
    parts: list[Part] = []
    gaussian = model.gaussian
    for at, index in enumerate(gaussian.places.tolist()):
        bell = Bell(gaussian.means[:, at], gaussian.inverse_spreads[:, at], gaussian.log_norms[:, at])
        parts.append(NumberPart(index, None, 0.0, 1.0, bell))
    zeros: list[Part] = []
    for table in model.tables:
        parts += _table_parts(layers, table, table.logs)
        if table.zeros is not None:
            zeros += _table_parts(layers, table, table.zeros.astype(np.float64))
    labels = tuple(layers.classes or ())
    program = Additive(layers.columns, labels, model.log_prior, tuple(parts), tuple(zeros))
    return of_possible_classes(program)


def _table_parts(layers: ModelLayers, table: Any, added: Floats) -> list[Part]:
    """Return a part for each column of codes; the last code of categories is that of other levels."""
    counts = table.counts
    parts: list[Part] = []
    indices, starts, keys, _ = counts.columns
    for at, (index, first) in enumerate(zip(indices.tolist(), counts.first_slots.tolist(), strict=True)):
        count = int(starts[at + 1] - starts[at])
        rows = added[first : first + count + 1]
        if counts.levels is None:
            steps = Steps(keys[starts[at] : starts[at + 1]], rows)
            parts.append(NumberPart(index, None, 0.0, 1.0, steps))
        else:
            levels = layers.columns[index].levels or ()
            nothing = np.zeros(rows.shape[1])
            parts.append(LevelPart(index, levels, rows[:-1], rows[-1], nothing))
    return parts


program_as(_of_bayes, NaiveBayesClassifier)
