"""What drives the recommended model, and where it fails: the pictures and tables of both sections."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from classica.comparison.results.summary import Summary
from classica.displays import (
    CoefficientDisplay,
    ColumnImportanceDisplay,
    CostCurveDisplay,
    DependenceDisplay,
    InteractionDisplay,
    RiskCoverageDisplay,
    SegmentDisplay,
    ThresholdDisplay,
)
from classica.inspection import HardRow
from classica.interfaces.report.drawing import Drawing
from classica.wording import plain_words

#: An interaction below this strength is none that a picture of it would show.
_WEAK = 0.1
#: Letters of a cell of a hard row.
_LETTERS = 24


def driver_pictures(summary: Summary) -> Drawing:
    """Draw importances, the effects of the most important columns, their interaction and the coefficients."""
    drawing, found = Drawing("drives"), summary.insight.drivers
    if found is None:
        return drawing
    if found.importances is not None and found.importances.columns:
        display = partial(ColumnImportanceDisplay.from_importances, found.importances)
        drawing.add("Importance of the columns", display, "The longer the bar, the more the predictions rest on the column.")
    for each in found.dependences:
        drawing.add(f"Effect of {each.column}", partial(DependenceDisplay.from_dependence, each), str(each))
    joint = found.interactions
    if joint is not None and joint.strongest.strength >= _WEAK:
        drawing.add("Interaction", partial(InteractionDisplay.from_interactions, joint), str(joint))
    if found.coefficients is not None and found.coefficients.terms:
        display = partial(CoefficientDisplay.from_coefficients, found.coefficients)
        drawing.add("Coefficients", display, "To the right of the line: speaks for the class. To the left: against it.")
    return drawing


def failure_pictures(summary: Summary) -> Drawing:
    """Draw segments with more errors, what thresholds find and cost, and what rejecting rows would save."""
    drawing, found = Drawing("fails"), summary.insight.error_analysis
    if found is None:
        return drawing
    if found.segments is not None and found.segments.segments:
        display = partial(SegmentDisplay.from_segments, found.segments)
        drawing.add("Segments with more errors", display, "Rows on which to be careful.")
    if found.thresholds is not None:
        curve = found.thresholds
        drawing.add("Thresholds", partial(ThresholdDisplay.from_curve, curve), str(curve))
        drawing.add("Costs", partial(CostCurveDisplay.from_curve, curve), "The lowest point is the cheapest threshold.")
    if found.coverage is not None and found.errors:
        cost = summary.settings.reject_cost
        display = partial(RiskCoverageDisplay.from_curve, found.coverage, reject_cost=cost)
        drawing.add("Rejecting uncertain rows", display, "How the error falls if the least certain rows are left to people.")
    return drawing


def hard_rows(summary: Summary) -> dict[str, Any] | None:
    """Return the most confident mistakes as a table; None if there are none."""
    found = summary.insight.error_analysis
    if found is None or not found.hardest:
        return None
    columns = list(found.hardest[0].cells)
    has_probabilities = not np.isnan(found.hardest[0].probability)
    return {
        "columns": [_short(name) for name in columns],
        "has_probabilities": has_probabilities,
        "rows": [_hard_row(each, columns) for each in found.hardest],
        "errors": found.errors,
        "of": found.rows,
    }


def _hard_row(each: HardRow, columns: list[str]) -> dict[str, Any]:
    known = [label for label in each.others.values() if label is not None]
    right = sum(label == each.true for label in known)
    return {
        "row": f"{each.row:,}",
        "true": _short(each.true),
        "predicted": _short(each.predicted),
        "probability": "" if np.isnan(each.probability) else f"{each.probability:.1%}",
        "others": f"{right} of {len(known)}" if known else "–",
        "cells": [_short("missing" if each.cells[name] is None else each.cells[name]) for name in columns],
    }


def _short(value: object) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else plain_words(value)
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"
