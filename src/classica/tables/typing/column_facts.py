"""Facts about the cells of a column that determine its kind."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl

from classica.tables.typing.cells import (
    DATE_FORMATS,
    as_booleans,
    as_dates,
    as_numbers,
    as_text,
    beyond_doubles,
    cell_counts,
    is_text,
    with_gaps,
)
from classica.tables.typing.number_format import PLAIN, NumberFormat, number_formats

#: The maximum ratio of the range to the number of integers of a counter.
DENSE = 2
#: Number of cells to check first, before all.
_LOOKED_AT = 100


@dataclass(frozen=True)
class ColumnFacts:
    """The cells of a raw column, and facts about them.

    Attributes
    ----------
    name : str
        The column's name.
    raw : polars Series
        The column as it was read.
    words : sequence of str
        The missing-value markers.
    decimal : {".", ","} or None
        The decimal separator of the table, if given.
    written : callable or None
        Returns the first cells, or all, as written in the file.
    """

    name: str
    raw: pl.Series
    words: Sequence[str]
    decimal: str | None = None
    written: Callable[[int | None], pl.Series] | None = None

    @functools.cached_property
    def cells(self) -> pl.Series:
        """The cells, with missing-value markers as null."""
        if not is_text(self.raw):
            return with_gaps(self.raw, self.words)
        text, missing = self.raw.cast(pl.String), self._written.filter(self._are_missing)
        return text.set(text.is_in(missing.to_list()).fill_null(False), None) if len(missing) else text

    @functools.cached_property
    def known(self) -> pl.Series:
        """The non-missing cells."""
        return self.cells.drop_nulls() if self.cells.null_count() else self.cells

    @functools.cached_property
    def values(self) -> pl.Series:
        """The distinct non-missing values, in order of first occurrence.

        A categorical column of a million cells has a handful of them, which suffice to decide whether *all*
        cells are numbers, dates or Booleans.
        """
        if is_text(self.raw):
            return self._written.filter(~self._are_missing)
        cells = as_text(self.known) if self.known.dtype.is_nested() else self.known
        return cells.unique(maintain_order=True)

    @functools.cached_property
    def _written(self) -> pl.Series:
        """The distinct texts, including missing-value markers."""
        return self.raw.cast(pl.String).unique(maintain_order=True).drop_nulls()

    @functools.cached_property
    def _are_missing(self) -> pl.Series:
        return self._written.str.strip_chars().is_in(list(self.words))

    @functools.cached_property
    def different(self) -> int:
        """The number of distinct values."""
        if is_text(self.raw):
            return len(self.values)
        return (as_text(self.known) if self.known.dtype.is_nested() else self.known).n_unique()

    @property
    def all_different(self) -> bool:
        """Whether no value occurs twice."""
        return self.different == len(self.known)

    @functools.cached_property
    def missing_found(self) -> dict[str, int]:
        """The missing-value markers that occur, with their counts; empty cells are not markers."""
        if not is_text(self.raw) or not self._are_missing.any():
            return {}
        text = self.raw.cast(pl.String)
        markers = text.filter(text.is_in(self._written.filter(self._are_missing).to_list()).fill_null(False))
        words = markers.str.strip_chars()
        return cell_counts(words.filter(words != ""))

    @functools.cached_property
    def numbers(self) -> pl.Series:
        """The non-missing values as numbers (distinct ones for text); null for other values."""
        return as_numbers(self.values if is_text(self.raw) else self.known, self.number_format)

    @functools.cached_property
    def _formats(self) -> list[NumberFormat]:
        """The number formats that fit all non-missing text cells and give different numbers."""
        if not is_text(self.known):
            return []
        given = [] if self.decimal is None else number_formats(self.values, self.decimal)
        return given or number_formats(self.values)

    @property
    def number_format(self) -> NumberFormat:
        """The format of numbers stored as text; plain if it is ambiguous."""
        return self._formats[0] if len(self._formats) == 1 else PLAIN

    @functools.cached_property
    def two_ways(self) -> str | None:
        """The first cell, if all cells could have thousands separators or fractions; None if unambiguous."""
        if is_text(self.known):
            return str(self.known[0]) if len(self._formats) > 1 else None
        if self.written is None or self.decimal is not None or not self.known.dtype.is_float():
            return None
        for rows in (_LOOKED_AT, None):
            text = with_gaps(self.written(rows), self.words).drop_nulls()
            if len(number_formats(text)) < 2:
                return None
        return str(text[0])

    @property
    def is_numeric(self) -> bool:
        """Whether all non-missing cells are numbers."""
        return self.numbers.null_count() == 0

    @functools.cached_property
    def leading_zeros(self) -> str | None:
        """The first cell that looks like a number but would lose leading zeros or a plus sign."""
        if not is_text(self.known):
            return None
        text = self.values.str.strip_chars()
        padded = text.filter(text.str.contains(r"^[+-]?0[0-9]+(\.[0-9]*)?$|^\+[0-9]"))
        return str(padded[0]) if len(padded) else None

    @functools.cached_property
    def beyond_exact(self) -> bool:
        """Whether an integer is not exact as float64."""
        if is_text(self.known):
            text = self.values.str.strip_chars()
            return bool(
                self.is_numeric and text.str.contains(r"^[+-]?[0-9]{16,}$").any() and self._large_text(text)
            )
        return self.known.dtype.is_integer() and beyond_doubles(self.known)

    @staticmethod
    def _large_text(text: pl.Series) -> bool:
        exact = text.cast(pl.Int128, strict=False)
        return bool(exact.null_count()) or beyond_doubles(exact)

    @functools.cached_property
    def is_boolean_text(self) -> bool:
        """Whether all non-missing cells are true or false."""
        return is_text(self.known) and as_booleans(self.values, words=1).null_count() == 0

    @functools.cached_property
    def date_formats(self) -> list[str]:
        """The date formats that fit all non-missing cells."""
        if not is_text(self.known) or not len(self.known):
            return []
        if not self.values.str.contains(r"[0-9]{4}").all():
            return []  # with fewer digits in the year, it is a version or section number
        first = self.values.head(1)
        likely = [written for written in DATE_FORMATS if as_dates(first, written).null_count() == 0]
        return [written for written in likely if as_dates(self.values, written).null_count() == 0]

    @functools.cached_property
    def words_per_cell(self) -> float:
        """The mean number of words per cell."""
        text = as_text(self.known).str.strip_chars()
        return float((text.str.count_matches(r"\s+") + 1).mean() or 0)  # type: ignore[arg-type]

    def is_dense(self) -> bool:
        """Return whether integers are as dense as those of a counter."""
        if not self.numbers.dtype.is_integer() or not len(self.numbers):
            return False
        span = int(self.numbers.max()) - int(self.numbers.min()) + 1  # type: ignore[arg-type]
        return span <= DENSE * len(self.known)
