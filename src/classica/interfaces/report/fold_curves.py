"""The curves of a model, from what it said in the folds."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from classica.evaluation.displays import CalibrationDisplay, PrecisionRecallDisplay, RocDisplay
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.material import Material


def add_curves(drawing: Drawing, material: Material, entry: Mapping[str, Any]) -> None:
    """Draw ROC, precision and recall, and calibration where there are probabilities."""
    parts = material.answers(entry)
    truth = material.workspace.y[np.concatenate([part.rows for part in parts])]
    folds = np.repeat(np.arange(len(parts)), [len(part.rows) for part in parts])
    classes: Any = material.workspace.classes
    probabilities, scores = (_stacked(parts, name) for name in ("probabilities", "scores"))
    behind = scores if probabilities is None else probabilities
    if behind is None:
        drawing.skip("ROC and calibration", "The model gives neither scores nor probabilities.")
        return
    for what, display in (("ROC", RocDisplay), ("Precision and recall", PrecisionRecallDisplay)):
        drawing.add(what, partial(display.from_scores, truth, behind, folds=folds, classes=classes))
    if probabilities is None:
        drawing.skip("Calibration", "The model gives scores, not probabilities.")
        return
    drawing.add(
        "Calibration", lambda: CalibrationDisplay.from_probabilities(truth, probabilities, classes=classes)
    )


def _stacked(parts: list[Any], name: str) -> Any:
    arrays = [getattr(part, name) for part in parts]
    return None if any(array is None for array in arrays) else np.concatenate(arrays)
