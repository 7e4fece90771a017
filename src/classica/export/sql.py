"""Programs as one SELECT of standard SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from classica.explain.additive import Additive
from classica.export.programs import CalibratedSums, Program, RulesProgram, TreeProgram, VotesProgram
from classica.export.sql_sums import calibrated_sql, sums_sql
from classica.export.sql_trees import rules_sql, single_tree_sql, votes_sql

_WRITERS: dict[type[Any], Callable[[Any, str], str]] = {
    Additive: sums_sql,
    CalibratedSums: calibrated_sql,
    TreeProgram: single_tree_sql,
    RulesProgram: rules_sql,
    VotesProgram: votes_sql,
}


def can_be_sql(program: Program) -> bool:
    """Return whether there is a way to write a program as a query."""
    return type(program) in _WRITERS


def program_sql(program: Program, table: str) -> str:
    """Return a query of all columns of a table and the answer for each row, in which gaps are NULL."""
    return _WRITERS[type(program)](program, table)
