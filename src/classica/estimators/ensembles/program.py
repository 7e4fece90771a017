"""Ensembles of trees as programs: trees that vote."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from classica.errors import ParameterError
from classica.estimators.ensembles.adaboost import AdaBoostClassifier
from classica.estimators.ensembles.bagging import BaggingClassifier
from classica.estimators.ensembles.random_forest import RandomForestClassifier
from classica.estimators.trees.tree_classifier import TreeClassifier
from classica.explain.additive_models import program_as
from classica.explain.model_layers import ModelLayers
from classica.export.programs import VotesProgram
from classica.native import Floats
from classica.trees.growing.tree_names import Names
from classica.trees.growing.unpacked import unpacked_tree
from classica.trees.showing.named_tree import NamedTree


def _of_forest(layers: ModelLayers) -> VotesProgram | None:
    """Return the trees of a forest, unless missing values are divided or follow surrogates in it."""
    model = layers.estimator
    forest, names = model.forest_, model.names_
    if not layers.reads_cells:
        return None
    try:
        unpacked = [unpacked_tree(forest, number) for number in range(len(forest))]
    except ParameterError:
        return None
    trees = [_numbered(NamedTree.of(tree, names, shares=tree.value), rows) for tree, rows in unpacked]
    return VotesProgram(layers.columns, tuple(layers.classes or ()), tuple(trees), model._values, 0.0)


def _of_boosted(layers: ModelLayers) -> VotesProgram | None:
    model = layers.estimator
    votes = model.estimator_weights_.tolist()
    slack = max(1e-14 * float(model.estimator_weights_.sum()), 1e-15)
    return _of_members(layers, model.estimators_, votes, slack, hard=True)


def _of_bag(layers: ModelLayers) -> VotesProgram | None:
    bag = layers.estimator._bag
    if bag.columns is not None:
        return None
    return _of_members(layers, bag.members, [1.0] * len(bag), 0.0, hard=bag.voting == "hard")


def _of_members(
    layers: ModelLayers, members: list[Any], votes: list[float], slack: float, *, hard: bool
) -> VotesProgram | None:
    """Return members that are trees; a row that is divided among leaves has no single one to vote by."""
    trees = all(isinstance(member, TreeClassifier) and not member._divides_rows() for member in members)
    if not (trees and layers.reads_cells):
        return None
    members_trees, values, first = [], [], 0
    for member, vote in zip(members, votes, strict=True):
        named = member.named_tree()
        shares = _spread(np.eye(len(member.classes_))[named.shares.argmax(axis=1)] if hard else named.shares)
        indices = np.searchsorted(np.asarray(layers.estimator.classes_), member.classes_)
        values.append(vote * _spread(shares, indices, len(layers.estimator.classes_)))
        members_trees.append(_numbered(named, first + np.arange(len(named.tree))))
        first += len(named.tree)
    labels = tuple(layers.classes or ())
    return VotesProgram(layers.columns, labels, tuple(members_trees), np.vstack(values), slack)


def _spread(shares: Floats, indices: Any = None, classes: int = 0) -> Floats:
    """Return shares with those of a member's classes at their places among all classes."""
    if indices is None:
        return shares
    wide = np.zeros((len(shares), classes))
    wide[:, indices] = shares
    return wide


def _numbered(named: NamedTree, rows: Any) -> NamedTree:
    """Return a tree that answers with rows of a table of values."""
    names = Names(named.names.columns, named.names.levels, None, named.names.edges)
    return replace(named, names=names, answers=np.asarray(rows).tolist())


program_as(_of_forest, RandomForestClassifier)
program_as(_of_boosted, AdaBoostClassifier)
program_as(_of_bag, BaggingClassifier)
