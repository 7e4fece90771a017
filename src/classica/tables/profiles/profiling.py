"""Profile a table: columns, classes and findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.categories import enum_codes
from classica.tables.findings.profile_findings import TableEvidence, profile_findings
from classica.tables.labelled import open_table
from classica.tables.profiles.column_profile import ColumnProfile, column_accuracy, column_profile
from classica.tables.schema import Schema
from classica.tables.table import Table
from classica.tables.table_finding import Finding
from classica.tables.typing.cells import unnamed

#: In longer tables, single columns are evaluated on a sample of this many rows. For a million rows, the
#: shares were accurate to 0.9 percentage points, and to 2.1 for a date of 3,000 values, which suffices to
#: suspect leakage.
_SAMPLED_ROWS = 200_000


@dataclass(frozen=True)
class Profile:
    """The profile of a table.

    Attributes
    ----------
    source : str
        Where the table came from.
    fingerprint : str
        The SHA-256 of the typed table.
    rows : int
        Number of rows.
    columns : list of ColumnProfile
        In the order of the table.
    target : str or None
        The column to predict.
    majority : float or None
        The share of the most frequent class: the accuracy of the majority-class baseline.
    findings : list of Finding
        The findings: decisions first, then what to look at.
    sampled_rows : int or None
        The number of rows sampled, with a fixed seed, to evaluate how well each column alone predicts the
        class; None if all rows were used. Everything else is computed on all rows.
    """

    source: str
    fingerprint: str
    rows: int
    columns: list[ColumnProfile]
    target: str | None
    majority: float | None
    findings: list[Finding]
    sampled_rows: int | None = None

    def record(self) -> dict[str, Any]:
        """Return the profile as plain JSON-able values."""
        return {
            "source": self.source,
            "fingerprint": self.fingerprint,
            "rows": self.rows,
            "target": self.target,
            "majority": self.majority,
            "columns": [column.record() for column in self.columns],
            "findings": [finding.record() for finding in self.findings],
            "sampled_rows": self.sampled_rows,
        }


def profile(
    source: Any,
    target: str | None = None,
    *,
    schema: Schema | str | Path | None = None,
    ignore: Iterable[str] = (),
    reading: Mapping[str, Any] | None = None,
) -> Profile:
    """Profile a table: columns, classes, duplicates, and columns that alone predict the target.

    Parameters
    ----------
    source : Table, or what `read_table` takes
        The rows.
    target : str, optional
        The column to predict; by default that of the table or schema.
    schema : Schema or path, optional
        The kinds and roles of columns, instead of inferred ones.
    ignore : iterable of str
        Columns to leave out.
    reading : mapping, optional
        Options of `read_table`.
    """
    table = open_table(source, target, schema=schema, ignore=ignore, reading=reading)
    name = table.schema.target
    labels, classes = _labels(table)
    rows = _judged_rows(labels)
    judged = labels if rows is None else labels[rows.to_numpy()]
    columns = []
    frame = dict(zip(table.frame.columns, table.frame.get_columns(), strict=True))
    for column in table.schema.columns:
        if column.name not in frame:
            continue
        cells = unnamed(frame[column.name])
        alone = None
        if classes > 1 and column.name != name and column.kind != "constant" and not cells.dtype.is_nested():
            alone = column_accuracy(cells if rows is None else cells.gather(rows), judged, classes)
        columns.append(column_profile(cells, column, alone))
    counts = np.bincount(labels[labels >= 0]) if classes else np.empty(0)
    majority = float(counts.max() / counts.sum()) if counts.sum() else None
    sampled = len(judged) if counts.sum() > _SAMPLED_ROWS else None
    findings = [*table.decisions, *profile_findings(TableEvidence(table, columns, majority, sampled))]
    return Profile(table.source, table.fingerprint(), len(table), columns, name, majority, findings, sampled)


def _judged_rows(labels: NDArray[np.int64]) -> pl.Series | None:
    """Return the rows on which single columns are evaluated: labelled ones, or a sample; None for all."""
    labelled = np.flatnonzero(labels >= 0)
    if len(labelled) > _SAMPLED_ROWS:
        drawn = np.random.default_rng(0).choice(len(labelled), _SAMPLED_ROWS, replace=False)
        return pl.Series(labelled[np.sort(drawn)])
    return None if len(labelled) == len(labels) else pl.Series(labelled)


def _labels(table: Table) -> tuple[Any, int]:
    """Return the class code of each row, -1 without a label, and the number of classes."""
    name = table.schema.target
    if name is None or name not in table.frame.columns or table.schema[name].kind == "numeric":
        return np.full(len(table), -1), 0
    cells = unnamed(table.frame[name])
    if isinstance(cells.dtype, pl.Enum):
        used = cells.drop_nulls().unique().sort().cast(pl.String).to_list()
        return enum_codes(cells, used, missing=-1), len(used)
    ranks = cells.rank("dense").cast(pl.Int64).fill_null(0).to_numpy() - 1
    return ranks, int(ranks.max(initial=-1)) + 1
