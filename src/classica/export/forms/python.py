"""Programs as one file of Python that needs nothing but the standard library."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import polars as pl

from classica.errors import ExportError
from classica.explain.additive import Additive
from classica.export.form import running_form
from classica.export.programs import (
    CalibratedSums,
    NetworkProgram,
    Program,
    RulesProgram,
    TreeProgram,
    VotesProgram,
)
from classica.export.python_programs import calibrated_python, literal, network_python, sums_python
from classica.trees.showing.python_source import tree_python


def _tree(program: TreeProgram) -> str:
    return tree_python(program.named, "predict")


def _rules(program: RulesProgram) -> str:
    return program.rules.to_python("predict")


def _votes(program: VotesProgram) -> str:
    """Return a function per tree, and one that adds up what they say."""
    head = "import math\n"
    trees = [
        tree_python(named, f"tree_{number}").removeprefix(head).strip("\n")
        for number, named in enumerate(program.trees, 1)
    ]
    rows = sorted({row for named in program.trees for row in named.answers})
    values = "\n".join(f"    {row}: {tuple(program.values[row].tolist())!r}," for row in rows)
    names = "".join(f"    tree_{number},\n" for number in range(1, len(trees) + 1))
    tables = "\n".join(
        [
            f"CLASSES = {literal(program.classes)}",
            f"VALUES = {{\n{values}\n}}",
            f"TREES = (\n{names})",
            f"SLACK = {program.slack!r}",
        ]
    )
    return head + "\n\n" + "\n\n\n".join([*trees, tables, _ADD_VOTES])


_ADD_VOTES = '''def predict(row):
    """Return the label of one row: a dict by column name; a missing value is None or NaN."""
    sums = [0.0] * len(CLASSES)
    for tree in TREES:
        for index, value in enumerate(VALUES[tree(row)]):
            sums[index] += value
    most = max(sums) - SLACK
    return next(label for label, total in zip(CLASSES, sums) if total >= most)
'''

_WRITERS: dict[type[Any], Callable[[Any], str]] = {
    Additive: sums_python,
    CalibratedSums: calibrated_python,
    TreeProgram: _tree,
    RulesProgram: _rules,
    VotesProgram: _votes,
    NetworkProgram: network_python,
}


def can_be_python(program: Program) -> bool:
    """Return whether there is a way to write a program as Python."""
    return type(program) in _WRITERS


def program_python(program: Program) -> str:
    """Return the source of a function ``predict(row)``."""
    return _WRITERS[type(program)](program)


#: Runs a source that comes with its rows through standard input, and nothing else.
_DRIVER = """
import json, sys
task = json.load(sys.stdin)
space = {"__name__": "exported"}
exec(compile(task["source"], "export", "exec"), space)
print(json.dumps([space["predict"](row) for row in task["rows"]]))
"""

#: Seconds a fresh Python may take.
_PATIENCE = 120


def run_python(source: str, features: pl.DataFrame) -> list[Any]:
    """Return what the function ``predict`` of a source answers, in a Python without any packages."""
    task = json.dumps({"source": source, "rows": [_plain(row) for row in features.to_dicts()]})
    command = [sys.executable, "-I", "-S", "-c", _DRIVER]
    try:
        done = subprocess.run(
            command,
            input=task,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ExportError(f"The export must run in a fresh Python, got: {error}.") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ExportError(f"The export must run in a fresh Python, got: {last}.")
    answers: list[Any] = json.loads(done.stdout)
    return answers


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in row.items()
    }


PYTHON = running_form(
    "python",
    can_be_python,
    lambda program, table: program_python(program),
    lambda source, opened, table, rows: run_python(source, rows),
    title="Python",
    order=60,
)
