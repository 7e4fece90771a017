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
from classica.export.onnx.graph import Graph, codes, index_of, inputs
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
    _index_nodes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cells = inputs(self.graph, self.columns)

    def add(self, named: NamedTree, node: int) -> tuple[str, int, int]:
        """Work out the branches of a node; what comes back names their column for `column_of`."""
        tree, column = named.tree, int(named.tree.feature[node])
        if named.names.holds_categories(column) and named.follows_child(node):
            table = self._table(tree, node, int(tree.child_count[node]), int(tree.missing_child[node]))
            tables = self._tables.setdefault(column, [])
            index = next((at for at, other in enumerate(tables) if np.array_equal(other, table)), len(tables))
            if index == len(tables):
                tables.append(table)
            return "table", column, index
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
        for column_index, tables in self._tables.items():
            starts["table", column_index] = at
            parts.append(self._read(column_index, np.array(tables).T))
            at += len(tables)
        starts["further", 0] = at
        parts += self._further
        whole = graph.add("Concat", *parts, axis=1) if len(parts) > 1 else parts[0]
        return whole, lambda added: starts[added[:2]] + added[2]

    def _table(self, splits: Any, index: int, stop: float, missing: float) -> Floats:
        """Return the branch of each level, of other levels, and of a missing one."""
        children = splits.level_child[splits.levels_at[index] : splits.levels_at[index + 1]].astype(
            np.float64
        )
        table: Floats = np.append(np.where(children < 0, stop, children), [stop, missing])
        return table

    def _read(self, column: int, table: Floats) -> str:
        """Return a table read at the levels of a column; levels a node does not know are others."""
        graph, level_count = self.graph, len(self.columns[column].levels or ())
        name = self.cells[column]
        if name not in self._index_nodes:
            self._index_nodes[name] = index_of(graph, codes(graph, self.columns[column], name), level_count)
        return graph.add(
            "Gather", graph.constant(np.ascontiguousarray(table)), self._index_nodes[name], axis=0
        )

    def _branch(self, named: NamedTree, node: int) -> str:
        tree, graph = named.tree, self.graph
        stop = float(tree.child_count[node])
        last = self._constant(float(tree.missing_child[node]))
        child = self._of_split(named, tree, node, stop)
        surrogates = tree.surrogates
        if surrogates is not None:
            for index in range(int(surrogates.starts[node]), int(surrogates.starts[node + 1])):
                other = self._of_split(named, surrogates, index, np.nan)
                if surrogates.flipped[index]:
                    other = graph.add("Sub", self._constant(1.0), other)
                child = graph.add("Where", graph.add("IsNaN", child), other, child)
        return graph.add("Where", graph.add("IsNaN", child), last, child)

    def _of_split(self, named: NamedTree, splits: Any, index: int, stop: float) -> str:
        """Return the branches of a split, NaN for a missing value; ``stop`` for a level that is in none."""
        graph, column = self.graph, int(splits.feature[index])
        cell, edges = self.cells[column], named.names.edges.get(column)
        if named.names.holds_categories(column):
            return self._read(column, self._table(splits, index, stop, np.nan)[:, None])
        cuts = [float(splits.threshold[index])] if edges is None else [float(edge) for edge in edges]
        above = graph.add("Greater", cell, graph.constant(np.array([cuts])))
        ones = graph.add("Cast", above, to=_DOUBLE)
        count = graph.add("MatMul", ones, graph.constant(np.ones((len(cuts), 1))))
        if edges is not None:
            table = self._table(splits, index, stop, np.nan)[:-2]
            flat = graph.add("Reshape", graph.add("Cast", count, to=_INT64), graph.constant(np.array([-1])))
            count = graph.add("Gather", graph.constant(table[:, None]), flat, axis=0)
        return graph.add("Where", graph.add("IsNaN", cell), self._constant(np.nan), count)

    def _constant(self, number: float) -> str:
        return self.graph.constant(np.array([[number]]))


_NODE = (
    "treeids",
    "nodeids",
    "featureids",
    "modes",
    "values",
    "truenodeids",
    "falsenodeids",
    "missing_value_tracks_true",
)
_END = ("treeids", "nodeids", "ids", "weights")

#: What a node asks for: a column of the table, or what `Branches.add` gave back.
_Asked = int | tuple[str, int, int]


@dataclass
class TreeNodes:
    """The nodes of some trees, in the lists the operator takes."""

    branches: Branches
    nodes: list[list[Any]] = field(default_factory=list)
    ends: list[tuple[int, int, int, float]] = field(default_factory=list)

    def add(self, named: NamedTree, number: int, answers: Any) -> None:
        """Add a tree whose nodes answer with a number each, as the output of that number."""
        free = len(named.tree)  # links of chains come behind the nodes
        for node in range(len(named.tree)):
            if named.tree.feature[node] < 0:
                self._end(number, node, float(answers[node]))
            elif asks_number(named, node):
                self._number(named, number, node)
            else:
                free = self._chain(named, number, node, free, float(answers[node]))

    def attributes(self, column_of: Any) -> tuple[dict[str, list[Any]], Any, Any]:
        """Return the lists of the operator, and as arrays of their own cuts and answers."""
        # The first node of a tree is taken for its root.
        self.nodes.sort(key=lambda node: node[:2])
        lists = {name: [node[at] for node in self.nodes] for at, name in enumerate(_NODE)}
        lists["featureids"] = [
            asked if isinstance(asked, int) else column_of(asked) for asked in lists["featureids"]
        ]
        ends = {name: [end[at] for end in self.ends] for at, name in enumerate(_END)}
        cuts, answers = np.array(lists.pop("values")), np.array(ends.pop("weights"))
        named = {f"nodes_{name}": items for name, items in lists.items()}
        return named | {f"target_{name}": items for name, items in ends.items()}, cuts, answers

    def _end(self, number: int, index: int, answer: float) -> None:
        self.nodes.append([number, index, 0, "LEAF", 0.0, 0, 0, 0])
        self.ends.append((number, index, number, answer))

    def _ask(self, number: int, index: int, asked: _Asked, cut: float, yes: int, no: int) -> None:
        self.nodes.append([number, index, asked, "BRANCH_LEQ", cut, yes, no, 0])

    def _number(self, named: NamedTree, number: int, node: int) -> None:
        tree, first = named.tree, int(named.tree.first_child[node])
        self._ask(number, node, int(tree.feature[node]), float(tree.threshold[node]), first, first + 1)
        self.nodes[-1][-1] = int(tree.missing_child[node] == 0)

    def _chain(self, named: NamedTree, number: int, node: int, free: int, answer: float) -> int:
        """Ask for one branch after the other; a row that takes none ends where it is."""
        tree = named.tree
        asked = self.branches.add(named, node)
        targets = list(tree.children(node))
        if len(tree.levels_of(node)):
            self._end(number, free, answer)
            targets.append(free)
            free += 1
        index = node
        for branch, target in enumerate(targets[:-1]):
            is_last = branch == len(targets) - 2
            following = targets[-1] if is_last else free
            self._ask(number, index, asked, branch + 0.5, target, following)
            index, free = following, free + (not is_last)
        return free
