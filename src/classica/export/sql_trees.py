"""Trees, rules and votes of trees as SQL."""

from __future__ import annotations

import numpy as np

from classica.errors import ParameterError, must
from classica.export.programs import RulesProgram, TreeProgram, VotesProgram
from classica.export.sql_select import Select, highest_sql, sum_sql
from classica.trees.growing.tree_names import Names
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.sql_divided import divided_case_sql
from classica.trees.showing.sql_numbers import exact_number
from classica.trees.showing.tree_sql import SqlWords, tree_sql

#: More nodes make a query that no database likes to read.
MOST_NODES = 20_000


def single_tree_sql(program: TreeProgram, table: str) -> str:
    """Return the query of one tree."""
    select = Select.of(table, (column.name for column in program.columns))
    if program.named.divides_rows and len(program.named.tree) > 1:
        cases = divided_case_sql(program.named)
        return _divided_sql(select, program.named) if cases is None else select.text(cases)
    return select.text(tree_sql(program.named))


def rules_sql(program: RulesProgram, table: str) -> str:
    """Return the query of a list of rules."""
    return Select.of(table, (column.name for column in program.columns)).text(program.rules.to_sql())


def votes_sql(program: VotesProgram, table: str) -> str:
    """Return the query of trees that vote: the leaf of each, the sums, the label."""
    nodes = sum(len(named.tree) for named in program.trees)
    if nodes > MOST_NODES:
        raise ParameterError(must("A forest in SQL", f"of at most {MOST_NODES:,} nodes", nodes))
    select = Select.of(table, (column.name for column in program.columns))
    select.uses = len(program.classes) ** 2
    ends = select.add("leaf", [tree_sql(named) for named in program.trees])
    tables = [
        [
            _lookup(end, named, program.values[:, index])
            for end, named in zip(ends, program.trees, strict=True)
        ]
        for index in range(len(program.classes))
    ]
    sums = select.add("votes", [sum_sql(terms) for terms in tables])
    words = SqlWords(Names([], {}), None)
    return select.text(highest_sql(sums, [words.literal(label) for label in program.classes], program.slack))


def _lookup(end: str, named: NamedTree, values: np.ndarray) -> str:
    """Return what the leaf of a tree adds; most leaves may add nothing."""
    rows = sorted(set(named.answers))
    branches = [f"WHEN {row} THEN {exact_number(float(values[row]))}" for row in rows if values[row]]
    return f"CASE {end} {' '.join(branches)} ELSE 0.0 END" if branches else "0.0"


def _divided_sql(select: Select, named: NamedTree) -> str:
    """Return a tree in which a gap sends a row down all branches, by the shares of their rows.

    A leaf, or a node whose levels do not have that of the row, gets the product of the shares on the way.
    """
    tree, words = named.tree, SqlWords(named.names, None)
    factors: list[list[str]] = [[] for _ in range(len(tree))]
    ends, parts = [], []
    for node in named.reading_order:
        if tree.feature[node] < 0:
            ends.append(node)
            parts.append(" * ".join(factors[node]))
            continue
        taken = _branch_factors(named, words, node)
        for child, factor in zip(tree.children(node), taken, strict=True):
            factors[child] = [*factors[node], factor]
        if len(tree.levels_of(node)):
            ends.append(node)
            parts.append(" * ".join([*factors[node], _stop_factor(named, words, node)]))
    select.uses = named.shares.shape[1] ** 2
    weights = select.add("part", parts)
    if named.names.classes is None:
        return select.text(_weighted(weights, named.shares[ends, 0]))
    indices = range(named.shares.shape[1])
    sums = select.add("share", [_weighted(weights, named.shares[ends, index]) for index in indices])
    return select.text(highest_sql(sums, [words.literal(label) for label in named.names.classes]))


def _branch_factors(named: NamedTree, words: SqlWords, node: int) -> list[str]:
    children = named.tree.children(node)
    weights = named.tree.weight[children.start : children.stop]
    shares = (weights / _in_order(weights)).tolist()
    cell = words.cell(int(named.tree.feature[node]))
    terms = []
    for branch, share in enumerate(shares):
        test = words.condition(named.condition(node, branch))
        taken = "" if test is False else f"WHEN {test} THEN 1.0 "
        terms.append(f"CASE WHEN {cell} IS NULL THEN {exact_number(share)} {taken}ELSE 0.0 END")
    return terms


def _stop_factor(named: NamedTree, words: SqlWords, node: int) -> str:
    tests = [words.condition(named.condition(node, b)) for b in range(int(named.tree.child_count[node]))]
    taken = words.either(tests)
    cell = words.cell(int(named.tree.feature[node]))
    return f"CASE WHEN {cell} IS NULL THEN 0.0 WHEN {taken} THEN 0.0 ELSE 1.0 END"


def _in_order(weights: np.ndarray) -> float:
    """Return the sum from left to right, as the kernels add."""
    total = 0.0
    for weight in weights.tolist():
        total += weight
    return total


def _weighted(parts: list[str], shares: np.ndarray) -> str:
    pairs = zip(parts, shares.tolist(), strict=True)
    return sum_sql([f"{part} * {exact_number(share)}" for part, share in pairs if share])
