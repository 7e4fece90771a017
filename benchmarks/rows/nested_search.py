"""A whole comparison: every classifier both libraries have, tuned inside, judged outside."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GridSearchCV, cross_validate

from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.regions import labelled_regions
from benchmarks.search_pairs import Pair, pairs
from classica import nested_cv

#: Outer and inner parts.
_PARTS, _QUICK_PARTS = (3, 5), (2, 2)
#: Tables of fewer rows are those of the quick form.
_FULL_ROWS = 1_000


def make(quick: bool, seed: int) -> Data:
    """Draw two classes in 20 columns."""
    data = labelled_regions(200 if quick else 5_000, 2, n_columns=20, n_classes=2, seed=seed)
    return Data(data.rows.astype(np.float64), data.labels, data.new_rows.astype(np.float64), data.new_labels)


def our_scores(pair: Pair, data: Data) -> NDArray[Any]:
    """Return the score of each outer part, by shortcuts."""
    outer, inner = _QUICK_PARTS if _is_quick(data) else _PARTS
    result = nested_cv(pair.ours, pair.grid, data.rows, data.labels, cv=outer, inner_cv=inner)
    return result.test_scores


def their_scores(pair: Pair, data: Data) -> NDArray[Any]:
    """Return the score of each outer part, by one fit after the other on every core."""
    outer, inner = _QUICK_PARTS if _is_quick(data) else _PARTS
    search = GridSearchCV(pair.theirs, pair.grid, cv=inner, n_jobs=-1) if pair.grid else pair.theirs
    result = cross_validate(search, data.rows, data.labels, cv=outer, return_train_score=True)
    scores: NDArray[Any] = result["test_score"]
    return scores


def _is_quick(data: Data) -> bool:
    return len(data.labels) < _FULL_ROWS


def _compare(data: Data, scores: Any) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # networks stop before they have converged
        return np.array([scores(pair, data) for pair in pairs(_is_quick(data))])


def _close(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Every classifier scores the same, as far as it learns the same."""
    chance = 1.5 / np.sqrt(len(data.labels))
    for pair, own, other in zip(pairs(_is_quick(data)), ours, theirs, strict=True):
        apart = float(np.abs(own - other).max())
        if apart > (pair.apart and pair.apart + chance) + 1e-12:
            return f"scores of {pair.name} up to {apart:.4f} apart"
    return None


BENCHMARK = Benchmark(
    slug="nested-search",
    work="Ten classifiers: parameters chosen from grids by cross-validation, judged by an outer one",
    make=make,
    contenders=[
        Contender(
            "classica",
            lambda data: _compare(data, our_scores),
            lambda data, scores: scores,
            requires="classica",
            ours=True,
        ),
        Contender(
            "scikit-learn",
            lambda data: _compare(data, their_scores),
            lambda data, scores: scores,
            requires="sklearn",
        ),
    ],
    agree=_close,
    target=10,
    compared="fit",
)
