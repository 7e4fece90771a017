"""How ensembles are explained: forests, boosted classifiers, bags and votes."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from sklearn.base import BaseEstimator

from classica.estimators.ensembles.adaboost import AdaBoostClassifier
from classica.estimators.ensembles.bagging import BaggingClassifier
from classica.estimators.ensembles.forest_model import ForestModel
from classica.estimators.ensembles.voting import VotingClassifier
from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import ballots
from classica.estimators.trees.explain import importances
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.wording import plain_words


def describe_forest(layers: ModelLayers) -> list[Section]:
    """Return the size of the forest and what columns gain."""
    model = layers.estimator
    facts: dict[str, Any] = {
        "trees": len(model.forest_),
        "nodes": len(model.forest_.nodes),
        "leaves": int(model.forest_.is_leaf.sum()),
    }
    if hasattr(model, "oob_errors_"):
        facts["out-of-bag error"] = model.oob_error_
    return [Section("The forest", facts=facts), importances(layers)]


def forest_reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return what each tree says; the mean of the trees is the probability."""
    model, seen = layers.estimator, layers.seen(row)
    predictions = np.array([tree._answers(tree._query(seen))[0] for tree in model.estimators_])
    labels = layers.classes
    names = ["number"] if labels is None else [plain_words(label) for label in labels]
    rows: list[list[Any]] = [["mean", *predictions.mean(axis=0).tolist()]]
    rows += [[f"tree {number}", *shares] for number, shares in enumerate(predictions.tolist(), 1)]
    votes = [] if labels is None else [_forest_votes(predictions, names)]
    return [
        *votes,
        Section("Predictions of the trees", headings=["", *names], rows=rows),
        outcome(layers, row),
    ]


def _forest_votes(predictions: Any, names: list[str]) -> Section:
    counts = np.bincount(predictions.argmax(axis=1), minlength=len(names)).tolist()
    pairs = sorted(zip(names, counts, strict=True), key=lambda pair: -pair[1])
    return Section("Votes of the trees", headings=["class", "trees"], rows=pairs)


def describe_boosted(layers: ModelLayers) -> list[Section]:
    """Return the rounds: error, vote, and the error of all members so far."""
    model = layers.estimator
    numbers = zip(
        model.estimator_errors_.tolist(),
        model.estimator_weights_.tolist(),
        model.staged_errors_.tolist(),
        strict=True,
    )
    rows = [[number, *cells] for number, cells in enumerate(numbers, 1)]
    headings = ["round", "error ε", "vote α", "ensemble training error"]
    sections = [Section("Rounds", headings=headings, rows=rows)]
    if all(hasattr(member, "feature_importances_") for member in model.estimators_):
        sections.append(importances(layers))
    return sections


def boosted_reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the vote of each member, and their sums, which decide."""
    model, seen = layers.estimator, layers.seen(row)
    predictions = [int(codes[0]) for codes in model._members.answers(seen)]
    labels = [plain_words(label) for label in layers.classes or ()]
    votes = model.estimator_weights_.tolist()
    sums = np.bincount(predictions, votes, minlength=len(labels)).tolist()
    rows: list[list[Any]] = [
        [number, labels[code], vote]
        for number, (code, vote) in enumerate(zip(predictions, votes, strict=True), 1)
    ]
    total = Section(
        "Votes for each class", headings=["class", "sum of α"], rows=list(zip(labels, sums, strict=True))
    )
    each = Section("Predictions of the members", headings=["round", "class", "vote α"], rows=rows)
    return [total, each, outcome(layers, row)]


def describe_members(layers: ModelLayers) -> list[Section]:
    """Return the members with their weights."""
    model = layers.estimator
    rows = [
        [name, type(member).__name__, weight]
        for name, member, weight in zip(
            _member_names(model), model.estimators_, _member_weights(model), strict=True
        )
    ]
    title = f"Members, {_voting(model)} votes"
    return [Section(title, headings=["member", "kind", "weight"], rows=rows)]


def members_reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return what each member gives each class; the weighted mean is the probability."""
    model = layers.estimator
    seen = model._query(layers.seen(row))
    labels = [plain_words(label) for label in layers.classes or ()]
    given = np.array(
        [
            ballots(member, _member_columns(model, number, seen), model.classes_, _voting(model))[0]
            for number, member in enumerate(model.estimators_)
        ]
    )
    weights = np.array(_member_weights(model))
    sums = (weights[:, None] * given).sum(axis=0)
    rows: list[list[Any]] = [["mean", "", *(sums / sums.sum()).tolist()]]
    rows += [
        [name, weight, *cells]
        for name, weight, cells in zip(_member_names(model), weights.tolist(), given.tolist(), strict=True)
    ]
    headings = ["", "weight", *labels]
    return [Section("Predictions of the members", headings=headings, rows=rows), outcome(layers, row)]


def _member_names(model: BaseEstimator) -> list[str]:
    named = getattr(model, "named_estimators_", None)
    if named is None:
        return [f"member {number}" for number in range(1, len(model.estimators_) + 1)]
    return [plain_words(name) for name, member in named.items() if not isinstance(member, str)]


def _voting(model: BaseEstimator) -> str:
    return str(getattr(model, "voting_", model.voting))


def _member_weights(model: BaseEstimator) -> list[float]:
    weights = getattr(model, "weights_", None)
    return [1.0] * len(model.estimators_) if weights is None else np.asarray(weights).tolist()


def _member_columns(model: BaseEstimator, number: int, rows: Any) -> Any:
    bag = getattr(model, "_bag", None)
    return rows if bag is None or bag.columns is None else take_columns(rows, bag.columns[number])


explain_as(describe_forest, forest_reasons, ForestModel)
explain_as(describe_boosted, boosted_reasons, AdaBoostClassifier)
explain_as(describe_members, members_reasons, BaggingClassifier, VotingClassifier)
