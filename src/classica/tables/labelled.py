"""The front door for labelled tables: whoever learns, compares or looks comes in here.

A source, a target, a schema, the columns that say which rows belong together and those to leave out become
one typed `Table`. What a schema declares is believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import DataError, ParameterError, must
from classica.tables.reading import RawTable, read_table
from classica.tables.reading.reading_progress import Tell
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.tables.table_thresholds import FEW_OF_A_CLASS, MANY_CLASSES
from classica.tables.typing.deciding import decide_types
from classica.wording import counted, listed, listed_near


def open_table(
    source: Any,
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
        The rows. A table that is typed already may get another target or schema.
    target : str, optional
        The column to predict; otherwise the one that the table or the schema names, or none.
    schema : Schema or path, optional
        Decisions about columns that are already taken.
    groups, time : str, optional
        Columns that say which rows belong together, or their order; they are not learned from.
    ignore : iterable of str
        Columns to leave out.
    reading : mapping, optional
        Options of `read_table`.
    progress : callable, optional
        As in `read_table`.

    Returns
    -------
    table : Table
        Its ``notes`` are what was found when it was read, its ``decisions`` what was decided about columns.

    Examples
    --------
    >>> table = open_table(b"id,x,y\n1,2.5,a\n2,1.5,b\n", "y", ignore=["id"])
    >>> table.X.columns, table.y.tolist()
    (['x'], ['a', 'b'])
    """
    if isinstance(ignore, str):
        raise ParameterError(must("ignore", "a list of columns", ignore))
    table = _typed(source, target, schema, reading, progress)
    left_out = dict.fromkeys(ignore, "Left out, as asked for.")
    together = {"groups": groups, "time": time}
    for option, name in [*(("ignore", name) for name in left_out), *together.items()]:
        if name is not None:
            _require_column(table, option, name)
    left_out |= {
        name: "Says which rows belong together; not learned from." for name in together.values() if name
    }
    return _without(table, left_out) if left_out else table


def labelled_table(source: Any, target: str | None = None, **options: Any) -> Table:
    """Return the rows of a source that have a label, typed, with classes to tell apart.

    Parameters
    ----------
    source, target, **options
        As in `open_table`.

    Raises
    ------
    DataError
        For a table without a target, with a quantity as its target, with a single class, or without a column
        to learn from.
    """
    return require_classes(open_table(source, target, **options))


def require_classes(table: Table) -> Table:
    """Return the rows that have a label; raise `DataError` unless there are classes to tell apart."""
    target = table.schema.target
    if target is None:
        raise DataError(f"{table.source} must have a target, got none: name the column to predict.")
    what, known = f"The target {target!r} of {table.source}", table.labelled()
    if table.schema[target].kind == "numeric":
        got = f"a quantity of {known.frame[target].n_unique():,} different numbers in {len(known):,} rows"
        raise DataError(f"{what} must hold classes (codes are categorical in a schema), got {got}.")
    if not table.schema.names("feature"):
        raise DataError(f"{table.source} must have a column to learn from, got none besides {target!r}.")
    labels, counts = _class_counts(known)
    if len(labels) < 2:
        got = f"{labels.tolist()[0]!r} in all rows" if len(labels) else "no label"
        raise DataError(f"{what} must hold at least 2 classes, got {got}.")
    if len(labels) > MANY_CLASSES and counts.max() == 1:
        raise DataError(
            f"{what} must hold classes that repeat, got a new one in each of {len(known):,} rows."
        )
    return known


def decision_notes(table: Table) -> list[str]:
    """Return what was decided about columns, a phrase each: none is left out without a word."""
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
    few = labels[counts < FEW_OF_A_CLASS].tolist()
    if not few:
        return []
    what = counted(len(few), "class has", "classes have")
    return [f"{target}: {what} fewer than {FEW_OF_A_CLASS} rows, too few for every fold: {listed(few)}"]


def _typed(source: Any, target: str | None, schema: Any, reading: Any, progress: Tell | None) -> Table:
    if not isinstance(source, Table):
        raw = (
            source
            if isinstance(source, RawTable)
            else read_table(source, progress=progress, **(reading or {}))
        )
        return decide_types(raw, target=target, schema=schema)
    if reading:
        raise ParameterError(must("Options of reading", "left out for a table that is read", [*reading]))
    if schema is None and target in (None, source.schema.target):
        return source
    raw = RawTable(source.frame, source.source, "frame")
    decided = decide_types(raw, target=target, schema=source.schema if schema is None else schema)
    return replace(decided, notes=source.notes)


def _require_column(table: Table, option: str, name: str) -> None:
    if name not in table.frame.columns:
        rule = f"one of its columns such as {listed_near(name, table.frame.columns)}"
        raise DataError(must(f"The column for {option} of {table.source}", rule, name))
    if name == table.schema.target:
        rule = "another column than the target"
        raise DataError(must(f"The column for {option} of {table.source}", rule, name))


def _without(table: Table, left_out: Mapping[str, str]) -> Table:
    """Return the table with columns that are not learned from."""
    columns = [
        replace(table.schema[name], role="ignored", reason=reason)
        for name, reason in left_out.items()
        if name in table.schema
    ]
    told = [finding for finding in table.decisions if finding.column not in left_out]
    return replace(table, schema=table.schema.changed(columns), decisions=told)
