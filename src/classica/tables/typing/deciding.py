"""Type a table: every column gets a kind, a role and a reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from classica.errors import DataError
from classica.tables.column_schema import ColumnSchema
from classica.tables.findings.target_findings import target_findings
from classica.tables.findings.typing_findings import typing_findings
from classica.tables.reading import RawTable
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.tables.table_finding import Finding
from classica.tables.typing.cells import MISSING_WORDS, as_dates, unnamed
from classica.tables.typing.column_facts import ColumnFacts
from classica.tables.typing.column_rules import decide_column, decide_target, label_levels, level_list
from classica.tables.typing.date_parts import possible_parts
from classica.tables.typing.number_format import PLAIN
from classica.tables.typing.typed_column import missing_words
from classica.wording import column_hint

_EMPTY = Schema((), MISSING_WORDS, "decide")


def decide_types(
    raw: RawTable, *, target: str | None = None, schema: Schema | str | Path | None = None
) -> Table:
    """Infer the kind and the role of each column of a table.

    Parameters
    ----------
    raw : RawTable
        The table as it was read.
    target : str, optional
        The column to predict; otherwise the one that the schema names, or none.
    schema : Schema or path, optional
        Kinds and roles that are given. Columns that it does not list are inferred, unless it ignores other
        columns; so are levels and parts of dates that it leaves out.

    Returns
    -------
    table : Table
        Its ``schema`` holds every decision with its reason; its ``decisions`` are findings for the user.
    """
    if not raw.frame.height:
        raise DataError(f"Cannot use {raw.source}: it has no rows.")
    given = _EMPTY if schema is None else schema if isinstance(schema, Schema) else Schema.load(schema)
    target = given.target if target is None else target
    if target is not None and target not in raw.frame.columns:
        hint = column_hint(target, raw.frame.columns)
        raise DataError(f"Cannot predict {target!r}: {raw.source} has no such column.{hint}")
    columns, findings = [], []
    for name in _wanted(raw, given, target):
        column, column_findings = _decided(raw, name, given, target)
        columns.append(column)
        findings.extend(column_findings)
    decided = Schema(tuple(columns), given.missing, "ignore")
    table = decided.apply(raw)
    notes = [str(note) for note in raw.notes]
    return replace(table, decisions=[*findings, *table.decisions], notes=notes)


def _wanted(raw: RawTable, given: Schema, target: str | None) -> list[str]:
    """Return the columns of the schema in its order, then those to be inferred."""
    names = set(raw.frame.columns)
    needed = [column.name for column in given.columns if column.role not in ("ignored", "id")]
    absent = [name for name in needed if name not in names]
    if absent:
        hint = column_hint(absent[0], raw.frame.columns)
        raise DataError(f"Cannot apply the schema: {raw.source} has no column {absent[0]!r}.{hint}")
    listed_columns = [column.name for column in given.columns if column.name in names]
    if given.other_columns == "decide":
        # A schema that lists only some columns must not move them to the front.
        return list(raw.frame.columns)
    return [*listed_columns, target] if target and target not in listed_columns else listed_columns


def _decided(
    raw: RawTable, name: str, given: Schema, target: str | None
) -> tuple[ColumnSchema, list[Finding]]:
    cells, declared = unnamed(raw.frame[name]), raw.declared.get(name)
    if name in given and (given[name].role == "target") == (name == target):
        column = _completed(raw, given[name], given)
        return column, (target_findings(column, cells) if name == target else [])
    if name in given and name != target:
        reason = "The target in the schema, but another target was given."
        return replace(_completed(raw, given[name], given), role="ignored", reason=reason), []
    if name == target:
        column = decide_target(name, cells, declared, raw.source)
        return column, target_findings(column, cells)
    facts = ColumnFacts(name, cells, given.missing, raw.decimal, raw.written_cells(name))
    column = decide_column(facts, declared)
    return column, typing_findings(column, facts)


def _completed(raw: RawTable, column: ColumnSchema, given: Schema) -> ColumnSchema:
    """Complete a column of the schema with inferred levels or date parts."""
    cells, declared = unnamed(raw.frame[column.name]), raw.declared.get(column.name)
    facts = ColumnFacts(column.name, cells, missing_words(column, given.missing), raw.decimal)
    if column.kind == "categorical" and column.levels is None:
        if column.role == "target":
            return replace(column, levels=label_levels(column.name, facts.cells, declared, raw.source))
        levels = tuple(declared.levels) if declared and declared.levels else level_list(facts.values)
        return replace(column, levels=levels)
    if column.kind == "numeric" and column.number_format == PLAIN:
        return replace(column, **vars(facts.number_format))
    if column.kind == "date" and column.role == "feature" and not column.parts:
        return _with_parts(column, facts)
    return column


def _with_parts(column: ColumnSchema, facts: ColumnFacts) -> ColumnSchema:
    if column.format is None and facts.date_formats:
        column = replace(column, format=facts.date_formats[0])
    return replace(column, parts=possible_parts(as_dates(facts.known, column.format)))
