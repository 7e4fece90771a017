"""Sums over columns as Python: the numbers as tables, and a few lines that add them up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from classica.explain.additive import Additive
from classica.explain.parts import LevelPart, Part
from classica.explain.terms import Bell, Linear
from classica.export.programs import CalibratedSums
from classica.export.python_literals import literal, table_text

READ = """def cell_of(row, name):
    cell = row[name]
    return None if cell is None or cell != cell else cell


def number_of(row, name, fill, center, scale):
    cell = cell_of(row, name)
    cell = fill if cell is None else cell
    return None if cell is None else (cell - center) / scale
"""

_ADD = """def linear(row, name, fill, center, scale, middle, weights):
    x = number_of(row, name, fill, center, scale)
    if x is None:
        raise ValueError(f"The column {name!r} must have a number in every row, got none.")
    return [weight * (x - middle) for weight in weights]


def bell(row, name, fill, center, scale, bells):
    x = number_of(row, name, fill, center, scale)
    if x is None:
        return [0.0] * len(bells)
    return [norm - 0.5 * ((x - mean) * inverse) ** 2 for mean, inverse, norm in bells]


def steps(row, name, fill, center, scale, cuts, values):
    x = number_of(row, name, fill, center, scale)
    if x is None:
        return [0.0] * len(values[0])
    return values[sum(x > cut for cut in cuts)]


def levels(row, name, values, unseen, missing):
    cell = cell_of(row, name)
    found = missing if cell is None else values.get(cell, unseen)
    if found is None:
        raise ValueError(f"The column {name!r} must have a level in every row, got none.")
    return found


def added(row, parts, start):
    sums = list(start)
    for kind, *numbers in parts:
        for place, value in enumerate(kind(row, *numbers)):
            sums[place] += value
    return sums
"""

_HIGHEST = '''def predict(row):
    """Return the label of one row: a dict by column name; a missing cell is None or NaN."""
    scores = added(row, PARTS, START)
{more}    return CLASSES[scores.index(max(scores))]
'''

_ZEROS = """    zeros = added(row, ZERO_PARTS, [0.0] * len(START))
    fewest = min(zeros)
    scores = [score if zero == fewest else -math.inf for score, zero in zip(scores, zeros)]
"""

_CONTESTS = """    wins, sums, machine = [0.0] * len(CLASSES), [0.0] * len(CLASSES), 0
    for a in range(len(CLASSES)):
        for b in range(a + 1, len(CLASSES)):
            wins[a if scores[machine] >= 0 else b] += 1
            sums[a] += scores[machine]
            sums[b] -= scores[machine]
            machine += 1
    scores = [won + total / (3 * (abs(total) + 1)) for won, total in zip(wins, sums)]
"""


_LINES = """    scores = [slope * score + offset for score, slope, offset in zip(scores, SLOPES, OFFSETS)]
"""


def sums_python(program: Additive) -> str:
    """Return the source: what columns add, and ``predict``."""
    return _source(program, [], "")


def calibrated_python(program: CalibratedSums) -> str:
    """Return the source of sums with a line for each class before the highest is taken."""
    tables = [f"SLOPES = {literal(program.slopes)}", f"OFFSETS = {literal(program.offsets)}"]
    return _source(program.sums, tables, _LINES)


def _source(program: Additive, last_tables: Sequence[str], last_lines: str) -> str:
    names = [column.name for column in program.columns]
    tables = [
        f"CLASSES = {literal(program.classes)}",
        f"START = {literal(program.constant)}",
        table_text("PARTS", [_part(part, names) for part in program.parts]),
    ]
    more = ""
    if program.zero_parts:
        tables.append(table_text("ZERO_PARTS", [_part(part, names) for part in program.zero_parts]))
        more += _ZEROS
    if program.all_against_all:
        more += _CONTESTS
    tables += last_tables
    more += last_lines
    texts = ["import math\n", READ, _ADD, "\n".join(tables) + "\n", _HIGHEST.replace("{more}", more)]
    return "\n\n".join(texts)


def _part(part: Part, names: Sequence[str]) -> str:
    """Return the function that adds a column, and its numbers."""
    name = repr(names[part.column])
    if isinstance(part, LevelPart):
        rows = zip(part.levels, part.added, strict=True)
        table = ", ".join(f"{literal(level)}: {literal(added)}" for level, added in rows)
        missing = literal(part.missing) if part.takes_missing else "None"
        unseen = literal(part.unseen) if part.unseen[:1] == part.unseen[:1] else "None"
        return f"(levels, {name}, {{{table}}}, {unseen}, {missing})"
    scaling = f"{name}, {literal(part.fill)}, {literal(part.center)}, {literal(part.scale)}"
    return f"({_term(part.term).replace('{scaling}', scaling, 1)})"


def _term(term: Any) -> str:
    if isinstance(term, Linear):
        return f"linear, {{scaling}}, {literal(term.center)}, {literal(term.weights)}"
    if isinstance(term, Bell):
        rows = zip(term.means.tolist(), term.inverses.tolist(), term.norms.tolist(), strict=True)
        return f"bell, {{scaling}}, {literal(list(rows))}"
    return f"steps, {{scaling}}, {literal(term.cuts)}, {literal(term.steps)}"
