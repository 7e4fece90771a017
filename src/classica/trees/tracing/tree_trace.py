"""How a tree came about, as a lecture computes it: node by node, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import MatrixLike
from classica.native import Floats
from classica.trees.growing.group_sums import group_sums
from classica.trees.growing.growth import TreeTable, relieff_weights
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree_names import Names
from classica.trees.growing.visits import branches_of, visits
from classica.trees.ruling.node_paths import Path, path_conditions
from classica.trees.ruling.questions import branch_words, condition_words
from classica.trees.showing.named_tree import NamedTree
from classica.trees.tracing.column_trace import ColumnTrace
from classica.trees.tracing.node_trace import NodeTrace
from classica.trees.tracing.split_measures import SplitMeasures, entropy, split_measures
from classica.trees.tracing.value_measures import ValueMeasures, moments, value_measures
from classica.wording import plain_words

VERSION = 1

#: What a criterion makes as large as possible, where that is not called its gain.
_BEST = {
    "gini": "the highest Gini gain",
    "misclassification": "the highest error gain",
    "chi2": "the highest chi2",
    "absolute_error": "the largest decrease of the sum of absolute deviations",
}


@dataclass(frozen=True)
class TreeTrace:
    """The computation behind a tree; printed, it is the lecture's.

    Attributes
    ----------
    nodes : sequence of NodeTrace
        What was computed in each node, each followed by those below it.
    """

    nodes: Sequence[NodeTrace]

    def __str__(self) -> str:
        return "\n\n".join("\n".join(node.lines()) for node in self.nodes)

    def __getitem__(self, node: int) -> NodeTrace:
        return next(trace for trace in self.nodes if trace.node == node)

    def record(self) -> dict[str, Any]:
        """Return everything as plain data that JSON can hold."""
        nodes = [node.record() for node in self.nodes]
        classes = list(self.nodes[0].classes)
        return {"format": "classica-trace", "version": VERSION, "classes": classes, "nodes": nodes}


@dataclass(frozen=True)
class Tracer:
    """A tree, and what it was grown on."""

    named: NamedTree
    task: TreeTask

    def trace(self) -> TreeTrace:
        """Return what was computed in every node."""
        paths = path_conditions(self.named)
        rows = rows_of_nodes(self.named, self.task.X, self._weights, self.task.threads)
        return TreeTrace([self._node(node, paths[node], rows[node]) for node in self.named.reading_order])

    # ---- One node.

    def _node(self, node: int, path: Path, rows: NodeRows) -> NodeTrace:
        names, tree = self.named.names, self.named.tree
        columns = self._columns(rows)
        asked = int(tree.feature[node])
        return NodeTrace(
            node=node,
            path=[condition_words(one, names, missing=False) for one in path.values()],
            classes=[] if names.classes is None else [plain_words(label) for label in names.classes],
            summary=self._summary(rows),
            answer=self.named.answers[node],
            columns=columns if asked >= 0 else [],
            chosen=plain_words(names.columns[asked]) if asked >= 0 else None,
            reason=self._reason(asked, columns, rows),
        )

    def _summary(self, rows: NodeRows) -> dict[str, Any]:
        indices, parts = rows
        if self.task.target.codes is None:
            assert self.task.target.values is not None
            same = np.zeros(len(indices), dtype=np.intp)
            [mean], [variance], [cases] = moments(same, self.task.target.values[indices], parts)
            return {"cases": float(cases), "mean": float(mean), "variance": float(variance)}
        counts = group_sums(self.task.target.codes[indices], parts, self.task.target.classes)
        return {"counts": counts.tolist(), "entropy": float(entropy(counts[None])[0])}

    # ---- One column in a node: its best split is that of a tree of one question, which knows nothing else.

    def _columns(self, rows: NodeRows) -> list[ColumnTrace]:
        columns = [self._column(j, rows) for j in range(self.task.X.shape[1])]
        if self.task.rules.selection != "relieff" or not len(rows[0]):
            return columns
        weights = relieff_weights(self._whole_table, self.task.target, self.task.rules, rows[0])
        return [replace(one, relieff=weight) for one, weight in zip(columns, weights.tolist(), strict=True)]

    def _column(self, j: int, rows: NodeRows) -> ColumnTrace:
        name = plain_words(self.named.names.columns[j])
        stump = self._stump(j, rows)
        if stump.tree.feature[0] >= 0:
            cells = self.task.X[rows[0], j]
            counts_missing = self.task.rules.missing in ("direction", "own_branch")
            without = stump.tree.missing_child[0] if counts_missing else -1
            root = np.zeros(len(cells), dtype=np.intp)
            branch = np.where(np.isnan(cells), without, branches_of(stump.tree, root, cells))
            conditions = [stump.condition(0, index) for index in range(stump.tree.child_count[0])]
            words = [branch_words(one, stump.names, missing=stump.is_told(0, one)) for one in conditions]
            return ColumnTrace(name, words, self._measures(branch, rows, len(words)), True)
        levels = self.named.names.levels.get(j)
        if not levels:
            return ColumnTrace(name, [], None, False)
        present, branch = np.unique(self.task.X[rows[0], j], return_inverse=True)
        has_value = present >= 0
        words = [plain_words(levels[int(code)]) for code in present[has_value]]
        branch = np.where(has_value[branch], branch - int((~has_value & ~np.isnan(present)).sum()), -1)
        return ColumnTrace(name, words, self._measures(branch, rows, len(words)), False)

    def _stump(self, j: int, rows: NodeRows) -> NamedTree:
        """Return the tree that asks the best question of one column."""
        cases = self.task.target.cases
        indices, parts = rows
        weights, counted = np.zeros(len(self._weights)), np.zeros(len(self._weights))
        weights[indices] = parts
        counted[indices] = parts / self._weights[indices] * (1.0 if cases is None else cases[indices])
        rules = replace(
            self.task.rules,
            selection="gain",
            max_depth=1,
            max_leaves=-1,
            max_features=0,
            max_surrogates=0,
            min_gain=-np.inf,
            zero_gain=True,
        )
        target = replace(self.task.target, weights=weights, cases=counted)
        tree = self._tables[j].grow(
            target, rules, self.task.threads, threshold=self.task.threshold, rows=indices
        )
        return NamedTree.of(tree, self._names(j), divides_rows=self.named.divides_rows)

    def _measures(
        self, branch: NDArray[np.integer[Any]], rows: NodeRows, branches: int
    ) -> SplitMeasures | ValueMeasures:
        indices, parts = rows
        if self.task.target.codes is None:
            assert self.task.target.values is not None
            return value_measures(branch, self.task.target.values[indices], parts)
        return split_measures(branch, self.task.target.codes[indices], parts, self.task.target.classes)

    # ---- Why.

    def _reason(self, asked: int, columns: Sequence[ColumnTrace], rows: NodeRows) -> str:
        if asked < 0:
            return self._leaf_reason(columns, rows)
        name = plain_words(self.named.names.columns[asked])
        if self.task.rules.selection == "relieff":
            return f"{name} is chosen: it has the highest ReliefF weight."
        drawn = " of the columns drawn" if self.task.rules.max_features else ""
        if self.task.rules.selection == "gain":
            return (
                f"{name} is chosen: it has {_BEST.get(self.task.rules.criterion, 'the highest gain')}{drawn}."
            )
        gains = [one.measures.gain for one in columns if one.is_admissible and one.measures is not None]
        average = f"at least average gain ({np.mean(gains):.6f})"
        return f"{name} is chosen: it has the highest gain ratio{drawn} among those of {average}."

    def _leaf_reason(self, columns: Sequence[ColumnTrace], rows: NodeRows) -> str:
        summary = self._summary(rows)
        if summary.get("entropy") == 0:
            return "Leaf: all rows have the same class."
        if summary.get("variance") == 0:
            return "Leaf: all rows have the same target."
        if not any(one.is_admissible for one in columns):
            return "Leaf: no allowed split on any column."
        return "Leaf: a growth limit or pruning ends the tree here."

    # ---- The table.

    @cached_property
    def _weights(self) -> Floats:
        if self.task.target.weights is None:
            return np.ones(self.task.X.shape[0])
        return self.task.target.weights

    @cached_property
    def _tables(self) -> list[TreeTable]:
        return [self._one_column(j) for j in range(self.task.X.shape[1])]

    @cached_property
    def _whole_table(self) -> TreeTable:
        levels = self.named.names.levels
        columns = range(self.task.X.shape[1])
        is_category: NDArray[np.bool_] = np.array([j in levels for j in columns])
        counts = np.array([len(levels.get(j, ())) for j in columns], dtype=np.int64)
        return TreeTable.of(self.task.X, is_category, counts, self.task.threads)

    def _one_column(self, j: int) -> TreeTable:
        levels = self.named.names.levels
        is_category: NDArray[np.bool_] = np.array([j in levels])
        count = np.array([len(levels.get(j, ()))], dtype=np.int64)
        return TreeTable.of(np.ascontiguousarray(self.task.X[:, [j]]), is_category, count, self.task.threads)

    def _names(self, j: int) -> Names:
        """Return the names of a table that has one column only."""
        names = self.named.names
        levels, edges = ({0: of[j]} if j in of else {} for of in (names.levels, names.edges))
        return Names([names.columns[j]], levels, names.classes, edges)


#: Rows, and how much of each comes through.
NodeRows = tuple[NDArray[np.intp], Floats]


def rows_of_nodes(named: NamedTree, X: MatrixLike, weights: Floats, threads: int) -> list[NodeRows]:
    """Return the rows of each node, with the part of their weight that comes through it."""
    came = visits(named.tree, X, threads, divides_rows=named.divides_rows)
    order = np.lexsort((came.row, came.node))
    ends = np.searchsorted(came.node[order], np.arange(len(named.tree) + 1))
    of_node = (order[ends[node] : ends[node + 1]] for node in range(len(named.tree)))
    return [(came.row[indices], weights[came.row[indices]] * came.share[indices]) for indices in of_node]
