"""Bags and votes of any classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.estimators.members.member_columns import take_columns
from classica.estimators.members.member_fits import ballots
from classica.estimators.trees.showing.tree_wording import plain_words
from classica.explain.kinds.answers import outcome
from classica.explain.opened import Opened
from classica.explain.section import Section


def describe(opened: Opened) -> list[Section]:
    """Return the members with their weights."""
    model = opened.estimator
    rows = [
        [name, type(member).__name__, weight]
        for name, member, weight in zip(_names(model), model.estimators_, _weights(model), strict=True)
    ]
    title = f"Members, {_voting(model)} votes"
    return [Section(title, headings=["member", "kind", "weight"], rows=rows)]


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return what each member gives each class; the weighted mean is the probability."""
    model = opened.estimator
    seen = model._query(opened.seen(row))
    labels = [plain_words(label) for label in opened.classes or ()]
    given = np.array(
        [
            ballots(member, _columns(model, number, seen), model.classes_, _voting(model))[0]
            for number, member in enumerate(model.estimators_)
        ]
    )
    weights = np.array(_weights(model))
    sums = (weights[:, None] * given).sum(axis=0)
    rows: list[list[Any]] = [["mean", "", *(sums / sums.sum()).tolist()]]
    rows += [
        [name, weight, *found]
        for name, weight, found in zip(_names(model), weights.tolist(), given.tolist(), strict=True)
    ]
    headings = ["", "weight", *labels]
    return [Section("What each member says", headings=headings, rows=rows), outcome(opened, row)]


def _names(model: Any) -> list[str]:
    named = getattr(model, "named_estimators_", None)
    if named is None:
        return [f"member {number}" for number in range(1, len(model.estimators_) + 1)]
    return [plain_words(name) for name, member in named.items() if not isinstance(member, str)]


def _voting(model: Any) -> str:
    return str(getattr(model, "voting_", model.voting))


def _weights(model: Any) -> list[float]:
    weights = getattr(model, "weights_", None)
    return [1.0] * len(model.estimators_) if weights is None else np.asarray(weights).tolist()


def _columns(model: Any, number: int, rows: Any) -> Any:
    bag = getattr(model, "_bag", None)
    return rows if bag is None or bag.columns is None else take_columns(rows, bag.columns[number])
