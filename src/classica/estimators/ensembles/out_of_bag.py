"""What members say about the rows that are not in their samples: an honest error at the price of one fit."""

from __future__ import annotations

from dataclasses import dataclass

from classica.native import Floats


@dataclass(frozen=True)
class OutOfBag:
    """The share of each class for each row, by the members that have not seen it; errors by their number.

    Rows that every member has seen are NaN and do not count for the errors.
    """

    shares: Floats
    errors: Floats
