"""Small pictures of the curves of a model: what many models can have, since they cost next to nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from markupsafe import Markup

from classica.displays import CalibrationDisplay, RocDisplay
from classica.displays.curves.curve_band import GRID
from classica.interfaces.report.drawing import CannotDraw
from classica.native import Floats

_SIDE = 100


def roc_sketch(found: RocDisplay) -> tuple[Markup, str]:
    """Return the mean of the ROC curves of all classes, and what to see in it."""
    known = [band.mean for band in found.bands if len(band.areas)]
    if not known:
        raise CannotDraw("No fold has rows of both sides.")
    whose = "ROC" if len(found.bands) == 1 else "ROC, mean of all classes"
    told = f"{whose}: area {found.macro:.3f}; guessing has 0.5."
    return _framed(_line(GRID, np.mean(known, axis=0)), told), told


def calibration_sketch(found: CalibrationDisplay) -> tuple[Markup, str]:
    """Return how often came true what was said, a dot for each bin, larger for more rows."""
    known = found.counts > 0
    sizes = 1.5 + 4 * np.sqrt(found.counts[known] / found.counts.sum())
    dots = [
        Markup('<circle class="mean" cx="{}" cy="{}" r="{}"/>').format(*_place(said, came), f"{size:.1f}")
        for said, came, size in zip(found.predicted[known], found.observed[known], sizes, strict=True)
    ]
    told = (
        f"Are the probabilities calibrated? Those of {found.subject} are off by"
        f" {found.calibration_error:.1%} on average."
    )
    return _framed(Markup("").join(dots), told), told


def _place(across: float, up: float) -> tuple[str, str]:
    return f"{_SIDE * across:.1f}", f"{_SIDE * (1 - up):.1f}"


def _line(across: Floats, up: Floats) -> Markup:
    places: Iterable[str] = (",".join(_place(*point)) for point in zip(across, up, strict=True))
    return Markup('<polyline class="curve" points="{}"/>').format(" ".join(places))


def _framed(inside: Markup, told: str) -> Markup:
    """Return a picture with a frame and the diagonal, which is guessing or being right."""
    return Markup(
        '<svg class="sketch" viewBox="-4 -4 {0} {0}" role="img" aria-label="{1}">'
        '<rect class="frame" width="{2}" height="{2}"/><line class="frame" x1="0" y1="{2}" x2="{2}" y2="0"/>'
        "{3}</svg>"
    ).format(_SIDE + 8, told, _SIDE, inside)
