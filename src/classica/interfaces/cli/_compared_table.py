"""Check the table of a comparison, and announce what is predicted from it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from classica.errors import DataError
from classica.tables import Table
from classica.wording import counted, did_you_mean

#: Columns and classes that are named; more are counted.
_COLUMNS, _CLASSES = 12, 3


def require_columns(table: Table, asked: Mapping[str, str | None]) -> None:
    """Refuse a table without a target, and options that name none of its columns."""
    names = table.frame.columns
    if table.schema.target is None:
        raise DataError(
            f"--target must name the column to predict, got none. The columns of {table.source} are"
            f" {_some(names, _COLUMNS)}. For example: --target {_quoted(names[-1])}"
        )
    for option, name in asked.items():
        if name is not None and name not in names:
            hint = did_you_mean(name, names) or f" Its columns are {_some(names, _COLUMNS)}."
            raise DataError(f"{option} must name a column of {table.source}, got {name!r}.{hint}")


def announce(table: Table, folder: Path, split_columns: Collection[str | None]) -> None:
    """Print what is predicted from what, and the run folder.

    The columns of groups and times, ``split_columns``, are no features.
    """
    # Written to sys.stderr as it is now: while progress is drawn, that writes above it.
    target = table.schema.target
    if target is None:
        return
    counts = Counter(table.frame[target].drop_nulls().sort().to_list())  # of equal counts the first label
    labels = counts.most_common()
    first = [f"{label} {count:,}" for label, count in labels[:_CLASSES]]
    more = f", {len(labels) - _CLASSES} more" if len(labels) > _CLASSES else ""
    classes = f"{counted(len(labels), 'class', 'classes')}: {', '.join(first)}{more}"
    features = counted(len({*table.schema.names("feature")} - {*split_columns}), "feature")
    sys.stderr.write(f"Predicting {target} ({classes}) from {features} and {counted(len(table), 'row')}.\n")
    sys.stderr.write(f"Results are written to {folder}. Ctrl-C gives the answer so far.\n")


def _some(names: Sequence[str], most: int) -> str:
    """Return the names; of many the first ones and the last, which is often the target."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])}, … and {names[-1]} ({len(names)} columns)"


def _quoted(name: str) -> str:
    return f"'{name}'" if not name.isidentifier() else name
