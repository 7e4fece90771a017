"""What was computed in one node of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from classica.trees.tracing.column_trace import CLASS_MEASURES, VALUE_MEASURES, ColumnTrace
from classica.wording import aligned, count_words, plain_value


@dataclass(frozen=True)
class NodeTrace:
    """What was computed in one node.

    Attributes
    ----------
    node : int
        Its number in the tree.
    path : sequence of str
        The conditions that lead there, in words.
    classes : sequence of str
        The labels, in words; empty where numbers are predicted.
    summary : mapping
        The class weights (``counts``) and their ``entropy``; or ``cases``, ``mean`` and ``variance``.
    answer : object
        What the node predicts.
    columns : sequence of ColumnTrace
        The split of each column; empty for a leaf.
    chosen : str or None
        The column the tree asks for.
    reason : str
        Why, or why none.
    """

    node: int
    path: Sequence[str]
    classes: Sequence[str]
    summary: dict[str, Any]
    answer: Any
    columns: Sequence[ColumnTrace]
    chosen: str | None
    reason: str

    def column(self, name: str) -> ColumnTrace:
        """Return what was computed for a column."""
        return next(column for column in self.columns if column.name == name)

    def lines(self) -> list[str]:
        """Return the computation as text."""
        where = " and ".join(self.path) if self.path else "all rows"
        lines = [f"Node {self.node}: {where}", f"  {self._summary_words()}"]
        for column in self.columns:
            lines += ["", *column.lines(self.classes, "  ")]
        if self.columns:
            lines += ["", *self._comparison()]
        return [*lines, f"  {self.reason}"]

    def record(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "node": self.node,
            "path": list(self.path),
            **self.summary,
            "answer": plain_value(self.answer),
            "columns": [column.record() for column in self.columns],
            "chosen": self.chosen,
            "reason": self.reason,
        }

    def _summary_words(self) -> str:
        if not self.classes:
            cases, mean, variance = (self.summary[key] for key in ("cases", "mean", "variance"))
            return f"{count_words(cases)} rows, mean {mean:.6g}, variance {variance:.6g}"
        counts = self.summary["counts"]
        parts = [f"{name}: {count_words(count)}" for name, count in zip(self.classes, counts, strict=True)]
        cases, bits = count_words(sum(counts)), self.summary["entropy"]
        return f"{cases} rows ({', '.join(parts)}), entropy {bits:.6f}"

    def _comparison(self) -> list[str]:
        measures = CLASS_MEASURES if self.classes else VALUE_MEASURES
        weight = ["ReliefF weight"] if any(one.relieff is not None for one in self.columns) else []
        rows = [["column", *weight, *(heading for heading, _ in measures)]]
        for column in self.columns:
            cells = column.summary()
            rows.append(cells + ["-"] * (len(rows[0]) - len(cells)))
        lines = aligned(rows, "  ")
        for index, column in enumerate(self.columns, 1):
            lines[index] += "  <- chosen" if column.name == self.chosen else column.note()
        return lines
