"""The curves of a model, from its predictions in the folds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from markupsafe import Markup

from classica.comparison.results.summary import ModelResult
from classica.decision.class_labels import named_class
from classica.displays import CalibrationDisplay, GainsDisplay, PrecisionRecallDisplay, RocDisplay
from classica.displays.curves.curve_display import GRID
from classica.interfaces.report.drawing import CannotDraw, Drawing
from classica.interfaces.report.material import Material
from classica.native import Floats

_SIDE = 100

#: What to see in the pictures.
_ROC = "The nearer to the upper left corner, the better the classes are told apart."
_PRECISION_RECALL = "How many predictions of the class are right, if so much of the class is to be found."
_GAINS = "How much of the class is found, if only the rows with the highest scores are looked at."
_CALIBRATION = "On the diagonal, predicted probabilities are as frequent as they say."


def roc_sketch(found: RocDisplay) -> tuple[Markup, str]:
    """Return the mean of the ROC curves of all classes, and what to see in it."""
    known = [band.mean for band in found.bands if len(band.areas)]
    if not known:
        raise CannotDraw("No test set has rows of both classes.")
    whose = "ROC" if len(found.bands) == 1 else "ROC, mean of all classes"
    told = f"{whose}: AUC {found.macro:.3f}; guessing has 0.5."
    return _framed(_line(GRID, np.mean(known, axis=0)), told), told


def calibration_sketch(found: CalibrationDisplay) -> tuple[Markup, str]:
    """Return the calibration curve: observed frequency by predicted probability, a dot for each bin."""
    known = found.counts > 0
    sizes = 1.5 + 4 * np.sqrt(found.counts[known] / found.counts.sum())
    dots = [
        Markup('<circle class="mean" cx="{}" cy="{}" r="{}"/>').format(*_point(said, came), f"{size:.1f}")
        for said, came, size in zip(found.predicted[known], found.observed[known], sizes, strict=True)
    ]
    told = (
        f"Are the probabilities calibrated? Those of {found.subject} are off by"
        f" {found.calibration_error:.1%} on average."
    )
    return _framed(Markup("").join(dots), told), told


def _point(across: float, up: float) -> tuple[str, str]:
    return f"{_SIDE * across:.1f}", f"{_SIDE * (1 - up):.1f}"


def _line(across: Floats, up: Floats) -> Markup:
    points: Iterable[str] = (",".join(_point(*point)) for point in zip(across, up, strict=True))
    return Markup('<polyline class="curve" points="{}"/>').format(" ".join(points))


def _framed(inside: Markup, told: str) -> Markup:
    """Return a plot with a frame and its diagonal: random guessing, or perfect calibration."""
    return Markup(
        '<svg class="sketch" viewBox="-4 -4 {0} {0}" role="img" aria-label="{1}">'
        '<rect class="frame" width="{2}" height="{2}"/><line class="frame" x1="0" y1="{2}" x2="{2}" y2="0"/>'
        "{3}</svg>"
    ).format(_SIDE + 8, told, _SIDE, inside)


class FoldCurves:
    """The predictions of a model in the folds, and their plots.

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
        positive = material.summary.settings.positive
        self._options: dict[str, Any] = {
            "folds": self._folds,
            "classes": self._classes,
            "positive": None if positive is None else named_class(positive, self._classes.tolist()),
        }
        self._probabilities, scores = (_stacked(parts, name) for name in ("probabilities", "scores"))
        self._behind = scores if self._probabilities is None else self._probabilities

    def draw(self, drawing: Drawing) -> None:
        """Draw ROC, precision and recall, and calibration where there are probabilities."""
        if self._behind is None:
            drawing.skip("ROC and calibration", "The model has neither scores nor probabilities.")
            return
        drawing.add("ROC", self._roc, _ROC)
        drawing.add("Precision and recall", self._precision_recall, _PRECISION_RECALL)
        if len(self._classes) == 2:
            drawing.add("Cumulative gains", self._gains, _GAINS)
        if self._probabilities is None:
            drawing.skip("Calibration", "The model has scores, but no probabilities.")
        else:
            drawing.add("Calibration", self._calibration, _CALIBRATION)

    def sketch(self, drawing: Drawing) -> None:
        """Sketch ROC and calibration, where there is something to draw them from."""
        if self._behind is not None:
            drawing.add_sketch("ROC", lambda: roc_sketch(self._roc()))
        if self._probabilities is not None:
            drawing.add_sketch("Calibration", lambda: calibration_sketch(self._calibration()))

    def _roc(self) -> RocDisplay:
        return RocDisplay.from_scores(self._truth, self._behind, **self._options)

    def _precision_recall(self) -> PrecisionRecallDisplay:
        return PrecisionRecallDisplay.from_scores(self._truth, self._behind, **self._options)

    def _gains(self) -> GainsDisplay:
        return GainsDisplay.from_scores(self._truth, self._behind, **self._options)

    def _calibration(self) -> CalibrationDisplay:
        return CalibrationDisplay.from_probabilities(self._truth, self._probabilities, classes=self._classes)


def _stacked(parts: list[Any], name: str) -> Any:
    arrays = [getattr(part, name) for part in parts]
    return None if any(array is None for array in arrays) else np.concatenate(arrays)
