"""A network as Python."""

from __future__ import annotations

from classica.export.programs import NetworkProgram
from classica.export.python_literals import literal, table_text
from classica.export.python_sums import READ

_INPUTS = """def inputs_of(row):
    found = []
    for name, fill, center, scale, levels in COLUMNS:
        if levels is None:
            found.append(number_of(row, name, fill, center, scale))
        else:
            found.extend(levels_of(row, name, levels, fill))
    return found


def levels_of(row, name, levels, fill):
    cell = cell_of(row, name)
    known, unseen, missing = levels
    return missing if cell is None else known.get(cell, unseen)
"""

_PREDICT = '''def predict(row):
    """Return the label of one row: a dict by column name; a missing cell is None or NaN."""
    values = [(x - center) * scale for x, center, scale in zip(inputs_of(row), CENTER, SCALE)]
    for number, (weights, biases) in enumerate(LAYERS, 1):
        sums = list(biases)
        for x, own in zip(values, weights):
            for place, weight in enumerate(own):
                sums[place] += x * weight
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
        table_text("COLUMNS", [_column(program, place) for place in range(len(program.routes))]),
        f"CENTER = {literal(program.center)}",
        f"SCALE = {literal(program.scale)}",
        table_text("LAYERS", [f"({literal(w)}, {literal(b)})" for w, b in program.layers]),
    ]
    does = f"def activated(x):\n    return {_ACTIVATIONS[program.activation]}\n"
    return "\n\n".join(["import math\n", READ, _INPUTS, does, "\n".join(tables) + "\n", _PREDICT])


def _column(program: NetworkProgram, place: int) -> str:
    """Return name, fill, centre and scale, and what levels become."""
    route = program.routes[place]
    code, column = route.encoded, program.columns[route.column]
    scaling = f"{column.name!r}, {literal(code.fill)}, {literal(code.center)}, {literal(code.scale)}"
    if column.levels is None:
        return f"({scaling}, None)"
    known = ", ".join(
        f"{literal(level)}: {literal(route.inputs(float(at)))}" for at, level in enumerate(column.levels)
    )
    unseen, missing = literal(route.unseen()), literal(route.missing())
    return f"({scaling}, ({{{known}}}, {unseen}, {missing}))"
