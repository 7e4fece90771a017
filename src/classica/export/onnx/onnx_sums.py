"""Sums over columns, and networks on them, as ONNX."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classica.explain.additive import Additive, pairs
from classica.explain.input_column import InputColumn
from classica.explain.parts import Bell, LevelPart, Linear, NumberPart, Part, Route, Steps
from classica.export.onnx.graph import Graph, codes, index_of, inputs
from classica.export.programs import CalibratedSums, NetworkProgram

_DOUBLE = 11  # as in `onnx.TensorProto`


def sums_onnx(program: Additive) -> bytes:
    """Return the model: scores, then what decides, then the label."""
    graph = Graph()
    scores = _deciding(graph, program)
    return graph.finished(graph.add("ArgMax", scores, axis=1, keepdims=0), program.classes)


def calibrated_onnx(program: CalibratedSums) -> bytes:
    """Return the model of sums with a line for each class before the label."""
    graph = Graph()
    scores = _deciding(graph, program.sums)
    scaled_scores = graph.add("Mul", scores, graph.constant(program.slopes[None]))
    lines = graph.add("Add", scaled_scores, graph.constant(program.offsets[None]))
    return graph.finished(graph.add("ArgMax", lines, axis=1, keepdims=0), program.sums.classes)


def _deciding(graph: Graph, program: Additive) -> str:
    """Return a number for each class, the highest of which wins."""
    cells = inputs(graph, program.columns)
    scores = _added(graph, program.parts, cells, program.columns, program.constant)
    if program.zero_parts:
        none = np.zeros(len(program.constant))
        zeros = _added(graph, program.zero_parts, cells, program.columns, none)
        fewest = graph.add("ReduceMin", zeros, graph.constant(np.array([1])))
        behind = graph.constant(np.array([[-1e300]]))
        scores = graph.add("Where", graph.add("Greater", zeros, fewest), behind, scores)
    if program.all_against_all:
        scores = _standings(graph, scores, len(program.classes))
    return scores


def _added(
    graph: Graph,
    parts: Sequence[Part],
    cells: Sequence[str],
    columns: Sequence[InputColumn],
    constant: np.ndarray,
) -> str:
    """Return the sums, a row per row; the first input lends their number where nothing is added."""
    start = graph.constant(constant[None])
    rows = graph.add("Shape", cells[0], start=0, end=1)
    shape = graph.add("Concat", rows, graph.constant(np.array([len(constant)])), axis=0)
    terms = [graph.add("Expand", start, shape)]
    terms += [_part(graph, part, cells[part.column], columns[part.column]) for part in parts]
    return graph.total(terms)


def _part(graph: Graph, part: Part, cell: str, column: InputColumn) -> str:
    if isinstance(part, LevelPart):
        width = len(part.unseen)
        table = np.vstack([part.added.reshape(-1, width), part.unseen, part.missing])
        indices = index_of(graph, codes(graph, column, cell), len(part.levels))
        return graph.add("Gather", graph.constant(table), indices, axis=0)
    return _number(graph, part, cell)


def scaled(graph: Graph, cell: str, fill: float | None, center: float, scale: float) -> str:
    """Return a column of numbers with its gaps filled, centred and scaled."""
    if fill is not None:
        cell = graph.add("Where", graph.add("IsNaN", cell), graph.constant(np.array([[fill]])), cell)
    if center:
        cell = graph.add("Sub", cell, graph.constant(np.array([[center]])))
    return graph.add("Div", cell, graph.constant(np.array([[scale]]))) if scale != 1 else cell


def _number(graph: Graph, part: NumberPart, cell: str) -> str:
    x, term = scaled(graph, cell, part.fill, part.center, part.scale), part.term
    if isinstance(term, Linear):
        shifted = graph.add("Sub", x, graph.constant(np.array([[term.center]])))
        return graph.add("Mul", shifted, graph.constant(term.weights[None]))
    values = _bell(graph, term, x) if isinstance(term, Bell) else _steps(graph, term, x)
    return graph.add("Where", graph.add("IsNaN", x), graph.constant(np.array([[0.0]])), values)


def _bell(graph: Graph, term: Bell, x: str) -> str:
    away = graph.add("Sub", x, graph.constant(term.means[None]))
    z = graph.add("Mul", away, graph.constant(term.inverses[None]))
    half = graph.add("Mul", graph.add("Mul", z, z), graph.constant(np.array([[0.5]])))
    return graph.add("Sub", graph.constant(term.norms[None]), half)


def _steps(graph: Graph, term: Steps, x: str) -> str:
    above = graph.add("Greater", x, graph.constant(term.cuts[None]))
    count = graph.add(
        "MatMul", graph.add("Cast", above, to=_DOUBLE), graph.constant(np.ones((len(term.cuts), 1)))
    )
    indices = graph.add("Reshape", graph.add("Cast", count, to=7), graph.constant(np.array([-1])))
    return graph.add("Gather", graph.constant(term.steps), indices, axis=0)


def _standings(graph: Graph, scores: str, classes: int) -> str:
    """Return the contests won by each class, and less than a third of a win for the sum of its scores."""
    sides = np.zeros((classes * (classes - 1) // 2, classes))
    for machine, (a, b) in enumerate(pairs(classes)):
        sides[machine, a], sides[machine, b] = 1.0, -1.0
    firsts, seconds = np.maximum(sides, 0.0), np.maximum(-sides, 0.0)
    zero = graph.constant(np.array([[0.0]]))
    lost = graph.add("Cast", graph.add("Less", scores, zero), to=_DOUBLE)
    won = graph.add("Sub", graph.constant(np.array([[1.0]])), lost)
    wins = graph.add(
        "Add",
        graph.add("MatMul", won, graph.constant(firsts)),
        graph.add("MatMul", lost, graph.constant(seconds)),
    )
    sums = graph.add("MatMul", scores, graph.constant(sides))
    size = graph.add("Add", graph.add("Abs", sums), graph.constant(np.array([[1.0]])))
    thrice = graph.add("Mul", size, graph.constant(np.array([[3.0]])))
    return graph.add("Add", wins, graph.add("Div", sums, thrice))


_BENDS = {"relu": "Relu", "tanh": "Tanh", "logistic": "Sigmoid"}


def network_onnx(program: NetworkProgram) -> bytes:
    """Return the model: encoded columns side by side, then layer after layer."""
    graph = Graph()
    cells = inputs(graph, program.columns)
    columns = [_encoded(graph, program, route, cells[route.column]) for route in program.routes]
    values = graph.add("Concat", *columns, axis=1) if len(columns) > 1 else columns[0]
    values = graph.add("Sub", values, graph.constant(program.center[None]))
    values = graph.add("Mul", values, graph.constant(program.scale[None]))
    for number, (weights, biases) in enumerate(program.layers, 1):
        product = graph.add("MatMul", values, graph.constant(np.ascontiguousarray(weights)))
        values = graph.add("Add", product, graph.constant(np.array(biases)[None]))
        if number < len(program.layers) and program.activation in _BENDS:
            values = graph.add(_BENDS[program.activation], values)
    return graph.finished(graph.add("ArgMax", values, axis=1, keepdims=0), program.classes)


def _encoded(graph: Graph, program: NetworkProgram, route: Route, cell: str) -> str:
    column, code = program.columns[route.column], route.encoded
    if column.levels is None:
        return scaled(graph, cell, code.fill, code.center, code.scale)
    inputs = [route.inputs(float(index)) for index in range(len(column.levels))]
    table = np.array([*inputs, route.unseen(), route.missing()])
    indices = index_of(graph, codes(graph, column, cell), len(inputs))
    return graph.add("Gather", graph.constant(table), indices, axis=0)
