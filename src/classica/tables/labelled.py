"""Load labelled tables: the single entry point for training, comparison and display.

A source, a target, a schema, columns that define groups or time, and columns to leave out become one typed
`Table`. Declarations of a schema take precedence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import TableSource
from classica.errors import DataError, ParameterError, must
from classica.tables.findings.profile_findings import RareClasses
from classica.tables.reading import RawTable, read_table
from classica.tables.reading.reader_options import Tell
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.tables.typing.column_rules import MANY_CLASSES
from classica.tables.typing.deciding import decide_types
from classica.wording import column_hint, counted, listed


def open_table(
    source: TableSource,
    target: str | None = None,
    *,
    schema: Schema | str | Path | None = None,
    groups: str | None = None,
    time: str | None = None,
    ignore: Iterable[str] = (),
    reading: Mapping[str, Any] | None = None,
    progress: Tell | None = None,
) -> Table:
    r"""Return the typed table of any source.

    Parameters
    ----------
    source : Table, RawTable or what `read_table` takes
        The rows. A typed table may get another target or schema.
    target : str, optional
        The column to predict; otherwise the one that the table or the schema names, or none.
    schema : Schema or path, optional
        The kinds and roles of columns, instead of those that would be inferred.
    groups, time : str, optional
        Columns that define groups of rows, or their order; they are not used as features.
    ignore : iterable of str
        Columns to leave out.
    reading : mapping, optional
        Options of `read_table`.
    progress : callable, optional
        As in `read_table`.

    Returns
    -------
    table : Table
        Its ``notes`` come from reading the source, its ``decisions`` from inferring the kinds of columns.

    Examples
    --------
    >>> table = open_table(b"id,x,y\n1,2.5,a\n2,1.5,b\n", "y", ignore=["id"])
    >>> table.X.columns, table.y.tolist()
    (['x'], ['a', 'b'])
    """
    if isinstance(ignore, str):
        raise ParameterError(must("ignore", "a list of columns", ignore))
    table = _typed(source, target, schema, reading, progress)
    left_out = dict.fromkeys(ignore, "Left out on request.")
    together = {"groups": groups, "time": time}
    for option, name in [*(("ignore", name) for name in left_out), *together.items()]:
        if name is not None:
            _require_column(table, option, name)
    left_out |= {
        name: "Defines groups or the order of rows; not used as a feature."
        for name in together.values()
        if name
    }
    return _without(table, left_out) if left_out else table


def labelled_table(source: Any, target: str | None = None, **options: Any) -> Table:
    """Return the labelled rows of a source as a typed table with at least two classes.

    Parameters
    ----------
    source, target, **options
        As in `open_table`.

    Raises
    ------
    DataError
        For a table without a target, with a continuous target, with a single class, or without features.
    """
    return require_classes(open_table(source, target, **options))


def require_classes(table: Table) -> Table:
    """Return the labelled rows; raise `DataError` unless there are at least two classes."""
    target = table.schema.target
    if target is None:
        raise DataError(f"Cannot classify {table.source}: it has no target. Name the column to predict.")
    cannot, labelled = f"Cannot classify {table.source} by {target!r}", table.labelled()
    if table.schema[target].kind == "numeric":
        numbers = f"{labelled.frame[target].n_unique():,} distinct numbers in {len(labelled):,} rows"
        raise DataError(
            f"{cannot}: the target is a quantity, with {numbers}. "
            "If the numbers are class codes, make the target categorical in a schema."
        )
    if not table.schema.names("feature"):
        raise DataError(f"{cannot}: no column can be used as a feature. Check their roles in a schema.")
    labels, counts = _class_counts(labelled)
    if len(labels) < 2:
        seen = f"every row has the class {labels.tolist()[0]!r}" if len(labels) else "no row has a label"
        raise DataError(f"{cannot}: the target must have at least 2 classes, but {seen}.")
    if len(labels) > MANY_CLASSES and counts.max() == 1:
        raise DataError(f"{cannot}: each of {len(labelled):,} rows has its own class. Choose another target.")
    return labelled


def decision_notes(table: Table) -> list[str]:
    """Return the decisions about columns, one phrase each."""
    # What is not used comes first, and then small classes: of many notes only the first may be read.
    ignored = {*table.schema.names("ignored")}
    decided = sorted(table.decisions, key=lambda finding: finding.column not in ignored)
    texts = [f"{each.column}: {each.text}" if each.column else each.text for each in decided]
    unused = sum(each.column in ignored for each in decided)
    return [text.removesuffix(".") for text in [*texts[:unused], *_small_classes(table), *texts[unused:]]]


def _class_counts(table: Table) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes that occur, sorted, and how many rows each has."""
    codes, classes = table.class_codes()
    return classes, np.bincount(codes, minlength=len(classes))


def _small_classes(table: Table) -> list[str]:
    target = table.schema.target
    if target is None or table.schema[target].kind == "numeric":
        return []
    labels, counts = _class_counts(table.labelled())
    least = RareClasses.FEW_OF_A_CLASS
    few = labels[counts < least].tolist()
    if not few:
        return []
    what = counted(len(few), "class has", "classes have")
    return [f"{target}: {what} fewer than {least} rows, fewer than there may be folds: {listed(few)}"]


def _typed(source: Any, target: str | None, schema: Any, reading: Any, progress: Tell | None) -> Table:
    if not isinstance(source, Table):
        raw = (
            source
            if isinstance(source, RawTable)
            else read_table(source, progress=progress, **(reading or {}))
        )
        return decide_types(raw, target=target, schema=schema)
    if reading:
        raise ParameterError(
            must("Reader options", "left out for a table that is already loaded", [*reading])
        )
    if schema is None and target in (None, source.schema.target):
        return source
    raw = RawTable(source.frame, source.source, "frame")
    decided = decide_types(raw, target=target, schema=source.schema if schema is None else schema)
    return replace(decided, notes=source.notes)


def _require_column(table: Table, option: str, name: str) -> None:
    if name not in table.frame.columns:
        hint = column_hint(name, table.frame.columns)
        raise DataError(f"Cannot use {name!r} for {option}: {table.source} has no such column.{hint}")
    if name == table.schema.target:
        raise DataError(f"Cannot use {name!r} for {option}: it is the target of {table.source}.")


def _without(table: Table, left_out: Mapping[str, str]) -> Table:
    """Return the table with columns that are not used as features."""
    columns = [
        replace(table.schema[name], role="ignored", reason=reason)
        for name, reason in left_out.items()
        if name in table.schema
    ]
    decisions = [finding for finding in table.decisions if finding.column not in left_out]
    return replace(table, schema=table.schema.changed(columns), decisions=decisions)
