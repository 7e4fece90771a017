"""The encoding of one column, learned from the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from classica.categories import enum_codes
from classica.tables.typing.cells import unnamed
from classica.wording import counted


@dataclass(frozen=True)
class EncodedColumn:
    """One input column and its learned encoding.

    Attributes
    ----------
    name : str
        The column.
    form : {"number", "flag", "rank", "one-hot"}
        A number is kept, a Boolean becomes 0 or 1, an ordinal level its rank from 0, and a category one
        indicator column per level.
    levels : tuple of str
        The levels of ordinal and categorical columns.
    fill : float or None
        The imputed value: the mean of numbers; the most frequent Boolean, rank or level (its index). None:
        missing values are kept.
    filled : int
        Number of missing values in training.
    center, scale : float
        The mean subtracted from a number or rank, and the scale it is divided by.
    """

    name: str
    form: str
    levels: tuple[str, ...] = ()
    fill: float | None = None
    filled: int = 0
    center: float = 0.0
    scale: float = 1.0

    @property
    def names_out(self) -> list[str]:
        """The names of the output columns."""
        return [f"{self.name}={level}" for level in self.levels] if self.form == "one-hot" else [self.name]

    def values(self, cells: pl.Series) -> list[NDArray[np.float64]]:
        """Return the values of each output column."""
        codes = codes_of(cells, self.form, self.levels)
        if self.fill is not None:
            codes[np.isnan(codes)] = self.fill
        if self.form == "one-hot":
            return _indicators(codes, len(self.levels))
        if (self.center, self.scale) != (0.0, 1.0):
            codes -= self.center
            codes /= self.scale
        return [codes]

    def describe(self) -> str:
        """Return a sentence that describes the encoding."""
        forms = {
            "number": "stays a number",
            "flag": "is encoded as 0 or 1",
            "rank": f"is encoded by rank, 0 to {len(self.levels) - 1}",
            "one-hot": f"is one-hot encoded in {counted(len(self.levels), 'column')}",
        }
        text = f"{self.name} {forms[self.form]}"
        if (self.center, self.scale) != (0.0, 1.0):
            text += f", standardised by subtracting {self.center:.6g} and dividing by {self.scale:.6g}"
        if self.fill is not None:
            shown = repr(self.levels[int(self.fill)]) if self.levels else f"{self.fill:.6g}"
            known = f" ({self.filled:,} in training)" if self.filled else ""
            text += f"; missing values{known} are imputed with {shown}"
        return text + "."


def codes_of(cells: pl.Series, form: str, levels: tuple[str, ...]) -> NDArray[np.float64]:
    """Return a column as numbers: NaN for missing values, -1 for unknown levels (NaN for ordinal columns)."""
    cells = unnamed(cells)
    if form in ("number", "flag"):
        return _plain(cells.cast(pl.Float64))
    if isinstance(cells.dtype, pl.Enum):
        unknown = -1.0 if form == "one-hot" else np.nan
        return enum_codes(cells, levels, unknown, np.nan).astype(np.float64)
    text = cells.cast(pl.String)
    numbers = text.cast(pl.Enum(list(levels)), strict=False).to_physical().cast(pl.Float64)
    codes = _plain(numbers)
    if form == "one-hot":
        codes[(numbers.is_null() & text.is_not_null()).to_numpy()] = -1.0
    return codes


def _indicators(codes: NDArray[np.float64], levels: int) -> list[NDArray[np.float64]]:
    """Return one indicator column per level; a missing value is missing in all of them."""
    gaps = np.isnan(codes)
    # An unknown level is -1 and sets no indicator. Short integers are compared fastest.
    short = np.where(gaps, -1, codes).astype(np.int16 if levels < 2**15 else np.int32)
    indicators = [(short == index).astype(np.float64) for index in range(levels)]
    if gaps.any():
        for column in indicators:
            column[gaps] = np.nan
    return indicators


def learned(cells: pl.Series, column: EncodedColumn, *, fill: bool, standardise: bool) -> EncodedColumn:
    """Return the column with its encoding fitted to these cells."""
    codes = codes_of(cells, column.form, column.levels)
    present = codes[~np.isnan(codes) & (codes >= 0 if column.form == "one-hot" else True)]
    changes: dict[str, Any] = {"filled": int(np.isnan(codes).sum())}
    if fill:
        changes["fill"] = _fill(present, column.form)
    if standardise and column.form in ("number", "rank"):
        # Imputed values count: the encoded column has mean 0 and variance 1.
        seen = np.where(np.isnan(codes), changes.get("fill", np.nan), codes)
        changes |= _standards(seen[~np.isnan(seen)])
    return EncodedColumn(column.name, column.form, column.levels, **changes)


def _fill(present: NDArray[np.float64], form: str) -> float:
    if not len(present):
        return 0.0
    if form == "number":
        # Halved, so that very large numbers do not overflow.
        return float(np.mean(present / 2) * 2)
    return float(np.argmax(np.bincount(present.astype(np.intp))))


def _standards(seen: NDArray[np.float64]) -> dict[str, float]:
    if not len(seen):
        return {}
    largest = float(np.abs(seen).max()) or 1.0
    small = seen / largest
    spread = float(small.std())
    # Equal numbers may have a tiny standard deviation by rounding.
    even = not np.isfinite(spread) or spread <= 1e-12
    return {"center": float(small.mean()) * largest, "scale": 1.0 if even else spread * largest}


def _plain(numbers: pl.Series) -> NDArray[np.float64]:
    whole = numbers.fill_null(np.nan) if numbers.has_nulls() else numbers
    # Always a copy, because polars' arrays are read-only.
    return whole.to_numpy().astype(np.float64)
