"""Programs that are sums over columns, or networks, as source of Python."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from classica.explain.additive import Additive
from classica.explain.parts import Bell, LevelPart, Linear, Part
from classica.export.programs import CalibratedSums, NetworkProgram
from classica.trees.showing.source_words import writable


def literal(value: object) -> str:
    """Return a label, a number, or a nested sequence of them as a constant of Python."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return f"({''.join(literal(item) + ', ' for item in value).rstrip()})"
    if value is None:
        return "None"
    value = writable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "math.nan" if math.isnan(value) else "math.inf" if value > 0 else "-math.inf"
    return repr(value)


def table_text(name: str, rows: Sequence[str]) -> str:
    """Return a tuple with a line per row."""
    return "\n".join([f"{name} = (", *(f"    {row}," for row in rows), ")"])


_INPUTS = """def inputs_of(row):
    inputs = []
    for name, fill, center, scale, levels in COLUMNS:
        if levels is None:
            inputs.append(number_of(row, name, fill, center, scale))
        else:
            inputs.extend(levels_of(row, name, levels, fill))
    return inputs


def levels_of(row, name, levels, fill):
    cell = cell_of(row, name)
    codes, unseen, missing = levels
    return missing if cell is None else codes.get(cell, unseen)
"""

_PREDICT = '''def predict(row):
    """Return the label of one row: a dict by column name; a missing value is None or NaN."""
    values = [(x - center) * scale for x, center, scale in zip(inputs_of(row), CENTER, SCALE)]
    for number, (weights, biases) in enumerate(LAYERS, 1):
        sums = list(biases)
        for x, own in zip(values, weights):
            for index, weight in enumerate(own):
                sums[index] += x * weight
        values = sums if number == len(LAYERS) else [activated(x) for x in sums]
    return CLASSES[values.index(max(values))]
'''

_ACTIVATIONS = {
    "identity": "x",
    "relu": "max(x, 0.0)",
    "tanh": "math.tanh(x)",
    "logistic": "1 / (1 + math.exp(-x)) if x > -700 else 0.0",
}


def network_python(program: NetworkProgram) -> str:
    """Return the source: columns, layers and ``predict``."""
    tables = [
        f"CLASSES = {literal(program.classes)}",
        table_text("COLUMNS", [_column(program, index) for index in range(len(program.routes))]),
        f"CENTER = {literal(program.center)}",
        f"SCALE = {literal(program.scale)}",
        table_text("LAYERS", [f"({literal(w)}, {literal(b)})" for w, b in program.layers]),
    ]
    does = f"def activated(x):\n    return {_ACTIVATIONS[program.activation]}\n"
    return "\n\n".join(["import math\n", READ, _INPUTS, does, "\n".join(tables) + "\n", _PREDICT])


def _column(program: NetworkProgram, index: int) -> str:
    """Return name, fill, centre and scale, and what levels become."""
    route = program.routes[index]
    code, column = route.encoded, program.columns[route.column]
    scaling = f"{column.name!r}, {literal(code.fill)}, {literal(code.center)}, {literal(code.scale)}"
    if column.levels is None:
        return f"({scaling}, None)"
    entries = ", ".join(
        f"{literal(level)}: {literal(route.inputs(float(at)))}" for at, level in enumerate(column.levels)
    )
    unseen, missing = literal(route.unseen()), literal(route.missing())
    return f"({scaling}, ({{{entries}}}, {unseen}, {missing}))"


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
        raise ValueError(f"The column {name!r} must have a number in every row, got a missing value.")
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
    added = missing if cell is None else values.get(cell, unseen)
    if added is None:
        raise ValueError(f"The column {name!r} must have a level in every row, got a missing value.")
    return added


def added(row, parts, start):
    sums = list(start)
    for kind, *numbers in parts:
        for index, value in enumerate(kind(row, *numbers)):
            sums[index] += value
    return sums
"""

_HIGHEST = '''def predict(row):
    """Return the label of one row: a dict by column name; a missing value is None or NaN."""
    scores = added(row, PARTS, START)
{more}    return CLASSES[scores.index(max(scores))]
'''

_ZEROS = """    zeros = added(row, ZERO_PARTS, [0.0] * len(START))
    fewest = min(zeros)
    scores = [score if zero == fewest else -math.inf for score, zero in zip(scores, zeros)]
"""

_CONTESTS = """    wins, sums, pair = [0.0] * len(CLASSES), [0.0] * len(CLASSES), 0
    for a in range(len(CLASSES)):
        for b in range(a + 1, len(CLASSES)):
            wins[a if scores[pair] >= 0 else b] += 1
            sums[a] += scores[pair]
            sums[b] -= scores[pair]
            pair += 1
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
