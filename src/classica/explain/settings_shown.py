"""What stands around a classifier: how columns become numbers, scores probabilities, and these decisions."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.wording import plain_words

_CALIBRATIONS = {
    "sigmoid": "Scores become probabilities by an S-shaped curve for each class, learned on rows held out.",
    "isotonic": "Scores become probabilities by a rising curve for each class, learned on rows held out.",
}


def settings_sections(opened: Opened) -> list[Section]:
    """Return the encoder, the calibration and the decision, where there are such."""
    sections = []
    if opened.encoder is not None:
        text = "\n".join(plain_words(line) for line in opened.encoder.describe())
        sections.append(Section("What becomes of each column before learning", prose=text))
    if opened.calibration is not None:
        sections.append(Section("Calibration", prose=_CALIBRATIONS[opened.calibration.method]))
    if opened.decision is not None and is_more_than_map(opened.decision):
        sections += _decision(opened.decision)
    return sections


def is_more_than_map(decision: Any) -> bool:
    """Return whether a decision is more than the most probable class of every row."""
    return any(term is not None for term in (decision.costs, decision.priors, decision.reject_cost))


def _decision(decision: Any) -> list[Section]:
    labels = [plain_words(label) for label in np.asarray(decision.classes_).tolist()]
    costs = [[f"predict {label}", *row] for label, row in zip(labels, decision.costs_.tolist(), strict=True)]
    facts: dict[str, Any] = {}
    if not decision.keeps_priors():
        pairs = zip(labels, decision.training_priors_, decision.priors_, strict=True)
        facts["priors"] = [f"{label} {old:.4g} -> {new:.4g}" for label, old, new in pairs]
    if decision.reject_cost is not None:
        facts["rejecting a row costs"] = float(decision.reject_cost)
    threshold = getattr(decision, "threshold_", None)
    if threshold is not None:
        facts[f"{labels[1]} is predicted above a probability of"] = float(threshold)
    return [
        Section("Cost of each prediction (columns: true class)", headings=["", *labels], rows=costs),
        *([Section("Priors, threshold and reject", facts=facts)] if facts else []),
    ]
