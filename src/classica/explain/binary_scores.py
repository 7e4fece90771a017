"""Several classes told apart by binary classifiers of any kind: scores of a row, and the votes of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
import polars as pl

from classica.explain.additive import pair_standings, pairs
from classica.explain.explainers import describe_any
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome, score_names
from classica.native import Floats
from classica.wording import plain_words

PAIRS_VOTE = (
    "Each pair votes for its first class if its score is 0 or more, otherwise for its second. "
    "The class with the most votes wins; ties are broken by the sum of scores."
)

#: How many classes are counted out in a sentence.
_MOST_CLASSES = 6


def votes_section(classes: Sequence[Any], scores: Floats) -> Section:
    """Return the vote of each pair on a row, those of the winner first, and how they decide.

    Parameters
    ----------
    classes : sequence
        The labels.
    scores : array of shape (n_pairs,)
        The score of each pair; positive ones speak for its first class.
    """
    labels = [plain_words(label) for label in classes]
    votes, standings = pair_standings(scores[None], len(labels))
    winner = int(standings[0].argmax())
    names = score_names(classes, by_pair=True)
    rows = [
        (winner not in (a, b), [name, float(score), labels[a if score >= 0 else b]])
        for name, score, (a, b) in zip(names, scores, pairs(len(labels)), strict=True)
    ]
    rows.sort(key=itemgetter(0))
    return Section(
        "Votes of the class pairs",
        headings=["pair", "score", "vote"],
        rows=[row for _, row in rows],
        note=_outcome(labels, votes[0], standings[0]),
    )


def _outcome(labels: list[str], votes: Floats, standings: Floats) -> str:
    """Return who has how many votes, and what decides."""
    order = np.lexsort((-standings, -votes)).tolist()
    most = int(votes[order[0]])
    tied = [index for index in order if votes[index] == most]
    counted = f"Votes: {_counts(labels, votes, order)}."
    if len(tied) == 1:
        return f"{counted} {labels[order[0]]} has the most and wins."
    even = len(tied) > 1 and standings[tied[0]] == standings[tied[1]]
    why = "is the first of the tied classes" if even else "has the largest sum of scores"
    return f"{counted} {len(tied)} classes have the most; {labels[order[0]]} wins, which {why}."


def _counts(labels: list[str], votes: Floats, order: list[int]) -> str:
    shown, others = order[:_MOST_CLASSES], order[_MOST_CLASSES:]
    groups = groupby(shown, key=lambda index: int(votes[index]))
    counted = [f"{count} for {' and '.join(labels[index] for index in indices)}" for count, indices in groups]
    return ", ".join([*counted, *([f"no more for {len(others)} other classes"] if others else [])])


def is_by_pair(layers: ModelLayers) -> bool:
    """Return whether the binary classifiers tell pairs of classes apart."""
    several = len(layers.classes or ()) > 2
    return several and bool(getattr(layers.estimator, "tells_pairs_apart", False))


def describe(layers: ModelLayers) -> list[Section]:
    """Return what can be said about any model and, where there are members, what each separates."""
    members = getattr(layers.estimator, "estimators_", None)
    if not members:
        return describe_any(layers)
    classes, by_pair = layers.classes or [], is_by_pair(layers)
    names = score_names(classes, by_pair=by_pair)
    names = names if by_pair else [f"{name} vs. all others" for name in names]
    names = names if len(classes) != 2 else score_names(classes[::-1], by_pair=True)
    rows = [[name, type(member).__name__] for name, member in zip(names, members, strict=True)]
    headings, note = ["separates", "kind"], PAIRS_VOTE if by_pair else ""
    return [*describe_any(layers), Section("Binary classifiers", headings=headings, rows=rows, note=note)]


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the votes of the pairs, if there are any, and the scores of the classes."""
    return [*pair_votes(layers, row), outcome(layers, row)]


def pair_votes(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return how the pairs of classes vote on a row; nothing where classes are not told apart in pairs."""
    if not is_by_pair(layers):
        return []
    scores = layers.estimator.binary_scores(layers.seen(row))[0]
    return [votes_section(layers.classes or [], scores)]
