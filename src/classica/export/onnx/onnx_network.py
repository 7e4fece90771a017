"""A network as ONNX."""

from __future__ import annotations

import numpy as np

from classica.explain.routes import Route
from classica.export.onnx.graph import Graph
from classica.export.onnx.onnx_inputs import codes, inputs, place_of
from classica.export.onnx.onnx_sums import scaled
from classica.export.programs import NetworkProgram

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
    known = [route.inputs(float(place)) for place in range(len(column.levels))]
    table = np.array([*known, route.unseen(), route.missing()])
    places = place_of(graph, codes(graph, column, cell), len(known))
    return graph.add("Gather", graph.constant(table), places, axis=0)
