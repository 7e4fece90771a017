"""Decision trees: every way a row can take must lead to a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.estimators.base.state_parts import CLASSES, CODED, ascending, check_coded
from classica.estimators.trees import rule_state  # noqa: F401  (describes rules)
from classica.estimators.trees.c45 import C45Classifier
from classica.estimators.trees.cart import CARTClassifier
from classica.estimators.trees.decision_tree import DecisionTreeClassifier
from classica.estimators.trees.id3 import ID3Classifier
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.estimators.trees.tree_model import TreeModel
from classica.estimators.trees.tree_regressor import DecisionTreeRegressor
from classica.kinds import Array, Derived, Kind, Maybe, Scope, Word
from classica.native import Floats
from classica.persist.description import Description, RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import COLUMNS, NAMES, Shares
from classica.trees.growing.tree import Surrogates, Tree
from classica.trees.pruning.pruning_cv import CrossValidation

_NODES = "n"
#: Rows are divided by the weights of children, whose sum must not overflow.
HEAVIEST = 1e290


def _check_tree(tree: Tree, scope: Scope) -> None:
    nodes, leaf = np.arange(len(tree)), tree.feature < 0
    scope.require(len(tree), "made of nodes", 0)
    count, first = tree.child_count.astype(np.int64), tree.first_child.astype(np.int64)
    scope.require((np.where(leaf, count == 0, count >= 2)).all(), "made of leaves and nodes with children")
    scope.require(count.sum() == len(tree) - 1, "made of nodes with one parent each")
    # Level by level: the children of a node come behind those of the nodes before it.
    index = np.where(leaf, -1, np.cumsum(count) - count + 1)
    scope.require(
        (first == index).all() and (leaf | (first > nodes)).all(), "made of nodes below their parents"
    )
    scope.require((tree.missing_child < np.maximum(count, 0)).all(), "made with children for missing values")
    scope.require(ascending(tree.levels_at, len(tree.level_child)), "made with lists of categories")
    levels = np.diff(tree.levels_at)
    scope.require(not levels[leaf].any(), "made with categories in nodes that split on them")
    scope.require((tree.level_child < np.repeat(count, levels)).all(), "made with children for categories")
    scope.require(not np.isnan(tree.threshold[~leaf & (levels == 0)]).any(), "made with thresholds", "NaN")
    if tree.surrogates is not None:
        _check_stand_ins(tree.surrogates, len(tree), scope)


def _check_stand_ins(surrogates: Surrogates, nodes: int, scope: Scope) -> None:
    scope.require(
        len(surrogates.starts) == nodes + 1, "made with surrogates for its nodes", len(surrogates.starts)
    )
    scope.require(ascending(surrogates.starts, len(surrogates.feature)), "made with lists of surrogates")
    scope.require(
        ascending(surrogates.levels_at, len(surrogates.level_child)), "made with lists of categories"
    )


describe_record(
    Surrogates,
    {
        "starts": Array("i8", "nodes", low=0),
        "feature": Array("i4", "n", low=0, below="d"),
        "threshold": Array("f8", "n", nan=True, inf="-+"),
        "levels_at": Array("i8", "n+1", low=0),
        "level_child": Array("i4", "levels", low=-1, below=2),
        "flipped": Array("u1", "n", below=2),
        "agreement": Array("f8", "n"),
        "advantage": Array("f8", "n"),
    },
)
describe_record(
    Tree,
    {
        "feature": Array("i4", "n", low=-1, below="d"),
        "threshold": Array("f8", "n", nan=True, inf="-+"),
        "levels_at": Array("i8", "n+1", low=0),
        "level_child": Array("i4", "levels", low=-1),
        "missing_child": Array("i4", "n", low=-1),
        "first_child": Array("i4", "n", low=-1),
        "child_count": Array("i4", "n", low=0),
        "cases": Array("f8", "n", low=0),
        "weight": Array("f8", "n", low=0, most=HEAVIEST),
        "gain": Array("f8", "n"),
        "value": Array("f8", "n", "width"),
        "risk": Array("f8", "n"),
        "surrogates": Maybe(RecordOf(Surrogates)),
    },
    _check_tree,
)
describe_record(CrossValidation, dict.fromkeys(("errors", "stds"), Array("f8", "k", nan=True, inf="-+")))

_GROWN: dict[str, Kind] = {
    **CODED,
    "_risk": Maybe(Word()),
    "_validated": Maybe(RecordOf(CrossValidation)),
    "grown_tree_": RecordOf(Tree),
    "tree_": RecordOf(Tree),
    "_arrays": Derived(lambda model: model.tree_.arrays()),
}
_CLASSIFIER: dict[str, Kind] = {
    **CLASSES,
    **_GROWN,
    "_leaf_shares": Shares(_NODES, "c"),
    "_leaf_labels": Derived(lambda model: model.classes_[model._leaf_shares.argmax(axis=1)]),
}
#: A tree that reads rows for others and has no questions itself.
READER = Description({**CLASSES, **CODED}, NAMES, check_coded)


def _check_grown(model: TreeModel, width: int, scope: Scope) -> None:
    check_coded(model, scope)
    for tree in (model.tree_, model.grown_tree_):
        scope.require(tree.value.shape[1] == width, f"made with {width} values in a node", tree.value.shape)
    if getattr(model, "missing", None) == "fraction":
        check_shares_of_children(model.tree_.weight, model.tree_.first_child, model.tree_.child_count, scope)


def check_shares_of_children(weight: Floats, first: NDArray[Any], count: NDArray[Any], scope: Scope) -> None:
    """Check that rows with a missing value can be divided: some child of every inner node has weight."""
    inner = count > 0
    ends = np.column_stack([first[inner], first[inner] + count[inner]]).ravel()
    heaviest = np.maximum.reduceat(np.append(weight, 0.0), ends)[::2] if len(ends) else np.ones(1)
    scope.require((heaviest > 0).all(), "made with children that have weight", 0)


def _check_classifier(model: TreeClassifier, scope: Scope) -> None:
    _check_grown(model, scope.size("c"), scope)
    scope.require(len(model._leaf_shares) == len(model.tree_), "made with class frequencies for each node")
    scope.require((model.tree_.value >= 0).all(), "made with weights of classes, none below 0")


def _check_id3(model: ID3Classifier, scope: Scope) -> None:
    _check_classifier(model, scope)
    scope.require(
        len(model._edges) in (0, len(model._binned_places)), "made with edges of its binned columns"
    )


for _tree_kind in (DecisionTreeClassifier, C45Classifier, CARTClassifier):
    describe_estimator(_tree_kind, _CLASSIFIER, NAMES, _check_classifier)
describe_estimator(
    ID3Classifier,
    {
        **_CLASSIFIER,
        "_binned_places": Array("i8", "binned", low=0, below="d"),
        "_edges": Array("f8", "edge_lists", "edges"),
    },
    NAMES,
    _check_id3,
)
describe_estimator(
    DecisionTreeRegressor,
    {**COLUMNS, **_GROWN},
    NAMES,
    lambda model, scope: _check_grown(model, 1, scope),
)
