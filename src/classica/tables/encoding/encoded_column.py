"""How one column becomes numbers, as learned from the training rows."""

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
    """One column as it goes in, and what was learned about it.

    Attributes
    ----------
    name : str
        The column.
    form : {"number", "flag", "rank", "one-hot"}
        A number stays one, a Boolean becomes 0 or 1, an ordinal level its rank from 0, a category one column
        of 0 and 1 for each level.
    levels : tuple of str
        Of ranks and categories.
    fill : float or None
        What a missing cell becomes: the mean of numbers; the most frequent Boolean, rank or level (its
        place). None: missing cells stay missing.
    filled : int
        How many training cells were missing.
    center, scale : float
        What is taken away from a number or rank, and what it is then divided by.
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
        """The names of the columns that it becomes."""
        return [f"{self.name}={level}" for level in self.levels] if self.form == "one-hot" else [self.name]

    def values(self, cells: pl.Series) -> list[NDArray[np.float64]]:
        """Return the numbers of each column that it becomes."""
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
        """Return what happens to the column, in one sentence."""
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
    """Return a column as numbers: NaN for missing, -1 for a level that is not known (a rank: NaN)."""
    cells = unnamed(cells)
    if form in ("number", "flag"):
        return _plain(cells.cast(pl.Float64))
    if isinstance(cells.dtype, pl.Enum):
        unknown = -1.0 if form == "one-hot" else np.nan
        return enum_codes(cells, levels, unknown, np.nan).astype(np.float64)
    text = cells.cast(pl.String)
    found = text.cast(pl.Enum(list(levels)), strict=False).to_physical().cast(pl.Float64)
    codes = _plain(found)
    if form == "one-hot":
        codes[(found.is_null() & text.is_not_null()).to_numpy()] = -1.0
    return codes


def _indicators(codes: NDArray[np.float64], levels: int) -> list[NDArray[np.float64]]:
    """Return a column of 0 and 1 for each level; a missing cell is missing in all of them."""
    gaps = np.isnan(codes)
    # A level that is not known is -1, so it is none of them. Short integers are compared fastest.
    short = np.where(gaps, -1, codes).astype(np.int16 if levels < 2**15 else np.int32)
    found = [(short == place).astype(np.float64) for place in range(levels)]
    if gaps.any():
        for column in found:
            column[gaps] = np.nan
    return found


def learned(cells: pl.Series, column: EncodedColumn, *, fill: bool, standardise: bool) -> EncodedColumn:
    """Return the column with the values learned from these cells."""
    codes = codes_of(cells, column.form, column.levels)
    known = codes[~np.isnan(codes) & (codes >= 0 if column.form == "one-hot" else True)]
    changes: dict[str, Any] = {"filled": int(np.isnan(codes).sum())}
    if fill:
        changes["fill"] = _fill(known, column.form)
    if standardise and column.form in ("number", "rank"):
        # Filled cells count: what an estimator sees has mean 0 and variance 1.
        seen = np.where(np.isnan(codes), changes.get("fill", np.nan), codes)
        changes |= _standards(seen[~np.isnan(seen)])
    return EncodedColumn(column.name, column.form, column.levels, **changes)


def _fill(known: NDArray[np.float64], form: str) -> float:
    if not len(known):
        return 0.0
    if form == "number":
        # By halves, so that numbers near the largest do not overflow.
        return float(np.mean(known / 2) * 2)
    return float(np.argmax(np.bincount(known.astype(np.intp))))


def _standards(seen: NDArray[np.float64]) -> dict[str, float]:
    if not len(seen):
        return {}
    largest = float(np.abs(seen).max()) or 1.0
    small = seen / largest
    spread = float(small.std())
    # Equal numbers may have a spread of a few last digits.
    even = not np.isfinite(spread) or spread <= 1e-12
    return {"center": float(small.mean()) * largest, "scale": 1.0 if even else spread * largest}


def _plain(numbers: pl.Series) -> NDArray[np.float64]:
    whole = numbers.fill_null(np.nan) if numbers.has_nulls() else numbers
    # A copy in any case: what polars gives may not be written to.
    return whole.to_numpy().astype(np.float64)
