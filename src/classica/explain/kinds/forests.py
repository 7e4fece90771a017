"""Forests: importances, and how the trees vote on a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from classica.estimators.trees.showing.tree_wording import plain_words
from classica.explain.kinds.answers import outcome
from classica.explain.kinds.trees import importances
from classica.explain.opened import Opened
from classica.explain.section import Section


def describe(opened: Opened) -> list[Section]:
    """Return the size of the forest and what columns gain."""
    model = opened.estimator
    facts: dict[str, Any] = {
        "trees": len(model.forest_),
        "nodes": len(model.forest_.nodes),
        "leaves": int(model.forest_.is_leaf.sum()),
    }
    if hasattr(model, "oob_errors_"):
        facts["error on rows that trees have not seen"] = model.oob_error_
    return [Section("The forest", facts=facts), importances(opened)]


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return what each tree says; the mean of the trees is the probability."""
    model, seen = opened.estimator, opened.seen(row)
    said = np.array([tree._answers(tree._query(seen))[0] for tree in model.estimators_])
    labels = opened.classes
    names = ["number"] if labels is None else [plain_words(label) for label in labels]
    rows: list[list[Any]] = [["mean", *said.mean(axis=0).tolist()]]
    rows += [[f"tree {number}", *shares] for number, shares in enumerate(said.tolist(), 1)]
    votes = [] if labels is None else [_votes(said, names)]
    return [*votes, Section("What each tree says", headings=["", *names], rows=rows), outcome(opened, row)]


def _votes(said: Any, names: list[str]) -> Section:
    counts = np.bincount(said.argmax(axis=1), minlength=len(names)).tolist()
    pairs = sorted(zip(names, counts, strict=True), key=lambda pair: -pair[1])
    return Section("Trees for each class", headings=["class", "trees"], rows=pairs)
