"""What a tree is grown and pruned on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from classica.trees.growth import GrowthRules, Target, TreeTable
from classica.trees.tree import Tree


@dataclass(frozen=True)
class TreeTask:
    """Everything a tree is grown and pruned on."""

    X: Any
    table: TreeTable
    target: Target
    rules: GrowthRules
    threshold: str
    threads: int

    def grow(self, rows: Any = None) -> Tree:
        """Return the tree of some rows (default: all)."""
        return self.table.grow(self.target, self.rules, self.threads, threshold=self.threshold, rows=rows)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return int(self.X.shape[0])

    @property
    def divides_rows(self) -> bool:
        """Whether a missing cell sends a row into all branches."""
        return self.rules.missing == "fraction"
