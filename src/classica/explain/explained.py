"""A model as a person reads it, and why it answers as it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from classica.decision import rejected_rows
from classica.decision.held_out import class_scores
from classica.errors import DataError, must
from classica.explain.explainers import Explainer, explainer_of
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section, cell_words, folded, plain
from classica.explain.settings_shown import is_more_than_map, settings_sections
from classica.tables import Table
from classica.tables.typing.cell_positions import cells_named
from classica.wording import plain_words

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: The title of the section that says why a row is rejected.
_REJECTED = "Rejected"


@dataclass(frozen=True)
class RowReasons:
    """Why one row got its answer.

    Attributes
    ----------
    row : int
        Its number in the table, from 1.
    answer : object
        What the model says.
    cells : dict
        What is in the row.
    sections : sequence of Section
        Why.
    """

    row: int
    answer: Any
    cells: dict[str, Any]
    sections: Sequence[Section]

    def lines(self, most: int | None) -> list[str]:
        """Return the reasons as text."""
        cells = ", ".join(f"{plain_words(name)} = {_cell(cell)}" for name, cell in self.cells.items())
        rejected = any(section.title == _REJECTED for section in self.sections)
        answer = f"{plain_words(self.answer)}{', but rejected' if rejected else ''}"
        lines = [f"Row {self.row}: {answer}", *folded(cells)]
        for section in self.sections:
            lines += ["", *section.lines(most)]
        return lines

    def record(self) -> dict[str, Any]:
        """Return everything as JSON knows it."""
        sections = [section.record() for section in self.sections]
        return {
            "row": self.row,
            "answer": plain(self.answer),
            "cells": plain(self.cells),
            "reasons": sections,
        }


@dataclass(frozen=True)
class Explanation:
    """A model as a person reads it.

    Attributes
    ----------
    kind : str
        The slug of the classifier.
    sections : sequence of Section
        What it has learned.
    rows : sequence of RowReasons
        Why rows got their answers.
    top : int or None
        How many rows of a table are shown as text; None: all.
    """

    kind: str
    sections: Sequence[Section]
    rows: Sequence[RowReasons]
    top: int | None

    def text(self) -> str:
        """Return the explanation as text: of rows, if rows were asked for, else of the model."""
        blocks: list[list[str]] = [row.lines(self.top) for row in self.rows]
        if not blocks:
            blocks = [section.lines(self.top) for section in self.sections]
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"

    def record(self) -> dict[str, Any]:
        """Return everything as JSON knows it."""
        return {
            "kind": self.kind,
            "model": [section.record() for section in self.sections],
            "rows": [row.record() for row in self.rows],
        }


def explain_model(
    model: BaseEstimator, rows: object = None, numbers: Sequence[int] = (), *, top: int | None = 20
) -> Explanation:
    """Return what a fitted model has learned and, for rows of a table, why they get their answers.

    Parameters
    ----------
    model : estimator
        A fitted classifier or regressor, a `TableClassifier`, or a decision around one.
    rows : table, frame or array, optional
        The table that holds the rows.
    numbers : sequence of int
        Which of its rows, from 1; none: all of them.
    top : int or None, default=20
        How many rows of a table are shown as text, those that matter most first; None: all.

    Examples
    --------
    >>> from classica import NaiveBayesClassifier, TableClassifier
    >>> from classica.tables import load_table
    >>> from classica.explain import explain_model
    >>> golf = load_table("golf")
    >>> model = TableClassifier(NaiveBayesClassifier(), golf.schema).fit(golf, golf.y)
    >>> explain_model(model, golf, [1]).rows[0].answer
    0
    """
    layers = ModelLayers.of(model)
    explainer = explainer_of(layers.estimator)
    sections = [*explainer.describe(layers), *settings_sections(layers)]
    reasons: list[RowReasons] = []
    if rows is not None:
        features = layers.features(rows)
        chosen = _chosen(numbers, features.height)
        source = rows.source if isinstance(rows, Table) else "X"
        for index in chosen:
            with cells_named(source, features, [index].__getitem__):  # the model gets one row
                reasons.append(_reasons(layers, explainer, features[index : index + 1], index + 1))
    return Explanation(layers.kind, sections, reasons, top)


def _chosen(numbers: Sequence[int], rows: int) -> list[int]:
    beyond = next((number for number in numbers if not 1 <= number <= rows), None)
    if beyond is not None:
        raise DataError(must("The row number", f"from 1 to {rows}", beyond))
    return [number - 1 for number in numbers] if numbers else list(range(rows))


def _reasons(layers: ModelLayers, explainer: Explainer, row: pl.DataFrame, number: int) -> RowReasons:
    answer = np.asarray(layers.answers(row)).tolist()[0]
    cells: dict[str, Any] = row.row(0, named=True)
    sections = [*explainer.reasons(layers, row)]
    if layers.calibration is not None:
        sections.append(_calibration_reasons(layers, row))
    if layers.decision is not None and is_more_than_map(layers.decision):
        sections.append(_decision_reasons(layers, row))
    rejected = rejected_rows(layers.decides, layers.seen(row))
    if rejected is not None and rejected[0]:
        sections.append(Section(_REJECTED, prose=_why_rejected(layers, row)))
    return RowReasons(number, answer, cells, sections)


def _calibration_reasons(layers: ModelLayers, row: pl.DataFrame) -> Section:
    """Return what the curves make of the scores of the classifier."""
    calibration, seen = layers.calibration, layers.seen(row)
    assert calibration is not None
    labels, probabilities = np.asarray(calibration.classes_).tolist(), calibration.predict_proba(seen)[0]
    scores = class_scores(calibration.estimator_, seen, calibration.classes_)[0] if len(labels) > 1 else [0.0]
    headings = ["class", "score", "probability"]
    rows = list(zip(labels, scores, probabilities, strict=True))
    return Section("Calibration: the probability for each score", headings=headings, rows=rows)


def _decision_reasons(layers: ModelLayers, row: pl.DataFrame) -> Section:
    """Return the probabilities with the priors in use, and what each answer is expected to cost."""
    decision, seen = layers.decision, layers.seen(row)
    assert decision is not None
    learned, probabilities = decision.learned_posteriors(seen)[0], decision.predict_proba(seen)[0]
    costs = decision.expected_costs(seen)[0]
    labels = np.asarray(decision.classes_).tolist()
    table = list(zip(labels, learned, probabilities, costs, strict=True))
    headings = ["prediction", "learned", "with the priors in use", "expected cost"]
    return Section("Decision", headings=headings, rows=table)


def _why_rejected(layers: ModelLayers, row: pl.DataFrame) -> str:
    """Return by which rule a row is rejected."""
    decision, limit = layers.decision, getattr(layers.estimator, "reject_distance", None)
    if decision is not None and decision.reject_cost is not None:
        best = float(decision.expected_costs(layers.seen(row))[0].min())
        if best > decision.reject_cost:
            return (
                f"The best prediction has an expected cost of {best:.4g}; "
                f"rejecting the row costs {decision.reject_cost:g}."
            )
    return f"The row is farther than reject_distance = {limit:g} from every mean." if limit else ""


def _cell(cell: object) -> str:
    return "?" if cell is None else cell_words(cell)
