"""Which branch rows take at nodes that ask for more than whether a number is at most a cut.

ONNX's trees compare numbers with cuts. For categories, intervals, gaps with a branch of their own and
substitutes, the branch is worked out before the tree, as one more column: 0 for the first child, and so on,
and the number of children where a level is in none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from classica.explain.input_column import InputColumn
from classica.export.onnx.graph import Graph
from classica.export.onnx.onnx_inputs import codes, inputs, place_of
from classica.native import Floats
from classica.trees.showing.named_tree import NamedTree

_INT64, _DOUBLE = 7, 11  # as in `onnx.TensorProto`


def asks_number(named: NamedTree, node: int) -> bool:
    """Return whether a node only compares a number, and a gap goes to one of the two children."""
    tree = named.tree
    plain = not len(tree.levels_of(node)) and int(tree.missing_child[node]) < 2
    return plain and np.isfinite(tree.threshold[node]) and (named.divides_rows or named.follows_child(node))


@dataclass
class Branches:
    """The columns of a table as numbers, and behind them the branches taken at some nodes."""

    graph: Graph
    columns: Sequence[InputColumn]
    cells: list[str] = field(default_factory=list)
    #: Per column, what nodes there are that ask for its levels alone: a table of branches each.
    _tables: dict[int, list[Floats]] = field(default_factory=dict)
    _further: list[str] = field(default_factory=list)
    _places: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cells = inputs(self.graph, self.columns)

    def add(self, named: NamedTree, node: int) -> tuple[str, int, int]:
        """Work out the branches of a node; what comes back names their column for `column_of`."""
        tree, column = named.tree, int(named.tree.feature[node])
        if named.names.holds_categories(column) and named.follows_child(node):
            table = self._table(tree, node, int(tree.child_count[node]), int(tree.missing_child[node]))
            known = self._tables.setdefault(column, [])
            place = next((at for at, other in enumerate(known) if np.array_equal(other, table)), len(known))
            if place == len(known):
                known.append(table)
            return "table", column, place
        self._further.append(self._branch(named, node))
        return "further", 0, len(self._further) - 1

    def matrix(self) -> tuple[str, Any]:
        """Return everything side by side, and the function from what `add` gave back to a column."""
        graph, starts = self.graph, {}
        parts = [
            cell if column.levels is None else codes(graph, column, cell)
            for column, cell in zip(self.columns, self.cells, strict=True)
        ]
        at = len(parts)
        for column_place, tables in self._tables.items():
            starts["table", column_place] = at
            parts.append(self._read(column_place, np.array(tables).T))
            at += len(tables)
        starts["further", 0] = at
        parts += self._further
        whole = graph.add("Concat", *parts, axis=1) if len(parts) > 1 else parts[0]
        return whole, lambda added: starts[added[:2]] + added[2]

    def _table(self, splits: Any, place: int, stop: float, missing: float) -> Floats:
        """Return the branch of each level, of other levels, and of a missing one."""
        found = splits.level_child[splits.levels_at[place] : splits.levels_at[place + 1]].astype(np.float64)
        table: Floats = np.append(np.where(found < 0, stop, found), [stop, missing])
        return table

    def _read(self, column: int, table: Floats) -> str:
        """Return a table read at the levels of a column; levels a node does not know are others."""
        graph, known = self.graph, len(self.columns[column].levels or ())
        name = self.cells[column]
        if name not in self._places:
            self._places[name] = place_of(graph, codes(graph, self.columns[column], name), known)
        return graph.add("Gather", graph.constant(np.ascontiguousarray(table)), self._places[name], axis=0)

    def _branch(self, named: NamedTree, node: int) -> str:
        tree, graph = named.tree, self.graph
        stop = float(tree.child_count[node])
        last = self._constant(float(tree.missing_child[node]))
        found = self._of_split(named, tree, node, stop)
        surrogates = tree.surrogates
        if surrogates is not None:
            for place in range(int(surrogates.starts[node]), int(surrogates.starts[node + 1])):
                other = self._of_split(named, surrogates, place, np.nan)
                if surrogates.flipped[place]:
                    other = graph.add("Sub", self._constant(1.0), other)
                found = graph.add("Where", graph.add("IsNaN", found), other, found)
        return graph.add("Where", graph.add("IsNaN", found), last, found)

    def _of_split(self, named: NamedTree, splits: Any, place: int, stop: float) -> str:
        """Return the branches of a split, NaN for a missing cell; ``stop`` for a level that is in none."""
        graph, column = self.graph, int(splits.feature[place])
        cell, edges = self.cells[column], named.names.edges.get(column)
        if named.names.holds_categories(column):
            return self._read(column, self._table(splits, place, stop, np.nan)[:, None])
        cuts = [float(splits.threshold[place])] if edges is None else [float(edge) for edge in edges]
        above = graph.add("Greater", cell, graph.constant(np.array([cuts])))
        ones = graph.add("Cast", above, to=_DOUBLE)
        count = graph.add("MatMul", ones, graph.constant(np.ones((len(cuts), 1))))
        if edges is not None:
            table = self._table(splits, place, stop, np.nan)[:-2]
            flat = graph.add("Reshape", graph.add("Cast", count, to=_INT64), graph.constant(np.array([-1])))
            count = graph.add("Gather", graph.constant(table[:, None]), flat, axis=0)
        return graph.add("Where", graph.add("IsNaN", cell), self._constant(np.nan), count)

    def _constant(self, number: float) -> str:
        return self.graph.constant(np.array([[number]]))
