"""Segments of a table in which a model errs more often than elsewhere, as `segment_search` finds them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from classica.recorded import Recorded


@dataclass(frozen=True)
class Segment(Recorded):
    """Rows that have something in common, and how often a model errs on them.

    Attributes
    ----------
    column : str
        The column.
    level : object
        The level that the rows have; None for a numeric interval or missing values.
    low, high : float
        The interval of a numeric column, both ends included; NaN at an open end and for levels.
    is_missing : bool
        Whether it is the rows without a value.
    rows, errors : int
        How many rows it has, and how many of them are misclassified.
    error, error_low, error_high : float
        The share of them, with its 95% Wilson interval.
    rest_error : float
        The error rate of all other rows.
    p_value : float
        How often random errors have a segment this extreme anywhere in the table; of a segment after the
        first, beyond what the columns of those before it explain.
    """

    column: str
    level: Any
    low: float
    high: float
    is_missing: bool
    rows: int
    errors: int
    error: float
    error_low: float
    error_high: float
    rest_error: float
    p_value: float

    @property
    def name(self) -> str:
        """The segment in words."""
        if self.is_missing:
            return f"{self.column} missing"
        if self.level is not None:
            return f"{self.column} = {self.level}"
        if math.isnan(self.low):
            return f"{self.column} ≤ {self.high:.4g}"
        if math.isnan(self.high):
            return f"{self.column} ≥ {self.low:.4g}"
        if self.low == self.high:
            return f"{self.column} = {self.low:.4g}"
        return f"{self.column} {self.low:.4g} to {self.high:.4g}"


@dataclass(frozen=True)
class ErrorSegments(Recorded):
    """The segments with significantly more errors, the most significant first.

    Attributes
    ----------
    segments : tuple of Segment
        Those found; often none.
    tried : int
        Candidates.
    rows, sampled : int
        Rows of the table, and those that were searched.
    error : float
        The error rate of all rows searched.
    alpha : float
        The probability of reporting anything where errors are random.
    draws : int
        Random distributions of the errors.
    """

    segments: tuple[Segment, ...]
    tried: int
    rows: int
    sampled: int
    error: float
    alpha: float
    draws: int

    def __str__(self) -> str:
        if not self.segments:
            return f"None of {self.tried:,} segments has significantly more errors than the other rows."
        lines = [
            f"{each.name}: {each.error:.1%} of {each.rows:,} rows misclassified,"
            f" elsewhere {each.rest_error:.1%}"
            for each in self.segments
        ]
        return "\n".join(lines)
