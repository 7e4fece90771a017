"""What a model computes, without the language it will be written in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.explain.additive import Additive
from classica.explain.input_column import InputColumn
from classica.explain.parts import NumberPart, Route
from classica.native import Floats
from classica.trees.ruling.rule_list import RuleList
from classica.trees.showing.named_tree import NamedTree


@dataclass(frozen=True)
class TreeProgram:
    """One tree: the answer where a row ends, or the highest share where a gap divides it.

    Attributes
    ----------
    columns : tuple of InputColumn
        The columns that go in.
    named : NamedTree
        The tree.
    """

    columns: tuple[InputColumn, ...]
    named: NamedTree


@dataclass(frozen=True)
class RulesProgram:
    """Rules: the first one that holds decides.

    Attributes
    ----------
    columns : tuple of InputColumn
        The columns that go in.
    rules : RuleList
        The rules.
    shares : float64 array of shape (rules + 1, classes)
        The probability of each class where a rule holds, and where none does.
    """

    columns: tuple[InputColumn, ...]
    rules: RuleList
    shares: Floats


@dataclass(frozen=True)
class VotesProgram:
    """Trees that vote: each gives every class a number.

    Attributes
    ----------
    columns : tuple of InputColumn
        The columns that go in.
    classes : tuple
        The labels.
    trees : tuple of NamedTree
        Their answers are rows of `values`.
    values : float64 array of shape (rows, classes)
        What is added up.
    slack : float
        Sums that are less than the highest by no more than this count as the highest; of them the first wins.
    """

    columns: tuple[InputColumn, ...]
    classes: tuple[Any, ...]
    trees: tuple[NamedTree, ...]
    values: Floats
    slack: float


@dataclass(frozen=True)
class NetworkProgram:
    """Layers of neurons on encoded columns; the highest score wins.

    Attributes
    ----------
    columns : tuple of InputColumn
        The columns that go in.
    classes : tuple
        The labels.
    routes : tuple of Route
        How columns become the inputs of the network.
    center, scale : float64 arrays
        What is taken away from each input, and then multiplied by.
    layers : tuple
        Weights (inputs by outputs) and biases of each layer.
    activation : str
        What inner neurons do.
    """

    columns: tuple[InputColumn, ...]
    classes: tuple[Any, ...]
    routes: tuple[Route, ...]
    center: Floats
    scale: Floats
    layers: tuple[tuple[Floats, Floats], ...]
    activation: str


@dataclass(frozen=True)
class CalibratedSums:
    """Sums over columns, then a line for each class; the highest wins, of equal ones the first.

    Attributes
    ----------
    sums : Additive
        What gives every class a number.
    slopes, offsets : float64 arrays
        By what that is multiplied, and what is then added.
    """

    sums: Additive
    slopes: Floats
    offsets: Floats


Program = Additive | CalibratedSums | TreeProgram | RulesProgram | VotesProgram | NetworkProgram


def edges_of(program: Program) -> dict[int, list[float]]:
    """Return the numbers at which the answer may change, by column."""
    if isinstance(program, Additive | CalibratedSums):
        return _additive_edges(program if isinstance(program, Additive) else program.sums)
    if isinstance(program, RulesProgram):
        return _rule_edges(program)
    edges: dict[int, list[float]] = {}
    trees: Sequence[NamedTree] = ()
    if isinstance(program, TreeProgram):
        trees = (program.named,)
    elif isinstance(program, VotesProgram):
        trees = program.trees
    for named in trees:
        _add_tree_edges(named, edges)
    return edges


def _additive_edges(program: Additive) -> dict[int, list[float]]:
    edges: dict[int, list[float]] = {}
    for part in program.parts:
        if isinstance(part, NumberPart):
            term: Any = part.term
            points = next((getattr(term, name) for name in ("cuts", "means") if hasattr(term, name)), None)
            points = np.array([term.center]) if points is None else points
            edges.setdefault(part.column, []).extend((points * part.scale + part.center).tolist())
    return edges


def _rule_edges(program: RulesProgram) -> dict[int, list[float]]:
    edges: dict[int, list[float]] = {}
    for rule in program.rules:
        for condition in rule.conditions:
            ends = [end for end in (condition.low, condition.high) if np.isfinite(end)]
            edges.setdefault(condition.column, []).extend(ends if condition.levels is None else [])
    return edges


def _add_tree_edges(named: NamedTree, edges_by_column: dict[int, list[float]]) -> None:
    tree = named.tree
    asked = np.flatnonzero(np.isfinite(tree.threshold) & (tree.feature >= 0))
    for node in asked.tolist():
        edges_by_column.setdefault(int(tree.feature[node]), []).append(float(tree.threshold[node]))
    if tree.surrogates is not None:
        stand_ins = zip(tree.surrogates.feature.tolist(), tree.surrogates.threshold.tolist(), strict=True)
        for column, cut in stand_ins:
            if np.isfinite(cut):
                edges_by_column.setdefault(column, []).append(cut)
    for column, edges in named.names.edges.items():
        edges_by_column.setdefault(column, []).extend(float(edge) for edge in edges)
