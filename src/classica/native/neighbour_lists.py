"""Nearest neighbours: search structures, lists of neighbours, and their votes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Dense, Floats

#: The search structures, the metrics and the ways to break ties that the core knows.
STRUCTURES: tuple[str, ...] = _core.STRUCTURES
METRICS: tuple[str, ...] = _core.METRICS
TIES: tuple[str, ...] = _core.TIES
TILE_ROWS = 8

#: Which columns hold category codes; None where the metric does not ask.
CategoryFlags = NDArray[np.uint8] | None

#: Starts, ranks and rows of neighbour lists: see `find_neighbours`.
Lists = tuple[NDArray[np.int64], Floats, Codes]


def build_index(
    X: Dense,
    structure: str,
    metric: str,
    power: float,
    categorical: CategoryFlags,
    leaf_tiles: int,
    threads: int,
) -> tuple[Dense, Codes, Floats]:
    """Return the tiles, the order of the rows and the bounds of a search structure."""
    rows, columns = X.shape
    count = -(-rows // TILE_ROWS)
    nodes = 2 * -(-count // leaf_tiles) - 1
    sizes = {"kd_tree": 2 * columns * nodes, "ball_tree": (columns + 1) * nodes}
    sizes["annulus"] = count * TILE_ROWS + columns
    tiles: Dense = np.empty((count, columns, TILE_ROWS), dtype=X.dtype)
    order = np.empty(count * TILE_ROWS, dtype=np.int32)
    bounds = np.empty(sizes.get(structure, 0))
    _core.build_index(X, structure, metric, power, categorical, leaf_tiles, threads, tiles, order, bounds)
    return tiles, order, bounds


def find_neighbours(
    arrays: tuple[Dense, Codes, Floats],
    structure: str,
    metric: str,
    power: float,
    categorical: CategoryFlags,
    built_tiles: int,
    leaf_tiles: int,
    queries: Floats,
    neighbours: int,
    *,
    excluded: Codes | None,
    backtrack: bool,
    threads: int,
) -> Lists:
    """Return starts, ranks and rows of the neighbour lists of the queries, nearest first.

    A list is longer than asked for when rows tie at its end. ``excluded`` names, per query, a
    training row it must not find.
    """
    lists: Lists = _core.find_neighbours(
        *arrays,
        structure,
        metric,
        power,
        categorical,
        built_tiles,
        leaf_tiles,
        queries,
        neighbours,
        excluded,
        backtrack,
        threads,
    )
    return lists


def select_neighbours(ranks: Floats, neighbours: int, *, excluded: Codes | None, threads: int) -> Lists:
    """Return the same lists for given ranks, one row per query."""
    lists: Lists = _core.select_neighbours(ranks, neighbours, excluded, threads)
    return lists


def count_votes(
    lists: Lists,
    weights: Floats | None,
    codes: Codes,
    classes: int,
    neighbours: int,
    ties: str,
    complete: bool,
    threads: int,
) -> tuple[Floats, Codes]:
    """Return the share of each class and the number of neighbours used, -1 where it needs more of them."""
    shares = np.empty((len(lists[0]) - 1, classes))
    used = np.empty(len(lists[0]) - 1, dtype=np.int32)
    _core.count_votes(*lists, weights, codes, neighbours, ties, complete, threads, shares, used)
    return shares, used


def leave_one_out_errors(
    lists: Lists,
    weights: Floats | None,
    codes: Codes,
    truths: Codes,
    classes: int,
    largest: int,
    complete: bool,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the errors of each rule of `TIES` for every K, and which lists are too short to tell."""
    errors = np.zeros((len(TIES), largest), dtype=np.int64)
    unsettled = np.zeros(len(truths), dtype=bool)
    _core.leave_one_out_errors(*lists, weights, codes, truths, classes, complete, errors, unsettled)
    return errors, unsettled
