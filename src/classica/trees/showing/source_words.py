"""Conditions as source text: what SQL and Python have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from classica.errors import ParameterError, must
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.condition import Condition
from classica.trees.showing.named_tree import NamedTree

#: Source text; True and False where there is nothing to ask.
Source = str | bool


class AllOf(str):
    """Several questions joined by *and*."""


class AnyOf(str):
    """Several questions joined by *or*."""


class SourceWords(ABC):
    """How a language asks for the cells of a row."""

    and_word: str
    or_word: str

    def __init__(self, names: Names) -> None:
        self.names = names

    @abstractmethod
    def cell(self, column: int) -> str:
        """Return the cell of a column."""

    @abstractmethod
    def literal(self, value: Any) -> str:
        """Return a label, a level or a number."""

    @abstractmethod
    def is_missing(self, column: int) -> str:
        """Return the question whether a cell is missing."""

    @abstractmethod
    def is_known(self, column: int) -> str:
        """Return the question whether a cell is known."""

    @abstractmethod
    def is_among(self, column: int, levels: Sequence[Any], *, negated: bool = False) -> str:
        """Return the question whether a known category is one of some levels."""

    def both(self, parts: Iterable[Source]) -> Source:
        """Return the question whether all hold."""
        asked = [part for part in parts if part is not True]
        if not asked or False in asked:
            return not asked
        return asked[0] if len(asked) == 1 else AllOf(self.and_word.join(_bracketed(asked, AnyOf)))

    def either(self, parts: Iterable[Source]) -> Source:
        """Return the question whether any holds."""
        asked = [part for part in parts if part is not False]
        if not asked or True in asked:
            return bool(asked)
        return asked[0] if len(asked) == 1 else AnyOf(self.or_word.join(_bracketed(asked, AllOf)))

    def condition(self, condition: Condition) -> Source:
        """Return a condition; it does not hold for missing values unless it says so."""
        column = condition.column
        missing: Source = self.is_missing(column) if condition.missing else False
        if not condition.known:
            return missing
        if condition.levels is not None:
            return self.either([self._among(column, condition.levels), missing])
        if not condition.is_bounded:
            return True if condition.missing else self.is_known(column)
        above: Source = True if condition.low == -np.inf else self._compared(column, ">", condition.low)
        up_to: Source = True if condition.high == np.inf else self._compared(column, "<=", condition.high)
        return self.either([self.both([above, up_to]), missing])

    def branch(self, named: NamedTree, node: int, branch: int) -> Source:
        """Return what a row must be like to take a branch of a node, surrogates included."""
        source = self.condition(named.condition(node, branch))
        if named.follows_child(node):
            return source
        surrogates, tree = named.tree.surrogates, named.tree
        assert surrogates is not None, "fractional rows take no single branch"
        rest: Source = int(tree.missing_child[node]) == branch
        for index in range(surrogates.starts[node + 1] - 1, surrogates.starts[node] - 1, -1):
            taken, useless = self._surrogate(named, index, branch)
            rest = self.either([taken, self.both([useless, rest])])
        return self.either([source, self.both([self.is_missing(int(tree.feature[node])), rest])])

    def _surrogate(self, named: NamedTree, index: int, branch: int) -> tuple[Source, Source]:
        """Return when a surrogate sends a row to a branch, and when it cannot say."""
        surrogates = named.tree.surrogates
        assert surrogates is not None
        column = int(surrogates.feature[index])
        missing = self.is_missing(column)
        wanted = 1 - branch if surrogates.flipped[index] else branch
        codes = surrogates.level_child[surrogates.levels_at[index] : surrogates.levels_at[index + 1]]
        if not len(codes):
            return self._compared(column, ">" if wanted else "<=", surrogates.threshold[index]), missing
        seen = np.flatnonzero(codes >= 0).tolist()
        outside = self.is_among(column, self._levels(column, seen), negated=True)
        taken = np.flatnonzero(codes == wanted).tolist()
        return self._among(column, taken), self.either([missing, outside])

    def _among(self, column: int, codes: Sequence[int]) -> Source:
        return self.is_among(column, self._levels(column, codes)) if len(codes) else False

    def _levels(self, column: int, codes: Sequence[int]) -> list[Any]:
        levels = self.names.levels[column]
        return [levels[code] for code in codes]

    def _compared(self, column: int, sign: str, cut: float) -> str:
        return f"{self.cell(column)} {sign} {self.literal(float(cut))}"


def _bracketed(parts: Iterable[Source], kind: type) -> list[str]:
    return [f"({part})" if isinstance(part, kind) else str(part) for part in parts]


def writable(value: Any) -> Any:
    """Return a label or level that source text can hold, or refuse."""
    if isinstance(value, str | bool | int | float):
        return value
    raise ParameterError(must("A label or level in source text", "text, a number or a Boolean", value))
