"""What one column of a table adds to scores, cells as they are in the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from classica.arrays import VectorLike
from classica.explain.model_layers import ModelLayers
from classica.native import Floats
from classica.tables.encoding.encoded_column import EncodedColumn


@dataclass(frozen=True)
class Linear:
    """Adds w (x - center) to each score; says nothing sensible about a missing number."""

    weights: Floats
    center: float

    def values(self, x: VectorLike) -> Floats:
        """Return what each number adds, a column per score."""
        added: Floats = np.outer(np.asarray(x, dtype=np.float64) - self.center, self.weights)
        return added


@dataclass(frozen=True)
class Bell:
    """Adds the logarithm of a normal density, norm - ((x - mean) inverse)² / 2; nothing if missing."""

    means: Floats
    inverses: Floats
    norms: Floats

    def values(self, x: VectorLike) -> Floats:
        """Return what each number adds, a column per score."""
        x = np.asarray(x, dtype=np.float64)[:, None]
        added: Floats = self.norms - 0.5 * ((x - self.means) * self.inverses) ** 2
        return np.where(np.isnan(x), 0.0, added)


@dataclass(frozen=True)
class Steps:
    """Adds a number that depends on the interval; a number on a cut lies below it; nothing if missing."""

    cuts: Floats
    steps: Floats  # (intervals, scores)

    def values(self, x: VectorLike) -> Floats:
        """Return what each number adds, a column per score."""
        x = np.asarray(x, dtype=np.float64)
        added: Floats = self.steps[np.searchsorted(self.cuts, x, side="left").clip(max=len(self.cuts))]
        return np.where(np.isnan(x)[:, None], 0.0, added)


Term = Linear | Bell | Steps


@dataclass(frozen=True)
class Route:
    """One column, and the columns it becomes.

    Attributes
    ----------
    column : int
        Its index in the table.
    indices : range
        The places of what it becomes.
    encoded : EncodedColumn
        How.
    """

    column: int
    places: range
    encoded: EncodedColumn

    def part(self, terms: Sequence[Term], levels: tuple[Any, ...] | None) -> Part:
        """Return what the column adds, where each column it becomes adds a term."""
        code = self.encoded
        own = [terms[index] for index in self.places]
        if levels is None:
            return NumberPart(self.column, code.fill, code.center, code.scale, own[0])
        table = np.array([_added(own, self.inputs(float(index))) for index in range(len(levels))])
        return LevelPart(self.column, levels, table, _added(own, self.unseen()), _added(own, self.missing()))

    def inputs(self, index: float) -> list[float]:
        """Return what the level at an index becomes; -1 is a level that is not known, NaN a missing one."""
        code = self.encoded
        if code.form == "one-hot":
            return [np.nan if np.isnan(index) else float(index == at) for at in range(len(self.places))]
        return [(index - code.center) / code.scale]

    def unseen(self) -> list[float]:
        """Return what a level becomes that is not known; as a rank it is missing."""
        return self.inputs(-1.0) if self.encoded.form == "one-hot" else self.missing()

    def missing(self) -> list[float]:
        """Return what a missing level becomes."""
        fill = self.encoded.fill
        return self.inputs(np.nan if fill is None else fill)


def routes(layers: ModelLayers) -> list[Route]:
    """Return the way of each column."""
    encoder = layers.encoder
    if encoder is None:
        kinds = [EncodedColumn(column.name, "number") for column in layers.columns]
        return [Route(index, range(index, index + 1), kind) for index, kind in enumerate(kinds)]
    routes_of_columns, at = [], 0
    for index, encoded in enumerate(encoder.columns_):
        width = len(encoded.names_out)
        routes_of_columns.append(Route(index, range(at, at + width), encoded))
        at += width
    return routes_of_columns


def _added(terms: Sequence[Term], inputs: Sequence[float]) -> Floats:
    """Return what the columns add together that a level becomes."""
    sums: Floats = np.sum([term.values([x])[0] for term, x in zip(terms, inputs, strict=True)], axis=0)
    return sums


@dataclass(frozen=True)
class NumberPart:
    """A column of numbers: a gap is filled, the number centred and scaled, and then a term says the rest.

    Attributes
    ----------
    column : int
        The index of the column.
    fill : float or None
        What a missing number becomes.
    center, scale : float
        What is taken away, and then divided by.
    term : Term
        What the number adds.
    """

    column: int
    fill: float | None
    center: float
    scale: float
    term: Term

    @property
    def takes_missing(self) -> bool:
        """Whether a missing number adds something that is known."""
        return self.fill is not None or not isinstance(self.term, Linear)

    def values(self, cells: pl.Series) -> Floats:
        """Return what each cell adds, a column per score."""
        x = cells.cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
        if self.fill is not None:
            x = np.where(np.isnan(x), self.fill, x)
        return self.term.values((x - self.center) / self.scale)


@dataclass(frozen=True)
class LevelPart:
    """A column of categories: what each level adds, what any other does, and what a gap does.

    Attributes
    ----------
    column : int
        The index of the column.
    levels : tuple
        The known levels.
    added : float64 array of shape (levels, scores)
        What each adds.
    unseen, missing : float64 arrays
        What other levels and missing values add; NaN where the model takes none.
    """

    column: int
    levels: tuple[Any, ...]
    added: Floats
    unseen: Floats
    missing: Floats

    @property
    def takes_missing(self) -> bool:
        """Whether a missing value adds something that is known."""
        return not bool(np.isnan(self.missing).any())

    def values(self, cells: pl.Series) -> Floats:
        """Return what each cell adds, a column per score."""
        indices = {level: index for index, level in enumerate(self.levels)}
        table = np.vstack([self.added.reshape(-1, len(self.unseen)), self.unseen, self.missing])
        unseen, missing = len(self.levels), len(self.levels) + 1
        rows = [missing if _is_gap(cell) else indices.get(cell, unseen) for cell in cells.to_list()]
        added: Floats = table[rows]
        return added


Part = NumberPart | LevelPart


def _is_gap(cell: object) -> bool:
    return cell is None or cell != cell
