"""The schema of a table: every decision about its columns, in an editable file."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from classica.errors import DataError, must
from classica.tables.column_schema import ColumnSchema
from classica.tables.findings.schema_findings import ExtraColumns, UnseenLevels
from classica.tables.reading import RawTable
from classica.tables.table import Table
from classica.tables.table_finding import Finding
from classica.tables.typing.cells import MISSING_WORDS, unnamed
from classica.tables.typing.date_parts import date_parts, part_names
from classica.tables.typing.typed_column import typed_column
from classica.whole_file import whole_file
from classica.wording import column_hint, did_you_mean, listed

_VERSION = 1


@dataclass(frozen=True)
class Schema:
    """The kinds and roles of all columns of a table.

    Attributes
    ----------
    columns : tuple of ColumnSchema
        In the order of the table.
    missing : tuple of str
        Missing-value markers. A marker that is a level of a column is a level there, and markers in the
        target are classes.
    other_columns : {"ignore", "decide"}
        What happens to columns of a training table that are not listed.
    """

    columns: tuple[ColumnSchema, ...]
    missing: tuple[str, ...] = MISSING_WORDS
    other_columns: str = "ignore"

    def __post_init__(self) -> None:
        if self.other_columns not in ("ignore", "decide"):
            raise DataError(must("other_columns of the schema", "'ignore' or 'decide'", self.other_columns))
        if len(self._indices) < len(self.columns):
            names = [column.name for column in self.columns]
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(must("The schema", "a list of columns of different names", [twice, twice]))
        for role in ("target", "weight"):
            names = [column.name for column in self.columns if column.role == role]
            if len(names) > 1:
                raise DataError(must("The schema", f"one with at most one {role}", names))

    @functools.cached_property
    def _indices(self) -> dict[str, int]:
        return {column.name: index for index, column in enumerate(self.columns)}

    def __getitem__(self, name: str) -> ColumnSchema:
        if name not in self._indices:
            raise DataError(
                f"Cannot find the column {name!r} in the schema.{column_hint(name, self._indices)}"
            )
        return self.columns[self._indices[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._indices

    def names(self, role: str) -> list[str]:
        """Return the names of the columns with a role, in order."""
        return [column.name for column in self.columns if column.role == role]

    @property
    def target(self) -> str | None:
        """The name of the target column."""
        return next(iter(self.names("target")), None)

    @property
    def weight(self) -> str | None:
        """The name of the column of row weights."""
        return next(iter(self.names("weight")), None)

    def feature_names(self) -> list[str]:
        """Return the names of the features, with dates expanded into parts."""
        features = (self[name] for name in self.names("feature"))
        return [name for column in features for name in part_names(column)]

    def features(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the features of a typed frame, with dates expanded into parts."""
        # From a dict, because polars would rename columns without a name.
        cells: dict[str, pl.Series] = {}
        for name in self.names("feature"):
            column = self[name]
            parts = date_parts(unnamed(frame[name]), column) if column.kind == "date" else [frame[name]]
            cells |= zip(part_names(column), parts, strict=True)
        return pl.DataFrame(cells)

    def changed(self, columns: Iterable[ColumnSchema]) -> Schema:
        """Return the schema with the given columns in place of those of the same name."""
        new = {column.name: column for column in columns}
        return replace(self, columns=tuple(new.get(column.name, column) for column in self.columns))

    def only(self, *roles: str) -> Schema:
        """Return the schema restricted to columns with these roles."""
        kept = tuple(column for column in self.columns if column.role in roles)
        return replace(self, columns=kept, other_columns="ignore")

    def apply(self, raw: RawTable) -> Table:
        """Type a table by the schema.

        Columns are matched by name, in any order. Columns that the schema does not list are left out and
        reported (D601). A missing feature, or cells that do not fit their kind, raise an error that names the
        column. Categories that are not among the levels are counted and reported (D602); an estimator gets
        them as unknown categories, not as missing values.
        """
        self._require_features(raw)
        findings = self._extra(raw)
        cells: dict[str, pl.Series] = {}
        unseen: dict[str, dict[str, int]] = {}
        read = dict(zip(raw.frame.columns, raw.frame.get_columns(), strict=True))
        for column in self.columns:
            if column.name not in read:
                continue
            typed = typed_column(read[column.name], column, self.missing, raw)
            cells[column.name] = typed.cells
            if typed.unseen:
                unseen[column.name] = typed.unseen
                findings.append(UnseenLevels().finding(column.name, UnseenLevels.text(typed.unseen)))
        return Table(pl.DataFrame(cells), self, raw.source, findings, unseen)

    def _require_features(self, raw: RawTable) -> None:
        for column in self.columns:
            if column.has_levels and column.levels is None:
                raise DataError(must(f"The column {column.name!r} of the schema", "given with levels", None))
        present = set(raw.frame.columns)
        absent = [name for name in self.names("feature") if name not in present]
        if absent:
            shown = (
                f"the feature {absent[0]!r} is" if len(absent) == 1 else f"the features {listed(absent)} are"
            )
            extra = [name for name in raw.frame.columns if name not in self]
            raise DataError(
                f"Cannot apply the schema: {shown} missing from {raw.source}.{did_you_mean(absent[0], extra)}"
            )

    def _extra(self, raw: RawTable) -> list[Finding]:
        extra = [name for name in raw.frame.columns if name not in self]
        if not extra:
            return []
        rule = ExtraColumns()
        return [rule.finding(None, rule.text(extra))]

    def record(self) -> dict[str, Any]:
        """Return the schema as plain values, in a fixed order."""
        return {
            "classica_schema": _VERSION,
            "missing": list(self.missing),
            "other_columns": self.other_columns,
            "columns": [column.record() for column in self.columns],
        }

    def to_json(self) -> str:
        """Return the schema as JSON text, one line per column."""
        record = self.record()
        columns = ",\n".join("    " + json.dumps(column, ensure_ascii=False) for column in record["columns"])
        head = "".join(
            f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)},\n"
            for key, value in record.items()
            if key != "columns"
        )
        return f'{{\n{head}  "columns": [\n{columns}\n  ]\n}}\n'

    def save(self, path: str | Path) -> None:
        """Write the schema to a file, atomically."""
        with whole_file(path, DataError) as file:
            file.write(self.to_json().encode())

    @classmethod
    def load(cls, path: str | Path) -> Schema:
        """Read a schema from a file."""
        try:
            record = json.loads(Path(path).read_bytes())
        except OSError as error:
            raise DataError(f"Cannot read the schema {path}: {error.strerror}.") from None
        except (ValueError, RecursionError) as error:
            raise DataError(f"Cannot read the schema {path}: it is not valid JSON ({error}).") from None
        return cls.from_record(record, f"the schema {path}")

    @classmethod
    def from_record(cls, record: object, where: str = "the schema") -> Schema:
        """Return the schema described by plain values; one written by hand may be incomplete."""
        shown = where[0].upper() + where[1:]
        if not isinstance(record, Mapping) or not isinstance(record.get("columns"), list):
            raise DataError(must(shown, "an object with a list of columns", record))
        keys = ("classica_schema", "missing", "other_columns", "columns")
        unknown = [key for key in record if key not in keys]
        if unknown:
            rule = f"an object with the keys {', '.join(keys)}"
            raise DataError(must(shown, rule, unknown[0]) + did_you_mean(str(unknown[0]), keys))
        if record.get("classica_schema", _VERSION) != _VERSION:
            raise DataError(must(shown, f"of version {_VERSION}", record["classica_schema"]))
        words = record.get("missing", list(MISSING_WORDS))
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise DataError(must(f"missing in {where}", "a list of strings", words))
        columns = tuple(ColumnSchema.from_record(column, where) for column in record["columns"])
        return cls(columns, tuple(words), record.get("other_columns", "decide"))
