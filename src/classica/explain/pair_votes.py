"""How pairs of classes vote where all classes are told apart two by two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from classica.explain.additive import pair_standings, pairs
from classica.explain.section import Section
from classica.explain.shown_scores import score_names
from classica.native import Floats
from classica.wording import plain_words

PAIRS_VOTE = (
    "Each pair votes for its first class where its score is 0 or more, else for its second. "
    "The class with the most votes wins; of equal ones, that with the larger sum of scores."
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
        "Votes of the pairs of classes",
        headings=["pair", "score", "vote"],
        rows=[row for _, row in rows],
        note=_outcome(labels, votes[0], standings[0]),
    )


def _outcome(labels: list[str], votes: Floats, standings: Floats) -> str:
    """Return who has how many votes, and what decides."""
    order = np.lexsort((-standings, -votes)).tolist()
    most = int(votes[order[0]])
    tied = [place for place in order if votes[place] == most]
    counted = f"Votes: {_counts(labels, votes, order)}."
    if len(tied) == 1:
        return f"{counted} {labels[order[0]]} has the most and wins."
    even = len(tied) > 1 and standings[tied[0]] == standings[tied[1]]
    why = "comes first among equals" if even else "has the largest sum of scores"
    return f"{counted} {len(tied)} classes have the most; {labels[order[0]]} wins, which {why}."


def _counts(labels: list[str], votes: Floats, order: list[int]) -> str:
    told, others = order[:_MOST_CLASSES], order[_MOST_CLASSES:]
    groups = groupby(told, key=lambda place: int(votes[place]))
    counted = [f"{count} for {' and '.join(labels[place] for place in places)}" for count, places in groups]
    return ", ".join([*counted, *([f"no more for {len(others)} other classes"] if others else [])])
