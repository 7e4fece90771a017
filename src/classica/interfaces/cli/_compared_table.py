"""The table of a comparison: what it must have, and what is told about it before the work begins."""

from __future__ import annotations

import difflib
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from classica.errors import DataError
from classica.tables import Table
from classica.wording import counted

#: Columns and classes that are named; more are counted.
_COLUMNS, _CLASSES = 12, 3


def require_columns(table: Table, asked: Mapping[str, str | None]) -> None:
    """Refuse a table without a target, and options that name no column of it; say what there is."""
    names = table.frame.columns
    if table.schema.target is None:
        raise DataError(
            f"--target must name the column to predict, got none: {table.source} has"
            f" {_some(names, _COLUMNS)}. For example: --target {_quoted(names[-1])}"
        )
    for option, name in asked.items():
        if name is not None and name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            there = f"perhaps {close[0]!r}" if close else f"there are {_some(names, _COLUMNS)}"
            raise DataError(f"{option} must name a column of {table.source}, got {name!r}: {there}.")


def announce(table: Table, folder: Path, aside: Collection[str | None]) -> None:
    """Say what is about to be learned from what, and where the work is kept.

    Columns in ``aside`` say which rows belong together, and are not learned from.
    """
    # Written to sys.stderr as it is now: while progress is drawn, that writes above it.
    target = table.schema.target
    if target is None:
        return
    counts = Counter(table.frame[target].drop_nulls().sort().to_list())  # of equal counts the first label
    labels = counts.most_common()
    found = [f"{label}: {count:,}" for label, count in labels[:_CLASSES]]
    more = f", {len(labels) - _CLASSES} more" if len(labels) > _CLASSES else ""
    classes = f"{counted(len(labels), 'class', 'classes')}; {', '.join(found)}{more}"
    features = counted(len({*table.schema.names("feature")} - {*aside}), "column")
    sys.stderr.write(f"Predicting {target} ({classes}) from {features} of {counted(len(table), 'row')}.\n")
    sys.stderr.write(f"Results are kept in {folder}; Ctrl-C gives the answer so far.\n")


def _some(names: Sequence[str], most: int) -> str:
    """Return the names, of many the first and the last, which a target often is."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])}, … and {names[-1]} ({len(names)} columns)"


def _quoted(name: str) -> str:
    return f"'{name}'" if not name.isidentifier() else name
