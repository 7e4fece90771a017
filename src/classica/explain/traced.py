"""A fitted model together with its training table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from classica.explain.model_layers import ModelLayers


@dataclass(frozen=True)
class Traced:
    """A model, its training rows, and the row to trace.

    Attributes
    ----------
    layers : ModelLayers
        The model.
    features : DataFrame
        The rows.
    labels : array
        Their labels.
    number : int
        The number of the row to trace, from 1.
    """

    layers: ModelLayers
    features: pl.DataFrame
    labels: Any
    number: int

    @property
    def opened(self) -> ModelLayers:
        """Deprecated: the former name of `layers`."""
        return self.layers

    @property
    def estimator(self) -> Any:
        """The classifier itself."""
        return self.layers.estimator

    @property
    def seen(self) -> Any:
        """The rows as the classifier sees them."""
        return self.layers.seen(self.features)

    @property
    def row(self) -> pl.DataFrame:
        """The row to trace."""
        return self.features[self.number - 1 : self.number]

    @property
    def about_row(self) -> str:
        """The row in words."""
        return f"row {self.number}"
