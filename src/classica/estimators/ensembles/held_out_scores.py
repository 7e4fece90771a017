"""What members give to the true class of rows they have not learned from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone

from classica.arrays import MatrixLike
from classica.errors import DataError, must
from classica.estimators.base.estimator import TrainingData
from classica.estimators.members.member_fits import Wanted, ballots, fit_member, in_threads
from classica.estimators.trees.tree_pruning import Splits
from classica.native import Codes, Floats, row_draws
from classica.row_taking import take_rows
from classica.trees.growing.tree import Longs


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
        results = in_threads(_learned_scores, tasks, threads)
        cases = np.concatenate([_counted(part.judged, part.judged_weights) for part in parts])
        by_voting = [
            np.concatenate(scores).reshape(len(templates), -1) for scores in zip(*results, strict=True)
        ]
        return [cls(scores, cases) for scores in by_voting]


def _learned_scores(
    template: BaseEstimator,
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


def _score(member: BaseEstimator, data: TrainingData, voting: str) -> Floats:
    given = ballots(member, data.X, data.classes, voting)
    to_truth: Floats = given[np.arange(len(given)), data.codes]
    return to_truth


def _taken(data: TrainingData, rows: NDArray[Any], weights: Floats | None) -> TrainingData:
    return TrainingData(take_rows(data.X, rows), data.classes, data.codes[rows], weights)


def _counted(rows: Sized, weights: Floats | None) -> Floats:
    return np.ones(len(rows)) if weights is None else weights


#: Up to here doubles count every case.
_MOST_CASES = 2.0**53


@dataclass(frozen=True)
class HeldOutPart:
    """Row numbers to learn from and to judge by, and how much each counts."""

    learned: Longs
    learned_weights: Floats | None
    judged: Longs
    judged_weights: Floats | None


def random_parts(
    parts: int, X: MatrixLike, codes: Codes, weights: Floats | None, seed: int, threads: int
) -> list[HeldOutPart]:
    """Return parts drawn by the content of the rows of a matrix X, or by their position if it is None."""
    if X is None:
        draws: Floats = np.random.RandomState(seed).random_sample(len(codes))
    else:
        draws = row_draws(X, seed, threads)
    return _usable(_dealt_out(int(parts), draws, codes, weights))


def given_parts(cv: Splits, codes: Codes, weights: Floats | None, indices: Longs | None) -> list[HeldOutPart]:
    """Return the parts of a splitter, or of pairs of row numbers.

    These are numbers of the rows as they were given; ``places`` tells where each is now, or -1.
    """
    now = np.arange(len(codes))
    try:
        if hasattr(cv, "split"):
            cv = list(cv.split(now[:, None], codes))
        elif indices is not None:
            now = indices
        pairs = [(now[np.asarray(learned)], now[np.asarray(judged)]) for learned, judged in cv]
    except (IndexError, TypeError, ValueError) as error:
        raise DataError(must("cv", f"able to split the {len(now)} rows ({error})", cv)) from error
    kept = [(learned[learned >= 0], judged[judged >= 0]) for learned, judged in pairs]
    if weights is None:
        return _usable(HeldOutPart(learned, None, judged, None) for learned, judged in kept)
    return _usable(
        HeldOutPart(learned, weights[learned], judged, weights[judged]) for learned, judged in kept
    )


def _usable(parts: Iterable[HeldOutPart]) -> list[HeldOutPart]:
    """Return the parts that leave something to learn from and something to judge by."""
    return [part for part in parts if len(part.learned) and len(part.judged)]


def _dealt_out(parts: int, draws: Floats, codes: Codes, weights: Floats | None) -> Iterator[HeldOutPart]:
    """Yield parts: class by class, in random order, every ``parts``-th case is in the same one."""
    case_weights = np.ones(len(codes)) if weights is None else weights
    whole = not (case_weights % 1).any() and case_weights.sum() < _MOST_CASES
    cases = case_weights.astype(np.int64) if whole else np.ones(len(codes), dtype=np.int64)
    order = np.lexsort((draws, codes))
    end = np.empty_like(cases)
    end[order] = np.cumsum(cases[order])
    for part in range(parts):
        judged = _dealt_before(end, part, parts) - _dealt_before(end - cases, part, parts)
        scale = case_weights / cases
        yield _part((cases - judged) * scale, judged * scale, weights is not None)


def _dealt_before(case: Longs, part: int, parts: int) -> Longs:
    """Return how many of the cases before a number are dealt to a part."""
    return (case + parts - 1 - part) // parts


def _part(learned: Floats, judged: Floats, weighted: bool) -> HeldOutPart:
    rows, judges = np.flatnonzero(learned), np.flatnonzero(judged)
    if not weighted:
        return HeldOutPart(rows, None, judges, None)
    return HeldOutPart(rows, learned[rows], judges, judged[judges])
