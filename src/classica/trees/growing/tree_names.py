"""What the columns, levels and classes of a tree are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Names:
    """The names a tree is shown with.

    Attributes
    ----------
    columns : sequence of str
        One per column.
    levels : mapping from int to sequence
        The level of each code, for columns that hold categories.
    classes : sequence or None
        The labels, in the order of a tree's values; None for a tree that predicts numbers.
    edges : mapping from int to sequence of float
        Of columns whose levels are intervals of numbers: where they meet. A number on an edge lies below it.
    """

    columns: Sequence[str]
    levels: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    classes: Sequence[Any] | None = None
    edges: Mapping[int, Sequence[float]] = field(default_factory=dict)

    def holds_categories(self, column: int) -> bool:
        """Return whether the cells of a column are levels; those of intervals are numbers."""
        return column in self.levels and column not in self.edges
