"""What members give to the true class of rows they have not learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from classica.estimators._base import TrainingData
from classica.estimators._held_out_parts import HeldOutPart
from classica.estimators._member_fits import ballots, fit_member, in_threads
from classica.estimators._member_rows import take_rows
from classica.native import Floats


@dataclass(frozen=True)
class HeldOutScores:
    """A row of scores for each member; how much each case counts."""

    scores: Floats
    cases: Floats

    @classmethod
    def of_fitted(cls, members: list[Any], data: TrainingData, voting: str) -> HeldOutScores:
        """Score members that have not learned from these rows."""
        scores = [_score(member, data, voting) for member in members]
        return cls(np.array(scores), _counted(data))

    @classmethod
    def of_parts(
        cls,
        members: list[Any],
        data: TrainingData,
        parts: list[HeldOutPart],
        voting: str,
        threads: int,
        n_jobs: int | None,
    ) -> HeldOutScores:
        """Score each part by clones of the members that learned from the rest."""
        tasks = [
            (clone(member), _taken(data, part.learned, part.learned_weights), judged, voting, n_jobs, threads)
            for part in parts
            for judged in [_taken(data, part.judged, part.judged_weights)]
            for member in members
        ]
        found = in_threads(_learned_score, tasks, threads)
        of_member = [found[place :: len(members)] for place in range(len(members))]
        scores = [np.concatenate([np.empty(0), *of_parts]) for of_parts in of_member]
        counted = [_counted(judged) for _, _, judged, *_ in tasks[:: len(members)]]
        return cls(np.array(scores), np.concatenate([np.empty(0), *counted]))


def _learned_score(
    member: Any, learned: TrainingData, judged: TrainingData, voting: str, n_jobs: int | None, threads: int
) -> Floats:
    labels = learned.classes[learned.codes]
    fit_member(member, learned.X, labels, learned.weights, threads == 1, n_jobs)
    return _score(member, judged, voting)


def _score(member: Any, data: TrainingData, voting: str) -> Floats:
    given = ballots(member, data.X, data.classes, voting)
    to_truth: Floats = given[np.arange(len(given)), data.codes]
    return to_truth


def _taken(data: TrainingData, rows: Any, weights: Floats | None) -> TrainingData:
    return TrainingData(take_rows(data.X, rows), data.classes, data.codes[rows], weights)


def _counted(data: TrainingData) -> Floats:
    return np.ones(len(data.codes)) if data.weights is None else data.weights
