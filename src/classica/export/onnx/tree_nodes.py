"""Trees as the nodes of ONNX's tree operator, which asks whether a number is at most a cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from classica.export.onnx.branches import Branches, asks_number
from classica.trees.showing.named_tree import NamedTree

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

    def _end(self, number: int, place: int, answer: float) -> None:
        self.nodes.append([number, place, 0, "LEAF", 0.0, 0, 0, 0])
        self.ends.append((number, place, number, answer))

    def _ask(self, number: int, place: int, asked: _Asked, cut: float, yes: int, no: int) -> None:
        self.nodes.append([number, place, asked, "BRANCH_LEQ", cut, yes, no, 0])

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
        place = node
        for branch, target in enumerate(targets[:-1]):
            is_last = branch == len(targets) - 2
            following = targets[-1] if is_last else free
            self._ask(number, place, asked, branch + 0.5, target, following)
            place, free = following, free + (not is_last)
        return free
