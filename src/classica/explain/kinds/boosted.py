"""AdaBoost: rounds, and the votes on a row."""

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
    """Return the rounds: error, vote, and the error of all members so far."""
    model = opened.estimator
    numbers = zip(
        model.estimator_errors_.tolist(),
        model.estimator_weights_.tolist(),
        model.staged_errors_.tolist(),
        strict=True,
    )
    rows = [[number, *found] for number, found in enumerate(numbers, 1)]
    headings = ["round", "error ε", "vote α", "training error so far"]
    sections = [Section("Rounds", headings=headings, rows=rows)]
    if all(hasattr(member, "feature_importances_") for member in model.estimators_):
        sections.append(importances(opened))
    return sections


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the vote of each member, and their sums, which decide."""
    model, seen = opened.estimator, opened.seen(row)
    said = [int(codes[0]) for codes in model._members.answers(seen)]
    labels = [plain_words(label) for label in opened.classes or ()]
    votes = model.estimator_weights_.tolist()
    sums = np.bincount(said, votes, minlength=len(labels)).tolist()
    rows: list[list[Any]] = [
        [number, labels[code], vote] for number, (code, vote) in enumerate(zip(said, votes, strict=True), 1)
    ]
    total = Section(
        "Votes for each class", headings=["class", "sum of α"], rows=list(zip(labels, sums, strict=True))
    )
    each = Section("What each member says", headings=["round", "class", "vote α"], rows=rows)
    return [total, each, outcome(opened, row)]
