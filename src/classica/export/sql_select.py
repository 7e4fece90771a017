"""One SELECT made of stages: each computes columns from those of the stage before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from classica.trees.showing.sql_numbers import exact_number
from classica.trees.showing.tree_sql import quoted

#: Longer sums are bracketed in halves: databases limit how deep expressions nest.
_LONGEST_SUM = 200
#: As often an expression may as well be worked out again.
_FEW_USES = 4


@dataclass
class Select:
    """A query that grows from the inside out."""

    table: str
    #: Names that new columns may not have, in small letters.
    taken: set[str]
    stages: list[list[tuple[str, str]]] = field(default_factory=list)
    #: How often a column of a stage is read. Databases copy expressions to where they are read, so that work
    #: multiplies from stage to stage; a window function in a stage keeps them from it.
    uses: int = 1

    @classmethod
    def of(cls, table: str, columns: Iterable[str]) -> Select:
        """Return a query of a table with some columns."""
        return cls(table, {name.lower() for name in columns})

    def add(self, name: str, expressions: Sequence[str]) -> list[str]:
        """Add a stage of numbered columns and return how later stages call them."""
        free = self.free(name)
        names = [f"{free}_{index}" for index in range(1, len(expressions) + 1)]
        self.stages.append(list(zip(names, expressions, strict=True)))
        return [quoted(name) for name in names]

    def free(self, name: str) -> str:
        """Return a name that no column begins with yet."""
        while any(taken.startswith(name.lower()) for taken in self.taken):
            name += "_"
        self.taken.add(name.lower())
        return name

    def text(self, answer: str) -> str:
        """Return the whole query; the answer comes behind all other columns."""
        source = f"{quoted(self.table)} AS t"
        for number, stage in enumerate(self.stages, 1):
            columns = list(stage)
            if self.uses > _FEW_USES:
                columns.append((self.free(f"rows_of_stage_{number}"), "COUNT(*) OVER ()"))
            listed = ",\n".join(f"{expression} AS {quoted(name)}" for name, expression in columns)
            source = f"(\nSELECT t.*,\n{listed}\nFROM {source}\n) AS t"
        return f"SELECT t.*,\n{answer} AS {quoted(self.free('prediction'))}\nFROM {source};\n"


def sum_sql(terms: Sequence[str]) -> str:
    """Return a sum, from left to right as far as databases let expressions nest."""
    if not terms:
        return "0.0"
    if len(terms) <= _LONGEST_SUM:
        return " + ".join(terms)
    half = len(terms) // 2
    return f"({sum_sql(terms[:half])}) + ({sum_sql(terms[half:])})"


def highest_sql(scores: Sequence[str], labels: Sequence[str], slack: float = 0.0) -> str:
    """Return the label of the highest score, of equal ones the first; NULL where a score is NULL."""
    if len(scores) == 1:
        return f"CASE WHEN {scores[0]} IS NOT NULL THEN {labels[0]} END"
    less = f" - {exact_number(slack)}" if slack else ""
    lines = []
    for index, (score, label) in enumerate(zip(scores, labels, strict=True)):
        others = [other for at, other in enumerate(scores) if at != index]
        test = " AND ".join(f"{score} >= {other}{less}" for other in others)
        lines.append(f"  WHEN {test} THEN {label}")
    return "\n".join(["CASE", *lines, "END"])
