"""A small tree that divides rows with missing values, as the cases of one CASE.

Which branches a row takes depends on its cells alone, so the database need not add up the shares of the
classes: every combination of known and missing values that the tree tells apart is one case, whose prediction
is known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from classica.trees.ruling.condition import Condition
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.source_words import Source
from classica.trees.showing.tree_sql import SqlWords, case_sql

#: More cases are no easier to read than sums of shares.
_MOST_CASES = 64


@dataclass(frozen=True)
class _Case:
    """What is known of a row so far.

    Attributes
    ----------
    open_parts, ends : tuple of (int, float)
        Nodes its parts have yet to leave, and those they end in, with the share of the row in each.
    asked : dict
        Column → what its cell is like; None where it is missing.
    outside : dict
        Column → codes of levels that its cell is known not to have.
    """

    open_parts: tuple[tuple[int, float], ...]
    ends: tuple[tuple[int, float], ...]
    asked: dict[int, Condition | None]
    outside: dict[int, frozenset[int]]

    @property
    def misses(self) -> bool:
        """Whether a cell is missing."""
        return None in self.asked.values()


def divided_case_sql(named: NamedTree) -> str | None:
    """Return the CASE of a tree that divides rows; None where there are too many cases to read."""
    if named.names.edges:
        return None
    start = _Case(((0, 1.0),), (), {}, {})
    cases = list(islice(_cases(named, start), _MOST_CASES + 1))
    if len(cases) > _MOST_CASES:
        return None
    words = SqlWords(named.names, None)
    order = {node: index for index, node in enumerate(named.reading_order)}
    branches = [(case, words.literal(_answer(named, case, order))) for case in cases]
    # Cases exclude each other, so the commonest prediction for missing values may as well come last.
    rare = Counter(answer for case, answer in branches if case.misses)
    otherwise = rare.most_common(1)[0][0] if rare else "NULL"
    whole = [(_test(words, case), answer) for case, answer in branches if not case.misses]
    gaps = [(_test(words, case), answer) for case, answer in branches if case.misses and answer != otherwise]
    return case_sql([*whole, *gaps], otherwise)


def _cases(named: NamedTree, case: _Case) -> Iterator[_Case]:
    """Give all that a row may be like, as far as the tree asks."""
    if not case.open_parts:
        yield case
        return
    (node, share), *rest = case.open_parts
    column = int(named.tree.feature[node])
    if column < 0:
        yield from _cases(named, replace(case, open_parts=tuple(rest), ends=(*case.ends, (node, share))))
        return
    if case.asked.get(column, case) is not None:
        yield from _known_cases(named, replace(case, open_parts=tuple(rest)), node, share)
    if case.asked.get(column) is None and column not in case.outside:
        children = named.tree.children(node)
        weights = named.tree.weight[children.start : children.stop].tolist()
        shares = (share * (weight / sum(weights)) for weight in weights)
        parts = (*zip(children, shares, strict=True), *rest)
        yield from _cases(named, replace(case, open_parts=parts, asked=case.asked | {column: None}))


def _known_cases(named: NamedTree, case: _Case, node: int, share: float) -> Iterator[_Case]:
    """Give the cases in which the cell that a node asks for is known: its branches, and a level of none."""
    column, taken = int(named.tree.feature[node]), set()
    earlier, outside = case.asked.get(column), case.outside.get(column, frozenset())
    for branch, child in enumerate(named.tree.children(node)):
        condition = named.condition(node, branch)
        met = condition if earlier is None else earlier.meet(condition)
        if met.levels is not None:
            met = replace(met, levels=tuple(code for code in met.levels if code not in outside))
        taken |= {*(condition.levels or ())}
        if met.known and met.levels != ():
            parts = ((child, share), *case.open_parts)
            yield from _cases(named, replace(case, open_parts=parts, asked=case.asked | {column: met}))
    if len(named.tree.levels_of(node)):
        yield from _stopped_case(named, case, (node, share), frozenset(taken))


def _stopped_case(
    named: NamedTree, case: _Case, end: tuple[int, float], taken: frozenset[int]
) -> Iterator[_Case]:
    """Give the case in which a row has a level that the node has no branch for, and ends there."""
    column = int(named.tree.feature[end[0]])
    asked, outside = dict(case.asked), case.outside.get(column, frozenset()) | taken
    earlier = asked.pop(column, None)
    if earlier is not None and earlier.levels is not None:
        left = tuple(code for code in earlier.levels if code not in outside)
        if not left:
            return
        asked[column] = replace(earlier, levels=left)
    stopped = replace(case, ends=(*case.ends, end), asked=asked, outside=case.outside | {column: outside})
    yield from _cases(named, stopped)


def _answer(named: NamedTree, case: _Case, order: dict[int, int]) -> object:
    shares = np.zeros(named.shares.shape[1])
    for node, share in sorted(case.ends, key=lambda end: order[end[0]]):
        shares += share * named.shares[node]
    if len(case.ends) == 1:
        return named.answers[case.ends[0][0]]
    return float(shares[0]) if named.names.classes is None else named.names.classes[int(shares.argmax())]


def _test(words: SqlWords, case: _Case) -> Source:
    tests: list[Source] = [
        words.is_missing(column) if condition is None else words.condition(condition)
        for column, condition in case.asked.items()
    ]
    for column, codes in case.outside.items():
        if column not in case.asked:
            levels = [words.names.levels[column][code] for code in sorted(codes)]
            tests.append(words.is_among(column, levels, negated=True))
    return words.both(tests)
