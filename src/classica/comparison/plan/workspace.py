"""What every unit of a comparison reads: typed table, settings and folds, kept in the run folder."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.comparison.plan.settings import Settings
from classica.comparison.plan.splits import Splits, Splitter, outer_splits, splitter
from classica.comparison.race.stages import Stages
from classica.comparison.work.kept_files import ABOUT
from classica.comparison.work.run_files import ABOUT_FILE, SCHEMA_FILE, SHARED_FILE, STAMP_FILE, TABLE_FILE
from classica.errors import DataError, must
from classica.kinds import read_json
from classica.metrics.measure import Metric
from classica.metrics.measures import metric
from classica.runs.lock import NAME as LOCK_FILE
from classica.runs.plan import NAME as PLAN_FILE
from classica.statistics.stratified_order import ordered_splits
from classica.tables import RawTable, Schema, Table, profile, read_table
from classica.tables.profiles.profiling import Profile
from classica.tables.reading.file_copy import unreadable
from classica.tables.shared_table import FileStamp, SharedTable, open_shared_table, write_shared_table
from classica.tables.typing.cells import unnamed
from classica.whole_file import leftover_of, whole_file

_VERSION = 1

#: Two folds of times need two times before them, of which one is tested on when parameters are chosen.
_FEWEST_TIMES = 4


@dataclass(frozen=True)
class Workspace:
    """A table to compare on, and how.

    Attributes
    ----------
    table : Table
        Typed, every row with a label.
    settings : Settings
        How to compare.
    models : tuple of str
        Who takes part.
    notes : tuple of str
        What was found and decided when the table was read.
    """

    table: Table
    settings: Settings
    models: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @functools.cached_property
    def X(self) -> pl.DataFrame:  # noqa: N802  (the field's name for a matrix)
        """The features."""
        return self.table.X

    @functools.cached_property
    def y(self) -> NDArray[Any]:
        """The labels."""
        return self.table.y

    @property
    def schema(self) -> Schema:
        """What the columns hold."""
        return self.table.schema

    def features(self, rows: NDArray[np.intp]) -> pl.DataFrame:
        """Return the features of some rows."""
        return self.X[rows]

    def column(self, name: str) -> pl.Series:
        """Return the cells of a column."""
        return self.table.frame[name]

    @functools.cached_property
    def classes(self) -> NDArray[Any]:
        """The labels there are, sorted."""
        return np.unique(self.y)

    @functools.cached_property
    def codes(self) -> NDArray[np.int32]:
        """The class of every row, as its index among the classes."""
        return self.table.class_codes()[0]

    @functools.cached_property
    def order(self) -> NDArray[Any] | None:
        """The column that folds respect, if there is one."""
        name = self.settings.groups or self.settings.time
        if name is None:
            return None
        cells = unnamed(self.column(name))
        if cells.null_count():
            raise DataError(must(f"The column {name!r}", "filled in every row", None))
        if self.settings.time is not None and not (cells.dtype.is_numeric() or cells.dtype.is_temporal()):
            # Sorted as words, week 10 comes before week 2: models would learn from what is yet to come.
            raise DataError(must(f"The column {name!r}", "of numbers or dates to have an order", cells[0]))
        return cells.rank("dense").to_numpy()

    @functools.cached_property
    def splits(self) -> Splits:
        """The outer folds."""
        if self.settings.time is not None:
            times = len(np.unique(np.asarray(self.order)))
            if times < _FEWEST_TIMES:
                raise DataError(
                    f"The column of times {self.settings.time!r} must have at least {_FEWEST_TIMES} different"
                    f" values, got {times}."
                )
            if times < self.settings.folds + 2:
                rule = f"at most {times - 2}, two fewer than the different values of {self.settings.time!r}"
                raise DataError(must("folds", rule, self.settings.folds))
        return outer_splits(self.settings, self.y, self.order)

    @functools.cached_property
    def profile(self) -> Profile:
        """The profile of the table."""
        return profile(self.table)

    @functools.cached_property
    def stages(self) -> Stages:
        """The training sets of a race."""
        settings = self.settings
        return Stages(
            self.splits,
            self.codes,
            len(self.schema.feature_names()),
            settings.seed,
            in_order=settings.time is not None,
            repeats=settings.repeats if settings.time is None else 1,
            most=settings.most_rows,
        )

    def sample(self, rows: int) -> NDArray[np.intp]:
        """Return so many rows of the table with the shares of the classes, the latest where time counts."""
        if self.settings.time is not None:
            return np.sort(np.argsort(np.asarray(self.order), kind="stable")[-rows:])
        everything = [(np.arange(len(self.y)), np.empty(0, dtype=np.intp))]
        ((order, _),) = ordered_splits(everything, self.y, self.settings.seed)
        return np.sort(order[:rows])

    @property
    def test_fraction(self) -> float:
        """The share of the rows a fold tests on."""
        return float(np.mean([len(test) / (len(train) + len(test)) for train, test in self.splits]))

    @property
    def metric(self) -> Metric:
        """What models are ranked by."""
        return metric(self.settings.metric)

    @property
    def resolution(self) -> float | None:
        """The least step of a score: one row of a fold; None for a metric without steps."""
        rows = float(np.mean([len(test) for _, test in self.splits]))
        return metric(self.settings.metric).step(rows, self.settings.actions)

    @property
    def constant_score(self) -> float:
        """What is reached without looking at the rows: the same prediction for all, or rejecting all."""
        settings = self.settings
        found = metric(settings.metric).chance(self.y, self.classes, settings.costs)
        return found if settings.reject_cost is None else min(found, settings.reject_cost)

    def inner_splitter(self, fold: int) -> Splitter:
        """Return what makes the folds within the training rows of an outer fold; -1: within all rows."""
        rows = np.arange(len(self.y)) if fold < 0 else self.splits[fold][0]
        order = None if self.order is None else self.order[rows]
        seed = self.settings.seed + 1000 + fold
        return splitter(self.settings, self.settings.inner_folds, self.y[rows], order, seed)

    def save(self, folder: Path) -> None:
        """Write everything into the run folder."""
        with whole_file(folder / TABLE_FILE, DataError) as file:
            self.table.frame.write_parquet(file)
        self.table.schema.save(folder / SCHEMA_FILE)
        about = {
            "classica_comparison": _VERSION,
            "source": self.table.source,
            "fingerprint": self.table.fingerprint(),
            "models": list(self.models),
            "settings": self.settings.record(),
            "notes": list(self.notes),
        }
        with whole_file(folder / ABOUT_FILE, DataError) as file:
            file.write(json.dumps(about, indent=1, ensure_ascii=False).encode())

    @classmethod
    def load(cls, folder: Path, *, is_ours: bool = False) -> Workspace:
        """Read it back; the table must be the one that was written.

        ``is_ours``: this program has written or checked it, and nobody else has had it since. Otherwise
        another process reads the table first, because a damaged one can end the process that reads it.
        """
        about = _about(folder)
        frame = _frame(folder / TABLE_FILE, is_ours=is_ours)
        table = Schema.load(folder / SCHEMA_FILE).apply(RawTable(frame, about["source"], "frame"))
        if table.fingerprint() != about["fingerprint"]:
            raise DataError(must(f"The table in {folder}", "the one the run began with", "another"))
        return cls(
            table, Settings.from_record(about["settings"]), tuple(about["models"]), tuple(about["notes"])
        )


def _about(folder: Path) -> dict[str, Any]:
    if not (folder / ABOUT_FILE).exists():
        raise DataError(f"Cannot open {folder}: it is not the folder of a comparison (no {ABOUT_FILE}).")
    about: dict[str, Any] = read_json(folder / ABOUT_FILE, ABOUT, str(folder / ABOUT_FILE), DataError)
    if about["classica_comparison"] != _VERSION:
        raise DataError(must(str(folder), f"a comparison of version {_VERSION}", about))
    return about


def models_of(folder: Path) -> list[str]:
    """Return the models that take part in the comparison in a folder."""
    models: list[str] = _about(folder)["models"]
    return models


def _frame(path: Path, *, is_ours: bool) -> pl.DataFrame:
    """Return the table in a run folder."""
    if not is_ours:
        return read_table(path, format="parquet").frame
    with unreadable(str(path), "Parquet"):
        return pl.read_parquet(path, glob=False)


def is_unstarted(folder: Path) -> bool:
    """Return whether nothing is lost if a comparison begins in a folder: no unit was done in it.

    There may be what one has left that was killed before it had a plan, also files not written whole.
    """
    names = {path.name for path in folder.iterdir()}
    begun = {TABLE_FILE, SCHEMA_FILE, ABOUT_FILE, LOCK_FILE, SHARED_FILE, STAMP_FILE}
    return all(name in begun or leftover_of(name) in {*begun, PLAN_FILE} for name in names)


class SharedWorkspace(Workspace):
    """A workspace whose table stays in a mapped file that all workers share, until all of it is needed.

    Parameters
    ----------
    folder : Path
        The run folder.
    shared : SharedTable
        The file that `share` has written.
    """

    def __init__(self, folder: Path, shared: SharedTable) -> None:
        about = _about(folder)
        for name, value in {
            "settings": Settings.from_record(about["settings"]),
            "models": tuple(about["models"]),
            "notes": tuple(about["notes"]),
            "_folder": folder,
            "_shared": shared,
        }.items():
            object.__setattr__(self, name, value)

    _folder: Path
    _shared: SharedTable

    @functools.cached_property
    def table(self) -> Table:
        """The typed table."""
        return Workspace.load(self._folder, is_ours=True).table

    @functools.cached_property
    def y(self) -> NDArray[Any]:
        """The labels."""
        return self._shared.y()

    @functools.cached_property
    def codes(self) -> NDArray[np.int32]:
        """The class of every row, as its index among the classes."""
        return self._shared.class_codes()[0]

    @functools.cached_property
    def classes(self) -> NDArray[Any]:
        """The labels there are, sorted."""
        return self._shared.class_codes()[1]

    @functools.cached_property
    def splits(self) -> Splits:
        """The outer folds."""
        # By codes, which are found equal faster than labels; what has no folds was refused before.
        return outer_splits(self.settings, self.codes, self.order)

    @property
    def schema(self) -> Schema:
        """What the columns hold."""
        return self._shared.schema

    def features(self, rows: NDArray[np.intp]) -> pl.DataFrame:
        """Return the features of some rows."""
        return self._shared.X(rows)

    def column(self, name: str) -> pl.Series:
        """Return the cells of a column."""
        return self._shared.frame(None, [name])[name]


@contextmanager
def shared(workspace: Workspace, folder: Path) -> Iterator[None]:
    """Lay the table out for the workers of a run, for as long as the block lasts.

    It is written anew whenever a run begins or goes on: what lies in a folder may be of anybody's making.
    """
    settings, schema = workspace.settings, workspace.schema
    used = [column.name for column in schema.columns if column.role in ("feature", "target")]
    apart = [name for name in (settings.groups, settings.time) if name is not None and name not in used]
    paths = folder / SHARED_FILE, folder / STAMP_FILE
    try:
        stamp = write_shared_table(workspace.table, paths[0], [*used, *apart])
        with whole_file(paths[1], DataError) as file:
            file.write(json.dumps(asdict(stamp)).encode())
        yield
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


@functools.lru_cache(maxsize=1)
def open_workspace(folder: str) -> Workspace:
    """Return the workspace of a folder, opened once by every process that works on it."""
    path = Path(folder)
    if not (path / STAMP_FILE).exists():
        return Workspace.load(path, is_ours=True)
    stamp = FileStamp(**json.loads((path / STAMP_FILE).read_bytes()))
    return SharedWorkspace(path, open_shared_table(path / SHARED_FILE, stamp))
