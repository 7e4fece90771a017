"""Sums over columns as SQL."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classica.explain.additive import Additive, pairs
from classica.explain.parts import Bell, LevelPart, Linear, NumberPart, Part, Steps, Term
from classica.export.programs import CalibratedSums
from classica.export.sql_select import Select, highest_sql, sum_sql
from classica.native import Floats
from classica.trees.growing.tree_names import Names
from classica.trees.showing.sql_numbers import exact_number
from classica.trees.showing.tree_sql import SqlWords


def sums_sql(program: Additive, table: str) -> str:
    """Return the query: scores, then what decides, then the label."""
    return _query(program, table, None)


def calibrated_sql(program: CalibratedSums, table: str) -> str:
    """Return the query of sums with a line for each class before the label."""
    return _query(program.sums, table, (program.slopes, program.offsets))


def _query(program: Additive, table: str, lines: tuple[Floats, Floats] | None) -> str:
    words = SqlWords(names_of(program), None)
    select = Select.of(table, (column.name for column in program.columns))
    select.uses = len(program.constant) ** (1 + bool(program.zero_parts) + 2 * program.all_against_all)
    scores = select.add("score", _scores(words, program.parts, program.constant))
    if program.zero_parts:
        scores = _without_zeros(select, words, program, scores)
    if program.all_against_all:
        scores = _standings(select, scores, len(program.classes))
    if lines is not None:
        numbers = zip(scores, *(map(exact_number, part.tolist()) for part in lines), strict=True)
        scores = select.add("calibrated", [f"{slope} * {own} + {offset}" for own, slope, offset in numbers])
    return select.text(highest_sql(scores, [words.literal(label) for label in program.classes]))


def names_of(program: Additive) -> Names:
    """Return the names of the columns, as sources are written with."""
    levels = {index: column.levels or () for index, column in enumerate(program.columns) if column.levels}
    return Names([column.name for column in program.columns], levels, list(program.classes))


def _scores(words: SqlWords, parts: Sequence[Part], constant: Floats) -> list[str]:
    summands = []
    for index, start in enumerate(constant.tolist()):
        terms = [part_sql(words, part, index) for part in parts]
        summands.append(sum_sql([exact_number(start), *(term for term in terms if term is not None)]))
    return summands


def part_sql(words: SqlWords, part: Part, index: int) -> str | None:
    """Return what a column adds to the score at an index; None where it is nothing in any case."""
    if isinstance(part, LevelPart):
        return _levels_sql(words, part, index)
    return _number_sql(words, part, index)


def _levels_sql(words: SqlWords, part: LevelPart, index: int) -> str | None:
    cell, added = words.cell(part.column), part.added[:, index].tolist() if len(part.levels) else []
    unseen, missing = float(part.unseen[index]), float(part.missing[index])
    if not (any(added) or unseen or missing):
        return None
    branches = [
        f"WHEN {cell} = {words.literal(level)} THEN {exact_number(value)}"
        for level, value in zip(part.levels, added, strict=True)
        if value != unseen
    ]
    gap = "NULL" if np.isnan(missing) else exact_number(missing)
    other = "NULL" if np.isnan(unseen) else exact_number(unseen)
    return f"CASE WHEN {cell} IS NULL THEN {gap} {' '.join(branches)} ELSE {other} END"


def _number_sql(words: SqlWords, part: NumberPart, index: int) -> str | None:
    cell = words.cell(part.column)
    if part.fill is not None:
        cell = f"COALESCE({cell}, {exact_number(part.fill)})"
    x = f"({cell} - {exact_number(part.center)})" if part.center else cell
    x = f"({x} / {exact_number(part.scale)})" if part.scale != 1 else x
    added = _term_sql(part.term, x, index)
    if added is None or part.fill is not None or isinstance(part.term, Linear):
        return added
    return f"CASE WHEN {cell} IS NULL THEN 0.0 ELSE {added} END"


def _term_sql(term: Term, x: str, index: int) -> str | None:
    if isinstance(term, Linear):
        shifted = f"({x} - {exact_number(term.center)})" if term.center else x
        return f"{exact_number(float(term.weights[index]))} * {shifted}"
    if isinstance(term, Bell):
        numbers = (term.means[index], term.inverses[index], term.norms[index])
        mean, inverse, norm = (exact_number(float(number)) for number in numbers)
        z = f"(({x} - {mean}) * {inverse})"
        return f"({norm} - 0.5 * {z} * {z})" if float(term.inverses[index]) else norm
    return _steps_sql(term, x, index)


def _steps_sql(term: Steps, x: str, index: int) -> str | None:
    steps = term.steps[:, index].tolist()
    if not any(steps):
        return None
    cuts = zip(term.cuts.tolist(), steps, strict=False)
    branches = [f"WHEN {x} <= {exact_number(cut)} THEN {exact_number(step)}" for cut, step in cuts]
    if not branches:
        return exact_number(steps[-1])
    return f"CASE {' '.join(branches)} ELSE {exact_number(steps[-1])} END"


def _without_zeros(select: Select, words: SqlWords, program: Additive, scores: list[str]) -> list[str]:
    """Let classes with more probabilities of zero than others fall behind all."""
    zeros = select.add("zeros", _scores(words, program.zero_parts, np.zeros(len(program.constant))))
    terms = []
    for score, own in zip(scores, zeros, strict=True):
        test = " AND ".join(f"{own} <= {other}" for other in zeros)
        terms.append(f"CASE WHEN {test} THEN {score} ELSE -1e300 END")
    return select.add("possible", terms)


def _standings(select: Select, scores: list[str], classes: int) -> list[str]:
    """Return the contests won by each class, and less than a third of a win for the sum of its scores."""
    wins: list[list[str]] = [[] for _ in range(classes)]
    sums: list[list[str]] = [[] for _ in range(classes)]
    for score, (a, b) in zip(scores, pairs(classes), strict=True):
        wins[a].append(f"CASE WHEN {score} >= 0 THEN 1.0 WHEN {score} < 0 THEN 0.0 END")
        wins[b].append(f"CASE WHEN {score} < 0 THEN 1.0 WHEN {score} >= 0 THEN 0.0 END")
        sums[a].append(score)
        sums[b].append(f"(0.0 - {score})")
    won = select.add("wins", [sum_sql(own) for own in wins])
    # The contests of a stage stay visible in the next one.
    total = select.add("sum", [sum_sql(own) for own in sums])
    both = zip(won, total, strict=True)
    return select.add("standing", [f"{won} + {one} / (3.0 * (ABS({one}) + 1.0))" for won, one in both])
