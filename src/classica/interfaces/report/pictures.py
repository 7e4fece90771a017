"""Which pictures the report has of which model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from classica.evaluation import BiasVariance
from classica.evaluation.displays import BiasVarianceDisplay, Display
from classica.interfaces.report.bracket_display import BracketDisplay
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.fold_curves import FoldCurves
from classica.interfaces.report.learned import learned_parts
from classica.interfaces.report.learning_curve_display import LearningCurveDisplay
from classica.interfaces.report.material import Material
from classica.interfaces.report.own_pictures import add_own, add_regions, add_tree


def look_pictures(material: Material) -> dict[str, Any]:
    """Return the pictures of the closer look at the best model."""
    drawing = Drawing("look")
    for name, make in _LOOKS.items():
        look = material.summary["looks"].get(name)
        if look is not None and look["status"] == "done":
            drawing.add(name.capitalize(), partial(make, material, look), look["text"])
        elif look is not None:
            drawing.skip(name.capitalize(), look["reason"])
    return {"pictures": drawing.pictures, "left_out": drawing.left_out}


def _learning_curve(material: Material, look: Mapping[str, Any]) -> Display:
    return LearningCurveDisplay(look["curve"], look["text"])


def _bias_variance(material: Material, look: Mapping[str, Any]) -> Display:
    return BiasVarianceDisplay(BiasVariance.from_record(look["bias_variance"]))


def _bracket(material: Material, look: Mapping[str, Any]) -> Display:
    best = material.done[0]
    return BracketDisplay(look["bracket"], (best["title"], best["confusion"]["error"]))


_LOOKS = {"learning curve": _learning_curve, "bias and variance": _bias_variance, "bayes error": _bracket}


def model_pictures(
    material: Material, entry: Mapping[str, Any], name: str, *, in_full: bool
) -> dict[str, Any]:
    """Return what a model has learned in words, and its pictures: all, or only what costs little."""
    drawing = Drawing(name)
    opened, parts = None, []
    with drawing.guarded("What it has learned"):
        opened = material.opened(entry)
        parts = [] if opened is None else learned_parts(opened, in_full=in_full)
    if opened is not None and in_full:
        with drawing.guarded("What it has learned"):
            add_own(drawing, material, entry, opened)
        with drawing.guarded("Decision regions"):
            add_regions(drawing, material, entry, opened)
    elif opened is not None:
        add_tree(drawing, opened)
    with drawing.guarded("ROC and calibration"):
        curves = FoldCurves(material, entry)
        (curves.draw if in_full else curves.sketch)(drawing)
    return {
        "pictures": drawing.pictures,
        "sketches": drawing.sketches,
        "left_out": drawing.left_out,
        "learned": parts,
    }
