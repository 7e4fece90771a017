"""The curves of a model, from what it said in the folds."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.comparison.results.summary import ModelResult
from classica.displays import CalibrationDisplay, PrecisionRecallDisplay, RocDisplay
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.material import Material
from classica.interfaces.report.sketches import calibration_sketch, roc_sketch


class FoldCurves:
    """What a model said in the folds, and the pictures that can be made of it.

    Parameters
    ----------
    material : Material
        The run.
    model : ModelResult
        The model.
    """

    def __init__(self, material: Material, model: ModelResult) -> None:
        parts = material.answers(model)
        self._truth = material.workspace.y[np.concatenate([part.rows for part in parts])]
        self._folds = np.repeat(np.arange(len(parts)), [len(part.rows) for part in parts])
        self._classes: Any = material.workspace.classes
        self._probabilities, scores = (_stacked(parts, name) for name in ("probabilities", "scores"))
        self._behind = scores if self._probabilities is None else self._probabilities

    def draw(self, drawing: Drawing) -> None:
        """Draw ROC, precision and recall, and calibration where there are probabilities."""
        if self._behind is None:
            drawing.skip("ROC and calibration", "The model gives neither scores nor probabilities.")
            return
        drawing.add("ROC", self._roc)
        drawing.add("Precision and recall", self._precision_recall)
        if self._probabilities is None:
            drawing.skip("Calibration", "The model gives scores, not probabilities.")
        else:
            drawing.add("Calibration", self._calibration)

    def sketch(self, drawing: Drawing) -> None:
        """Sketch ROC and calibration, where there is something to draw them from."""
        if self._behind is not None:
            drawing.add_sketch("ROC", lambda: roc_sketch(self._roc()))
        if self._probabilities is not None:
            drawing.add_sketch("Calibration", lambda: calibration_sketch(self._calibration()))

    def _roc(self) -> RocDisplay:
        return RocDisplay.from_scores(self._truth, self._behind, folds=self._folds, classes=self._classes)

    def _precision_recall(self) -> PrecisionRecallDisplay:
        return PrecisionRecallDisplay.from_scores(
            self._truth, self._behind, folds=self._folds, classes=self._classes
        )

    def _calibration(self) -> CalibrationDisplay:
        return CalibrationDisplay.from_probabilities(self._truth, self._probabilities, classes=self._classes)


def _stacked(parts: list[Any], name: str) -> Any:
    arrays = [getattr(part, name) for part in parts]
    return None if any(array is None for array in arrays) else np.concatenate(arrays)
