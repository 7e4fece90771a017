"""Rows held out to judge members by, in parts with their share of every class.

A row that counts as several cases is dealt out case by case, and by what is in it rather than by where it
stands: a weight of 2 is the row twice, here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from classica.errors import DataError
from classica.native import Codes, Floats, row_draws
from classica.params import Integer

#: Up to here doubles count every case.
_MOST_CASES = 2.0**53


@dataclass(frozen=True)
class HeldOutPart:
    """Row numbers to learn from and to judge by, and how much each counts."""

    learned: NDArray[np.int64]
    learned_weights: Floats | None
    judged: NDArray[np.int64]
    judged_weights: Floats | None


def held_out_parts(
    cv: Any, X: Any, codes: Codes, weights: Floats | None, seed: int, threads: int
) -> list[HeldOutPart]:
    """Return the parts that leave something to learn from and something to judge by.

    ``cv`` is a number of parts, drawn by the content of the rows of a matrix X (by their place, if it is
    None), or anything scikit-learn can split by.
    """
    if Integer().accepts(cv):
        draws = _draws(X, len(codes), seed, threads)
        parts = _dealt_out(int(cv), draws, codes, weights)
    else:
        parts = _given_parts(cv, codes, weights)
    return [part for part in parts if len(part.learned) and len(part.judged)]


def _draws(X: Any, rows: int, seed: int, threads: int) -> Floats:
    if X is None:
        drawn: Floats = np.random.RandomState(seed).random_sample(rows)
        return drawn
    return row_draws(X, seed, threads)


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


def _dealt_before(case: NDArray[np.int64], part: int, parts: int) -> NDArray[np.int64]:
    """Return how many of the cases before a number are dealt to a part."""
    return (case + parts - 1 - part) // parts


def _part(learned: Floats, judged: Floats, weighted: bool) -> HeldOutPart:
    rows, judges = np.flatnonzero(learned), np.flatnonzero(judged)
    if not weighted:
        return HeldOutPart(rows, None, judges, None)
    return HeldOutPart(rows, learned[rows], judges, judged[judges])


def _given_parts(cv: Any, codes: Codes, weights: Floats | None) -> Iterator[HeldOutPart]:
    places = np.arange(len(codes))
    try:
        splits = list(check_cv(cv, codes, classifier=True).split(places[:, None], codes))
        pairs = [(places[learned], places[judged]) for learned, judged in splits]
    except (IndexError, TypeError, ValueError) as error:
        raise DataError(f"cv must split the {len(codes)} rows, got {cv!r}: {error}") from error
    for learned, judged in pairs:
        if weights is None:
            yield HeldOutPart(learned, None, judged, None)
        else:
            yield HeldOutPart(learned, weights[learned], judged, weights[judged])
