"""A fitted model together with the table it was learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.explain.opened import Opened


@dataclass(frozen=True)
class Traced:
    """A model, the rows it was learned from, and the row that is asked about.

    Attributes
    ----------
    opened : Opened
        The model.
    features : DataFrame
        The rows.
    labels : array
        Their labels.
    number : int
        The row that is asked about, from 1.
    """

    opened: Opened
    features: pl.DataFrame
    labels: Any
    number: int

    @property
    def estimator(self) -> Any:
        """The classifier itself."""
        return self.opened.estimator

    @property
    def seen(self) -> Any:
        """The rows as the classifier sees them."""
        return self.opened.seen(self.features)

    @property
    def row(self) -> pl.DataFrame:
        """The row that is asked about."""
        return self.features[self.number - 1 : self.number]

    @property
    def about_row(self) -> str:
        """Which row that is, in words."""
        return f"row {self.number}"
