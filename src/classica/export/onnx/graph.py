"""A graph of ONNX operators that grows node by node, and the columns of a table as its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from classica.arrays import VectorLike
from classica.errors import ParameterError, must
from classica.explain.input_column import InputColumn

#: Versions that runtimes of the last years know: of standard operators, and of those for trees and labels.
OPSETS = {"": 18, "ai.onnx.ml": 4}
IR_VERSION = 9


@dataclass
class Graph:
    """Nodes, constants and inputs; every value has a name of its own."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    inputs: list[Any] = field(default_factory=list)
    _constants: dict[bytes, str] = field(default_factory=dict)

    def constant(self, value: object) -> str:
        """Add an array, once, and return its name."""
        from onnx import numpy_helper  # of an extra, needed only here

        array = np.asarray(value)
        key = repr((array.dtype.str, array.shape)).encode() + (
            repr(array.tolist()).encode() if array.dtype == object else array.tobytes()
        )
        if key not in self._constants:
            self._constants[key] = f"constant_{len(self.constants)}"
            self.constants.append(numpy_helper.from_array(array, self._constants[key]))
        return self._constants[key]

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node with one output and return the name of that."""
        from onnx import helper

        name = f"value_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], domain=domain, **attributes))
        return name

    def input(self, name: str, kind: str) -> str:
        """Add an input with one cell per row, ``"number"`` or ``"text"``, and return its name."""
        from onnx import TensorProto, helper

        element = TensorProto.STRING if kind == "text" else TensorProto.DOUBLE
        self.inputs.append(helper.make_tensor_value_info(name, element, ["rows", 1]))
        return name

    def total(self, terms: Sequence[str]) -> str:
        """Return the sum of some values, one after the other."""
        result = terms[0]
        for term in terms[1:]:
            result = self.add("Add", result, term)
        return result

    def finished(self, output: str, labels: VectorLike) -> bytes:
        """Return the model as bytes: ``labels`` taken at the places of ``output`` is the output ``label``."""
        import onnx
        from onnx import TensorProto, helper

        array = label_array(labels)
        kind = TensorProto.STRING if array.dtype == object else _ELEMENTS[array.dtype.kind]()
        self.nodes.append(helper.make_node("Gather", [self.constant(array), output], ["label"], axis=0))
        result = helper.make_tensor_value_info("label", kind, ["rows"])
        graph = helper.make_graph(self.nodes, "classica", self.inputs, [result], self.constants)
        versions = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = helper.make_model(
            graph, opset_imports=versions, ir_version=IR_VERSION, producer_name="classica"
        )
        onnx.checker.check_model(model)
        written: bytes = model.SerializeToString(deterministic=True)
        return written


def label_array(labels: Any) -> Any:
    """Return labels as an array ONNX can hold: text, integers, Booleans or numbers."""
    array = np.asarray(labels)
    return np.array(list(labels), dtype=object) if array.dtype.kind in "USO" else array


def _int64() -> int:
    from onnx import TensorProto

    return int(TensorProto.INT64)


def _bool() -> int:
    from onnx import TensorProto

    return int(TensorProto.BOOL)


def _double() -> int:
    from onnx import TensorProto

    return int(TensorProto.DOUBLE)


_ELEMENTS = {"i": _int64, "u": _int64, "b": _bool, "f": _double}


def is_text(column: InputColumn) -> bool:
    """Return whether cells are text."""
    return column.levels is not None and all(isinstance(level, str) for level in column.levels)


def inputs(graph: Graph, columns: Sequence[InputColumn]) -> list[str]:
    """Add an input for each column; a name that ONNX or another column has already is refused."""
    return [graph.input(column.name, "text" if is_text(column) else "number") for column in columns]


def codes(graph: Graph, column: InputColumn, cell: str) -> str:
    """Return the index of each level among those known, as doubles: -1 for others, NaN for a missing one."""
    from onnx import numpy_helper

    levels = list(column.levels or ())
    if "" in levels:
        rule = "without an empty level in ONNX, where empty text is a missing value"
        raise ParameterError(must(f"The column {column.name!r}", rule, ""))
    indices = np.arange(len(levels), dtype=np.float64)
    if is_text(column):
        keys, values = np.array([*levels, ""], dtype=object), np.append(indices, np.nan)
        return graph.add(
            "LabelEncoder",
            cell,
            domain="ai.onnx.ml",
            keys_tensor=numpy_helper.from_array(keys, "keys"),
            values_tensor=numpy_helper.from_array(values, "values"),
            default_tensor=numpy_helper.from_array(np.array([-1.0]), "default"),
        )
    level_codes = graph.constant(np.array(levels, dtype=np.float64)[None])
    same = graph.add("Cast", graph.add("Equal", cell, level_codes), to=_DOUBLE)
    # One less, so that a sum of nothing is -1.
    index = graph.add("MatMul", same, graph.constant((indices + 1)[:, None]))
    code = graph.add("Sub", index, graph.constant(np.array([[1.0]])))
    return graph.add("Where", graph.add("IsNaN", cell), graph.constant(np.array([[np.nan]])), code)


def index_of(graph: Graph, code: str, levels: int) -> str:
    """Return codes as integers that tables can be read at: other levels behind those known, then gaps."""
    other = graph.constant(np.array([[float(levels)]]))
    missing = graph.constant(np.array([[levels + 1.0]]))
    negative = graph.add("Less", code, graph.constant(np.array([[0.0]])))
    placed = graph.add("Where", negative, other, code)
    placed = graph.add("Where", graph.add("IsNaN", code), missing, placed)
    whole = graph.add("Cast", placed, to=_INT64)
    return graph.add("Reshape", whole, graph.constant(np.array([-1])))


def fed(columns: Sequence[InputColumn], features: pl.DataFrame) -> dict[str, Any]:
    """Return rows as a runtime takes them."""
    inputs: dict[str, Any] = {}
    for column in columns:
        cells = features[column.name]
        if is_text(column):
            texts = cells.cast(pl.String).fill_null("").to_list()
            inputs[column.name] = np.array(texts, dtype=object)[:, None]
        else:
            numbers = cells.cast(pl.Float64).fill_null(np.nan).to_numpy()
            inputs[column.name] = numbers.astype(np.float64)[:, None]
    return inputs


# As in `onnx.TensorProto`; the numbers are part of the format.
_INT64, _DOUBLE = 7, 11
