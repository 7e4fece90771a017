"""Programs as one file of Python that needs nothing but the standard library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from classica.explain.additive import Additive
from classica.export.programs import (
    CalibratedSums,
    NetworkProgram,
    Program,
    RulesProgram,
    TreeProgram,
    VotesProgram,
)
from classica.export.python_literals import literal
from classica.export.python_network import network_python
from classica.export.python_sums import calibrated_python, sums_python
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
    """Return the label of one row: a dict by column name; a missing cell is None or NaN."""
    sums = [0.0] * len(CLASSES)
    for tree in TREES:
        for place, value in enumerate(VALUES[tree(row)]):
            sums[place] += value
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
