"""What the report shows of a model: what it has learned, and which pictures."""

from __future__ import annotations

from typing import Any

from classica.comparison.results.summary import ModelResult
from classica.displays import BiasVarianceDisplay
from classica.explain import explain_model
from classica.explain.opened import Opened
from classica.explain.section import Section, cell_words
from classica.interfaces.report.drawing import Drawing
from classica.interfaces.report.fold_curves import FoldCurves
from classica.interfaces.report.material import Material
from classica.interfaces.report.own_pictures import add_own, add_regions, add_tree
from classica.interfaces.report.report_displays import BracketDisplay, LearningCurveDisplay

#: Lines of text and rows of a table that are shown.
_LINES, _ROWS, _COLUMNS = 40, 15, 13
#: Parts of an explanation: naive Bayes has one for every column.
_SECTIONS = 12
#: Sentences, and letters of a fact.
_SENTENCES, _LETTERS = 8, 300


def learned_parts(opened: Opened, *, in_full: bool) -> list[dict[str, Any]]:
    """Return the sections of an explanation, long ones cut.

    The encoding of the columns is much the same for all models and shown only in full.
    """
    sections = [
        section
        for section in explain_model(opened.model).sections
        if in_full or section.text or section.facts or section.rows
    ]
    parts = [_part(section) for section in sections[:_SECTIONS]]
    more = len(sections) - len(parts)
    return [*parts, _part(Section("", note=f"… and {more} more sections."))] if more else parts


def _part(section: Section) -> dict[str, Any]:
    lines = [*section.text.splitlines(), *section.prose.splitlines()]
    is_prose = all(line.endswith(".") for line in lines)
    most_lines = _SENTENCES if is_prose else _LINES
    rows = [[cell_words(cell) for cell in row[:_COLUMNS]] for row in section.rows[:_ROWS]]
    cut = [
        f"and {count - most:,} more {what}"
        for what, count, most in (
            ("lines", len(lines), most_lines),
            ("rows", len(section.rows), _ROWS),
            ("columns", len(section.headings), _COLUMNS),
        )
        if count > most
    ]
    return {
        "title": section.title,
        "text": "\n".join(lines[:most_lines]),
        "is_prose": is_prose,
        "facts": [(name, _short(cell_words(value))) for name, value in section.facts.items()],
        "headings": [cell_words(heading) for heading in section.headings[:_COLUMNS]],
        "rows": rows,
        "note": " ".join([*section.note.splitlines(), *([f"… {', '.join(cut)}."] if cut else [])]),
    }


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]} …"


def look_pictures(material: Material) -> Drawing:
    """Return the pictures of what would help: more rows, another model, or nothing."""
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
    return drawing


def model_pictures(material: Material, model: ModelResult, name: str, *, in_full: bool) -> dict[str, Any]:
    """Return what a model has learned in words, and its pictures: all, or only what costs little.

    What the model is and how well it ranks and predicts are apart: the page has a section for each.
    """
    own, curves = Drawing(name), Drawing(f"{name}-curves")
    opened, parts = None, []
    with own.guarded("What it has learned"):
        opened = material.load_model(model)
        parts = [] if opened is None else learned_parts(opened, in_full=in_full)
    if opened is not None and in_full:
        with own.guarded("What it has learned"):
            add_own(own, material, model, opened)
        with own.guarded("Decision regions"):
            add_regions(own, material, model, opened)
    elif opened is not None:
        add_tree(own, opened)
    with curves.guarded("ROC and calibration"):
        found = FoldCurves(material, model)
        (found.draw if in_full else found.sketch)(curves)
    return {"own": own, "curves": curves, "learned": parts}
