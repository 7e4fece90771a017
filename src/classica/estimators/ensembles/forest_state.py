"""Forests: nodes packed side by side, and samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.state_parts import CLASSES, CODED, SEED, ascending, check_coded
from classica.estimators.ensembles.random_forest import RandomForestClassifier
from classica.estimators.ensembles.random_forest_regressor import RandomForestRegressor
from classica.estimators.trees.state import HEAVIEST, check_shares_of_children
from classica.kinds import Array, Flag, Kind, Maybe, Number, Scope, Whole
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import COLUMNS, NAMES, Shares
from classica.samples import Samples
from classica.trees.growing.forest import Forest

#: As in `forest.hpp` and `tree_apply.hpp`.
_NODE = np.dtype([("limit", "<f8"), ("first", "<i4"), ("question", "<u4")])
_LIST = np.dtype([("at", "<u4"), ("levels", "<u4"), ("rest", "<u8")])
_QUESTION = np.dtype(
    [
        ("limit", "<f8"),
        ("levels_at", "<i8"),
        ("feature", "<i4"),
        ("flipped", "<i4"),
        ("missing", "<i4"),
        ("count", "<i4"),
    ]
)
_CATEGORY, _FEATURE, _MISSING = np.uint32(1 << 29), np.uint32((1 << 29) - 1), np.uint32(30)

Longs = NDArray[np.int64]


def _check_forest(forest: Forest, scope: Scope) -> None:
    starts, total = forest.starts, len(forest.nodes)
    scope.require(len(starts) > 1 and ascending(starts, total), "made with trees", len(starts))
    scope.require((np.diff(starts) > 0).all(), "made with trees that have nodes")
    nodes = np.ascontiguousarray(forest.nodes).view(_NODE)[:, 0]
    leaf = nodes["first"] < 0
    _check_leaves(forest, nodes[leaf], scope)
    first, count = nodes["first"].astype(np.int64), _child_counts(forest, nodes, ~leaf, scope)
    begin = np.repeat(starts[:-1], np.diff(starts))
    _check_indices(first + begin, count, ~leaf, starts, scope)
    scope.require(
        len(forest.weight) in (0, total), "made with weights of all nodes or none", len(forest.weight)
    )
    if len(forest.weight):
        check_shares_of_children(forest.weight, first + begin, np.where(leaf, 0, count), scope)
    _check_surrogates(forest, total, scope)
    gains = len(forest.gains_at) in (0, len(starts))
    gains = gains and (not len(forest.gains_at) or ascending(forest.gains_at, len(forest.gains)))
    scope.require(gains, "made with gains of its trees")


def _check_leaves(forest: Forest, leaves: NDArray[Any], scope: Scope) -> None:
    if forest.holds_numbers:
        scope.require(np.isfinite(leaves["limit"]).all(), "made with finite numbers in its leaves")
    else:
        scope.require((~leaves["first"] < len(forest.values)).all(), "made with values for its leaves")


def _child_counts(forest: Forest, nodes: NDArray[Any], inner: NDArray[Any], scope: Scope) -> Longs:
    """Return how many children nodes have, once all they say about them is checked."""
    question, total = nodes["question"], len(forest.level_child)
    scope.require(((question & _FEATURE)[inner] < scope.size("d")).all(), "made with splits on its columns")
    count: Longs = np.maximum(2, (question >> _MISSING).astype(np.int64) + 1)
    categories = np.flatnonzero(inner & ((question & _CATEGORY) > 0))
    lists = np.ascontiguousarray(nodes[categories]).view(_LIST)
    at, levels = lists["at"].astype(np.int64), lists["levels"].astype(np.int64)
    # Each list has two entries more: the child of missing values, and the node's own value.
    fits = (at + levels + 2 <= total).all() and (levels + 2).sum() <= total
    scope.require(fits, "made with lists of categories that are there")
    entries = np.repeat(at - np.cumsum(levels + 1) + levels + 1, levels + 1) + np.arange((levels + 1).sum())
    children = forest.level_child[entries]
    scope.require((children >= -1).all(), "made with children for categories")
    own = forest.level_child[at + levels + 1]
    scope.require(((own >= 0) & (own < len(forest.values))).all(), "made with values for its nodes")
    if len(categories):
        most = np.maximum.reduceat(children, np.cumsum(levels + 1) - levels - 1).astype(np.int64)
        count[categories] = np.maximum(2, most + 1)
    return count


def _check_indices(first: Longs, count: Longs, inner: NDArray[Any], starts: Longs, scope: Scope) -> None:
    """Check that every node but the first of a tree is the child of one node, above it."""
    nodes = np.flatnonzero(inner)
    scope.require((first[nodes] > nodes).all(), "made of nodes below their parents")
    order = nodes[np.argsort(first[nodes], kind="stable")]
    sizes = np.minimum(count[order], len(inner) + 1)
    scope.require(sizes.sum() == len(inner) - len(starts) + 1, "made of nodes with one parent each")
    # All places but those where trees start, in order.
    children = np.ones(len(inner), dtype=bool)
    children[starts[:-1]] = False
    lists = np.repeat(first[order] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    scope.require(np.array_equal(lists, np.flatnonzero(children)), "made of nodes with one parent each")
    same_tree = np.searchsorted(starts, nodes, "right") == np.searchsorted(starts, first[nodes], "right")
    scope.require(same_tree.all(), "made of nodes with children in their tree")


def _check_surrogates(forest: Forest, nodes: int, scope: Scope) -> None:
    starts = forest.surrogates_at
    scope.require(len(starts) in (0, nodes + 1), "made with surrogates for its nodes", len(starts))
    count = len(forest.surrogates)
    scope.require(ascending(starts, count) if len(starts) else not count, "made with lists of surrogates")
    is_valid = (
        np.ascontiguousarray(forest.surrogates).view(_QUESTION)[:, 0]
        if count
        else np.empty(0, dtype=_QUESTION)
    )
    columns = (is_valid["feature"] >= 0) & (is_valid["feature"] < scope.size("d"))
    scope.require(columns.all(), "made with surrogates about its columns")
    scope.require(np.isin(is_valid["flipped"], (0, 1)).all(), "made with surrogates that are flipped or not")
    listed = is_valid[is_valid["levels_at"] >= 0]
    levels = listed["limit"]
    scope.require(
        (np.isfinite(levels) & (levels >= 0) & (levels < 2**31)).all(), "made with numbers of levels"
    )
    ends = listed["levels_at"] + levels.astype(np.int64)
    within = (listed["levels_at"] < 2**53).all() and (ends <= len(forest.surrogate_level_child)).all()
    scope.require(within, "made with lists of categories that are there")


describe_record(
    Forest,
    {
        "nodes": Array("u1", "n", 16),
        "starts": Array("i8", "trees+1", low=0),
        "level_child": Array("i4", "levels"),
        "values": Array("f8", "rows", "width"),
        "gains_at": Array("i8", "gain_lists", low=0),
        "gain_columns": Array("i4", "gain_count", low=0, below="d"),
        "gains": Array("f8", "gain_count"),
        "holds_numbers": Flag(),
        "weight": Array("f8", "weights", low=0, most=HEAVIEST),
        "surrogates": Array("u1", "surrogate_count", 32),
        "surrogate_level_child": Array("i4", "surrogate_levels", low=-1, below=2),
        "surrogates_at": Array("i8", "surrogate_lists", low=0),
    },
    _check_forest,
)


def _check_samples(samples: Samples, scope: Scope) -> None:
    scope.require(len(samples.up_to) in (0, len(samples.order)), "made with weights of its rows")
    scope.require(
        len(samples.order) and samples.size <= max(len(samples.order), samples.rows), "made of rows"
    )


describe_record(
    Samples,
    {
        "rows": Whole(1, 2**32),
        "order": Array("u4", "cases"),
        "up_to": Array("f8", "weights", low=0),
        "size": Whole(1, 2**32),
        "replace": Flag(),
        "seed": SEED,
    },
    _check_samples,
)

_MADE: dict[str, Kind] = {**CODED, "_samples": Maybe(RecordOf(Samples)), "forest_": RecordOf(Forest)}


def _check_classifier(model: RandomForestClassifier, scope: Scope) -> None:
    check_coded(model, scope)
    values = model.forest_.values
    scope.require(not model.forest_.holds_numbers, "made with class frequencies")
    Shares("values", "c").check(values, scope.part(".forest_.values"))


def _check_regressor(model: RandomForestRegressor, scope: Scope) -> None:
    check_coded(model, scope)
    forest = model.forest_
    scope.require(forest.holds_numbers and forest.values.shape[1] == 1, "made with numbers in its leaves")


_ERRORS = Array("f8", "trees", nan=True)
describe_estimator(
    RandomForestClassifier,
    {**CLASSES, **_MADE, "_votes": Maybe(Shares("values", "c"))},
    {**NAMES, "oob_errors_": _ERRORS, "oob_decision_function_": Array("f8", "rows", "c", nan=True)},
    _check_classifier,
)
describe_estimator(
    RandomForestRegressor,
    {**COLUMNS, **_MADE, "_variance": Number(low=0, special=True)},
    {**NAMES, "oob_errors_": _ERRORS, "oob_prediction_": Array("f8", "rows", nan=True)},
    _check_regressor,
)
