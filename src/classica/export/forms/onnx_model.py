"""Programs as ONNX models in double precision."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from classica.errors import ExportError
from classica.explain.additive import Additive
from classica.explain.input_column import InputColumn
from classica.export.form import running_form
from classica.export.onnx.graph import fed
from classica.export.onnx.onnx_sums import calibrated_onnx, network_onnx, sums_onnx
from classica.export.onnx.onnx_trees import tree_onnx, votes_onnx
from classica.export.programs import CalibratedSums, NetworkProgram, Program, TreeProgram, VotesProgram

_WRITERS: dict[type[Any], Callable[[Any], bytes]] = {
    Additive: sums_onnx,
    CalibratedSums: calibrated_onnx,
    TreeProgram: tree_onnx,
    VotesProgram: votes_onnx,
    NetworkProgram: network_onnx,
}


def can_be_onnx(program: Program) -> bool:
    """Return whether there is a way to write a program as ONNX: not for trees that predict numbers."""
    if isinstance(program, TreeProgram) and program.named.names.classes is None:
        return False
    return type(program) in _WRITERS


def program_onnx(program: Program) -> bytes:
    """Return the model with an input per column and the output ``label``."""
    absent = [name for name in ("onnx", "onnxruntime") if importlib.util.find_spec(name) is None]
    if absent:
        raise ExportError(
            f"Cannot export to ONNX: {' and '.join(absent)} not installed. Run: pip install onnx onnxruntime"
        )
    return _WRITERS[type(program)](program)


def run_onnx(model: bytes, columns: Sequence[InputColumn], features: pl.DataFrame) -> list[Any]:
    """Return the labels of rows, by ONNX Runtime."""
    import onnxruntime

    try:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        [labels] = session.run(["label"], fed(columns, features))
    except Exception as error:  # the runtime has errors of many kinds, none of which is a class of Python's
        first = str(error).splitlines()[0]
        raise ExportError(f"The export must run in ONNX Runtime, got: {first}.") from None
    predictions: list[Any] = np.asarray(labels).tolist()
    return predictions


ONNX = running_form(
    "onnx",
    can_be_onnx,
    lambda program, table: program_onnx(program),
    lambda model, opened, table, rows: run_onnx(model, opened.columns, rows),
    title="ONNX",
    is_text=False,
    order=70,
)
