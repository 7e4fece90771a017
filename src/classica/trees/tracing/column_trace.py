"""What the best split of one column would be worth in a node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from classica.trees.tracing.split_measures import SplitMeasures
from classica.trees.tracing.value_measures import ValueMeasures
from classica.wording import aligned, count_words

#: What is compared between columns: the heading, and the field of the measures.
CLASS_MEASURES = (
    ("gain", "gain"),
    ("split info", "split_information"),
    ("gain ratio", "gain_ratio"),
    ("Gini gain", "gini_gain"),
    ("error gain", "error_gain"),
    ("chi2", "chi2"),
)
VALUE_MEASURES = (("gain", "gain"),)


@dataclass(frozen=True)
class ColumnTrace:
    """The split of one column in one node.

    Attributes
    ----------
    name : str
        The column.
    branches : sequence of str
        The answers, in words; none where no split was found.
    measures : SplitMeasures, ValueMeasures or None
        What the split is worth.
    is_admissible : bool
        Whether the rules of growing allow the split.
    relieff : float or None
        The ReliefF weight of the column, where columns are chosen by it.
    """

    name: str
    branches: Sequence[str]
    measures: SplitMeasures | ValueMeasures | None
    is_admissible: bool
    relieff: float | None = None

    def lines(self, classes: Sequence[str], indent: str) -> list[str]:
        """Return the table of the branches."""
        if self.measures is None:
            return [f"{indent}{self.name}: no threshold is possible"]
        if isinstance(self.measures, SplitMeasures):
            return aligned(self._class_rows(self.measures, classes), indent)
        return aligned(self._value_rows(self.measures), indent)

    def summary(self) -> list[str]:
        """Return the row of this column in the comparison of all."""
        wanted = VALUE_MEASURES if isinstance(self.measures, ValueMeasures) else CLASS_MEASURES
        weight = [] if self.relieff is None else [f"{self.relieff:.6f}"]
        if self.measures is None:
            return [self.name, *weight]
        return [self.name, *weight, *(f"{getattr(self.measures, field):.6f}" for _, field in wanted)]

    def note(self) -> str:
        """Return why the split may not be taken, if so."""
        if self.is_admissible:
            return ""
        return "  (not allowed)" if len(self.branches) > 1 else "  (nothing to split)"

    def record(self) -> dict[str, Any]:
        """Return everything as plain data."""
        measures = {} if self.measures is None else vars(self.measures)
        plain = {
            key: value.tolist() if hasattr(value, "tolist") else value for key, value in measures.items()
        }
        return {
            "column": self.name,
            "branches": list(self.branches),
            "admissible": self.is_admissible,
            **({} if self.relieff is None else {"relieff": self.relieff}),
            **plain,
        }

    def _class_rows(self, measures: SplitMeasures, classes: Sequence[str]) -> list[list[str]]:
        rows = [[self.name, *classes, "share", "entropy"]]
        for words, counts, share, bits in zip(
            self.branches, measures.counts, measures.shares, measures.entropies, strict=True
        ):
            rows.append([f"  {words}", *map(count_words, counts), f"{share:.4f}", f"{bits:.4f}"])
        return rows

    def _value_rows(self, measures: ValueMeasures) -> list[list[str]]:
        rows = [[self.name, "rows", "mean", "share", "variance"]]
        for words, cases, mean, share, variance in zip(
            self.branches, measures.cases, measures.means, measures.shares, measures.variances, strict=True
        ):
            rows.append([f"  {words}", count_words(cases), f"{mean:.6g}", f"{share:.4f}", f"{variance:.6g}"])
        return rows
