"""Which pictures the report has of which model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from classica.interfaces.report.bracket_display import BracketDisplay
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.fold_curves import add_curves
from classica.interfaces.report.learned import learned_parts
from classica.interfaces.report.learning_curve_display import LearningCurveDisplay
from classica.interfaces.report.loss_parts_display import LossPartsDisplay
from classica.interfaces.report.material import Material
from classica.interfaces.report.own_pictures import add_own, add_regions, add_tree


def look_pictures(material: Material) -> dict[str, Any]:
    """Return the pictures of the closer look at the best model."""
    drawing, looks = Drawing("look"), material.summary["looks"]
    makers = {
        "learning curve": lambda look: LearningCurveDisplay(look["curve"], look["text"]),
        "bias and variance": lambda look: LossPartsDisplay(look["parts"]),
        "bayes error": lambda look: BracketDisplay(look["bracket"], _best_error(material)),
    }
    for name, make in makers.items():
        look = looks.get(name)
        if look is None:
            continue
        if look["status"] != "done":
            drawing.skip(name.capitalize(), look["reason"])
            continue
        drawing.add(name.capitalize(), lambda make=make, look=look: make(look), look["text"])
    return {"pictures": drawing.pictures, "left_out": drawing.left_out}


def _best_error(material: Material) -> tuple[str, float]:
    best = material.done[0]
    return best["title"], best["confusion"]["error"]


def model_pictures(
    material: Material, entry: Mapping[str, Any], name: str, *, in_full: bool
) -> dict[str, Any]:
    """Return what a model has learned in words, and its pictures: all, or only what costs little."""
    drawing = Drawing(name)
    opened, parts = None, []
    with drawing.guarded("What it has learned"):
        opened = material.opened(entry)
        parts = [] if opened is None else learned_parts(opened)
    if opened is not None and in_full:
        with drawing.guarded("What it has learned"):
            add_own(drawing, material, entry, opened)
        with drawing.guarded("Decision regions"):
            add_regions(drawing, material, entry, opened)
    elif opened is not None:
        add_tree(drawing, opened)
    if in_full:
        with drawing.guarded("ROC and calibration"):
            add_curves(drawing, material, entry)
    return {"pictures": drawing.pictures, "left_out": drawing.left_out, "learned": parts}
