"""AdaBoost: one round, and all rounds of trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Codes, Floats
from classica.native.trees import RankTable

#: Why there may be no further round.
ENDS: tuple[str, ...] = _core.ROUND_ENDS

#: Learning rate, bonus, chance and cases; see `boosting.hpp`.
BoostRules = tuple[float, float, float, float]

#: The member's error, its vote (0: it is left out), the training error so far, and the end.
Round = tuple[float, float, float, str]


def take_round(
    rules: BoostRules,
    codes: Codes,
    start: Floats,
    weights: Floats,
    votes: Floats,
    predicted: Codes,
    votes_before: float,
    threads: int,
) -> Round:
    """Count what a new member says of each row: `weights` and `votes` change."""
    error, vote, training_error, end = _core.take_round(
        rules, codes, start, weights, votes, predicted, votes_before, threads
    )
    return error, vote, training_error, end


def boost_trees(
    table: RankTable,
    codes: Codes,
    classes: int,
    start: Floats,
    total: float,
    cases: Floats | None,
    rules: dict[str, Any],
    boosting: BoostRules,
    seeds: NDArray[np.uint64],
    threads: int,
) -> tuple[list[dict[str, Any]], dict[str, Any], list[Round]]:
    """Return the arrays of the trees that stay, those of their forest, and all rounds."""
    result = _core.boost_trees(table, codes, classes, start, total, cases, rules, boosting, seeds, threads)
    trees, forest, rounds = result
    return [dict(tree) for tree in trees], dict(forest), list(rounds)
