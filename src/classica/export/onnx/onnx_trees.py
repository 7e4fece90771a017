"""Trees and their votes as ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from classica.explain.input_column import InputColumn
from classica.export.onnx.branches import Branches, TreeNodes
from classica.export.onnx.graph import Graph, codes, inputs
from classica.export.programs import TreeProgram, VotesProgram
from classica.trees.showing.named_tree import NamedTree

_INT64, _DOUBLE = 7, 11  # as in `onnx.TensorProto`


def tree_onnx(program: TreeProgram) -> bytes:
    """Return one tree: its leaves answer with the index of their label."""
    named = program.named
    assert named.names.classes is not None
    graph, labels = Graph(), list(named.names.classes)
    if named.divides_rows and len(named.tree) > 1:
        shares = _divided(graph, named, coded(graph, program.columns))
        return graph.finished(graph.add("ArgMax", shares, axis=1, keepdims=0), labels)
    ends = walked(graph, [named], [[labels.index(answer) for answer in named.answers]], program.columns)
    return graph.finished(graph.add("Reshape", ends, graph.constant(np.array([-1]))), labels)


def votes_onnx(program: VotesProgram) -> bytes:
    """Return trees that vote: their leaves answer with rows of a table of doubles, which is added up."""
    graph = Graph()
    ends = walked(graph, program.trees, [named.answers for named in program.trees], program.columns)
    values = graph.add("Gather", graph.constant(program.values), ends, axis=0)
    sums = graph.add("ReduceSum", values, graph.constant(np.array([1])), keepdims=0)
    most = graph.add("ReduceMax", sums, graph.constant(np.array([1])))
    least = graph.add("Sub", most, graph.constant(np.array([[program.slack]])))
    leads = graph.add("Cast", graph.add("GreaterOrEqual", sums, least), to=_DOUBLE)
    return graph.finished(graph.add("ArgMax", leads, axis=1, keepdims=0), program.classes)


def coded(graph: Graph, columns: Sequence[InputColumn]) -> str:
    """Return all columns side by side, categories as codes."""
    cells = inputs(graph, columns)
    ends = [
        cell if column.levels is None else codes(graph, column, cell)
        for column, cell in zip(columns, cells, strict=True)
    ]
    return graph.add("Concat", *ends, axis=1) if len(ends) > 1 else ends[0]


def walked(
    graph: Graph, trees: Sequence[NamedTree], answers: Sequence[Any], columns: Sequence[InputColumn]
) -> str:
    """Return the answer of each tree (a column each) to each row, as whole numbers."""
    from onnx import numpy_helper  # of an extra, needed only here

    branches = Branches(graph, columns)
    nodes = TreeNodes(branches)
    for number, (named, own) in enumerate(zip(trees, answers, strict=True)):
        nodes.add(named, number, own)
    matrix, column_of = branches.matrix()
    attributes, cuts, values = nodes.attributes(column_of)
    leaf = graph.add(
        "TreeEnsembleRegressor",
        matrix,
        domain="ai.onnx.ml",
        n_targets=len(trees),
        nodes_values_as_tensor=numpy_helper.from_array(cuts.astype(np.float64), "values"),
        target_weights_as_tensor=numpy_helper.from_array(values.astype(np.float64), "weights"),
        **attributes,
    )
    return graph.add("Cast", leaf, to=_INT64)


def _divided(graph: Graph, named: NamedTree, matrix: str) -> str:
    """Return the shares of the classes where a gap sends a row down all branches.

    Each end of a way has the product of a factor per question on it: 1 or 0 where the cell is known, the
    share of the branch where it is missing.
    """
    tree = named.tree
    first = graph.add("Gather", matrix, graph.constant(np.array([0])), axis=1)
    ones = graph.add("Where", graph.add("IsNaN", first), _number(graph, 1.0), _number(graph, 1.0))
    factors, paths = [ones], {0: [0]}
    ends: list[int] = []
    way_of_end: list[list[int]] = []
    for node in named.reading_order:
        if tree.feature[node] < 0:
            ends.append(node)
            way_of_end.append(paths[node])
            continue
        own, stop = _factors(graph, named, matrix, node)
        for child, factor in zip(tree.children(node), own, strict=True):
            paths[child] = [*paths[node], len(factors)]
            factors.append(factor)
        if stop is not None:
            ends.append(node)
            way_of_end.append([*paths[node], len(factors)])
            factors.append(stop)
    table = graph.add("Concat", *factors, axis=1)
    parts = _products(graph, table, way_of_end)
    return graph.add("MatMul", parts, graph.constant(np.ascontiguousarray(named.shares[ends])))


def _products(graph: Graph, table: str, ways: list[list[int]]) -> str:
    longest = max(len(way) for way in ways)
    indices = np.array([way + [0] * (longest - len(way)) for way in ways])
    columns = [graph.add("Gather", table, graph.constant(indices[:, k]), axis=1) for k in range(longest)]
    product = columns[0]
    for column in columns[1:]:
        product = graph.add("Mul", product, column)
    return product


def _factors(graph: Graph, named: NamedTree, matrix: str, node: int) -> tuple[list[str], str | None]:
    """Return the factor of each branch, and of staying at the node where a level is in none."""
    tree = named.tree
    cell = graph.add("Gather", matrix, graph.constant(np.array([int(tree.feature[node])])), axis=1)
    missing = graph.add("IsNaN", cell)
    children = tree.children(node)
    weights = tree.weight[children.start : children.stop].tolist()
    total = 0.0
    for weight in weights:
        total += weight
    taken = [_taken(graph, named, node, branch, cell) for branch in range(len(weights))]
    terms = [
        graph.add("Where", missing, _number(graph, weight / total), one)
        for weight, one in zip(weights, taken, strict=True)
    ]
    if not len(tree.levels_of(node)):
        return terms, None
    stays = graph.add("Sub", _number(graph, 1.0), graph.total(taken))
    return terms, graph.add("Where", missing, _number(graph, 0.0), stays)


def _taken(graph: Graph, named: NamedTree, node: int, branch: int, cell: str) -> str:
    """Return 1 where a known cell takes a branch."""
    condition = named.condition(node, branch)
    if not condition.known:
        return graph.add("Mul", graph.add("Cast", graph.add("IsNaN", cell), to=_DOUBLE), _number(graph, 0.0))
    if condition.levels is not None:
        wanted = graph.constant(np.array(condition.levels, dtype=np.float64)[None])
        same = graph.add("Cast", graph.add("Equal", cell, wanted), to=_DOUBLE)
        return graph.add("ReduceSum", same, graph.constant(np.array([1])))
    above = graph.add("Greater", cell, _number(graph, condition.low))
    up_to = graph.add("LessOrEqual", cell, _number(graph, condition.high))
    return graph.add("Cast", graph.add("And", above, up_to), to=_DOUBLE)


def _number(graph: Graph, number: float) -> str:
    return graph.constant(np.array([[number]]))
