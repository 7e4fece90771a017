"""What members give to the true class of rows they have not learned from."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from classica.estimators.base.estimator import TrainingData
from classica.estimators.ensembles.held_out_parts import HeldOutPart
from classica.estimators.members.member_fits import Wanted, ballots, fit_member, in_threads
from classica.native import Floats
from classica.row_taking import take_rows


@dataclass(frozen=True)
class HeldOutScores:
    """A row of scores for each member; how much each case counts."""

    scores: Floats
    cases: Floats

    @classmethod
    def of_fitted(cls, members: list[Any], data: TrainingData, voting: str) -> HeldOutScores:
        """Score members that have not learned from these rows."""
        scores = [_score(member, data, voting) for member in members]
        return cls(np.array(scores), _counted(data.codes, data.weights))

    @classmethod
    def of_parts(
        cls,
        templates: list[tuple[Any, Wanted]],
        data: TrainingData,
        parts: list[HeldOutPart],
        votings: list[str],
        threads: int,
        n_jobs: int | None,
    ) -> list[HeldOutScores]:
        """Score each part by clones of the members as they were before fitting, learned from the rest.

        They are fitted once, each with what it wants of all rows, and asked for each kind of vote.
        """
        if not parts:
            return [cls(np.empty((len(templates), 0)), np.empty(0))] * len(votings)
        alone = threads == 1
        tasks = [(*member, data, part, votings, alone, n_jobs) for member in templates for part in parts]
        found = in_threads(_learned_scores, tasks, threads)
        cases = np.concatenate([_counted(part.judged, part.judged_weights) for part in parts])
        by_voting = [
            np.concatenate(scores).reshape(len(templates), -1) for scores in zip(*found, strict=True)
        ]
        return [cls(scores, cases) for scores in by_voting]


def _learned_scores(
    template: Any,
    wanted: Wanted,
    data: TrainingData,
    part: HeldOutPart,
    votings: list[str],
    alone: bool,
    n_jobs: int | None,
) -> list[Floats]:
    learned = _taken(data, part.learned, part.learned_weights)
    labels = learned.classes[learned.codes]
    params = wanted.take(part.learned).params(learned.weights)
    member = fit_member(clone(template), learned.X, labels, params, alone, n_jobs)
    judged = _taken(data, part.judged, part.judged_weights)
    return [_score(member, judged, voting) for voting in votings]


def _score(member: Any, data: TrainingData, voting: str) -> Floats:
    given = ballots(member, data.X, data.classes, voting)
    to_truth: Floats = given[np.arange(len(given)), data.codes]
    return to_truth


def _taken(data: TrainingData, rows: Any, weights: Floats | None) -> TrainingData:
    return TrainingData(take_rows(data.X, rows), data.classes, data.codes[rows], weights)


def _counted(rows: Sized, weights: Floats | None) -> Floats:
    return np.ones(len(rows)) if weights is None else weights
