"""Many trees on one table: none is grown twice, and one that is limited in depth is a part of the deepest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from classica.trees.growing.growth import GrowthRules, RowNumbers
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.tree import Tree

#: How a tree grows, whatever its depth: the rules, where cuts lie, and the rows.
Growth = tuple[GrowthRules, str, bytes | None]


@dataclass(frozen=True)
class GrownTrees:
    """The trees grown so far on a table, and how deep each kind of them must be."""

    deepest: dict[tuple[GrowthRules, str], int] = field(default_factory=dict)
    trees: dict[Growth, Tree] = field(default_factory=dict)

    def expect(self, rules: GrowthRules, threshold: str) -> None:
        """Take note that such a tree will be asked for."""
        kind = of_any_depth(rules), threshold
        deepest = self.deepest.get(kind, 0)
        self.deepest[kind] = -1 if -1 in (rules.max_depth, deepest) else max(deepest, rules.max_depth)


@dataclass(frozen=True)
class SharedTask(TreeTask):
    """A task among others on the same table."""

    grown: GrownTrees = field(default_factory=GrownTrees)

    def grow(self, rows: RowNumbers | None = None) -> Tree:
        """Return the tree of some rows (default: all), cut from a deeper one where there is one."""
        kind = of_any_depth(self.rules), self.threshold
        deepest = self.grown.deepest.get(kind, self.rules.max_depth)
        key = *kind, None if rows is None else rows.tobytes()
        if key not in self.grown.trees:
            rules = replace(self.rules, max_depth=deepest)
            self.grown.trees[key] = TreeTask.grow(replace(self, rules=rules), rows)
        tree, depth = self.grown.trees[key], self.rules.max_depth
        return tree if depth == deepest else tree.cut_at(tree.depth >= depth)


def of_any_depth(rules: GrowthRules) -> GrowthRules:
    """Return the rules without their limit of depth, if it only cuts off what lies below.

    It does more where leaves are limited too, because those of the deepest tree are used up below it, and
    where a question depends on rows drawn from a node.
    """
    is_only_a_cut = rules.max_leaves < 0 and rules.selection != "relieff"
    return replace(rules, max_depth=-1) if is_only_a_cut else rules
