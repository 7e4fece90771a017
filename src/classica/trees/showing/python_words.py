"""Conditions as Python source."""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from classica.trees.growing.tree_names import Names
from classica.trees.showing.source_words import SourceWords, writable

#: Names the written functions use themselves.
TAKEN = frozenset({"row", "math", "number", "level", "hasattr"})


class PythonWords(SourceWords):
    """Python: a variable per column; a missing number is NaN, a missing category None."""

    and_word = " and "
    or_word = " or "

    def __init__(self, names: Names, function: str) -> None:
        super().__init__(names)
        self._cells: list[str] = []
        for index, name in enumerate(names.columns):
            plain = re.sub("[^0-9A-Za-z]+", "_", str(name)).strip("_")
            free = plain.isidentifier() and not keyword.iskeyword(plain) and plain not in TAKEN
            taken = plain == function or plain in self._cells
            self._cells.append(plain if free and not taken else f"_{index}")

    def cell(self, column: int) -> str:
        """Return the variable of a column: its name as far as that can be one, else its number."""
        return self._cells[column]

    def literal(self, value: Any) -> str:
        """Return a constant of Python."""
        value = writable(value)
        if isinstance(value, float) and not math.isfinite(value):
            return f"math.{'nan' if math.isnan(value) else 'inf' if value > 0 else '-inf'}"
        return repr(value)

    def is_missing(self, column: int) -> str:
        """Return the test for a gap."""
        cell = self.cell(column)
        return f"{cell} is None" if self.names.holds_categories(column) else f"math.isnan({cell})"

    def is_known(self, column: int) -> str:
        """Return the test for anything else."""
        cell = self.cell(column)
        return f"{cell} is not None" if self.names.holds_categories(column) else f"not math.isnan({cell})"

    def is_among(self, column: int, levels: Sequence[Any], *, negated: bool = False) -> str:
        """Return a comparison with one level, or with several."""
        texts = [self.literal(level) for level in levels]
        if len(texts) == 1:
            return f"{self.cell(column)} {'!=' if negated else '=='} {texts[0]}"
        return f"{self.cell(column)} {'not in' if negated else 'in'} ({', '.join(texts)})"

    def reading(self, columns: Iterable[int]) -> list[str]:
        """Return the lines that read some cells of a row."""
        lines = []
        for column in columns:
            kind = "level" if self.names.holds_categories(column) else "number"
            name = repr(str(self.names.columns[column]))
            lines.append(f"    {self.cell(column)} = {kind}({name}, {column})")
        return lines


_HEAD = '''import math


{tables}def {name}(row):
    """Return the prediction for one row: a dict by column name, or a sequence in the order of the columns.

    A missing value is None or NaN.
    """

    def number(name, index):
        cell = row[name] if hasattr(row, "keys") else row[index]
        return math.nan if cell is None else cell

    def level(name, index):
        cell = row[name] if hasattr(row, "keys") else row[index]
        return None if cell is None or cell != cell else cell
'''


def function_head(name: str, tables: str = "") -> str:
    """Return the beginning of a function that takes a row, after the tables it reads."""
    return _HEAD.replace("{name}", name).replace("{tables}", f"{tables}\n\n\n" if tables else "")
