"""A tree or a list of rules as one SQL expression."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from classica.errors import ParameterError, must
from classica.trees.growing.tree_names import Names
from classica.trees.ruling.node_paths import path_conditions
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.source_words import Source, SourceWords, writable
from classica.trees.showing.sql_numbers import exact_number


class SqlWords(SourceWords):
    """Standard SQL: names in double quotes, text in single ones, a missing value is NULL."""

    and_word = " AND "
    or_word = " OR "

    def __init__(self, names: Names, table: str | None) -> None:
        super().__init__(names)
        prefix = "" if table is None else f"{quoted(table)}."
        self._cells = [prefix + quoted(name) for name in names.columns]

    def cell(self, column: int) -> str:
        """Return the quoted column."""
        return self._cells[column]

    def literal(self, value: Any) -> str:
        """Return a constant of SQL."""
        value = writable(value)
        if isinstance(value, str):
            return "'" + _without_nul(value).replace("'", "''") + "'"
        if isinstance(value, float):
            return exact_number(value)
        return str(value).upper() if isinstance(value, bool) else repr(value)

    def is_missing(self, column: int) -> str:
        """Return the test for NULL."""
        return f"{self.cell(column)} IS NULL"

    def is_known(self, column: int) -> str:
        """Return the test for anything but NULL."""
        return f"{self.cell(column)} IS NOT NULL"

    def is_among(self, column: int, levels: Sequence[Any], *, negated: bool = False) -> str:
        """Return a comparison with one level, or with a list."""
        texts = [self.literal(level) for level in levels]
        if len(texts) == 1:
            return f"{self.cell(column)} {'<>' if negated else '='} {texts[0]}"
        return f"{self.cell(column)} {'NOT IN' if negated else 'IN'} ({', '.join(texts)})"


def tree_sql(named: NamedTree, table: str | None = None) -> str:
    """Return a CASE with a branch per leaf.

    A row whose category was not in a node stops there: each such node has a branch behind those below it.
    Where a missing value would divide a row among all branches, there is no answer: NULL.
    """
    tree, words = named.tree, SqlWords(named.names, table)
    tests = _tests_by_path(named, words) if tree.surrogates is None else _tests_by_branch(named, words)
    leaves = [node for node in named.reading_order if tree.feature[node] < 0]
    asks_categories = (tree.levels_at[1:] > tree.levels_at[:-1]).nonzero()[0].tolist()
    stops = [node for node in reversed(asks_categories) if node or named.divides_rows]
    if named.divides_rows:
        for node in stops:
            tests[node] = words.both([tests[node], _takes_no_branch(named, words, node)])
    answers = [words.literal(answer) for answer in named.answers]
    otherwise = "NULL" if named.divides_rows and len(tree) > 1 else answers[0]
    return case_sql([(tests[node], answers[node]) for node in leaves + stops], otherwise)


def case_sql(branches: Iterable[tuple[Source, str]], otherwise: str) -> str:
    """Return a CASE: the answer of the first test that holds. What can never hold is left out."""
    lines = []
    for test, answer in branches:
        if test is True:
            otherwise = answer
            break
        if test is not False:
            lines.append(f"  WHEN {test} THEN {answer}")
    return "\n".join(["CASE", *lines, f"  ELSE {otherwise}", "END"]) if lines else otherwise


def _tests_by_path(named: NamedTree, words: SqlWords) -> list[Source]:
    return [
        words.both(words.condition(condition) for condition in path.values())
        for path in path_conditions(named)
    ]


def _tests_by_branch(named: NamedTree, words: SqlWords) -> list[Source]:
    """Return the same where surrogates keep the questions of one column apart."""
    tree = named.tree
    tests: list[Source] = [True] * len(tree)
    for node in (tree.feature >= 0).nonzero()[0].tolist():
        for branch, child in enumerate(tree.children(node)):
            tests[child] = words.both([tests[node], words.branch(named, node, branch)])
    return tests


def _takes_no_branch(named: NamedTree, words: SqlWords, node: int) -> Source:
    """Return the question whether a known level was not in a node; for NULL, not even its NOT holds."""
    branches = range(int(named.tree.child_count[node]))
    taken = words.either(words.condition(named.condition(node, branch)) for branch in branches)
    return not taken if isinstance(taken, bool) else f"NOT ({taken})"


def quoted(name: str) -> str:
    """Return a name in double quotes."""
    return '"' + _without_nul(str(name)).replace('"', '""') + '"'


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ParameterError(must("A name or level in SQL", "text without the sign of code 0", text))
    return text
