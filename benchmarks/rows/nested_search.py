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

_OUTER, _INNER = 3, 5
#: Tables of fewer rows are those of the quick form.
_FULL_ROWS = 1_000


def make(quick: bool, seed: int) -> Data:
    """Draw two classes in 20 columns."""
    data = labelled_regions(200 if quick else 5_000, 2, n_columns=20, n_classes=2, seed=seed)
    return Data(data.rows.astype(np.float64), data.labels, data.new_rows.astype(np.float64), data.new_labels)


def our_scores(pair: Pair, data: Data) -> NDArray[Any]:
    """Return the score of each outer part, by shortcuts."""
    found = nested_cv(pair.ours, pair.grid, data.rows, data.labels, cv=_OUTER, inner_cv=_INNER)
    return found.test_scores


def their_scores(pair: Pair, data: Data) -> NDArray[Any]:
    """Return the score of each outer part, by one fit after the other on every core."""
    search = GridSearchCV(pair.theirs, pair.grid, cv=_INNER, n_jobs=-1) if pair.grid else pair.theirs
    found = cross_validate(search, data.rows, data.labels, cv=_OUTER, return_train_score=True)
    scores: NDArray[Any] = found["test_score"]
    return scores


def _compare(data: Data, scores: Any) -> NDArray[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # networks stop before they have converged
        return np.array([scores(pair, data) for pair in pairs(len(data.labels) < _FULL_ROWS)])


def _close(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Every classifier scores the same, as far as it learns the same."""
    chance = 1.5 / np.sqrt(len(data.labels))
    for pair, own, other in zip(pairs(True), ours, theirs, strict=True):
        apart = float(np.abs(own - other).max())
        if apart > (pair.apart and pair.apart + chance) + 1e-12:
            return f"scores of {pair.name} up to {apart:.4f} apart"
    return None


BENCHMARK = Benchmark(
    slug="nested-search",
    work=f"Ten classifiers tuned by grids in {_INNER} inner parts and judged on {_OUTER} outer ones",
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
