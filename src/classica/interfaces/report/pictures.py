"""Which pictures the report has of which model."""

from __future__ import annotations

from typing import Any

from classica.comparison.results.summary import ModelResult
from classica.displays import BiasVarianceDisplay
from classica.interfaces.report.bracket_display import BracketDisplay
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.fold_curves import FoldCurves
from classica.interfaces.report.learned import learned_parts
from classica.interfaces.report.learning_curve_display import LearningCurveDisplay
from classica.interfaces.report.material import Material
from classica.interfaces.report.own_pictures import add_own, add_regions, add_tree


def look_pictures(material: Material) -> dict[str, Any]:
    """Return the pictures of the closer look at the best model."""
    drawing, insight = Drawing("look"), material.summary.insight
    curve, parts, bracket = insight.learning_curve, insight.bias_variance, insight.bayes_error
    best = material.summary.judged[0] if material.summary.judged else None
    if curve is not None:
        text = str(insight.extrapolation)
        drawing.add("Learning curve", lambda: LearningCurveDisplay(curve, text), text)
    if parts is not None:
        drawing.add("Bias and variance", lambda: BiasVarianceDisplay(parts), parts.advice)
    if bracket is not None and best is not None and best.confusion is not None:
        seen = best.title, best.confusion.error
        drawing.add("Bayes error", lambda: BracketDisplay(bracket, seen), str(bracket))
    for name, reason in (insight.failures or {}).items():
        drawing.skip(name.capitalize(), reason)
    return {"pictures": drawing.pictures, "left_out": drawing.left_out}


def model_pictures(material: Material, model: ModelResult, name: str, *, in_full: bool) -> dict[str, Any]:
    """Return what a model has learned in words, and its pictures: all, or only what costs little."""
    drawing = Drawing(name)
    opened, parts = None, []
    with drawing.guarded("What it has learned"):
        opened = material.opened(model)
        parts = [] if opened is None else learned_parts(opened, in_full=in_full)
    if opened is not None and in_full:
        with drawing.guarded("What it has learned"):
            add_own(drawing, material, model, opened)
        with drawing.guarded("Decision regions"):
            add_regions(drawing, material, model, opened)
    elif opened is not None:
        add_tree(drawing, opened)
    with drawing.guarded("ROC and calibration"):
        curves = FoldCurves(material, model)
        (curves.draw if in_full else curves.sketch)(drawing)
    return {
        "pictures": drawing.pictures,
        "sketches": drawing.sketches,
        "left_out": drawing.left_out,
        "learned": parts,
    }
