"""The search structure: training rows in tiles, an order, bounds; grows and shrinks without rebuilding."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica import native
from classica.arrays import Rows
from classica.estimators.neighbours.row_metric import RowMetric
from classica.native import TILE_ROWS, Codes, Floats, Lists


@dataclass(frozen=True)
class NeighbourIndex:
    """Training rows, prepared by the metric, as a structure stores them."""

    tiles: Any
    order: Codes
    bounds: Floats
    structure: str
    metric: RowMetric
    built_tiles: int
    leaf_tiles: int

    @classmethod
    def build(
        cls, X: Rows, structure: str, metric: RowMetric, leaf_size: int, threads: int
    ) -> NeighbourIndex:
        """Return the index of prepared rows."""
        leaf_tiles = max(1, leaf_size // TILE_ROWS)
        arrays = native.build_index(
            X, structure, metric.kernel, metric.power, metric.categorical, leaf_tiles, threads
        )
        return cls(*arrays, structure, metric, arrays[0].shape[0], leaf_tiles)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return int((self.order >= 0).sum())

    def find(
        self,
        queries: Rows,
        neighbours: int,
        *,
        excluded: Codes | None,
        backtrack: bool,
        threads: int,
    ) -> Lists:
        """Return the neighbour lists of prepared queries."""
        return native.find_neighbours(
            (self.tiles, self.order, self.bounds),
            self.structure,
            self.metric.kernel,
            self.metric.power,
            self.metric.categorical,
            self.built_tiles,
            self.leaf_tiles,
            np.ascontiguousarray(queries, dtype=np.float64),
            neighbours,
            excluded=excluded,
            backtrack=backtrack,
            threads=threads,
        )

    def rows(self) -> Any:
        """Return the prepared rows in training order."""
        columns = self.tiles.shape[1]
        by_index = self.tiles.transpose(0, 2, 1).reshape(-1, columns)
        matrix = np.empty((self.count, columns), dtype=self.tiles.dtype)
        taken = self.order >= 0
        matrix[self.order[taken]] = by_index[taken]
        return matrix

    def plus(self, X: Rows, threads: int) -> NeighbourIndex:
        """Return an index with further rows: a tail at first, a new build when the tail grows long."""
        dtype = np.promote_types(self.tiles.dtype, X.dtype)  # float32 rows stay exact among float64 ones
        added = NeighbourIndex.build(X.astype(dtype), "brute", self.metric, TILE_ROWS, threads)
        order = np.where(added.order >= 0, added.order + np.int32(self.count), np.int32(-1))
        grown = replace(
            self,
            tiles=np.concatenate([self.tiles.astype(dtype), added.tiles]),
            order=np.concatenate([self.order, order]).astype(np.int32),
        )
        return grown._refreshed(threads)

    def without(self, gone: NDArray[np.bool_], threads: int) -> NeighbourIndex:
        """Return an index without the rows marked; the others move up."""
        number = np.where(gone, -1, np.cumsum(~gone) - 1).astype(np.int32)
        order = np.where(self.order >= 0, number[self.order], np.int32(-1)).astype(np.int32)
        return replace(self, order=order)._refreshed(threads)

    def _refreshed(self, threads: int) -> NeighbourIndex:
        indices = len(self.order)
        tail = self.tiles.shape[0] - self.built_tiles
        if self.structure in ("brute", "partial"):
            tail = 0
        if tail * TILE_ROWS <= max(1024, indices // 4) and self.count >= indices // 2 - TILE_ROWS:
            covers_all = self.structure in ("brute", "partial")
            return replace(self, built_tiles=self.tiles.shape[0]) if covers_all else self
        leaf_size = self.leaf_tiles * TILE_ROWS
        return NeighbourIndex.build(self.rows(), self.structure, self.metric, leaf_size, threads)
