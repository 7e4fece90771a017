"""Cells of a table as ONNX inputs: an input per column, text for categories, doubles for numbers.

A missing number is NaN, a missing category the empty text. A Boolean is a number, 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from classica.errors import ParameterError, must
from classica.explain.input_column import InputColumn
from classica.export.onnx.graph import Graph


def is_text(column: InputColumn) -> bool:
    """Return whether cells are text."""
    return column.levels is not None and all(isinstance(level, str) for level in column.levels)


def inputs(graph: Graph, columns: Sequence[InputColumn]) -> list[str]:
    """Add an input for each column; a name that ONNX or another column has already is refused."""
    return [graph.input(column.name, "text" if is_text(column) else "number") for column in columns]


def codes(graph: Graph, column: InputColumn, cell: str) -> str:
    """Return the place of each level among those known, as doubles: -1 for others, NaN for a missing one."""
    from onnx import numpy_helper

    levels = list(column.levels or ())
    if "" in levels:
        rule = "without an empty level in ONNX, where empty text is a missing cell"
        raise ParameterError(must(f"The column {column.name!r}", rule, ""))
    places = np.arange(len(levels), dtype=np.float64)
    if is_text(column):
        keys, values = np.array([*levels, ""], dtype=object), np.append(places, np.nan)
        return graph.add(
            "LabelEncoder",
            cell,
            domain="ai.onnx.ml",
            keys_tensor=numpy_helper.from_array(keys, "keys"),
            values_tensor=numpy_helper.from_array(values, "values"),
            default_tensor=numpy_helper.from_array(np.array([-1.0]), "default"),
        )
    known = graph.constant(np.array(levels, dtype=np.float64)[None])
    same = graph.add("Cast", graph.add("Equal", cell, known), to=_DOUBLE)
    # One less, so that a sum of nothing is -1.
    place = graph.add("MatMul", same, graph.constant((places + 1)[:, None]))
    code = graph.add("Sub", place, graph.constant(np.array([[1.0]])))
    return graph.add("Where", graph.add("IsNaN", cell), graph.constant(np.array([[np.nan]])), code)


def place_of(graph: Graph, code: str, known: int) -> str:
    """Return codes as integers that tables can be read at: other levels behind those known, then gaps."""
    other = graph.constant(np.array([[float(known)]]))
    missing = graph.constant(np.array([[known + 1.0]]))
    negative = graph.add("Less", code, graph.constant(np.array([[0.0]])))
    placed = graph.add("Where", negative, other, code)
    placed = graph.add("Where", graph.add("IsNaN", code), missing, placed)
    whole = graph.add("Cast", placed, to=_INT64)
    return graph.add("Reshape", whole, graph.constant(np.array([-1])))


def fed(columns: Sequence[InputColumn], features: pl.DataFrame) -> dict[str, Any]:
    """Return rows as a runtime takes them."""
    found: dict[str, Any] = {}
    for column in columns:
        cells = features[column.name]
        if is_text(column):
            texts = cells.cast(pl.String).fill_null("").to_list()
            found[column.name] = np.array(texts, dtype=object)[:, None]
        else:
            numbers = cells.cast(pl.Float64).fill_null(np.nan).to_numpy()
            found[column.name] = numbers.astype(np.float64)[:, None]
    return found


# As in `onnx.TensorProto`; the numbers are part of the format.
_INT64, _DOUBLE = 7, 11
