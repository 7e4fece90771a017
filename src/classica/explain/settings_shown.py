"""What stands around a classifier: how columns become numbers, scores probabilities, and these decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.wording import plain_words

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


_CALIBRATIONS = {
    "sigmoid": "Scores become probabilities by a sigmoid curve for each class, fitted on held-out rows.",
    "isotonic": "Scores become probabilities by an isotonic curve for each class, fitted on held-out rows.",
    "softmax": "Scores become probabilities by one softmax of all scores, its slope fitted on held-out rows;"
    " the most probable class is the one with the highest score.",
}


def settings_sections(layers: ModelLayers) -> list[Section]:
    """Return the encoder, the calibration and the decision, where there are such."""
    sections = []
    if layers.encoder is not None:
        text = "\n".join(plain_words(line) for line in layers.encoder.describe())
        sections.append(Section("How each column is encoded", prose=text))
    if layers.calibration is not None and layers.calibration.method_ is not None:
        sections.append(Section("Calibration", prose=_CALIBRATIONS[layers.calibration.method_]))
    if layers.decision is not None and is_more_than_map(layers.decision):
        sections += _decision(layers.decision)
    return sections


def is_more_than_map(decision: BaseEstimator) -> bool:
    """Return whether a decision is more than the most probable class of every row."""
    return any(term is not None for term in (decision.costs, decision.priors, decision.reject_cost))


def _decision(decision: BaseEstimator) -> list[Section]:
    labels = [plain_words(label) for label in np.asarray(decision.classes_).tolist()]
    costs = [[f"predict {label}", *row] for label, row in zip(labels, decision.costs_.tolist(), strict=True)]
    facts: dict[str, Any] = {}
    if not decision.keeps_priors():
        pairs = zip(labels, decision.training_priors_, decision.priors_, strict=True)
        facts["priors"] = [f"{label} {old:.4g} -> {new:.4g}" for label, old, new in pairs]
    if decision.reject_cost is not None:
        facts["cost of rejecting a row"] = float(decision.reject_cost)
    threshold = getattr(decision, "threshold_", None)
    if threshold is not None:
        facts[f"{labels[1]} is predicted if its probability exceeds"] = float(threshold)
    return [
        Section("Cost of each prediction (columns: true class)", headings=["", *labels], rows=costs),
        *([Section("Priors, threshold and reject", facts=facts)] if facts else []),
    ]
