"""Number formats: decimal separator, thousands separator, per cent or currency sign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

#: Thousands separator → its pattern; there are several kinds of spaces and apostrophes.
SEPARATORS = {"": "", ".": r"\.", ",": ",", " ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}

#: Units before or after a number, which are dropped.
UNITS = ("", "%", "\u2030", "€", "$", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF")

_SIGNS = {".": r"\.", ",": ","}
_ANY_UNIT = "|".join(unit.replace("$", r"\$") for unit in UNITS if unit)
#: Most cells are plain and need no conversion.
_LIKELY = r"^[+\-\u2212]?[0-9.,'\u2019 \u00a0\u2009\u202feE+\-]*$"
_LOOKED_AT = 100


@dataclass(frozen=True)
class NumberFormat:
    """The format of numbers stored as text.

    Attributes
    ----------
    decimal : {".", ","}
        The decimal separator.
    thousands : {"", ".", ",", " ", "'"}
        The thousands separator, if any.
    unit : str
        One of `UNITS`, before or after the number. Percentages are not divided by 100.
    """

    decimal: str = "."
    thousands: str = ""
    unit: str = ""

    @property
    def pattern(self) -> str:
        """A regular expression for numbers in this format, without the unit."""
        grouped = f"[1-9][0-9]{{0,2}}(?:{SEPARATORS[self.thousands]}[0-9]{{3}})+"
        whole = f"(?:[0-9]*|{grouped})" if self.thousands else "[0-9]*"
        return rf"^[+-]?{whole}(?:{_SIGNS[self.decimal]}[0-9]+)?(?:[eE][+-]?[0-9]+)?$"

    def plain(self, text: pl.Series) -> pl.Series:
        """Return cells in plain notation; null where separators are misplaced."""
        bare = without_unit(text, self.unit)
        if self.thousands:
            fits = bare.str.contains(self.pattern).fill_null(False)
            bare = bare.str.replace_all(SEPARATORS[self.thousands], "").zip_with(
                fits, pl.Series([None], dtype=pl.String)
            )
        return bare.str.replace(self.decimal, ".", literal=True) if self.decimal != "." else bare

    def __str__(self) -> str:
        names = {".": "points", ",": "commas", " ": "spaces", "'": "apostrophes"}
        properties = ["a decimal comma"] if self.decimal == "," else []
        properties += [f"{names[self.thousands]} between thousands"] if self.thousands else []
        properties += [f"the sign {self.unit}"] if self.unit else []
        return " and ".join(
            [", ".join(properties[:-1]), properties[-1]] if len(properties) > 1 else properties
        )


PLAIN = NumberFormat()


def without_unit(text: pl.Series, unit: str) -> pl.Series:
    """Return cells stripped, with an ASCII minus sign, and without the unit."""
    bare = text.str.strip_chars().str.replace("\u2212", "-", literal=True)
    if not unit:
        return bare
    sign = unit.replace("$", r"\$")
    return bare.str.replace(rf"^([+-]?)\s*{sign}\s*|\s*{sign}$", "${1}")


def number_formats(cells: pl.Series, decimal: str | None = None) -> list[NumberFormat]:
    """Return the formats that fit all cells and give different numbers; plain first.

    Parameters
    ----------
    cells : polars Series
        Text without missing values.
    decimal : {".", ","} or None
        The decimal separator, if given.
    """
    if not _are_likely(cells.head(_LOOKED_AT)):
        return []
    unit = _unit(cells)
    if unit is None:
        return []
    bare = without_unit(cells, unit)
    formats: list[tuple[NumberFormat, pl.Series]] = []
    for written in _candidates(unit, decimal):
        if _fits(bare.head(_LOOKED_AT), written) and _fits(bare, written) and _is_sure(bare, written):
            numbers = written.plain(bare).cast(pl.Float64, strict=False)
            if not numbers.has_nulls() and not any(numbers.equals(other) for _, other in formats):
                formats.append((written, numbers))
    return [written for written, _ in formats]


def _are_likely(cells: pl.Series) -> bool:
    if not len(cells):
        return False
    bare = cells.str.strip_chars().str.replace(rf"^([+-]?)\s*(?:{_ANY_UNIT})\s*|\s*(?:{_ANY_UNIT})$", "${1}")
    return bool(bare.str.contains(_LIKELY).all() and bare.str.contains("[0-9]").all())


def _unit(cells: pl.Series) -> str | None:
    """Return the only unit of the cells, "" without one, None if there are several."""
    units = cells.str.extract(f"({_ANY_UNIT})").drop_nulls().unique().to_list()
    return None if len(units) > 1 else units[0] if units else ""


def _candidates(unit: str, decimal: str | None) -> Iterator[NumberFormat]:
    for thousands in SEPARATORS:
        for sign in _SIGNS if decimal is None else (decimal,):
            if sign != thousands:
                yield NumberFormat(sign, thousands, unit)


def _fits(bare: pl.Series, written: NumberFormat) -> bool:
    return bool(bare.str.contains(written.pattern).all())


def _is_sure(bare: pl.Series, written: NumberFormat) -> bool:
    """Return whether spaces between digits separate thousands (telephone numbers have spaces, too)."""
    if written.thousands != " ":
        return True
    return bool(written.unit or bare.str.contains(written.decimal, literal=True).any())
