"""A graph of ONNX operators that grows node by node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Versions that runtimes of the last years know: of standard operators, and of those for trees and labels.
OPSETS = {"": 18, "ai.onnx.ml": 4}
IR_VERSION = 9


@dataclass
class Graph:
    """Nodes, constants and inputs; every value has a name of its own."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)
    inputs: list[Any] = field(default_factory=list)
    _known: dict[bytes, str] = field(default_factory=dict)

    def constant(self, value: Any) -> str:
        """Add an array, once, and return its name."""
        from onnx import numpy_helper  # of an extra, needed only here

        array = np.asarray(value)
        key = repr((array.dtype.str, array.shape)).encode() + (
            repr(array.tolist()).encode() if array.dtype == object else array.tobytes()
        )
        if key not in self._known:
            self._known[key] = f"constant_{len(self.constants)}"
            self.constants.append(numpy_helper.from_array(array, self._known[key]))
        return self._known[key]

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
        found = terms[0]
        for term in terms[1:]:
            found = self.add("Add", found, term)
        return found

    def finished(self, output: str, labels: Any) -> bytes:
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
