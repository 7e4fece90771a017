"""What to look at in a table before learning from it, as coded findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import polars as pl

from classica.tables.profiles.column_profile import ColumnProfile
from classica.tables.table import Table
from classica.tables.table_finding import Finding
from classica.tables.table_thresholds import (
    FEW_OF_A_CLASS,
    LEAK,
    LEAK_ROWS,
    MANY_LEVELS,
    MOST_ROWS,
    MOSTLY,
    ROWS_PER_FEATURE,
)
from classica.tables.typing.cells import unnamed
from classica.wording import counted, listed, share


def profile_findings(
    table: Table, columns: Sequence[ColumnProfile], majority: float | None, sampled: int | None = None
) -> list[Finding]:
    """Return what to look at: target, leaks, rows, columns.

    ``sampled`` is the number of rows by which single columns were judged, if not by all.
    """
    target = next((column for column in columns if column.role == "target"), None)
    found = [
        *_target(target, majority, len(table)),
        *_leaks(columns, majority, len(table), sampled),
        *_rows(table),
    ]
    for column in columns:
        if column.role == "feature":
            found.extend(_column(column, len(table)))
    return [*found, *_copies(table)]


def _target(target: ColumnProfile | None, majority: float | None, rows: int) -> Iterator[Finding]:
    if target is None:
        return
    if target.missing:
        text = f"{counted(target.missing, 'row has', 'rows have')} no label and cannot be learned from."
        yield Finding("D202", target.name, text)
    if target.kind == "numeric" or majority is None:
        return
    present = [(level, count) for level, count in target.counts if count]
    few = [level for level, count in present if count < FEW_OF_A_CLASS]
    if len(present) == 1:
        yield Finding("D207", target.name, f"Every row has the class {present[0][0]!r}: nothing to learn.")
    elif few:
        what = f"{counted(len(few), 'class has', 'classes have')} fewer than {FEW_OF_A_CLASS} rows"
        yield Finding("D203", target.name, f"{what}: {listed(few)}.")
    if len(present) > 1 and majority >= MOST_ROWS:
        text = f"One class has {share(majority, 1)} of the rows: accuracy says little, look at each class."
        yield Finding("D204", target.name, text)


def _leaks(
    columns: Sequence[ColumnProfile], majority: float | None, rows: int, sampled: int | None
) -> Iterator[Finding]:
    if majority is None or majority == 1 or rows < LEAK_ROWS:
        return
    for column in columns:
        if column.alone is None or column.alone - majority < LEAK * (1 - majority):
            continue
        drawn = "the rows" if sampled is None else f"{sampled:,} rows drawn at random"
        text = (
            f"This column alone tells the class of {share(column.alone, 1)} of {drawn} "
            f"(the most frequent class: {share(majority, 1)}): is it known before the target is?"
        )
        yield Finding("D301", column.name, text)


def _rows(table: Table) -> Iterator[Finding]:
    features = [table.frame[name] for name in table.schema.names("feature")]
    rows = len(table)
    if not features or not rows:
        return
    target = [table.frame[name] for name in table.schema.names("target") if name in table.frame.columns]
    alike = _alike(features, target)
    repeated = alike.height - alike.n_unique() if alike.height else 0
    if repeated:
        text = f"{counted(repeated, 'row repeats', 'rows repeat')} an earlier one ({share(repeated, rows)})."
        yield Finding(
            "D401", None, f"{text} In cross-validation, copies may be in both the training and the test set."
        )
    torn = _contradictions(alike) if target and alike.height else 0
    if torn:
        text = f"{counted(torn, 'row is', 'rows are')} equal to others of another class"
        yield Finding("D402", None, f"{text}: no model can predict all of them correctly.")
    if rows < ROWS_PER_FEATURE * len(features):
        yield Finding("D403", None, f"Only {counted(rows, 'row')} for {counted(len(features), 'feature')}.")


def _alike(features: Sequence[pl.Series], target: Sequence[pl.Series]) -> pl.DataFrame:
    """Return the rows whose features may equal those of another row: their hash does.

    Of a long table that is few of them, and only they are compared cell by cell.
    """
    hashes = _numbered(features).hash_rows()
    return _numbered([*features, *target]).filter(hashes.is_duplicated())


def _numbered(columns: Sequence[pl.Series]) -> pl.DataFrame:
    """Return a frame with names of our own: polars reads some names as patterns."""
    return pl.DataFrame([column.rename(f"c{place}") for place, column in enumerate(columns)])


def _contradictions(frame: pl.DataFrame) -> int:
    """Return how many rows are equal to rows of another class, which is the last column."""
    *features, target = frame.columns
    groups = frame.drop_nulls(target).group_by(features).agg(
        pl.col(target).n_unique().alias("classes"), pl.len().alias("rows")
    )  # fmt: skip
    return int(groups.filter(pl.col("classes") > 1)["rows"].sum())


def _column(column: ColumnProfile, rows: int) -> Iterator[Finding]:
    levels = [level for level, count in column.counts if count]
    if len(levels) > MANY_LEVELS and column.kind == "categorical":
        text = f"{len(levels):,} levels, some with few rows: consider fewer."
        yield Finding("D501", column.name, text)
    folded = Counter(level.strip().casefold() for level in levels)
    alike = [level for level in levels if folded[level.strip().casefold()] > 1]
    if alike:
        yield Finding("D502", column.name, f"Levels differ in capitals or blanks only: {listed(alike)}.")
    if rows and column.missing > MOSTLY * rows:
        yield Finding("D503", column.name, f"{share(column.missing, rows)} of the cells are missing.")
    if column.infinite:
        yield Finding("D505", column.name, f"{counted(column.infinite, 'cell is', 'cells are')} infinite.")
    if column.different == 1 and column.missing:
        yield Finding("D506", column.name, "All known cells are the same; only whether it is known can tell.")


def _copies(table: Table) -> Iterator[Finding]:
    """Yield features that repeat another one cell for cell; a sum per column finds who to compare."""
    seen: dict[tuple[str, int], list[str]] = {}
    for name in table.schema.names("feature"):
        cells = unnamed(table.frame[name])
        key = (str(cells.dtype), int(cells.hash().sum() or 0))
        twin = next((other for other in seen.get(key, []) if table.frame[other].equals(cells)), None)
        if twin is not None:
            yield Finding("D504", name, f"Every cell is the same as in {twin!r}.")
        seen.setdefault(key, []).append(name)
