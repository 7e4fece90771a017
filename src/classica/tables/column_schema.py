"""The schema of one column: kind, role and reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from classica.errors import DataError, must
from classica.tables.typing.cells import can_write_dates
from classica.tables.typing.number_format import SEPARATORS, UNITS, NumberFormat
from classica.wording import did_you_mean

#: Kinds of columns. Categorical and ordinal columns have levels; those of ordinal ones are ordered.
KINDS = ("numeric", "categorical", "ordinal", "boolean", "date", "identifier", "constant", "text")

#: Roles of columns. An "id" is copied to the predictions, an "ignored" column is not.
ROLES = ("feature", "target", "weight", "id", "ignored")

#: Kinds that can be features.
USABLE = ("numeric", "categorical", "ordinal", "boolean", "date")

#: Parts that a date can be expanded into.
PARTS = ("year", "month", "day", "weekday", "hour", "minute")

_WORDS = {"kind": KINDS, "role": ROLES}
_LISTS = ("levels", "parts", "missing")


@dataclass(frozen=True)
class ColumnSchema:
    """The kind and role of one column, and the reason.

    Attributes
    ----------
    name : str
        The column's name in the table.
    kind : str
        One of `KINDS`.
    role : str
        One of `ROLES`.
    levels : tuple or None
        The categories in their order, as text; of a target, the class labels as they are (text, integers,
        Booleans). None if there are none, or they are not known yet.
    format : str or None
        The format of dates, as in ``strptime``; None if the file has a date type.
    decimal : {".", ","}
        The decimal separator of numbers stored as text.
    thousands : {"", ".", ",", " ", "'"}
        Their thousands separator, if any.
    unit : str
        Their per cent or currency sign, which is dropped.
    parts : tuple of str
        The parts that a date is expanded into, from `PARTS`.
    missing : tuple of str
        Missing-value markers of this column, in addition to those of the schema.
    reason : str
        The reason of the decision, in one sentence.
    """

    name: str
    kind: str
    role: str = "feature"
    levels: tuple[Any, ...] | None = None
    format: str | None = None
    decimal: str = "."
    thousands: str = ""
    unit: str = ""
    parts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        where = f"The column {self.name!r} of the schema"
        for field, words in _WORDS.items():
            if getattr(self, field) not in words:
                raise DataError(
                    must(f"{where}", f"of a {field} among {', '.join(words)}", getattr(self, field))
                )
        self._require_fitting_role(where)
        if self.kind == "ordinal" and not self.levels:
            raise DataError(must(where, "given with its levels, in order, to be ordinal", self.levels))
        self._require_number_format(where)
        if self.format is not None and not can_write_dates(self.format):
            raise DataError(must(where, "given with a date format such as %d.%m.%Y", self.format))
        _require_different_levels(where, self.levels)
        unknown = [part for part in self.parts if part not in PARTS]
        if unknown:
            raise DataError(must(where, f"expanded into parts among {', '.join(PARTS)}", unknown[0]))

    def _require_number_format(self, where: str) -> None:
        if self.decimal not in (".", ","):
            raise DataError(must(where, "given with a decimal point or a decimal comma", self.decimal))
        if self.thousands not in SEPARATORS or self.thousands == self.decimal:
            rule = f"given with thousands among {', '.join(map(repr, SEPARATORS))}, not the decimal separator"
            raise DataError(must(where, rule, self.thousands))
        if self.unit not in UNITS:
            raise DataError(must(where, f"given with a unit among {' '.join(UNITS[1:])}", self.unit))

    def _require_fitting_role(self, where: str) -> None:
        if self.role == "feature" and self.kind not in USABLE:
            raise DataError(must(where, f"of a kind among {', '.join(USABLE)} to be a feature", self.kind))
        if self.role == "weight" and self.kind != "numeric":
            raise DataError(must(where, "numeric to be a weight", self.kind))

    @property
    def number_format(self) -> NumberFormat:
        """The format of numbers stored as text."""
        return NumberFormat(self.decimal, self.thousands, self.unit)

    @property
    def has_levels(self) -> bool:
        """Whether the column has levels."""
        return self.kind in ("categorical", "ordinal")

    def record(self) -> dict[str, Any]:
        """Return the non-default fields as plain values, in a fixed order."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        always = ("name", "kind", "role")
        kept = {name: value for name, value in values.items() if name in always or value != _DEFAULTS[name]}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in kept.items()}

    @classmethod
    def from_record(cls, record: object, where: str) -> ColumnSchema:
        """Return the column described by a record; ``where`` is the subject of error messages."""
        if not isinstance(record, Mapping) or not isinstance(record.get("name"), str):
            raise DataError(must(where, "an object with the name of a column", record))
        names = [field.name for field in fields(cls)]
        unknown = [key for key in record if key not in names]
        if unknown:
            rule = f"described by {', '.join(names)}"
            hint = did_you_mean(str(unknown[0]), names)
            raise DataError(must(f"The column {record['name']!r} of {where}", rule, unknown[0]) + hint)
        return cls(**_fields(record, f"The column {record['name']!r} of {where}"))


_DEFAULTS = {field.name: field.default for field in fields(ColumnSchema)}


def _fields(record: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the fields with lists as tuples, after checking their types."""
    if "kind" not in record:
        raise DataError(must(where, "given with its kind", sorted(record)))
    checked: dict[str, Any] = {}
    for key, value in record.items():
        if key in _LISTS:
            plain = isinstance(value, list) and all(isinstance(v, str | int | float) for v in value)
            if not plain or (key != "levels" and not all(isinstance(v, str) for v in value)):
                raise DataError(
                    must(f"The {key} in {where[0].lower()}{where[1:]}", "a list of strings", value)
                )
            if len(set(map(type, value))) > 1:
                rule = "a list of strings, of integers, of other numbers or of Booleans"
                raise DataError(must(f"The {key} in {where[0].lower()}{where[1:]}", rule, value))
            checked[key] = tuple(value)
        elif isinstance(value, str) or (value is None and key == "format"):
            checked[key] = value
        else:
            raise DataError(must(f"The {key} in {where[0].lower()}{where[1:]}", "a string", value))
    return checked


def _require_different_levels(where: str, levels: tuple[Any, ...] | None) -> None:
    """Raise for levels that look the same in a file, such as 1 and "1"."""
    seen: dict[str, Any] = {}
    for level in levels or ():
        if str(level) in seen:
            raise DataError(must(where, "given with distinct levels", [seen[str(level)], level]))
        seen[str(level)] = level
