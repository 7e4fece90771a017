"""Linear binary classifiers: weights, and what each column adds to the scores of a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.explain import binary_scores as binary
from classica.explain.additive import Additive
from classica.explain.additive_models import additive_of
from classica.explain.binary_scores import PAIRS_VOTE, votes_section
from classica.explain.explainers import describe_any
from classica.explain.model_layers import ModelLayers
from classica.explain.parts import LevelPart
from classica.explain.section import Section
from classica.explain.shown_scores import largest_first, outcome, score_names, shown_cell
from classica.wording import plain_words


def describe(layers: ModelLayers) -> list[Section]:
    """Return the weights of all columns, the largest first."""
    program = additive_of(layers)
    return describe_any(layers) if program is None else weight_sections(layers, program)


def weight_sections(layers: ModelLayers, program: Additive) -> list[Section]:
    """Return the weights in units of the columns and, where columns were standardised, per spread."""
    names = score_names(program.classes, by_pair=program.all_against_all)
    table = _weights(program, per_unit=True)
    each = "pair of classes" if program.all_against_all else "class"
    title = f"Weights: change of the score of each {each} per unit or level"
    note = PAIRS_VOTE if program.all_against_all else ""
    sections = [Section(title, headings=["column", *names], rows=table, note=note)]
    if any(getattr(part, "scale", 1.0) != 1.0 for part in program.parts):
        title = "Weights of standardised columns: change of the score per standard deviation"
        standard = _weights(program, per_unit=False)
        sections.append(Section(title, headings=["column", *names], rows=standard))
    start = [["intercept", *program.constant.tolist()]]
    return [*sections, Section("Intercepts", headings=["", *names], rows=start)]


def _weights(program: Additive, *, per_unit: bool) -> list[list[Any]]:
    rows: list[tuple[str, Any]] = []
    for part in program.parts:
        name = plain_words(program.columns[part.column].name)
        if isinstance(part, LevelPart):
            if per_unit:
                levels = zip(part.levels, part.added, strict=True)
                rows += [(f"{name} = {plain_words(level)}", added) for level, added in levels]
            continue
        one = part.term.values([1.0])[0] - part.term.values([0.0])[0]
        rows.append((name, one / part.scale if per_unit else one))
    if not rows:
        return []
    order = largest_first(np.array([added for _, added in rows]))
    return [[rows[index][0], *rows[index][1].tolist()] for index in order]


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return what each column adds to each score; start and columns add up to the score."""
    program = additive_of(layers)
    if program is None:
        return binary.reasons(layers, row)
    votes = [votes_section(program.classes, program.scores(row)[0])] if program.all_against_all else []
    return [sum_section(program, row), *votes, outcome(layers, row)]


def sum_section(program: Additive, row: pl.DataFrame) -> Section:
    """Return the sum over the columns, those that tell classes apart most first."""
    names = score_names(program.classes, by_pair=program.all_against_all)
    added = program.contributions(row)[0]
    rows: list[list[Any]] = [
        ["sum", "", *program.scores(row)[0].tolist()],
        ["start", "", *program.constant.tolist()],
    ]
    for index in largest_first(added):
        name = program.columns[index].name
        rows.append([plain_words(name), shown_cell(row, name), *added[index].tolist()])
    return Section(
        "Contribution of each column to the scores", headings=["column", "value", *names], rows=rows
    )
