"""What drives the recommended model, and where it fails: pictures and tables of the closer look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

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
from classica.inspection.dependence import value_text
from classica.inspection.hard_rows import HardRow
from classica.inspection.reasons import Drivers, ErrorAnalysis
from classica.interfaces.report.drawing import Drawing
from classica.wording import counted

#: A weaker interaction is told, not drawn.
_WORTH_DRAWING = 0.1
#: Other models whose predictions of a hard row are told one by one.
_MOST_OTHERS = 6


def driver_parts(summary: Summary) -> dict[str, Any] | None:
    """Return the pictures of what drives the recommended model; None where it was not looked at."""
    found = summary.insight.drivers
    if found is None:
        return None
    drawing, sentences = Drawing("drivers"), _driver_sentences(found)
    if found.importances is not None:
        importances = found.importances
        drawing.add(
            "Importances",
            lambda: ColumnImportanceDisplay.from_importances(importances),
            "The longer the bar, the more the predictions rest on the column.",
        )
    for each in found.dependences:
        drawing.add(
            f"Effect of {each.column}",
            partial(DependenceDisplay.from_dependence, each),
            str(each),
        )
    pair = found.interactions
    if pair is not None and pair.strongest.strength >= _WORTH_DRAWING:
        drawing.add("Interactions", lambda: InteractionDisplay.from_interactions(pair), str(pair))
    terms = found.coefficients
    if terms is not None:
        drawing.add(
            "Coefficients",
            lambda: CoefficientDisplay.from_coefficients(terms),
            "To the right of the line: speaks for the class. To the left: against it.",
        )
    return _parts(summary, found.model, drawing, sentences)


def _driver_sentences(found: Drivers) -> list[str]:
    sentences = []
    if found.importances is not None:
        known = [each.column for each in found.importances.columns if each.matters]
        some = ", ".join(known[:8]) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
        sentences.append(
            f"Columns whose permutation significantly worsens the predictions: {some}."
            if known
            else "No single column significantly worsens the predictions when it is permuted."
        )
    pair = found.interactions
    if pair is not None and pair.strongest.strength < _WORTH_DRAWING:
        sentences.append(f"The effects of these columns add up: {pair}")
    return sentences


def failure_parts(summary: Summary) -> dict[str, Any] | None:
    """Return pictures and the hardest rows of the recommended model; None where it was not looked at."""
    found = summary.insight.error_analysis
    if found is None:
        return None
    drawing, segments, costs = Drawing("failures"), found.segments, summary.settings.costs
    if segments is not None and segments.segments:
        drawing.add("Segments", lambda: SegmentDisplay.from_segments(segments), "Rows to be careful with.")
    curve = found.thresholds
    if curve is not None:
        drawing.add("Thresholds", lambda: ThresholdDisplay.from_curve(curve), str(curve))
        drawing.add(
            "Costs", lambda: CostCurveDisplay.from_curve(curve), "The lowest point is the cheapest threshold."
        )
    coverage = found.coverage
    if coverage is not None:
        drawing.add(
            "Coverage",
            lambda: RiskCoverageDisplay.from_curve(
                coverage, reject_cost=summary.settings.reject_cost, is_error_rate=costs is None
            ),
            "How errors become rarer if the least certain rows are left to people.",
        )
    titles = {model.name: model.title for model in summary.models}
    return {
        **_parts(summary, found.model, drawing, _failure_sentences(found)),
        "hardest": [_hard_row(each, titles) for each in found.hardest],
        "columns": list(found.hardest[0].cells) if found.hardest else [],
    }


def _failure_sentences(found: ErrorAnalysis) -> list[str]:
    share = found.errors / found.rows
    rows = counted(found.rows, "held-out row")
    sentences = [f"It misclassifies {found.errors:,} of {rows} ({share:.1%})."]
    if found.segments is not None and not found.segments.segments:
        sentences.append(str(found.segments))
    return sentences


def _hard_row(each: HardRow, titles: Mapping[str, str]) -> dict[str, Any]:
    said = {titles.get(name, name): label for name, label in each.others.items() if label is not None}
    right = [title for title, label in said.items() if label == each.true]
    return {
        "row": f"{each.row:,}",
        "true": each.true,
        "predicted": each.predicted,
        "probability": "–" if each.probability != each.probability else f"{each.probability:.1%}",
        "others": _others(right, said),
        "cells": [value_text(value) for value in each.cells.values()],
    }


def _others(right: Sequence[str], said: Mapping[str, Any]) -> str:
    """Return which other models are right about a row."""
    if not said:
        return "–"
    if not right:
        return f"none of {len(said)} right"
    if len(right) == len(said):
        return f"all {len(said)} right"
    if len(right) <= _MOST_OTHERS:
        return f"{', '.join(right)} ({len(right)} of {len(said)} right)"
    return f"{len(right)} of {len(said)} right"


def _parts(summary: Summary, name: str, drawing: Drawing, sentences: Sequence[str]) -> dict[str, Any]:
    model = summary.model(name)
    return {
        "title": name if model is None else model.title,
        "sentences": list(sentences),
        "pictures": drawing.pictures,
        "left_out": drawing.left_out,
    }
