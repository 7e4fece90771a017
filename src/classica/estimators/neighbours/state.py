"""What fitted nearest neighbours consist of."""

from __future__ import annotations

from typing import Any

import numpy as np

from classica.estimators.base.state_parts import CLASSES, LEVELS, check_levels
from classica.estimators.neighbours.knn import KNeighborsClassifier
from classica.estimators.neighbours.knn_regressor import KNeighborsRegressor
from classica.estimators.neighbours.neighbour_index import NeighbourIndex
from classica.estimators.neighbours.row_metric import MIXED, RowMetric
from classica.estimators.neighbours.row_metric import NAMES as METRICS
from classica.kinds import Array, Kind, Maybe, Number, Scope, Whole, Word
from classica.native import STRUCTURES, TILE_ROWS
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import COLUMNS, NAMES, SizeOf

#: What is compared row by row may be no larger: squares must not overflow.
_LARGEST = 1e151
_KERNELS = {
    "minkowski": ("manhattan", "euclidean", "minkowski"),
    "cosine": ("euclidean",),
    "mahalanobis": ("euclidean",),
}


def _check_metric(metric: RowMetric, scope: Scope) -> None:
    is_valid = metric.kernel in _KERNELS.get(metric.name, (metric.name,))
    scope.require(is_valid, f"made with a kernel of {metric.name}", metric.kernel)
    whitened = metric.name == "mahalanobis"
    scope.require(whitened == (metric.matrix is not None), "made with a matrix for mahalanobis alone")
    scope.require(whitened == (metric.center is not None), "made with a center for mahalanobis alone")
    scaled = whitened or metric.kernel == "minkowski"
    scope.require(scaled or metric.unit == 1, f"made without a unit for {metric.name}", metric.unit)
    mixed = metric.name in MIXED
    scope.require(mixed == (metric.ranges is not None), "made with ranges for mixed columns alone")
    scope.require(mixed == (metric.categorical is not None), "made with categories for mixed columns alone")


describe_record(
    RowMetric,
    {
        "name": Word(*METRICS),
        "kernel": Word(),
        "power": Number(above=0),
        "center": Maybe(Array("f8", "d")),
        "matrix": Maybe(Array("f8", "d", "d", any_order=True)),
        "ranges": Maybe(Array("f8", "d", low=5e-324)),
        "unit": Number(low=1e-290),
        "categorical": Maybe(Array("u1", "d", below=2)),
    },
    _check_metric,
)


def _check_index(index: NeighbourIndex, scope: Scope) -> None:
    metric, tiles = index.metric, index.tiles
    wide = scope.size("d") + (metric.name == "cosine")
    scope.require(tiles.shape[1] == wide, f"made with {wide} columns", tiles.shape)
    scope.require(len(index.order) == len(tiles) * TILE_ROWS, "made with an order of its rows")
    scope.require(index.structure in metric.structures, f"made for {metric.name}", index.structure)
    scope.require(
        len(index.bounds) == _bounds(index), "made with the bounds of its structure", len(index.bounds)
    )
    rows = np.sort(index.order[index.order >= 0])
    scope.require(len(rows) and np.array_equal(rows, np.arange(len(rows))), "made with an order of its rows")
    taken = tiles.transpose(0, 2, 1).reshape(-1, wide)[index.order >= 0]
    missing = metric.name in MIXED
    scope.require(missing or not np.isnan(taken).any(), "made of rows without missing values", "NaN")
    scope.require(not (np.abs(taken) > _LARGEST).any(), f"made of rows up to {_LARGEST:g}")


def _bounds(index: NeighbourIndex) -> int:
    columns = index.tiles.shape[1]
    nodes = 2 * -(-index.built_tiles // index.leaf_tiles) - 1
    sizes: dict[str, int] = {"kd_tree": 2 * columns * nodes, "ball_tree": (columns + 1) * nodes}
    sizes["annulus"] = index.built_tiles * TILE_ROWS + columns
    return int(sizes.get(index.structure, 0))


describe_record(
    NeighbourIndex,
    {
        "tiles": Array("f4 f8", "tiles", "columns", TILE_ROWS, nan=True, inf="-+"),
        "order": Array("i4", "places", low=-1),
        "bounds": Array("f8", "bounds", inf="-+"),
        "structure": Word(*STRUCTURES),
        "metric": RecordOf(RowMetric),
        "built_tiles": Whole(1, lambda sizes: sizes["tiles"] + 1),
        "leaf_tiles": Whole(1),
    },
    _check_index,
)

_NEIGHBOURS: dict[str, Kind] = {
    "n_samples_fit_": SizeOf("n"),
    "_raw": Maybe(Array("f4 f8", "n", "d", nan=True, inf="-+", any_order=True)),
    "_index": Maybe(RecordOf(NeighbourIndex)),
    "algorithm_": Word(),
    "n_neighbors_": Whole(1, "n+1"),
}


def _check_neighbours(model: Any, scope: Scope) -> None:
    index, mixed = model._index, model.metric in MIXED
    scope.require(
        (model.metric == "precomputed") == (index is None), "made with rows to search, or distances"
    )
    if index is None:
        scope.require(
            model._raw is not None and scope.size("d") == scope.size("n"), "made with known distances"
        )
        return
    scope.require(index.metric.name == model.metric, f"made for the metric {model.metric}", index.metric.name)
    scope.require(index.count == scope.size("n"), "made with all its rows", index.count)
    scope.require(
        not model.approximate or index.structure == "kd_tree", "made for its search", index.structure
    )
    if mixed:
        scope.require(
            "category_levels_" in vars(model) and "declared_levels_" in vars(model), "made with categories"
        )
        check_levels(model, scope)


def _check_regressor(model: KNeighborsRegressor, scope: Scope) -> None:
    _check_neighbours(model, scope)
    largest = np.finfo(np.float64).max / len(model._targets)
    scope.require(np.abs(model._targets).max() <= largest, "made with targets of a finite sum")


describe_estimator(
    KNeighborsClassifier,
    {**CLASSES, **_NEIGHBOURS, "_codes": Array("i4", "n", low=0, below="c")},
    {**NAMES, **LEVELS},
    _check_neighbours,
)
describe_estimator(
    KNeighborsRegressor,
    {**COLUMNS, **_NEIGHBOURS, "_targets": Array("f8", "n")},
    {**NAMES, **LEVELS},
    _check_regressor,
)
